// The steps for processors with AVX-512 and its instruction for dot products of bytes.
#include "transformer_steps.hpp"

#ifdef CONCORDANT_X86
#include <immintrin.h>

#include <cmath>
#include <cstring>

#define CONCORDANT_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

namespace concordant {
namespace {

constexpr std::size_t kBytes = 64, kRows = 6;

template <std::size_t R>
CONCORDANT_TARGET void multiply_tile(const uint8_t* rows, std::size_t stride, const int8_t* panel,
                                     std::size_t groups, int32_t* tile) {
    constexpr std::size_t registers = kPanel * sizeof(int32_t) / kBytes;
    __m512i sums[R][registers];
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < registers; ++c) sums[r][c] = _mm512_setzero_si512();
    for (std::size_t g = 0; g < groups; ++g) {
        __m512i weights[registers];
        for (std::size_t c = 0; c < registers; ++c)
            weights[c] = _mm512_loadu_si512(panel + (g * registers + c) * kBytes);
        for (std::size_t r = 0; r < R; ++r) {
            int32_t four;
            std::memcpy(&four, rows + r * stride + g * kGroup, sizeof four);
            const __m512i numbers = _mm512_set1_epi32(four);
            for (std::size_t c = 0; c < registers; ++c)
                sums[r][c] = _mm512_dpbusd_epi32(sums[r][c], numbers, weights[c]);
        }
    }
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < registers; ++c)
            _mm512_storeu_si512(tile + r * kPanel + c * (kBytes / sizeof(int32_t)), sums[r][c]);
}

#include "transformer_steps.inl"

}  // namespace

const Steps kAvx512Steps = {quantise, multiply, gelu, normalise, attend};

}  // namespace concordant
#endif
