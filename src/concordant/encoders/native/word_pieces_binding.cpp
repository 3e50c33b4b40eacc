#include <nanobind/nanobind.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "../../native/arrays.hpp"
#include "../../native/text.hpp"
#include "bindings.hpp"
#include "encoded_blocks.hpp"
#include "word_pieces.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

void make_word_pieces(WordPieces* self, const nb::list& pieces, const Vector<uint32_t>& characters,
                      const nb::list& specials, const Vector<int32_t>& special_numbers, int32_t unknown,
                      std::size_t longest_word) {
    require(characters.shape(0) == kCodePoints, "characters must have an entry for each code point");
    require(special_numbers.shape(0) == specials.size(), "each special token needs a number");
    std::vector<std::u32string> texts;
    for (const Text& text : texts_of(pieces)) texts.push_back(code_points(text));
    std::vector<SpecialToken> tokens;
    for (const Text& text : texts_of(specials)) {
        require(text.size > 0, "a special token is empty");
        tokens.push_back({code_points(text), special_numbers(tokens.size())});
    }
    std::vector<uint32_t> entries(characters.data(), characters.data() + kCodePoints);
    new (self) WordPieces(texts, std::move(entries), std::move(tokens), unknown,
                          longest_word);
}

nb::tuple encode(const WordPieces& pieces, const nb::list& lines, bool with_surfaces,
                 std::size_t threads) {
    const std::vector<Text> texts = texts_of(lines);
    std::vector<EncodedBlock> blocks;
    {
        const nb::gil_scoped_release release;
        blocks = encoded_blocks<WordPieceScratch>(
            texts, threads, [&](WordPieceScratch& scratch, EncodedBlock& block) {
                pieces.encode(scratch, block.numbers, with_surfaces ? &block.surfaces : nullptr);
            });
    }
    const JoinedNumbers found = joined_numbers(blocks, texts.size());
    if (!with_surfaces) return nb::make_tuple(found.values, found.starts);
    NewVector<uint8_t> stands = zeros<uint8_t>(found.values.shape(0));
    uint8_t* surfaces = stands.data();
    for (const EncodedBlock& block : blocks)
        surfaces = std::copy(block.surfaces.begin(), block.surfaces.end(), surfaces);
    return nb::make_tuple(found.values, found.starts, stands);
}

}  // namespace

void bind_word_pieces(nb::module_& m) {
    nb::class_<WordPieces>(m, "WordPieces", "A vocabulary of word pieces, as BERT cuts words.")
        .def("__init__", &make_word_pieces, nb::arg("pieces"), nb::arg("characters"),
             nb::arg("specials"), nb::arg("special_numbers"), nb::arg("unknown"),
             nb::arg("longest_word"))
        .def(
            "encode",
            [](const WordPieces& self, const nb::list& texts, std::size_t threads) {
                return encode(self, texts, false, threads);
            },
            nb::arg("texts"), nb::arg("threads") = 1,
            "The pieces of text i are values[starts[i]:starts[i + 1]]: (values, starts).")
        .def(
            "encode_surfaces",
            [](const WordPieces& self, const nb::list& texts, std::size_t threads) {
                return encode(self, texts, true, threads);
            },
            nb::arg("texts"), nb::arg("threads") = 1,
            "The pieces, and how each stands in its text: (values, starts, surfaces).");
}

}  // namespace concordant
