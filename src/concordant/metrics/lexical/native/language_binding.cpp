#include <nanobind/nanobind.h>

#include <new>
#include <utility>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "language.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

template <class T>
std::vector<T> copied(const Vector<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

void make_table(LanguageTable* self, const Vector<uint64_t>& keys, const Vector<uint32_t>& starts,
                const Vector<uint8_t>& languages, const Vector<uint8_t>& weights,
                const Vector<float>& floor, const Vector<float>& prior, double step) {
    const std::size_t size = keys.shape(0), entries = weights.shape(0);
    require(floor.shape(0) <= 255 && floor.shape(0) == prior.shape(0),
            "floor and prior need one number for each language, at most 255");
    require(size < 0xFFFFFFFF && starts.shape(0) == size + 1 && languages.shape(0) == entries,
            "keys, starts, languages and weights do not fit together");
    require(starts(0) == 0 && starts(size) == entries, "starts do not cover the weights");
    for (std::size_t i = 0; i < size; ++i) {
        require(keys(i) != 0, "a key is zero");
        require(starts(i) <= starts(i + 1), "starts fall");
    }
    for (std::size_t i = 0; i < entries; ++i)
        require(languages(i) < floor.shape(0), "a weight is of no language");
    new (self) LanguageTable(keys.data(), size, copied(starts), copied(languages),
                             copied(weights), copied(floor), copied(prior), step);
}

CountArray scores(const LanguageTable& table, const nb::list& texts, std::size_t threads) {
    const std::vector<Text> lines = texts_of(texts);
    const std::size_t columns = table.columns();
    CountArray result = zeros<double>(lines.size(), columns);
    double* data = result.data();
    {
        const nb::gil_scoped_release release;
        for_each_row<LanguageScratch>(
            lines.size(), threads, [&](std::size_t i, LanguageScratch& scratch) {
                table.score(lines[i], scratch, data + i * columns);
            });
    }
    return result;
}

}  // namespace

void bind_language(nb::module_& m) {
    nb::class_<LanguageTable>(m, "LanguageTable", "Which language texts are in.")
        .def("__init__", &make_table, nb::arg("keys"), nb::arg("starts"), nb::arg("languages"),
             nb::arg("weights"), nb::arg("floor"), nb::arg("prior"), nb::arg("step"))
        .def("scores", &scores, nb::arg("texts"), nb::arg("threads") = 1,
             "Columns: the log probability of each language but for a constant, divided by the "
             "root of the text's bytes; how many n-grams of the table the text has.");
}

}  // namespace concordant
