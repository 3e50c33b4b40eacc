#include "edits.hpp"

#include <algorithm>

#include "../../../native/interruption.hpp"

namespace concordant {

namespace {

// Errors in the high half, insertions and deletions among them in the low half: the smallest number
// is the fewest errors, then the most substitutions.
constexpr uint32_t kError = uint32_t{1} << 16;
constexpr uint32_t kGap = kError + 1;

}  // namespace

WordErrors word_errors(const std::vector<uint32_t>& translation,
                       const std::vector<uint32_t>& reference, std::vector<uint32_t>& row) {
    const std::size_t n = translation.size(), m = reference.size();
    // Two rows, one after the other: the one above, and the one that is made.
    row.resize(2 * (m + 1));
    uint32_t *above = row.data(), *made = above + m + 1;
    for (std::size_t j = 0; j <= m; ++j) above[j] = static_cast<uint32_t>(j) * kGap;
    Pace pace;
    for (const uint32_t word : translation) {
        const uint32_t* words = reference.data();
        // First what comes from above, many cells at a time; then what comes from the left.
        for (std::size_t j = 0; j < m; ++j)
            made[j + 1] = std::min(above[j] + (words[j] == word ? 0 : kError), above[j + 1] + kGap);
        uint32_t left = made[0] = above[0] + kGap;
        for (std::size_t j = 1; j <= m; ++j) made[j] = left = std::min(made[j], left + kGap);
        std::swap(above, made);
        pace.spend(m);
    }
    const std::size_t errors = above[m] >> 16, gaps = above[m] & (kError - 1);
    return {errors - gaps, (gaps + n - m) / 2, (gaps + m - n) / 2};
}

std::size_t shared_words(const std::vector<uint32_t>& translation,
                         const std::vector<uint32_t>& reference, std::size_t vocabulary,
                         std::vector<uint32_t>& counts) {
    counts.assign(vocabulary, 0);
    for (const uint32_t word : reference) ++counts[word];
    std::size_t shared = 0;
    for (const uint32_t word : translation) {
        if (counts[word] == 0) continue;
        --counts[word];
        ++shared;
    }
    return shared;
}

}  // namespace concordant
