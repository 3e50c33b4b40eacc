// The steps in terms of what a path defines before it includes this file:
//   CONCORDANT_TARGET  the attribute of all functions; kBytes  the size of a register;
//   kRows  the rows that multiply_tile takes at once;
//   multiply_tile<R>(rows, row stride, panel, groups, tile)  whole numbers, tile[R][kPanel].

#define CONCORDANT_STEP CONCORDANT_TARGET static inline __attribute__((always_inline))

typedef float Floats __attribute__((vector_size(kBytes)));
typedef int32_t Ints __attribute__((vector_size(kBytes)));
constexpr std::size_t kLanes = kBytes / sizeof(float);
constexpr std::size_t kSums = 16;                   // sums side by side, on every path
constexpr std::size_t kParts = kSums / kLanes;      // registers of these
constexpr std::size_t kTile = 2 * kSums;            // columns of a tile of floats, at most
constexpr std::size_t kFloatRows = 6;
constexpr float kRound = 12582912.0f;               // 1.5 · 2²³: adding it rounds to whole numbers
constexpr float kLargest = 255.0f;                  // the largest number of a quantised row
constexpr int32_t kRoundBits = 0x4b400000;          // its bits

CONCORDANT_STEP Floats all(float value) { return Floats{} + value; }

CONCORDANT_STEP Floats load(const float* from) {
    Floats found;
    std::memcpy(&found, from, kBytes);
    return found;
}

CONCORDANT_STEP void store(float* to, Floats values) { std::memcpy(to, &values, kBytes); }

CONCORDANT_STEP Floats larger(Floats one, Floats other) { return one > other ? one : other; }

// Sixteen numbers side by side, in as many registers as a path needs for them.
struct Sixteen {
    Floats part[kParts];
};

