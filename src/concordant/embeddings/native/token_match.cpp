#include "token_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

// The best instructions of the machine, chosen when the library is loaded, where that is possible.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define CONCORDANT_BEST_OF_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define CONCORDANT_BEST_OF_MACHINE
#endif

namespace concordant {

namespace {

// A sum is always taken in this many parts and these are added in one order, so that it has the
// same bits whatever the instructions.
constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

// So many tokens of the hypothesis and of the reference are multiplied at a time, sharing loads.
constexpr std::size_t kTall = 2, kWide = 4;
constexpr std::size_t kCacheLine = 64;

// Similarities that differ by less than rounding may make them differ are equally good.
constexpr float kRounding = 1e-5f;

std::size_t whole(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

inline float sum_of(const Lanes& parts) {
    return ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
           ((parts[1] + parts[5]) + (parts[3] + parts[7]));
}

inline void load(const float* from, Lanes& lanes) { std::memcpy(&lanes, from, sizeof lanes); }

// kTall vectors with `count` others, a multiple of kWide; all of `size`, a multiple of kLanes. The
// products of one vector stand together.
CONCORDANT_BEST_OF_MACHINE
void dot_products(const float* ones, const float* others, std::size_t count, std::size_t size,
                  float* products) {
    for (std::size_t j = 0; j < count; j += kWide) {
        const float* column = others + j * size;
        Lanes sums[kTall][kWide] = {};
        for (std::size_t k = 0; k < size; k += kLanes) {
            Lanes x[kTall], y;
            for (std::size_t r = 0; r < kTall; ++r) load(ones + r * size + k, x[r]);
            for (std::size_t c = 0; c < kWide; ++c) {
                load(column + c * size + k, y);
                for (std::size_t r = 0; r < kTall; ++r) sums[r][c] += x[r] * y;
            }
        }
        for (std::size_t r = 0; r < kTall; ++r)
            for (std::size_t c = 0; c < kWide; ++c)
                products[r * count + j + c] = sum_of(sums[r][c]);
    }
}

// The squared lengths of `count` vectors, a multiple of kWide.
CONCORDANT_BEST_OF_MACHINE
void squares(const float* vectors, std::size_t count, std::size_t size, float* lengths) {
    for (std::size_t j = 0; j < count; j += kWide) {
        Lanes sums[kWide] = {};
        for (std::size_t k = 0; k < size; k += kLanes) {
            for (std::size_t c = 0; c < kWide; ++c) {
                Lanes x;
                load(vectors + (j + c) * size + k, x);
                sums[c] += x * x;
            }
        }
        for (std::size_t c = 0; c < kWide; ++c) lengths[j + c] = sum_of(sums[c]);
    }
}

// Turns the products of one hypothesis token into similarities from -1 to 1, and raises the best of
// each reference token.
void finish(const TokenVectors& reference, float inverse, std::size_t count, float* products,
            float* best) {
    for (std::size_t j = 0; j < count; ++j) {
        float similarity = products[j] * inverse * reference.inverse[j];
        similarity = similarity < -1.0f ? -1.0f : similarity;
        similarity = similarity > 1.0f ? 1.0f : similarity;
        products[j] = similarity;
        best[j] = best[j] < similarity ? similarity : best[j];
    }
}

// The same row of the table is the same token.
void mark_same(int32_t token, const TokenSide& reference, float* similarities, float* best) {
    for (std::size_t j = 0; j < reference.size; ++j) {
        if (reference.rows[j] != token) continue;
        similarities[j] = 1.0f;
        best[j] = 1.0f;
    }
}

double mean(const std::vector<float>& values) {
    double sum = 0.0;
    for (float value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Weights that are all 0 say nothing, and count as all alike.
double weighted_mean(const std::vector<float>& values, const double* weights) {
    if (weights == nullptr) return mean(values);
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += weights[i] * values[i];
        total += weights[i];
    }
    return total > 0.0 ? sum / total : mean(values);
}

double harmonic(double precision, double recall) {
    if (precision <= 0.0 || recall <= 0.0) return 0.0;
    return 2.0 * precision * recall / (precision + recall);
}

double share_below(const std::vector<float>& values, float threshold) {
    const auto below = std::count_if(values.begin(), values.end(),
                                     [=](float value) { return value < threshold; });
    return static_cast<double>(below) / static_cast<double>(values.size());
}

// Writes the least value and the mean of the weakest quarter, rounded up to whole tokens.
void weakest(const std::vector<float>& values, std::vector<float>& sorted, double& least,
             double& quarter) {
    sorted = values;
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() + 3) / 4);
    std::partial_sort(sorted.begin(), end, sorted.end());
    sorted.erase(end, sorted.end());
    least = sorted.front();
    quarter = mean(sorted);
}

// Counts runs of hypothesis tokens whose best matches stand one after the other in the reference.
// Where several reference tokens are equally good, those that make the fewest runs are taken: a run
// is kept open at every position where it may stand, and ends only when none can go on.
class Runs {
  public:
    Runs(TokenMatchScratch& scratch, std::size_t positions)
        : open_(scratch.run), next_(scratch.next) {
        open_.assign(positions, 0);
        next_.assign(positions, 0);
    }

