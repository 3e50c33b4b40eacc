// The steps for processors with AVX2: whole numbers are multiplied as 16 bits, so none overflows.
#include "transformer_steps.hpp"

#ifdef CONCORDANT_X86
#include <immintrin.h>

#include <cmath>
#include <cstring>

#define CONCORDANT_TARGET __attribute__((target("avx2")))
#define CONCORDANT_INLINE CONCORDANT_TARGET inline __attribute__((always_inline))

namespace concordant {
namespace {

constexpr std::size_t kBytes = 32, kRows = 4, kAtOnce = 8;  // columns of a register

// Numbers 0 and 2 of each group, then 1 and 3, as 16 bits.
struct Weights {
    __m256i even[2], odd[2];
};

CONCORDANT_INLINE Weights prepare(__m256i one, __m256i other) {
    return {{_mm256_srai_epi16(_mm256_slli_epi16(one, 8), 8),
             _mm256_srai_epi16(_mm256_slli_epi16(other, 8), 8)},
            {_mm256_srai_epi16(one, 8), _mm256_srai_epi16(other, 8)}};
}

CONCORDANT_INLINE void add_products(__m256i numbers, const Weights& weights, __m256i& left,
                                    __m256i& right) {
    const __m256i even = _mm256_and_si256(numbers, _mm256_set1_epi16(0xff));
    const __m256i odd = _mm256_srli_epi16(numbers, 8);
    left = _mm256_add_epi32(left, _mm256_madd_epi16(even, weights.even[0]));
    right = _mm256_add_epi32(right, _mm256_madd_epi16(even, weights.even[1]));
    left = _mm256_add_epi32(left, _mm256_madd_epi16(odd, weights.odd[0]));
    right = _mm256_add_epi32(right, _mm256_madd_epi16(odd, weights.odd[1]));
}

#include "transformer_tile_256.inl"

#include "transformer_steps.inl"

}  // namespace

const Steps kAvx2Steps = {quantise, multiply, gelu, normalise, attend};

}  // namespace concordant
#endif
