#include <nanobind/nanobind.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../../native/arrays.hpp"
#include "../../native/text.hpp"
#include "bindings.hpp"
#include "encoded_blocks.hpp"
#include "unigram_pieces.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

std::vector<std::u32string> strings_of(const nb::list& items) {
    std::vector<std::u32string> strings;
    for (const Text& text : texts_of(items)) strings.push_back(code_points(text));
    return strings;
}

void make_unigram_pieces(UnigramPieces* self, const nb::list& pieces, const Vector<float>& scores,
                         const nb::list& from, const nb::list& to) {
    require(scores.shape(0) == pieces.size(), "each piece needs a score");
    require(from.size() == to.size(), "each rule needs what it makes of a text");
    const std::vector<float> values(scores.data(), scores.data() + scores.shape(0));
    new (self) UnigramPieces(strings_of(pieces), values, strings_of(from), strings_of(to));
}

nb::tuple encode(const UnigramPieces& pieces, const nb::list& lines, std::size_t threads) {
    const std::vector<Text> texts = texts_of(lines);
    std::vector<EncodedBlock> blocks;
    {
        const nb::gil_scoped_release release;
        blocks = encoded_blocks<UnigramScratch>(
            texts, threads, [&](UnigramScratch& scratch, EncodedBlock& block) {
                pieces.encode(scratch, block.numbers);
            });
    }
    const JoinedNumbers found = joined_numbers(blocks, texts.size());
    return nb::make_tuple(found.values, found.starts);
}

}  // namespace

void bind_unigram_pieces(nb::module_& m) {
    nb::class_<UnigramPieces>(m, "UnigramPieces", "SentencePiece's unigram model.")
        .def("__init__", &make_unigram_pieces, nb::arg("pieces"), nb::arg("scores"),
             nb::arg("rules_from"), nb::arg("rules_to"))
        .def("encode", &encode, nb::arg("texts"), nb::arg("threads") = 1,
             "The pieces of text i are values[starts[i]:starts[i + 1]]: (values, starts). Negative "
             "numbers are characters that no piece covers.");
}

}  // namespace concordant
