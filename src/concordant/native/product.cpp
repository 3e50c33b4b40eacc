#include "product.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "interruption.hpp"

// Wider registers where a machine has them; without fused operations the bits are the same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CONCORDANT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CONCORDANT_WIDE
#endif
#define CONCORDANT_INSIDE inline __attribute__((always_inline))

namespace concordant {
namespace {

constexpr std::size_t kRows = 6, kBytes = 32;

// Several numbers that are added and multiplied side by side.
template <class Number>
struct Wide {
    typedef Number Type __attribute__((vector_size(kBytes)));
    static constexpr std::size_t size = kBytes / sizeof(Number);
};

// Where the columns of a tile are gathered, and where they come out again.
template <class Number>
struct Tile {
    static constexpr std::size_t columns = 2 * Wide<Number>::size;
    std::vector<Number> weights;
    Number out[kRows * columns];
};

// R rows by two registers of columns, their sums kept in registers.
template <std::size_t R, class Number>
CONCORDANT_INSIDE void multiply(const Number* rows, std::size_t inner, Tile<Number>& tile) {
    using Register = typename Wide<Number>::Type;
    constexpr std::size_t size = Wide<Number>::size;
    Register left[R] = {}, right[R] = {};
    const Number* weights = tile.weights.data();
    for (std::size_t k = 0; k < inner; ++k) {
        Register first, second;
        std::memcpy(&first, weights + 2 * k * size, kBytes);
        std::memcpy(&second, weights + (2 * k + 1) * size, kBytes);
        for (std::size_t r = 0; r < R; ++r) {
            const Number value = rows[r * inner + k];
            left[r] += value * first;
            right[r] += value * second;
        }
    }
    for (std::size_t r = 0; r < R; ++r) {
        std::memcpy(tile.out + 2 * r * size, &left[r], kBytes);
        std::memcpy(tile.out + (2 * r + 1) * size, &right[r], kBytes);
    }
}

template <class Number>
CONCORDANT_INSIDE void multiply_some(std::size_t count, const Number* rows, std::size_t inner,
                                     Tile<Number>& tile) {
    switch (count) {
        case 1: return multiply<1>(rows, inner, tile);
        case 2: return multiply<2>(rows, inner, tile);
        case 3: return multiply<3>(rows, inner, tile);
        case 4: return multiply<4>(rows, inner, tile);
        case 5: return multiply<5>(rows, inner, tile);
        default: return multiply<kRows>(rows, inner, tile);
    }
}

// All tiles of columns, the last one filled up with zeros; of each all rows, a few at a time.
template <class Number>
CONCORDANT_INSIDE void tiles(const Number* rows, const Number* weights, Number* out, std::size_t n,
                             std::size_t inner, std::size_t columns) {
    constexpr std::size_t wide = Tile<Number>::columns;
    Tile<Number> tile;
    tile.weights.assign(inner * wide, 0);
    Pace pace;
    for (std::size_t c = 0; c < columns; c += wide) {
        const std::size_t width = std::min(wide, columns - c);
        if (width < wide) std::fill(tile.weights.begin(), tile.weights.end(), Number(0));
        for (std::size_t k = 0; k < inner; ++k)
            std::copy_n(weights + k * columns + c, width, tile.weights.data() + k * wide);
        for (std::size_t r = 0; r < n; r += kRows) {
            const std::size_t count = std::min(kRows, n - r);
            multiply_some(count, rows + r * inner, inner, tile);
            pace.spend(inner * kRows);
            for (std::size_t i = 0; i < count; ++i)
                std::copy_n(tile.out + i * wide, width, out + (r + i) * columns + c);
        }
    }
}

}  // namespace

CONCORDANT_WIDE void product(const float* rows, const float* weights, float* out, std::size_t n,
                             std::size_t inner, std::size_t columns) {
    tiles(rows, weights, out, n, inner, columns);
}

CONCORDANT_WIDE void product(const double* rows, const double* weights, double* out, std::size_t n,
                             std::size_t inner, std::size_t columns) {
    tiles(rows, weights, out, n, inner, columns);
}

}  // namespace concordant
