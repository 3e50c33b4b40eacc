// Concordant, discordant and tied pairs of two variables, by Knight's O(n log n) method (1966).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

struct PairCounts {
    int64_t concordant = 0;
    int64_t discordant = 0;
    int64_t tied_x = 0;     // tied in x only
    int64_t tied_y = 0;     // tied in y only
    int64_t tied_both = 0;  // tied in x and in y
};

// Counts over all pairs of the n points (x[i], y[i]); `scratch` is reused between calls.
struct PairCounter {
    std::vector<std::size_t> order;
    std::vector<double> values, buffer;
    PairCounts count(const double* x, const double* y, std::size_t n);
};

}  // namespace concordant