    void add(const float* similarities, float best) {
        const float least = best - kRounding;
        bool goes_on = false;
        next_[0] = 0;
        for (std::size_t j = 1; j < open_.size(); ++j) {
            next_[j] = open_[j - 1] != 0 && similarities[j] >= least;
            goes_on = goes_on || next_[j] != 0;
        }
        if (!goes_on) {
            ++runs_;
            for (std::size_t j = 0; j < open_.size(); ++j) next_[j] = similarities[j] >= least;
        }
        ++matches_;
        open_.swap(next_);
    }

    // From 0, all in one run, to 1, no two in order; 0 for fewer than two matches.
    double fragmentation() const {
        return matches_ < 2 ? 0.0
                            : static_cast<double>(runs_ - 1) / static_cast<double>(matches_ - 1);
    }

  private:
    std::vector<unsigned char>&open_, &next_;
    std::size_t runs_ = 0, matches_ = 0;
};

}  // namespace

void TokenMatcher::match(const TokenSide& hypothesis, const TokenSide& reference,
                         TokenMatchScratch& scratch, double* row) const {
    std::fill(row, row + kTokenMatchColumns, 0.0);
    row[kUnmatchedHypothesis] = hypothesis.size > 0 ? 1.0 : 0.0;
    row[kUnmatchedReference] = reference.size > 0 ? 1.0 : 0.0;
    if (hypothesis.size == 0 || reference.size == 0) return;
    gather(hypothesis, scratch.hypothesis);
    gather(reference, scratch.reference);
    row[kFragmentation] = best_similarities(hypothesis, reference, scratch);
    const std::vector<float>&forth = scratch.of_hypothesis, &back = scratch.of_reference;
    row[kPrecision] = mean(forth);
    row[kRecall] = mean(back);
    row[kF] = harmonic(row[kPrecision], row[kRecall]);
    row[kWeightedPrecision] = weighted_mean(forth, hypothesis.weights);
    row[kWeightedRecall] = weighted_mean(back, reference.weights);
    row[kWeightedF] = harmonic(row[kWeightedPrecision], row[kWeightedRecall]);
    weakest(forth, scratch.sorted, row[kWeakestHypothesis], row[kQuarterHypothesis]);
    weakest(back, scratch.sorted, row[kWeakestReference], row[kQuarterReference]);
    row[kUnmatchedHypothesis] = share_below(forth, threshold_);
    row[kUnmatchedReference] = share_below(back, threshold_);
}

// Copies the vectors of a side, with zeros where there is none.
void TokenMatcher::gather(const TokenSide& side, TokenVectors& vectors) const {
    const std::size_t size = whole(dimension_, kLanes), count = whole(side.size, kWide);
    vectors.room.resize(count * size + kCacheLine / sizeof(float));
    const auto past = reinterpret_cast<std::uintptr_t>(vectors.room.data()) % kCacheLine;
    vectors.data = vectors.room.data() + (kCacheLine - past) / sizeof(float);
    for (std::size_t i = 0; i < count; ++i) {
        const float* from = side.vector(i, dimension_);
        float* to = vectors.data + i * size;
        float* end = to + size;
        if (from != nullptr) to = std::copy(from, from + dimension_, to);
        std::fill(to, end, 0.0f);
    }
    vectors.inverse.resize(count);
    squares(vectors.data, count, size, vectors.inverse.data());
    for (float& square : vectors.inverse) {
        if (!std::isfinite(square))
            throw std::invalid_argument("a vector holds a number that is not finite or too large");
        square = square > 0.0f ? 1.0f / std::sqrt(square) : 0.0f;
    }
}

// Fills of_hypothesis and of_reference; returns the fragmentation. Only a few rows of similarities
// are kept at a time, so that memory grows with the lengths of the texts, not with their product.
double TokenMatcher::best_similarities(const TokenSide& hypothesis, const TokenSide& reference,
                                       TokenMatchScratch& scratch) const {
    const std::size_t size = whole(dimension_, kLanes), count = whole(reference.size, kWide);
    scratch.similarities.resize(kTall * count);
    scratch.of_hypothesis.resize(hypothesis.size);
    scratch.of_reference.assign(reference.size, -1.0f);
    Runs runs(scratch, reference.size);
    for (std::size_t i = 0; i < hypothesis.size; ++i) {
        float* row = scratch.similarities.data() + i % kTall * count;
        if (i % kTall == 0)
            dot_products(scratch.hypothesis.data + i * size, scratch.reference.data, count, size,
                         row);
        finish(scratch.reference, scratch.hypothesis.inverse[i], reference.size, row,
               scratch.of_reference.data());
        if (hypothesis.rows != nullptr)
            mark_same(hypothesis.rows[i], reference, row, scratch.of_reference.data());
        const float best = *std::max_element(row, row + reference.size);
        scratch.of_hypothesis[i] = best;
        if (best >= threshold_) runs.add(row, best);
    }
    return runs.fragmentation();
}

}  // namespace concordant
