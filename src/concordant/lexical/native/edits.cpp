#include "edits.hpp"

#include <algorithm>

namespace concordant {

namespace {

// Errors in the high half, insertions and deletions among them in the low half: the smallest number
// is the fewest errors, then the most substitutions.
constexpr uint64_t kError = uint64_t{1} << 32;
constexpr uint64_t kGap = kError + 1;

}  // namespace

WordErrors word_errors(const std::vector<uint32_t>& hypothesis,
                       const std::vector<uint32_t>& reference, std::vector<uint64_t>& row) {
    row.resize(reference.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j * kGap;
    for (const uint32_t word : hypothesis) {
        uint64_t diagonal = row[0], left = row[0] += kGap;
        for (std::size_t j = 0; j < reference.size(); ++j) {
            const uint64_t replaced = diagonal + (word == reference[j] ? 0 : kError);
            diagonal = row[j + 1];
            left = std::min(replaced, std::min(diagonal, left) + kGap);
            row[j + 1] = left;
        }
    }
    const std::size_t errors = row.back() >> 32, gaps = row.back() & (kError - 1);
    const std::size_t n = hypothesis.size(), m = reference.size();
    return {errors - gaps, (gaps + n - m) / 2, (gaps + m - n) / 2};
}

std::size_t shared_words(const std::vector<uint32_t>& hypothesis,
                         const std::vector<uint32_t>& reference, std::size_t vocabulary,
                         std::vector<uint32_t>& counts) {
    counts.assign(vocabulary, 0);
    for (const uint32_t word : reference) ++counts[word];
    std::size_t shared = 0;
    for (const uint32_t word : hypothesis) {
        if (counts[word] == 0) continue;
        --counts[word];
        ++shared;
    }
    return shared;
}

}  // namespace concordant
