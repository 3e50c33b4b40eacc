// The steps for processors with AVX2 and its instruction for dot products of bytes.
#include "transformer_steps.hpp"

#ifdef CONCORDANT_X86
#include <immintrin.h>

#include <cmath>
#include <cstring>

#define CONCORDANT_TARGET __attribute__((target("avx2,avxvnni")))
#define CONCORDANT_INLINE CONCORDANT_TARGET inline __attribute__((always_inline))

namespace concordant {
namespace {

constexpr std::size_t kBytes = 32, kRows = 6, kAtOnce = 8;  // columns of a register

struct Weights {
    __m256i one, other;
};

CONCORDANT_INLINE Weights prepare(__m256i one, __m256i other) { return {one, other}; }

CONCORDANT_INLINE void add_products(__m256i numbers, const Weights& weights, __m256i& left,
                                    __m256i& right) {
    left = _mm256_dpbusd_avx_epi32(left, numbers, weights.one);
    right = _mm256_dpbusd_avx_epi32(right, numbers, weights.other);
}

#include "transformer_tile_256.inl"

#include "transformer_steps.inl"

}  // namespace

const Steps kAvxVnniSteps = {quantise, multiply, gelu, normalise, attend};

}  // namespace concordant
#endif
