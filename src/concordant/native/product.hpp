// rows × weights, each number added up in the order of the weights, whatever stands beside it.
//
// A library's matrix product adds up in another order for another number of rows, another place
// among them or another number of threads. Here a number is Σ row[k] · weights[k], k rising, always:
// tiles only decide which numbers are computed at the same time.
#pragma once

#include <cstddef>

namespace concordant {

void product(const float* rows, const float* weights, float* out, std::size_t n, std::size_t inner,
             std::size_t columns);
void product(const double* rows, const double* weights, double* out, std::size_t n,
             std::size_t inner, std::size_t columns);

}  // namespace concordant
