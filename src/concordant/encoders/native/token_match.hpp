// Greedy matching of the tokens of two texts by the cosine of their vectors (Zhang et al. 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../native/windows.hpp"

namespace concordant {

class Runs;

// Each a mean over tokens unless it says otherwise; `translation` and `reference` are the sides whose
// tokens each look for their most similar token on the other side.
enum TokenMatchColumn : std::size_t {
    kPrecision, kRecall, kF,                     // plain
    kWeightedPrecision, kWeightedRecall, kWeightedF,
    kWeakestTranslation, kWeakestReference,       // least similarity of a side
    kQuarterTranslation, kQuarterReference,       // mean of the weakest quarter of a side
    kUnmatchedTranslation, kUnmatchedReference,   // share of a side that is not matched
    kFragmentation,
    kTokenMatchColumns
};

constexpr float kMatched = 0.5f;  // a less similar token is not matched

// The tokens of one text as they are given: vectors one after the other (`rows` is null), or rows of
// a table of vectors, negative for a token that has none.
struct TokenSide {
    const float* vectors = nullptr;
    const int32_t* rows = nullptr;
    const double* weights = nullptr;  // null: all alike
    std::size_t size = 0;

    // Null where there is no such token, or it has no vector.
    const float* vector(std::size_t i, std::size_t dimension) const {
        if (i >= size || (rows != nullptr && rows[i] < 0)) return nullptr;
        return vectors + (rows == nullptr ? i : static_cast<std::size_t>(rows[i])) * dimension;
    }

    // The tokens of a window. Their weights are not asked for.
    TokenSide part(Window window, std::size_t dimension) const {
        if (rows == nullptr)
            return {vectors + window.begin * dimension, nullptr, nullptr, window.size()};
        return {vectors, rows + window.begin, nullptr, window.size()};
    }
};

// The vectors of a text, padded by zeros.
struct TokenVectors {
    std::vector<float> room;
    float* data = nullptr;       // in room, where a cache line begins
    std::vector<float> inverse;  // 1 / length of each vector, 0 for one of zeros
    std::vector<int32_t> rows;   // of the table, where they stand side by side
};

struct TokenMatchScratch {
    TokenVectors translation, reference;
    std::vector<float> similarities;  // of some translation tokens with all of the reference
    std::vector<float> best;          // of each reference token of a window
    std::vector<float> of_translation, of_reference, sorted;  // the best similarity of each token
    std::vector<uint64_t> run, good, next;  // where open runs may end, where a token matches
};

class TokenMatcher {
  public:
    explicit TokenMatcher(std::size_t dimension) : dimension_(dimension) {}

    // Writes one row of kTokenMatchColumns. Throws std::invalid_argument where a vector holds a
    // number that is not finite.
    void match(const TokenSide& translation, const TokenSide& reference,
               TokenMatchScratch& scratch, double* row) const;

  private:
    void fetch(const TokenSide& side) const;
    void make_room(std::size_t count, TokenVectors& vectors) const;
    void gather(const TokenSide& side, TokenVectors& vectors) const;
    void gather_side_by_side(const TokenSide& side, TokenVectors& vectors) const;
    void best_similarities(const TokenSide& translation, const TokenSide& reference,
                           TokenMatchScratch& scratch, float* of_translation, float* of_reference,
                           Runs& runs) const;

    std::size_t dimension_;
};

}  // namespace concordant
