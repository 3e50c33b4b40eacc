// The steps for processors with AVX2 and its instruction for dot products of bytes.
#include "transformer_steps.hpp"

#ifdef CONCORDANT_X86
#include <immintrin.h>

#include <cmath>
#include <cstring>

#define CONCORDANT_TARGET __attribute__((target("avx2,avxvnni")))

namespace concordant {
namespace {

constexpr std::size_t kBytes = 32, kRows = 6, kAtOnce = 8;  // columns of a register

template <std::size_t R>
CONCORDANT_TARGET inline __attribute__((always_inline)) void multiply_columns(
    const uint8_t* rows, std::size_t stride, const int8_t* weights, std::size_t groups,
    int32_t* tile) {
    __m256i left[R], right[R];
    for (std::size_t r = 0; r < R; ++r) left[r] = right[r] = _mm256_setzero_si256();
    for (std::size_t g = 0; g < groups; ++g, weights += kPanel * kGroup) {
        const auto* from = reinterpret_cast<const __m256i*>(weights);
        const __m256i first = _mm256_loadu_si256(from), second = _mm256_loadu_si256(from + 1);
        for (std::size_t r = 0; r < R; ++r) {
            int32_t four;
            std::memcpy(&four, rows + r * stride + g * kGroup, sizeof four);
            const __m256i numbers = _mm256_set1_epi32(four);
            left[r] = _mm256_dpbusd_avx_epi32(left[r], numbers, first);
            right[r] = _mm256_dpbusd_avx_epi32(right[r], numbers, second);
        }
    }
    for (std::size_t r = 0; r < R; ++r) {
        auto* to = reinterpret_cast<__m256i*>(tile + r * kPanel);
        _mm256_storeu_si256(to, left[r]);
        _mm256_storeu_si256(to + 1, right[r]);
    }
}

template <std::size_t R>
CONCORDANT_TARGET void multiply_tile(const uint8_t* rows, std::size_t stride, const int8_t* panel,
                                     std::size_t groups, int32_t* tile) {
    for (std::size_t c = 0; c < kPanel; c += 2 * kAtOnce)
        multiply_columns<R>(rows, stride, panel + c * kGroup, groups, tile + c);
}

#include "transformer_steps.inl"

}  // namespace

const Steps kAvxVnniSteps = {quantise, multiply, gelu, normalise, attend};

}  // namespace concordant
#endif
