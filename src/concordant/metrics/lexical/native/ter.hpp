// The edits of TER: phrases shifted greedily, then words inserted, deleted and substituted.
//
// Snover et al. 2006, with the limits, the beam and the ranking of shifts of tercom as sacrebleu
// has them; the result is the same number of edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "beam_rows.hpp"
#include "bit_rows.hpp"

namespace concordant {

struct TerScratch {
    BitRows bits;
    BeamRows beam;
    std::vector<uint32_t> words, moved, counts;
    std::vector<std::size_t> first_places, next_places;     // of each word, in the reference
    std::vector<std::size_t> near_places;                   // of each word, the first within reach
    std::vector<int64_t> aligned;                           // per reference word, -1: before all
    std::vector<uint32_t> wrong_words, wrong_references;    // how many before each position
};

// The edits that turn the translation into the reference; words are numbers below `vocabulary`.
std::size_t ter_edits(const std::vector<uint32_t>& translation,
                      const std::vector<uint32_t>& reference, std::size_t vocabulary,
                      TerScratch& scratch);

}  // namespace concordant
