// Weighted sums of the rows of a vector table, one for each text, in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace concordant {

struct VectorTable {
    const float* data = nullptr;
    std::size_t rows = 0, dimension = 0;
};

// Adds the vectors of rows[begin … end) to `sum`, each times its weight (1 where there are no
// weights), in their order; returns the sum of the weights. Unknown words (negative) have no vector.
inline double sum_rows(const VectorTable& table, const int32_t* rows, const double* weights,
                       std::size_t begin, std::size_t end, double* sum) {
    double total = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (rows[i] < 0) continue;
        const auto row = static_cast<std::size_t>(rows[i]);
        if (row >= table.rows) throw std::invalid_argument("a row is outside the table");
        const double weight = weights == nullptr ? 1.0 : weights[i];
        const float* vector = table.data + row * table.dimension;
        for (std::size_t k = 0; k < table.dimension; ++k) sum[k] += weight * vector[k];
        total += weight;
    }
    return total;
}

}  // namespace concordant
