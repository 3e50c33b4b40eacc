#include "sequences.hpp"

#include <algorithm>

namespace concordant {

namespace {

double number_of_pairs(std::size_t length, std::size_t skip) {
    double pairs = 0;
    for (std::size_t i = 0; i + 1 < length; ++i)
        pairs += static_cast<double>(std::min(length - 1 - i, skip == kAnySkip ? length : skip + 1));
    return pairs;
}

void places_of(const std::vector<uint32_t>& words, std::size_t vocabulary,
               std::vector<std::vector<uint32_t>>& places) {
    if (places.size() < vocabulary) places.resize(vocabulary);
    for (std::size_t v = 0; v < vocabulary; ++v) places[v].clear();
    for (std::size_t i = 0; i < words.size(); ++i)
        places[words[i]].push_back(static_cast<uint32_t>(i));
}

// For every word, how often it follows one of the places within reach.
void count_followers(const std::vector<uint32_t>& words, const std::vector<uint32_t>& places,
                     std::size_t skip, std::vector<uint32_t>& counts) {
    if (skip != kAnySkip) {
        for (uint32_t place : places) {
            const std::size_t end = std::min(words.size(), place + skip + 2);
            for (std::size_t j = place + 1; j < end; ++j) ++counts[words[j]];
        }
        return;
    }
    // A word at j follows as many of the places as lie before j.
    std::size_t before = 0;
    for (std::size_t j = places.front() + 1; j < words.size(); ++j) {
        while (before < places.size() && places[before] < j) ++before;
        counts[words[j]] += static_cast<uint32_t>(before);
    }
}

}  // namespace

SkipCounts skip_bigrams(const std::vector<uint32_t>& hypothesis,
                        const std::vector<uint32_t>& reference, std::size_t vocabulary,
                        std::size_t skip, SkipScratch& scratch) {
    SkipCounts result;
    result.hypothesis = number_of_pairs(hypothesis.size(), skip);
    result.reference = number_of_pairs(reference.size(), skip);
    places_of(hypothesis, vocabulary, scratch.hypothesis_places);
    places_of(reference, vocabulary, scratch.reference_places);
    for (std::size_t v = 0; v < vocabulary; ++v) {
        if (scratch.hypothesis_places[v].empty() || scratch.reference_places[v].empty()) continue;
        scratch.hypothesis_counts.assign(vocabulary, 0);
        scratch.reference_counts.assign(vocabulary, 0);
        count_followers(hypothesis, scratch.hypothesis_places[v], skip, scratch.hypothesis_counts);
        count_followers(reference, scratch.reference_places[v], skip, scratch.reference_counts);
        for (std::size_t w = 0; w < vocabulary; ++w)
            result.matches += std::min(scratch.hypothesis_counts[w], scratch.reference_counts[w]);
    }
    return result;
}

std::size_t longest_common_subsequence(const std::vector<uint32_t>& hypothesis,
                                       const std::vector<uint32_t>& reference,
                                       std::size_t vocabulary) {
    const std::size_t blocks = (hypothesis.size() + 63) / 64;
    if (blocks == 0 || reference.empty()) return 0;
    // Hyyrö 2004: a 0 bit is a word of the hypothesis that the common subsequence has taken. The
    // masks of a word are built when the reference asks for it, to keep memory with the words.
    std::vector<std::vector<uint64_t>> masks(vocabulary);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        auto& mask = masks[hypothesis[i]];
        if (mask.empty()) mask.resize(blocks);
        mask[i / 64] |= uint64_t{1} << (i % 64);
    }
    std::vector<uint64_t> state(blocks, ~uint64_t{0});
    for (uint32_t word : reference) {
        const auto& mask = masks[word];
        if (mask.empty()) continue;
        uint64_t carry = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            const uint64_t taken = state[b] & mask[b];
            const uint64_t sum = state[b] + taken;
            const uint64_t with_carry = sum + carry;
            carry = (sum < state[b]) | (with_carry < sum);
            state[b] = with_carry | (state[b] & ~mask[b]);
        }
    }
    std::size_t length = 0;
    for (std::size_t i = 0; i < hypothesis.size(); ++i)
        length += (state[i / 64] >> (i % 64) & 1) == 0;
    return length;
}

}  // namespace concordant
