// The edits of CharacTER: phrases shifted as words, then edits of characters (Wang et al. 2016).
//
// Follows the authors' program, where words match if they are equal. Two limits are ours: the search
// for shifts ends with those found within `kMostSteps` steps, about three seconds' work (a text of
// 500 words needs fewer), and texts of more than 2,000 words are compared in windows of 64, because
// that search takes time in the fourth power of the length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bit_rows.hpp"
#include "levenshtein.hpp"

namespace concordant {

constexpr WindowSizes kCharacterWindows{2000, 64};  // flags.py states the first

struct CharacterScratch {
    BitRows rows;
    Levenshtein levenshtein;
    std::vector<uint32_t> words, moved, best, counts;
    std::u32string shifted, reference;
};

struct CharacterEdits {
    std::size_t distance = 0;  // in characters, of the shifted translation to the reference
    double shifts = 0;         // for each shifted phrase, the mean length of its words
};

// `words` are the words that the numbers stand for.
CharacterEdits character_edits(const std::vector<uint32_t>& translation,
                               const std::vector<uint32_t>& reference,
                               const std::vector<std::u32string_view>& words,
                               CharacterScratch& scratch);

// How many characters the words have, with one space between them.
std::size_t joined_length(const std::vector<uint32_t>& numbers,
                          const std::vector<std::u32string_view>& words);

}  // namespace concordant
