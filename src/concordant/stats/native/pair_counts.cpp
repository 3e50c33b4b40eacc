#include "pair_counts.hpp"

#include <algorithm>
#include <numeric>

#include "../../native/interruption.hpp"

namespace concordant {

namespace {

int64_t pairs(int64_t n) { return n * (n - 1) / 2; }

// Pairs that stand in the wrong order, i.e. the exchanges a bubble sort would make; sorts `values`.
int64_t inversions(std::vector<double>& values, std::vector<double>& buffer) {
    const std::size_t n = values.size();
    int64_t swaps = 0;
    Pace pace;
    for (std::size_t width = 1; width < n; width *= 2) {
        pace.spend(4 * n);
        for (std::size_t begin = 0; begin < n; begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, n);
            const std::size_t end = std::min(begin + 2 * width, n);
            std::size_t left = begin, right = middle;
            for (std::size_t out = begin; out < end; ++out) {
                const bool take_right =
                    left >= middle || (right < end && values[right] < values[left]);
                if (take_right) {
                    swaps += static_cast<int64_t>(middle - left);
                    buffer[out] = values[right++];
                } else {
                    buffer[out] = values[left++];
                }
            }
        }
        values.swap(buffer);
    }
    return swaps;
}

}  // namespace

PairCounts PairCounter::count(const double* x, const double* y, std::size_t n) {
    order.resize(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b];
    });

    int64_t same_x = 0, same_both = 0;
    int64_t run_x = 1, run_both = 1;
    for (std::size_t i = 1; i <= n; ++i) {
        const bool equal_x = i < n && x[order[i]] == x[order[i - 1]];
        const bool equal_both = equal_x && y[order[i]] == y[order[i - 1]];
        if (equal_both) {
            ++run_both;
        } else {
            same_both += pairs(run_both);
            run_both = 1;
        }
        if (equal_x) {
            ++run_x;
        } else {
            same_x += pairs(run_x);
            run_x = 1;
        }
    }

    values.resize(n);
    buffer.resize(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = y[order[i]];
    PairCounts counts;
    counts.discordant = inversions(values, buffer);

    int64_t same_y = 0, run_y = 1;
    for (std::size_t i = 1; i <= n; ++i) {
        if (i < n && values[i] == values[i - 1]) {
            ++run_y;
        } else {
            same_y += pairs(run_y);
            run_y = 1;
        }
    }

    counts.tied_both = same_both;
    counts.tied_x = same_x - same_both;
    counts.tied_y = same_y - same_both;
    counts.concordant = pairs(static_cast<int64_t>(n)) - same_x - same_y + same_both -
                        counts.discordant;
    return counts;
}

}  // namespace concordant
