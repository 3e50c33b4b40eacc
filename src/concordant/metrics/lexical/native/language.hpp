// Which language a text is in: naive Bayes over its byte n-grams, by the weights of a table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../native/text.hpp"

namespace concordant {

struct LanguageScratch {
    std::u32string line;
    std::string bytes;
    std::vector<uint32_t> times;  // of each n-gram of the table; zeros between texts
    std::vector<uint32_t> seen;   // the n-grams of the text, in the order of their first place
};

inline void append_utf8(char32_t c, std::string& bytes) {
    const auto add = [&](char32_t unit) { bytes.push_back(static_cast<char>(unit)); };
    const auto follow = [&](int shift) { add(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xC0 | (c >> 6)), follow(0);
    } else if (c < 0x10000) {
        add(0xE0 | (c >> 12)), follow(6), follow(0);
    } else {
        add(0xF0 | (c >> 18)), follow(12), follow(6), follow(0);
    }
}

// Every n-gram has a key, its bytes with its length above them, and a weight in some languages.
// The other languages have the floor of the table.
class LanguageTable {
  public:
    static constexpr std::size_t kShortest = 2, kLongest = 6;

    LanguageTable(const uint64_t* keys, std::size_t size, std::vector<uint32_t> starts,
                  std::vector<uint8_t> languages, std::vector<uint8_t> weights,
                  std::vector<float> floor, std::vector<float> prior, double step)
        : starts_(std::move(starts)),
          languages_(std::move(languages)),
          weights_(std::move(weights)),
          floor_(std::move(floor)),
          prior_(std::move(prior)),
          step_(step),
          size_(size) {
        std::size_t slots = 16;
        while (slots < 2 * size) slots *= 2;
        mask_ = slots - 1;
        slots_.assign(slots, {0, 0});
        for (std::size_t i = 0; i < size; ++i) {
            std::size_t at = slot_of(keys[i]);
            while (slots_[at].key != 0 && slots_[at].key != keys[i]) at = (at + 1) & mask_;
            slots_[at] = {keys[i], static_cast<uint32_t>(i)};
            const uint64_t hash = hash_of(keys[i]);
            filter_[hash >> 45 & (kFilter - 1)] |= uint64_t{1} << (hash >> 58);
        }
        for (std::size_t i = 0; i < kOften; ++i) often_[i] = std::log1p(static_cast<double>(i));
    }

    std::size_t columns() const { return floor_.size() + 1; }

    // The log of each language's probability but for a constant, divided by the root of the
    // text's bytes; and how many n-grams of the table the text has. A row of zeros without any.
    void score(const Text& text, LanguageScratch& scratch, double* row) const {
        scratch.times.resize(size_, 0);
        scratch.seen.clear();
        scratch.bytes.clear();
        copy_code_points(text, scratch.line);
        for (const char32_t c : scratch.line) append_utf8(c, scratch.bytes);
        find(scratch);
        if (scratch.seen.empty()) return;
        const std::size_t languages = floor_.size();
        double total = 0;
        for (const uint32_t gram : scratch.seen) {
            const uint32_t times = scratch.times[gram];
            const double often = times < kOften ? often_[times] : std::log1p(static_cast<double>(times));
            for (uint32_t i = starts_[gram]; i < starts_[gram + 1]; ++i)
                row[languages_[i]] += often * weights_[i];
            total += often;
            scratch.times[gram] = 0;
        }
        const double scale = 1 / std::sqrt(static_cast<double>(scratch.bytes.size()));
        for (std::size_t i = 0; i < languages; ++i)
            row[i] = scale * (step_ * row[i] + total * floor_[i] + prior_[i]);
        row[languages] = static_cast<double>(scratch.seen.size());
    }

  private:
    struct Slot {
        uint64_t key;  // 0: empty
        uint32_t gram;
    };

    static constexpr std::size_t kFilter = 8192;  // words of the filter, 64 KB
    static constexpr std::size_t kOften = 16;     // so often most n-grams stand in a text at most

    static uint64_t hash_of(uint64_t key) { return key * 0x9E3779B97F4A7C15ULL; }

    std::size_t slot_of(uint64_t key) const {
        return static_cast<std::size_t>(hash_of(key) >> 28) & mask_;
    }

    // The longest n-gram of the table that ends at each byte.
    void find(LanguageScratch& scratch) const {
        uint64_t last = 0;
        std::size_t behind = 0;
        for (const char c : scratch.bytes) {
            last = (last << 8) | static_cast<uint8_t>(c);
            ++behind;
            for (std::size_t n = std::min(kLongest, behind); n >= kShortest; --n) {
                const uint64_t bytes = last & ((uint64_t{1} << (8 * n)) - 1);
                const Slot* slot = look_up(bytes | (uint64_t{n} << 56));
                if (slot == nullptr) continue;
                if (scratch.times[slot->gram]++ == 0) scratch.seen.push_back(slot->gram);
                break;
            }
        }
    }

    // Most keys that are asked for are in no slot: the filter, which fits a cache, says so.
    const Slot* look_up(uint64_t key) const {
        const uint64_t hash = hash_of(key);
        if ((filter_[hash >> 45 & (kFilter - 1)] >> (hash >> 58) & 1) == 0) return nullptr;
        for (std::size_t at = slot_of(key); slots_[at].key != 0; at = (at + 1) & mask_)
            if (slots_[at].key == key) return &slots_[at];
        return nullptr;
    }

    std::vector<uint32_t> starts_;
    std::vector<uint8_t> languages_, weights_;
    std::vector<float> floor_, prior_;
    std::vector<Slot> slots_;
    std::vector<uint64_t> filter_ = std::vector<uint64_t>(kFilter, 0);
    double often_[kOften];
    double step_;
    std::size_t size_, mask_;
};

}  // namespace concordant
