// The edits of CharacTER: phrases shifted as words, then edits of characters (Wang et al. 2016).
//
// Follows the authors' program, where words match if they are equal. Two limits are ours: texts of
// more than some five thousand words are not shifted, and a segment's search ends with the shifts
// made within `kMostSteps` steps, about ten seconds' work. A text of 400 words needs a tenth of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bit_rows.hpp"
#include "levenshtein.hpp"

namespace concordant {

struct CharacterScratch {
    BitRows rows;
    Levenshtein levenshtein;
    std::vector<uint32_t> words, moved, best, counts;
    std::u32string shifted, reference;
};

struct CharacterEdits {
    std::size_t distance = 0;  // in characters, of the shifted hypothesis to the reference
    double shifts = 0;         // for each shifted phrase, the mean length of its words
};

// `words` are the words that the numbers stand for.
CharacterEdits character_edits(const std::vector<uint32_t>& hypothesis,
                               const std::vector<uint32_t>& reference,
                               const std::vector<std::u32string_view>& words,
                               CharacterScratch& scratch);

// How many characters the words have, with one space between them.
std::size_t joined_length(const std::vector<uint32_t>& numbers,
                          const std::vector<std::u32string_view>& words);

}  // namespace concordant
