// Words as numbers: the same word is the same number within one segment.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unicode.hpp"

namespace concordant {

// Pieces of a line between white space, as str.split() gives them. They view into `line`.
inline void split(std::u32string_view line, std::vector<std::u32string_view>& pieces) {
    pieces.clear();
    std::size_t i = 0;
    while (i < line.size()) {
        while (i < line.size() && is_space(line[i])) ++i;
        const std::size_t begin = i;
        while (i < line.size() && !is_space(line[i])) ++i;
        if (i > begin) pieces.push_back(line.substr(begin, i - begin));
    }
}

// Numbers from 0 in the order in which words are first met. The texts must outlive it. A table of
// slots with linear probing; `clear` costs nothing, because a slot of an earlier age is empty.
class Vocabulary {
  public:
    void clear() {
        size_ = 0;
        if (++age_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            age_ = 1;
        }
    }

    std::size_t size() const { return size_; }

    uint32_t number(std::u32string_view word) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        const uint64_t hash = hash_of(word);
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place].age == age_) {
            if (slots_[place].hash == hash && slots_[place].word == word)
                return slots_[place].number;
            place = (place + 1) & (slots_.size() - 1);
        }
        slots_[place] = Slot{word, hash, static_cast<uint32_t>(size_), age_};
        return static_cast<uint32_t>(size_++);
    }

    void number(const std::vector<std::u32string_view>& words, std::vector<uint32_t>& numbers) {
        numbers.clear();
        for (const auto& word : words) numbers.push_back(number(word));
    }

  private:
    struct Slot {
        std::u32string_view word;
        uint64_t hash = 0;
        uint32_t number = 0;
        uint32_t age = 0;
    };

    static uint64_t hash_of(std::u32string_view word) {
        uint64_t hash = 0x9e3779b97f4a7c15;
        for (char32_t c : word) hash = (hash ^ c) * 0xff51afd7ed558ccd;
        return hash ^ (hash >> 29);
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 256 : 2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.age != age_) continue;
            std::size_t place = slot.hash & (slots_.size() - 1);
            while (slots_[place].age == age_) place = (place + 1) & (slots_.size() - 1);
            slots_[place] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    uint32_t age_ = 1;
};

// The characters of a segment as numbers from 0; only of the basic plane, where nearly all are.
class Alphabet {
  public:
    static constexpr uint32_t kNone = 0xffffffff;

    void clear() {
        size_ = 0;
        if (++age_ == 0) {
            ages_.assign(ages_.size(), 0);
            age_ = 1;
        }
    }

    // kNone for a character beyond the basic plane.
    uint32_t number(char32_t c) {
        if (c >= ages_.size()) return kNone;
        if (ages_[c] != age_) {
            ages_[c] = age_;
            numbers_[c] = size_++;
        }
        return numbers_[c];
    }

  private:
    std::vector<uint32_t> ages_ = std::vector<uint32_t>(0x10000, 0);
    std::vector<uint32_t> numbers_ = std::vector<uint32_t>(0x10000, 0);
    uint32_t size_ = 0;
    uint32_t age_ = 1;
};

}  // namespace concordant
