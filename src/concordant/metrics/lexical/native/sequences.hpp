// What two sequences of words share in order: skip-bigrams and the longest common subsequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace concordant {

constexpr std::size_t kAnySkip = std::numeric_limits<std::size_t>::max();

struct SkipCounts {
    double translation = 0, reference = 0, matches = 0;
};

struct SkipScratch {
    std::vector<std::vector<uint32_t>> translation_places, reference_places;
    std::vector<uint64_t> open;
};

struct LcsScratch {
    struct Block {
        std::size_t number;
        uint64_t bits;
    };
    std::vector<std::vector<Block>> places;
    std::vector<uint64_t> state;
};

// Pairs of words in order with at most `skip` words between them, each sequence's number and how
// many they share. Words are numbers below `vocabulary`.
SkipCounts skip_bigrams(const std::vector<uint32_t>& translation,
                        const std::vector<uint32_t>& reference, std::size_t vocabulary,
                        std::size_t skip, SkipScratch& scratch);

// The length of the longest common subsequence, 64 words of the translation at a time.
std::size_t longest_common_subsequence(const std::vector<uint32_t>& translation,
                                       const std::vector<uint32_t>& reference,
                                       std::size_t vocabulary, LcsScratch& scratch);

}  // namespace concordant
