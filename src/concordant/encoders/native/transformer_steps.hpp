// The steps of a transformer's layer, compiled once for each kind of processor.
//
// Whole numbers are multiplied and added exactly, and every sum of floats is taken in one order, so
// all paths give the same bits. Rows have a stride of whole panels; what lies beyond their width is
// zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

inline constexpr std::size_t kPanel = 64;      // columns that are packed together
inline constexpr std::size_t kGroup = 4;       // numbers of a row that one instruction multiplies

inline std::size_t padded(std::size_t size, std::size_t step = kPanel) {
    return (size + step - 1) / step * step;
}

// A matrix of whole numbers from -127 to 127, each column with a scale, and a bias.
struct Dense {
    std::size_t inner = 0, columns = 0;
    std::vector<int8_t> packed;  // [panel][group of rows][column][number of the group]
    std::vector<int32_t> sums;   // of each column's numbers
    std::vector<float> scales, bias;

    std::size_t groups() const { return padded(inner, kGroup) / kGroup; }
    std::size_t stride() const { return padded(columns); }
};

struct Norm {
    std::size_t width = 0;
    std::vector<float> scale, shift;  // zeros beyond the width
    float epsilon = 0;
};

// Rows as whole numbers from 0 to 255. Each row has a scale, and a number that stands for 0.
struct Quantised {
    std::vector<uint8_t> numbers;
    std::vector<float> scales;
    std::vector<int32_t> zeros;
};

// One head's attention within one text. Row i of `seen` has the queries, keys and values of token i.
struct Attention {
    const float* seen;
    std::size_t stride, tokens;
    std::size_t queries;           // how many of the tokens, from the first, look at the others
    std::size_t width, head_width, head;
    const float* nearness;         // what is added for a token at distance d: nearness[d]; or null
    float* out;                    // the row of the first query, at the head's first column
    std::size_t out_stride;
};

struct AttentionScratch {
    std::vector<float> keys, values, weights, found;
};

struct Steps {
    void (*quantise)(const float* rows, std::size_t n, std::size_t stride, Quantised& out);
    // out = rows · dense + bias, and + residual where there is one, which may be `out` itself.
    void (*multiply)(const Quantised& rows, std::size_t n, const Dense& dense,
                     const float* residual, float* out);
    void (*gelu)(float* values, std::size_t size);
    void (*normalise)(float* rows, std::size_t n, const Norm& norm);
    void (*attend)(const Attention& call, AttentionScratch& scratch);
};

extern const Steps kPlainSteps;
#if defined(__x86_64__) && defined(__GNUC__)
#define CONCORDANT_X86 1
extern const Steps kAvx2Steps, kAvxVnniSteps, kAvx512Steps;
#endif

}  // namespace concordant
