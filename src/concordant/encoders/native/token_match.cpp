#include "token_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "../../native/interruption.hpp"

// The best instructions of the machine, chosen when the library is loaded, where that is possible.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define CONCORDANT_BEST_OF_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define CONCORDANT_BEST_OF_MACHINE
#endif
#define CONCORDANT_INSIDE inline __attribute__((always_inline))

namespace concordant {

namespace {

// A sum is always taken in this many parts and these are added in one order, so that it has the
// same bits whatever the instructions.
constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using LaneNumbers = int32_t __attribute__((vector_size(kLanes * sizeof(float))));

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kBlock = 8;  // translation tokens compared at a time

// Similarities that differ by less than rounding may make them differ are equally good.
constexpr float kRounding = 1e-5f;

std::size_t whole(std::size_t size) { return (size + kLanes - 1) / kLanes * kLanes; }

CONCORDANT_INSIDE float sum_of(const Lanes& parts) {
    return ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
           ((parts[1] + parts[5]) + (parts[3] + parts[7]));
}

template <class Vector, class Number>
CONCORDANT_INSIDE void load(const Number* from, Vector& lanes) {
    std::memcpy(&lanes, from, sizeof lanes);
}

// kLanes vectors that stand side by side (the first numbers of all, then their second ones, …), each
// number times its factor, summed up. There are eight sums of every eighth product, added up as in
// sum_of.
template <class Factor>
CONCORDANT_INSIDE void sums_of_products(const float* vectors, std::size_t size, Factor factor,
                                        Lanes& total) {
    Lanes sums[kLanes] = {};
    for (std::size_t k = 0; k < size; k += kLanes) {
        for (std::size_t part = 0; part < kLanes; ++part) {
            Lanes y;
            load(vectors + (k + part) * kLanes, y);
            sums[part] += factor(k + part, y) * y;
        }
    }
    total = ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
            ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// The squared lengths of `count` vectors, a multiple of kLanes, side by side.
CONCORDANT_BEST_OF_MACHINE
void squares(const float* vectors, std::size_t count, std::size_t size, float* lengths) {
    for (std::size_t j = 0; j < count; j += kLanes) {
        Lanes total;
        sums_of_products(
            vectors + j * size, size, [](std::size_t, const Lanes& y) -> const Lanes& { return y; },
            total);
        std::memcpy(lengths + j, &total, sizeof total);
    }
}

float square(const float* vector, std::size_t size) {
    Lanes sums = {};
    for (std::size_t k = 0; k < size; k += kLanes) {
        Lanes x;
        load(vector + k, x);
        sums += x * x;
    }
    return sum_of(sums);
}

float inverse_of(float square) {
    if (!std::isfinite(square))
        throw std::invalid_argument("a vector holds a number that is not finite or too large");
    return square > 0.0f ? 1.0f / std::sqrt(square) : 0.0f;
}

// Some translation tokens, at most kBlock, whose vectors stand one after another; `rows` is null where
// there are none.
struct TokenBlock {
    const float* vectors;
    const float* inverse;
    const int32_t* rows;
    std::size_t size;
};

// The similarities of translation tokens with all of the reference, from -1 to 1, a row for each.
// Raises the best of each reference token and writes the best of each translation token. The same row
// of a table is the same token. Several tokens are compared at a time, because to load the
// reference's vectors takes longer than to multiply them.
CONCORDANT_BEST_OF_MACHINE
void compare(const TokenBlock& block, const TokenVectors& reference, std::size_t size,
             float* similarities, float* best_of_reference, float* best_of_translation) {
    const Lanes least = {-1, -1, -1, -1, -1, -1, -1, -1}, most = -least;
    const std::size_t count = reference.inverse.size();
    Lanes best[kBlock];
    for (std::size_t i = 0; i < block.size; ++i) best[i] = least;
    for (std::size_t j = 0; j < count; j += kLanes) {
        Lanes scale, raised;
        LaneNumbers rows;
        load(reference.inverse.data() + j, scale);
        load(reference.rows.data() + j, rows);
        load(best_of_reference + j, raised);
        for (std::size_t i = 0; i < block.size; ++i) {
            const float* vector = block.vectors + i * size;
            Lanes similarity;
            sums_of_products(
                reference.data + j * size, size,
                [=](std::size_t k, const Lanes&) { return vector[k]; }, similarity);
            similarity = similarity * block.inverse[i] * scale;
            similarity = similarity < least ? least : similarity;
            similarity = similarity > most ? most : similarity;
            if (block.rows != nullptr) similarity = rows == block.rows[i] ? most : similarity;
            raised = raised < similarity ? similarity : raised;
            best[i] = best[i] < similarity ? similarity : best[i];
            std::memcpy(similarities + i * count + j, &similarity, sizeof similarity);
        }
        std::memcpy(best_of_reference + j, &raised, sizeof raised);
    }
    for (std::size_t i = 0; i < block.size; ++i) {
        float found = best[i][0];
        for (std::size_t part = 1; part < kLanes; ++part) found = std::max(found, best[i][part]);
        best_of_translation[i] = found;
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
    std::nth_element(sorted.begin(), end - 1, sorted.end());
    std::sort(sorted.begin(), end);
    sorted.erase(end, sorted.end());
    least = sorted.front();
    quarter = mean(sorted);
}

}  // namespace

// Counts runs of translation tokens whose best matches stand one after the other in the reference.
// Where several reference tokens are equally good, those that make the fewest runs are taken: a run
// is kept open at every position where it may stand, and ends only when none can go on.
class Runs {
  public:
    explicit Runs(TokenMatchScratch& scratch)
        : open_(scratch.run), good_(scratch.good), next_(scratch.next) {}

    // No run goes on from one window to the next. `positions` are the reference tokens of a window.
    void start_window(std::size_t positions) {
        positions_ = positions;
        open_.assign((positions + kBits - 1) / kBits, 0);
        next_.resize(open_.size());
    }

    void add(const float* similarities, float best) {
        const float least = best - kRounding;
        good_.assign(open_.size(), 0);
        for (std::size_t j = 0; j < positions_; ++j)
            good_[j / kBits] |= static_cast<uint64_t>(similarities[j] >= least) << j % kBits;
        uint64_t carry = 0, goes_on = 0;
        for (std::size_t w = 0; w < open_.size(); ++w) {
            next_[w] = (open_[w] << 1 | carry) & good_[w];
            carry = open_[w] >> (kBits - 1);
            goes_on |= next_[w];
        }
        if (goes_on == 0) ++runs_;
        ++matches_;
        open_.swap(goes_on == 0 ? good_ : next_);
    }

    // From 0, all in one run, to 1, no two in order; 0 for fewer than two matches.
    double fragmentation() const {
        return matches_ < 2 ? 0.0
                            : static_cast<double>(runs_ - 1) / static_cast<double>(matches_ - 1);
    }

  private:
    static constexpr std::size_t kBits = 64;

    std::size_t positions_ = 0;
    std::vector<uint64_t>&open_, &good_, &next_;  // a bit for each position
    std::size_t runs_ = 0, matches_ = 0;
};

void TokenMatcher::match(const TokenSide& translation, const TokenSide& reference,
                         TokenMatchScratch& scratch, double* row) const {
    std::fill(row, row + kTokenMatchColumns, 0.0);
    row[kUnmatchedTranslation] = translation.size > 0 ? 1.0 : 0.0;
    row[kUnmatchedReference] = reference.size > 0 ? 1.0 : 0.0;
    if (translation.size == 0 || reference.size == 0) return;
    scratch.of_translation.resize(translation.size);
    scratch.of_reference.resize(reference.size);
    Runs runs(scratch);
    for_each_window(translation.size, reference.size, {}, [&](Window one, Window other) {
        best_similarities(translation.part(one, dimension_), reference.part(other, dimension_),
                          scratch, scratch.of_translation.data() + one.begin,
                          scratch.of_reference.data() + other.begin, runs);
    });
    row[kFragmentation] = runs.fragmentation();
    const std::vector<float>&forth = scratch.of_translation, &back = scratch.of_reference;
    row[kPrecision] = mean(forth);
    row[kRecall] = mean(back);
    row[kF] = harmonic(row[kPrecision], row[kRecall]);
    row[kWeightedPrecision] = weighted_mean(forth, translation.weights);
    row[kWeightedRecall] = weighted_mean(back, reference.weights);
    row[kWeightedF] = harmonic(row[kWeightedPrecision], row[kWeightedRecall]);
    weakest(forth, scratch.sorted, row[kWeakestTranslation], row[kQuarterTranslation]);
    weakest(back, scratch.sorted, row[kWeakestReference], row[kQuarterReference]);
    row[kUnmatchedTranslation] = share_below(forth, kMatched);
    row[kUnmatchedReference] = share_below(back, kMatched);
}

// Rows of a large table come from far away: all are asked for before the first is waited for.
void TokenMatcher::fetch(const TokenSide& side) const {
    for (std::size_t i = 0; i < side.size; ++i) {
        const float* from = side.vector(i, dimension_);
        if (from == nullptr) continue;
        for (std::size_t k = 0; k < dimension_; k += kCacheLine / sizeof(float))
            __builtin_prefetch(from + k);
    }
}

// Room for so many vectors, from where a cache line begins.
void TokenMatcher::make_room(std::size_t count, TokenVectors& vectors) const {
    vectors.room.resize(count * whole(dimension_) + kCacheLine / sizeof(float));
    const auto past = reinterpret_cast<std::uintptr_t>(vectors.room.data()) % kCacheLine;
    vectors.data = vectors.room.data() + (kCacheLine - past) / sizeof(float);
    vectors.inverse.resize(count);
}

// Copies the vectors one after another, with zeros where there is none.
void TokenMatcher::gather(const TokenSide& side, TokenVectors& vectors) const {
    const std::size_t size = whole(dimension_);
    make_room(side.size, vectors);
    for (std::size_t i = 0; i < side.size; ++i) {
        const float* from = side.vector(i, dimension_);
        float* const to = vectors.data + i * size;
        float* const end = from == nullptr ? to : std::copy(from, from + dimension_, to);
        std::fill(end, to + size, 0.0f);
        vectors.inverse[i] = inverse_of(square(to, size));
    }
}

// Copies them side by side, kLanes at a time. The last ones are filled up with the first token, which
// is there already, so that nothing can be more similar by it.
void TokenMatcher::gather_side_by_side(const TokenSide& side, TokenVectors& vectors) const {
    const std::size_t size = whole(dimension_), count = whole(side.size);
    make_room(count, vectors);
    vectors.rows.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t token = j < side.size ? j : 0;
        const float* from = side.vector(token, dimension_);
        const std::size_t there = from == nullptr ? 0 : dimension_;
        float* to = vectors.data + j / kLanes * kLanes * size + j % kLanes;
        for (std::size_t k = 0; k < there; ++k) to[k * kLanes] = from[k];
        for (std::size_t k = there; k < size; ++k) to[k * kLanes] = 0.0f;
        vectors.rows[j] = side.rows == nullptr ? 0 : side.rows[token];
    }
    squares(vectors.data, count, size, vectors.inverse.data());
    for (float& value : vectors.inverse) value = inverse_of(value);
}

// The best similarity of each token of a window; 0 where the other side has no token there. Only
// a few rows of similarities are kept at a time, so that memory grows with the lengths of the texts, not
// with their product.
void TokenMatcher::best_similarities(const TokenSide& translation, const TokenSide& reference,
                                     TokenMatchScratch& scratch, float* of_translation,
                                     float* of_reference, Runs& runs) const {
    if (translation.size == 0 || reference.size == 0) {
        std::fill_n(of_translation, translation.size, 0.0f);
        std::fill_n(of_reference, reference.size, 0.0f);
        return;
    }
    fetch(translation);
    fetch(reference);
    gather(translation, scratch.translation);
    gather_side_by_side(reference, scratch.reference);
    const std::size_t size = whole(dimension_), count = whole(reference.size);
    scratch.similarities.resize(kBlock * count);
    scratch.best.assign(count, -1.0f);
    runs.start_window(reference.size);
    Pace pace;
    for (std::size_t begin = 0; begin < translation.size; begin += kBlock) {
        const TokenBlock block{scratch.translation.data + begin * size,
                               scratch.translation.inverse.data() + begin,
                               translation.rows == nullptr ? nullptr : translation.rows + begin,
                               std::min(kBlock, translation.size - begin)};
        compare(block, scratch.reference, size, scratch.similarities.data(), scratch.best.data(),
                of_translation + begin);
        for (std::size_t i = 0; i < block.size; ++i)
            if (of_translation[begin + i] >= kMatched)
                runs.add(scratch.similarities.data() + i * count, of_translation[begin + i]);
        pace.spend(block.size * count * size / kLanes);
    }
    std::copy_n(scratch.best.begin(), reference.size, of_reference);
}

}  // namespace concordant
