// A count matrix handed to Python, and the loop that fills it without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "parallel.hpp"
#include "text.hpp"

namespace concordant {

using CountArray = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>>;

inline CountArray make_counts(double* data, std::size_t rows, std::size_t columns) {
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return CountArray(data, {rows, columns}, owner);
}

// One row of counts per segment: task(hypothesis, references, scratch, row) writes it.
template <class Scratch, class Task>
CountArray count_segments(const nanobind::list& hypotheses, const nanobind::list& references,
                          std::size_t columns, std::size_t threads, const Task& task) {
    const std::vector<Text> texts = texts_of(hypotheses);
    const std::vector<std::vector<Text>> given = references_of(references, texts.size());
    auto* data = new double[texts.size() * columns];
    CountArray result = make_counts(data, texts.size(), columns);
    std::fill(data, data + texts.size() * columns, 0.0);
    {
        const nanobind::gil_scoped_release release;
        for_each_row<Scratch>(texts.size(), threads, [&](std::size_t i, Scratch& scratch) {
            task(texts[i], given[i], scratch, data + i * columns);
        });
    }
    return result;
}

}  // namespace concordant
