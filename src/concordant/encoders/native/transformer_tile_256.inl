// multiply_tile of registers of 32 bytes, in terms of what a path defines before it includes this:
//   Weights               two registers of weights, as the path multiplies them;
//   prepare(one, other)   these, from 16 columns of a group;
//   add_products(numbers, weights, left, right)  a row's four numbers times each column's.

template <std::size_t R>
CONCORDANT_TARGET inline __attribute__((always_inline)) void multiply_columns(
    const uint8_t* rows, std::size_t stride, const int8_t* weights, std::size_t groups,
    int32_t* tile) {
    __m256i left[R], right[R];
    for (std::size_t r = 0; r < R; ++r) left[r] = right[r] = _mm256_setzero_si256();
    for (std::size_t g = 0; g < groups; ++g, weights += kPanel * kGroup) {
        const auto* from = reinterpret_cast<const __m256i*>(weights);
        const Weights ready = prepare(_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1));
        for (std::size_t r = 0; r < R; ++r) {
            int32_t four;
            std::memcpy(&four, rows + r * stride + g * kGroup, sizeof four);
            add_products(_mm256_set1_epi32(four), ready, left[r], right[r]);
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
