#include <nanobind/nanobind.h>

#include <new>
#include <utility>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "text_traits.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

constexpr std::size_t kCodePoints = 0x110000;

void make_traits(TextTraits* self, const Vector<uint8_t>& script_of, std::size_t scripts,
                 std::size_t times, std::size_t period) {
    require(script_of.shape(0) == kCodePoints, "each code point needs a script");
    require(scripts <= 255, "there are too many scripts");
    require(times > 0 && times <= 255 && period <= 255, "times or period is out of range");
    std::vector<uint8_t> table(script_of.data(), script_of.data() + kCodePoints);
    new (self) TextTraits(std::move(table), scripts, {times, period});
}

CountArray count(const TextTraits& traits, const nb::list& texts, const nb::list& lowered,
                 std::size_t threads) {
    const std::vector<Text> lines = texts_of(texts), small = texts_of(lowered);
    require(lines.size() == small.size(), "each text needs one in small letters");
    const std::size_t columns = traits.columns();
    CountArray result = zeros<double>(lines.size(), columns);
    double* data = result.data();
    {
        const nb::gil_scoped_release release;
        for_each_row<TraitScratch>(
            lines.size(), threads, [&](std::size_t i, TraitScratch& scratch) {
                traits.count(lines[i], small[i], scratch, data + i * columns);
            });
    }
    return result;
}

}  // namespace

void bind_text_traits(nb::module_& m) {
    nb::class_<TextTraits>(m, "TextTraits", "What texts show of script and length.")
        .def("__init__", &make_traits, nb::arg("script_of"), nb::arg("scripts"),
             nb::arg("times"), nb::arg("period"))
        .def("count", &count, nb::arg("texts"), nb::arg("lowered"), nb::arg("threads") = 1,
             "Columns: letters of each script, words, characters but for white space at the ends, 1 where a run of words is repeated.");
}

}  // namespace concordant
