#include "sequences.hpp"

#include <algorithm>

#include "../../../native/interruption.hpp"

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

// Calls visit(word, times) for the words within reach of the places, as often as they follow one.
template <class Visit>
void for_each_follower(const std::vector<uint32_t>& words, const std::vector<uint32_t>& places,
                       std::size_t skip, const Visit& visit) {
    if (skip != kAnySkip) {
        for (uint32_t place : places) {
            const std::size_t end = std::min(words.size(), place + skip + 2);
            for (std::size_t j = place + 1; j < end; ++j) visit(words[j], 1);
        }
        return;
    }
    // A word follows as many of the places as lie before it.
    for (std::size_t p = 0; p < places.size(); ++p) {
        const std::size_t end = p + 1 < places.size() ? places[p + 1] + 1 : words.size();
        for (std::size_t j = places[p] + 1; j < end; ++j) visit(words[j], p + 1);
    }
}

// Adds bits and carry to a block of the state as Hyyrö does, and returns the carry out of it.
uint64_t add(uint64_t& state, uint64_t bits, uint64_t carry) {
    const uint64_t sum = state + (state & bits);
    const uint64_t with_carry = sum + carry;
    const bool over = sum < state || with_carry < sum;
    state = with_carry | (state & ~bits);
    return over;
}

}  // namespace

SkipCounts skip_bigrams(const std::vector<uint32_t>& translation,
                        const std::vector<uint32_t>& reference, std::size_t vocabulary,
                        std::size_t skip, SkipScratch& scratch) {
    SkipCounts result;
    result.translation = number_of_pairs(translation.size(), skip);
    result.reference = number_of_pairs(reference.size(), skip);
    places_of(translation, vocabulary, scratch.translation_places);
    places_of(reference, vocabulary, scratch.reference_places);
    // How often each word follows the first word in the translation and is not matched yet.
    std::vector<uint64_t>& open = scratch.open;
    open.assign(vocabulary, 0);
    uint64_t matches = 0;
    Pace pace;
    for (std::size_t v = 0; v < vocabulary; ++v) {
        const auto& in_translation = scratch.translation_places[v];
        const auto& in_reference = scratch.reference_places[v];
        if (in_translation.empty() || in_reference.empty()) continue;
        for_each_follower(translation, in_translation, skip,
                          [&](uint32_t word, uint64_t times) { open[word] += times; });
        for_each_follower(reference, in_reference, skip, [&](uint32_t word, uint64_t times) {
            const uint64_t matched = std::min(open[word], times);
            open[word] -= matched;
            matches += matched;
        });
        for_each_follower(translation, in_translation, skip,
                          [&](uint32_t word, uint64_t) { open[word] = 0; });
        pace.spend(4 * (translation.size() + reference.size()));
    }
    result.matches = static_cast<double>(matches);
    return result;
}

std::size_t longest_common_subsequence(const std::vector<uint32_t>& translation,
                                       const std::vector<uint32_t>& reference,
                                       std::size_t vocabulary, LcsScratch& scratch) {
    // A word's places in the translation as bits, in the blocks that have any.
    auto& places = scratch.places;
    if (places.size() < vocabulary) places.resize(vocabulary);
    for (std::size_t v = 0; v < vocabulary; ++v) places[v].clear();
    for (std::size_t i = 0; i < translation.size(); ++i) {
        auto& blocks = places[translation[i]];
        if (blocks.empty() || blocks.back().number != i / 64) blocks.push_back({i / 64, 0});
        blocks.back().bits |= uint64_t{1} << (i % 64);
    }
    // Hyyrö 2004: a 0 bit is a word of the translation that the common subsequence has taken. A
    // block without places changes only by the carry of the one before.
    auto& state = scratch.state;
    state.assign((translation.size() + 63) / 64, ~uint64_t{0});
    Pace pace;
    for (uint32_t word : reference) {
        pace.spend(state.size());
        uint64_t carry = 0;
        std::size_t next = 0;
        for (const auto& block : places[word]) {
            for (; carry != 0 && next < block.number; ++next) carry = add(state[next], 0, carry);
            carry = add(state[block.number], block.bits, carry);
            next = block.number + 1;
        }
        for (; carry != 0 && next < state.size(); ++next) carry = add(state[next], 0, carry);
    }
    std::size_t length = 0;
    for (std::size_t i = 0; i < translation.size(); ++i)
        length += (state[i / 64] >> (i % 64) & 1) == 0;
    return length;
}

}  // namespace concordant
