// The shared kernel as Python sees it: matrices in, products and sums out, the GIL released.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>

#include "arrays.hpp"
#include "parallel.hpp"
#include "product.hpp"

namespace nb = nanobind;

namespace {

using concordant::Matrix;
using concordant::NewMatrix;
using concordant::require;

template <class Number>
NewMatrix<Number> product(Matrix<Number> rows, Matrix<Number> weights) {
    const std::size_t n = rows.shape(0), inner = rows.shape(1), columns = weights.shape(1);
    require(weights.shape(0) == inner, "the rows and the weights differ in length");
    NewMatrix<Number> result = concordant::zeros<Number>(n, columns);
    Number* data = result.data();
    {
        const nb::gil_scoped_release release;
        concordant::run_interruptibly([&] {
            concordant::product(rows.data(), weights.data(), data, n, inner, columns);
        });
    }
    return result;
}

// One row a group: the sum of the rows from first[g] up to the next group's first, in their order.
template <class Number>
NewMatrix<Number> sum_groups(Matrix<Number> values, concordant::Vector<int64_t> first) {
    const std::size_t n = values.shape(0), columns = values.shape(1), groups = first.shape(0);
    for (std::size_t g = 0; g < groups; ++g) {
        const int64_t next = g + 1 < groups ? first(g + 1) : static_cast<int64_t>(n);
        require(first(g) >= 0 && first(g) < next,
                "groups must follow each other, and none may be empty");
    }
    NewMatrix<Number> result = concordant::zeros<Number>(groups, columns);
    Number* data = result.data();
    const nb::gil_scoped_release release;
    concordant::run_interruptibly([&] {
        concordant::Pace pace;
        for (std::size_t g = 0; g < groups; ++g) {
            const auto begin = static_cast<std::size_t>(first(g));
            const auto end = g + 1 < groups ? static_cast<std::size_t>(first(g + 1)) : n;
            Number* sum = data + g * columns;
            std::copy_n(values.data() + begin * columns, columns, sum);
            for (std::size_t row = begin + 1; row < end; ++row) {
                const Number* value = values.data() + row * columns;
                for (std::size_t c = 0; c < columns; ++c) sum[c] += value[c];
                pace.spend(columns);
            }
        }
    });
    return result;
}

}  // namespace

NB_MODULE(_native, m) {
    m.def("product", &product<float>, nb::arg("rows").noconvert(), nb::arg("weights").noconvert());
    m.def("product", &product<double>, nb::arg("rows").noconvert(), nb::arg("weights").noconvert());
    m.def("sum_groups", &sum_groups<float>, nb::arg("values").noconvert(), nb::arg("first"));
    m.def("sum_groups", &sum_groups<double>, nb::arg("values").noconvert(), nb::arg("first"));
}
