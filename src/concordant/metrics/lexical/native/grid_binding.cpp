#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "../../../native/arrays.hpp"
#include "../../../native/counts_array.hpp"
#include "grid.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

GridTexts grid_texts(const nb::list& candidates, const nb::list& references) {
    GridTexts grid;
    grid.texts = texts_of(candidates);
    grid.candidates = grid.texts.size();
    if (references.is(candidates)) return grid;
    grid.first_reference = grid.candidates;
    for (Text& text : texts_of(references)) grid.texts.push_back(std::move(text));
    return grid;
}

ChrfOptions grid_options(std::size_t char_order, std::size_t word_order, bool whitespace,
                         const std::string& tokeniser) {
    require(char_order <= 6, "character n-grams go up to order 6");
    require(word_order <= 4, "word n-grams go up to order 4");
    return {char_order, word_order, 0.0, whitespace, tokeniser_named(tokeniser)};
}

CountArray chrf_grid(const nb::list& candidates, const nb::list& references,
                     std::size_t char_order, std::size_t word_order, bool whitespace,
                     const std::string& tokeniser) {
    const ChrfOptions options = grid_options(char_order, word_order, whitespace, tokeniser);
    const GridTexts grid = grid_texts(candidates, references);
    CountArray result = zeros<double>(grid.candidates * grid.references(),
                                      3 * (char_order + word_order));
    double* data = result.data();
    const nb::gil_scoped_release release;
    run_interruptibly([&] { grid_rows(grid, options, data); });
    return result;
}

CountArray chrf_aggregate(const nb::list& candidates, const nb::list& references,
                          Vector<double> weights, std::size_t char_order, std::size_t word_order,
                          bool whitespace, const std::string& tokeniser) {
    const ChrfOptions options = grid_options(char_order, word_order, whitespace, tokeniser);
    const GridTexts grid = grid_texts(candidates, references);
    require(weights.shape(0) == grid.references(), "every reference needs a weight");
    CountArray result = zeros<double>(grid.candidates, 3 * (char_order + word_order));
    double* data = result.data();
    const nb::gil_scoped_release release;
    run_interruptibly([&] { aggregate_rows(grid, weights.data(), options, data); });
    return result;
}

}  // namespace

void bind_grid(nb::module_& m) {
    m.def("chrf_grid", &chrf_grid, nb::arg("candidates"), nb::arg("references"),
          nb::arg("char_order") = 6, nb::arg("word_order") = 0, nb::arg("whitespace") = false,
          nb::arg("tokeniser") = "chrf");
    m.def("chrf_aggregate", &chrf_aggregate, nb::arg("candidates"), nb::arg("references"),
          nb::arg("weights"), nb::arg("char_order") = 6, nb::arg("word_order") = 0,
          nb::arg("whitespace") = false, nb::arg("tokeniser") = "chrf");
}

}  // namespace concordant
