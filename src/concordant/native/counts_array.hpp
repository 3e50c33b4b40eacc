// A count matrix handed to Python, and the loop that fills it without the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

#include "arrays.hpp"
#include "parallel.hpp"
#include "text.hpp"

namespace concordant {

using CountArray = NewMatrix<double>;

// One row of counts per segment: task(translation, references, scratch, row) writes it.
template <class Scratch, class Task>
CountArray count_segments(const nanobind::list& translations, const nanobind::list& references,
                          std::size_t columns, std::size_t threads, const Task& task) {
    const std::vector<Text> texts = texts_of(translations);
    const std::vector<std::vector<Text>> given = references_of(references, texts.size());
    CountArray result = zeros<double>(texts.size(), columns);
    double* data = result.data();
    {
        const nanobind::gil_scoped_release release;
        for_each_row<Scratch>(texts.size(), threads, [&](std::size_t i, Scratch& scratch) {
            task(texts[i], given[i], scratch, data + i * columns);
        });
    }
    return result;
}

// Defines name(translations, references, threads), which counts segments by `row`.
template <class Scratch>
void define_counts(nanobind::module_& m, const char* name, std::size_t columns,
                   void (*row)(const Text&, const std::vector<Text>&, Scratch&, double*),
                   const char* meaning) {
    const auto counts = [=](const nanobind::list& translations, const nanobind::list& references,
                            std::size_t threads) {
        return count_segments<Scratch>(translations, references, columns, threads, row);
    };
    m.def(name, counts, nanobind::arg("translations"), nanobind::arg("references"),
          nanobind::arg("threads") = 1, meaning);
}

}  // namespace concordant
