// The steps for any processor.
#include <cmath>
#include <cstring>

#include "transformer_steps.hpp"

#define CONCORDANT_TARGET

namespace concordant {
namespace {

constexpr std::size_t kBytes = 16, kRows = 4;

template <std::size_t R>
void multiply_tile(const uint8_t* rows, std::size_t stride, const int8_t* panel, std::size_t groups,
                   int32_t* tile) {
    std::memset(tile, 0, R * kPanel * sizeof(int32_t));
    for (std::size_t g = 0; g < groups; ++g) {
        const int8_t* weights = panel + g * kPanel * kGroup;
        for (std::size_t r = 0; r < R; ++r) {
            const uint8_t* numbers = rows + r * stride + g * kGroup;
            int32_t* sums = tile + r * kPanel;
            for (std::size_t c = 0; c < kPanel; ++c)
                for (std::size_t k = 0; k < kGroup; ++k)
                    sums[c] += static_cast<int32_t>(numbers[k]) * weights[c * kGroup + k];
        }
    }
}

#include "transformer_steps.inl"

}  // namespace

const Steps kPlainSteps = {quantise, multiply, gelu, normalise, attend};

}  // namespace concordant
