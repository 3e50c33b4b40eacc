// n-gram counts of every candidate with every reference of one list, each text read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gram_runs.hpp"
#include "ngrams.hpp"

namespace concordant {

// Candidates come first, then the references; where the candidates are their own references,
// they stand there once.
struct GridTexts {
    std::vector<Text> texts;
    std::size_t candidates = 0;
    std::size_t first_reference = 0;

    std::size_t references() const { return texts.size() - first_reference; }
};

// Rows of counts as of chrf_row, of candidate i with reference j in row i · references + j.
void grid_rows(const GridTexts& texts, const ChrfOptions& options, double* rows);

// Rows of counts of each candidate with one aggregate of all references, whose count of an n-gram
// is the mean of theirs; the weights sum to 1.
void aggregate_rows(const GridTexts& texts, const double* weights, const ChrfOptions& options,
                    double* rows);

}  // namespace concordant
