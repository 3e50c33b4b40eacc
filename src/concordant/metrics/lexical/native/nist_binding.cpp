#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <new>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "nist.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

void make_weights(NistWeights* self, const nb::list& references, const std::string& tokeniser) {
    const Tokeniser cut = tokeniser_named(tokeniser);
    const auto texts = references_of(references, references.size());
    const nb::gil_scoped_release release;
    run_interruptibly([&] { new (self) NistWeights(texts, cut); });
}

CountArray nist_counts(const NistWeights& weights, const nb::list& translations,
                       const nb::list& references, std::size_t threads) {
    return count_segments<NistScratch>(
        translations, references, kNistColumns, threads,
        [&](const Text& translation, const std::vector<Text>& given, NistScratch& scratch,
            double* row) { weights.count(translation, given, scratch, row); });
}

}  // namespace

void bind_nist(nb::module_& m) {
    nb::class_<NistWeights>(m, "NistWeights", "The information of the n-grams of references.")
        .def("__init__", &make_weights, nb::arg("references"), nb::arg("tokeniser") = "13a")
        .def("counts", &nist_counts, nb::arg("translations"), nb::arg("references"),
             nb::arg("threads") = 1);
}

}  // namespace concordant
