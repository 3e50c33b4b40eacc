// What a text shows of its script and its length, counted for the flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../../native/text.hpp"
#include "../../../native/words.hpp"

namespace concordant {

struct TraitScratch {
    std::u32string line;
    std::vector<std::u32string_view> words;
    std::vector<uint32_t> numbers;
    Vocabulary vocabulary;
};

// A row: letters of each script, words, characters without the white space at both ends, and 1 if a
// run of words stands there several times.
class TextTraits {
  public:
    static constexpr std::size_t kMore = 3;  // columns after scripts

    struct Limits {
        std::size_t times;   // a run that stands there so often in a row
        std::size_t period;  // and has at most so many words
    };

    // `script_of` has a byte for each code point, `scripts` for what is no letter of any.
    TextTraits(std::vector<uint8_t> script_of, std::size_t scripts, Limits limits)
        : script_of_(std::move(script_of)), scripts_(scripts), limits_(limits) {}

    std::size_t columns() const { return scripts_ + kMore; }

    // Adds to a row of zeros; `lowered` is the text in small letters.
    void count(const Text& text, const Text& lowered, TraitScratch& scratch, double* row) const {
        copy_code_points(text, scratch.line);
        double* more = row + scripts_;
        more[1] = static_cast<double>(stripped_length(scratch.line));
        count_letters(scratch.line, row);
        copy_code_points(lowered, scratch.line);
        split(scratch.line, scratch.words);
        more[0] = static_cast<double>(scratch.words.size());
        more[2] = repeats(scratch) ? 1.0 : 0.0;
    }

  private:
    void count_letters(std::u32string_view line, double* row) const {
        for (const char32_t c : line)
            if (script_of_[c] < scripts_) ++row[script_of_[c]];
    }

    static std::size_t stripped_length(std::u32string_view line) {
        while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
        while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
        return line.size();
    }

    bool repeats(TraitScratch& scratch) const {
        const std::size_t size = scratch.words.size();
        scratch.vocabulary.clear();
        scratch.vocabulary.number(scratch.words, scratch.numbers);
        if (size < scratch.vocabulary.size() + limits_.times - 1) return false;
        for (std::size_t period = 1; period <= limits_.period; ++period) {
            std::size_t run = 0;
            for (std::size_t i = period; i < size; ++i) {
                run = scratch.numbers[i] == scratch.numbers[i - period] ? run + 1 : 0;
                if (run >= (limits_.times - 1) * period) return true;
            }
        }
        return false;
    }

    std::vector<uint8_t> script_of_;
    std::size_t scripts_;
    Limits limits_;
};

}  // namespace concordant