CONCORDANT_STEP float sum_of(const Sixteen& values) {
    float lanes[kSums];
    for (std::size_t p = 0; p < kParts; ++p) store(lanes + p * kLanes, values.part[p]);
    for (std::size_t half = kSums / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    return lanes[0];
}

CONCORDANT_STEP float largest_of(Floats values) {
    float lanes[kLanes];
    store(lanes, values);
    for (std::size_t i = 1; i < kLanes; ++i) lanes[0] = lanes[i] > lanes[0] ? lanes[i] : lanes[0];
    return lanes[0];
}

// e to the power of x, which is at most 0; below -87 as at -87. After Cephes' expf.
CONCORDANT_STEP Floats exponential(Floats x) {
    x = x < -87.0f ? all(-87.0f) : x;  // what is not a number stays so
    const Floats rounded = x * 1.44269504088896341f + kRound;
    const Floats n = rounded - kRound;
    const Floats r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    const Ints power = ((Ints)rounded - (kRoundBits - 127)) << 23;
    return p * (Floats)power;
}

// x Φ(x). The complementary error function is that of Abramowitz and Stegun, 7.1.26 (1.5e-7).
CONCORDANT_STEP Floats gelu_of(Floats x) {
    const Floats z = larger(x, -x) * 0.70710678118654752f;
    const Floats t = 1.0f / (z * 0.3275911f + 1.0f);
    Floats p = t * 1.061405429f - 1.453152027f;
    p = p * t + 1.421413741f;
    p = p * t - 0.284496736f;
    p = p * t + 0.254829592f;
    const Floats half_tail = p * t * exponential(-(z * z)) * 0.5f;
    return x * (x > 0.0f ? 1.0f - half_tail : half_tail);
}

CONCORDANT_TARGET void gelu(float* values, std::size_t size) {
    for (std::size_t i = 0; i < size; i += kLanes) store(values + i, gelu_of(load(values + i)));
}

struct Range {
    float least, most;  // at least one of them is not a number, if one of a row is not finite
};

// The least and the largest number of a row, and of 0.
CONCORDANT_STEP Range range_of(const float* row, std::size_t stride) {
    Floats most = {}, least = {}, check = {};
    for (std::size_t i = 0; i < stride; i += kLanes) {
        const Floats x = load(row + i);
        most = larger(x, most);
        least = larger(-x, least);
        check += x - x;
    }
    float checks[kLanes];
    Range range{-largest_of(least), largest_of(most)};
    store(checks, check);
    for (std::size_t i = 0; i < kLanes; ++i) range.most += checks[i];
    return range;
}

CONCORDANT_TARGET void quantise(const float* rows, std::size_t n, std::size_t stride,
                                Quantised& out) {
    out.numbers.resize(n * stride);
    out.scales.resize(n);
    out.zeros.resize(n);
    for (std::size_t r = 0; r < n; ++r) {
        const float* row = rows + r * stride;
        uint8_t* numbers = out.numbers.data() + r * stride;
        const Range range = range_of(row, stride);
        const float width = range.most - range.least;
        const float factor = width > 0.0f ? kLargest / width : 0.0f;
        const float zero = (-range.least * factor + kRound) - kRound;
        out.scales[r] = width / kLargest;
        out.zeros[r] = width > 0.0f ? static_cast<int32_t>(zero) : 0;
        const float nothing = kRound + zero;
        for (std::size_t i = 0; i < stride; ++i) {
            float rounded = row[i] * factor + nothing;
            rounded = rounded > kRound + kLargest ? kRound + kLargest : rounded;
            rounded = rounded < kRound ? kRound : rounded;
            int32_t bits;
            std::memcpy(&bits, &rounded, sizeof bits);
            numbers[i] = static_cast<uint8_t>(bits);
        }
    }
}

CONCORDANT_TARGET void normalise(float* rows, std::size_t n, const Norm& norm) {
    const std::size_t stride = padded(norm.width);
    const auto size = static_cast<float>(norm.width);
    for (std::size_t r = 0; r < n; ++r) {
        float* row = rows + r * stride;
        Sixteen sums = {};
        for (std::size_t i = 0; i < stride; i += kSums)
            for (std::size_t p = 0; p < kParts; ++p) sums.part[p] += load(row + i + p * kLanes);
        const float mean = sum_of(sums) / size;
        for (std::size_t i = 0; i < norm.width; ++i) row[i] -= mean;
        sums = {};
        for (std::size_t i = 0; i < stride; i += kSums)
            for (std::size_t p = 0; p < kParts; ++p) {
                const Floats x = load(row + i + p * kLanes);
                sums.part[p] += x * x;
            }
        const float factor = 1.0f / std::sqrt(sum_of(sums) / size + norm.epsilon);
        for (std::size_t i = 0; i < stride; i += kLanes) {
            const Floats scale = load(norm.scale.data() + i), shift = load(norm.shift.data() + i);
            store(row + i, load(row + i) * factor * scale + shift);
        }
    }
}

// The floats of R rows of a panel: whole numbers scaled, with bias and residual.
CONCORDANT_STEP void scale_tile(const int32_t* tile, const float* scales, const int32_t* zeros,
                                std::size_t n, const Dense& dense, std::size_t column,
                                const float* residual, float* out) {
    const std::size_t stride = dense.stride();
    for (std::size_t c = 0; c < kPanel; c += kLanes) {
        const Floats scale = load(dense.scales.data() + column + c);
        const Floats bias = load(dense.bias.data() + column + c);
        Ints sums;
        std::memcpy(&sums, dense.sums.data() + column + c, kBytes);
        for (std::size_t r = 0; r < n; ++r) {
            Ints number;
            std::memcpy(&number, tile + r * kPanel + c, kBytes);
            const Floats exact = __builtin_convertvector(number - sums * zeros[r], Floats);
            Floats found = exact * scales[r] * scale + bias;
            const std::size_t at = r * stride + column + c;
            if (residual != nullptr) found += load(residual + at);
            store(out + at, found);
        }
    }
}

template <std::size_t R>
CONCORDANT_STEP void multiply_rows(std::size_t count, const uint8_t* rows, std::size_t stride,
                                   const int8_t* panel, std::size_t groups, int32_t* tile) {
    if (count == R) return multiply_tile<R>(rows, stride, panel, groups, tile);
    if constexpr (R > 1) multiply_rows<R - 1>(count, rows, stride, panel, groups, tile);
}

CONCORDANT_TARGET void multiply(const Quantised& rows, std::size_t n, const Dense& dense,
                                const float* residual, float* out) {
    const std::size_t stride = padded(dense.inner), groups = dense.groups();
    alignas(64) int32_t tile[kRows * kPanel];
    for (std::size_t column = 0; column < dense.stride(); column += kPanel) {
        const int8_t* panel = dense.packed.data() + column * groups * kGroup;
        for (std::size_t r = 0; r < n; r += kRows) {
            const std::size_t count = n - r < kRows ? n - r : kRows;
            const std::size_t at = r * dense.stride();
            multiply_rows<kRows>(count, rows.numbers.data() + r * stride, stride, panel, groups,
                                 tile);
            scale_tile(tile, rows.scales.data() + r, rows.zeros.data() + r, count, dense, column,
                       residual == nullptr ? nullptr : residual + at, out + at);
        }
    }
}

// out[R][2 registers] = rows · columns; each sum is taken in the order of `inner`.
template <std::size_t R>
CONCORDANT_STEP void float_tile(std::size_t count, const float* rows, std::size_t stride,
                                std::size_t inner, const float* columns, std::size_t columns_stride,
                                float* out, std::size_t out_stride) {
    if constexpr (R > 1)
        if (count < R)
            return float_tile<R - 1>(count, rows, stride, inner, columns, columns_stride, out,
                                     out_stride);
    Floats left[R] = {}, right[R] = {};
    for (std::size_t k = 0; k < inner; ++k) {
        const Floats first = load(columns + k * columns_stride);
        const Floats second = load(columns + k * columns_stride + kLanes);
        for (std::size_t r = 0; r < R; ++r) {
            left[r] += first * rows[r * stride + k];
            right[r] += second * rows[r * stride + k];
        }
    }
    for (std::size_t r = 0; r < R; ++r) {
        store(out + r * out_stride, left[r]);
        store(out + r * out_stride + kLanes, right[r]);
    }
}

CONCORDANT_TARGET void multiply_floats(std::size_t count, const float* rows, std::size_t stride,
                                       std::size_t inner, const float* columns, std::size_t width,
                                       float* out) {
    for (std::size_t c = 0; c < width; c += 2 * kLanes)
        float_tile<kFloatRows>(count, rows, stride, inner, columns + c, width, out + c, width);
}

// Likenesses of one query → e to their power, the largest being 1; returns one over their sum.
CONCORDANT_STEP float soften(float* row, std::size_t tokens, std::size_t width, float factor,
                             const float* nearness) {
    for (std::size_t i = 0; i < tokens; ++i) row[i] *= factor;
    if (nearness != nullptr)
        for (std::size_t i = 0; i < tokens; ++i) row[i] += nearness[i];
    for (std::size_t i = tokens; i < width; ++i) row[i] = row[0];
    Floats largest = load(row);
    for (std::size_t i = kLanes; i < width; i += kLanes) largest = larger(load(row + i), largest);
    const float most = largest_of(largest);
    for (std::size_t i = 0; i < width; i += kLanes)
        store(row + i, exponential(load(row + i) - most));
    for (std::size_t i = tokens; i < width; ++i) row[i] = 0.0f;
    Sixteen sums = {};
    for (std::size_t i = 0; i < width; i += kSums)
        for (std::size_t p = 0; p < kParts; ++p) sums.part[p] += load(row + i + p * kLanes);
    return 1.0f / sum_of(sums);
}

// A head's keys as columns and its values as rows, with zeros up to whole tiles.
CONCORDANT_STEP void gather(const Attention& call, std::size_t across, std::size_t wide,
                            AttentionScratch& scratch) {
    const float* keys = call.seen + call.width + call.head * call.head_width;
    scratch.keys.assign(call.head_width * across, 0.0f);
    scratch.values.assign(call.tokens * wide, 0.0f);
    for (std::size_t i = 0; i < call.tokens; ++i) {
        const float* key = keys + i * call.stride;
        for (std::size_t k = 0; k < call.head_width; ++k) scratch.keys[k * across + i] = key[k];
        std::memcpy(scratch.values.data() + i * wide, key + call.width,
                    call.head_width * sizeof(float));
    }
}

CONCORDANT_TARGET void attend(const Attention& call, AttentionScratch& scratch) {
    const std::size_t across = padded(call.tokens, kTile), wide = padded(call.head_width, kTile);
    const float factor = 1.0f / std::sqrt(static_cast<float>(call.head_width));
    gather(call, across, wide, scratch);
    scratch.weights.resize(kFloatRows * across);
    scratch.found.resize(kFloatRows * wide);
    float *weights = scratch.weights.data(), *found = scratch.found.data();
    for (std::size_t q = 0; q < call.queries; q += kFloatRows) {
        const std::size_t count = call.queries - q < kFloatRows ? call.queries - q : kFloatRows;
        const float* queries = call.seen + q * call.stride + call.head * call.head_width;
        float inverse[kFloatRows];
        multiply_floats(count, queries, call.stride, call.head_width, scratch.keys.data(), across,
                        weights);
        for (std::size_t r = 0; r < count; ++r)
            inverse[r] = soften(weights + r * across, call.tokens, across, factor,
                                call.nearness == nullptr ? nullptr : call.nearness - (q + r));
        multiply_floats(count, weights, across, call.tokens, scratch.values.data(), wide, found);
        for (std::size_t r = 0; r < count; ++r)
            for (std::size_t k = 0; k < call.head_width; ++k)
                call.out[(q + r) * call.out_stride + k] = found[r * wide + k] * inverse[r];
    }
}
