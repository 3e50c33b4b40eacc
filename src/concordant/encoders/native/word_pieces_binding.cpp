#include <nanobind/nanobind.h>

#include <new>
#include <utility>
#include <vector>

#include "../../native/arrays.hpp"
#include "../../native/parallel.hpp"
#include "../../native/text.hpp"
#include "bindings.hpp"
#include "word_pieces.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

constexpr std::size_t kBlock = 64;  // texts that one thread takes at a time

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

struct Block {
    std::vector<int32_t> numbers;
    std::vector<uint8_t> surfaces;
    std::vector<std::size_t> ends;  // of each text, in numbers
};

std::vector<Block> encoded_blocks(const WordPieces& pieces, const std::vector<Text>& texts,
                                  bool with_surfaces, std::size_t threads) {
    std::vector<Block> blocks((texts.size() + kBlock - 1) / kBlock);
    for_each_row<WordPieceScratch>(
        blocks.size(), threads, [&](std::size_t b, WordPieceScratch& scratch) {
            Block& block = blocks[b];
            const std::size_t end = std::min(texts.size(), (b + 1) * kBlock);
            for (std::size_t i = b * kBlock; i < end; ++i) {
                copy_code_points(texts[i], scratch.points);
                pieces.encode(scratch, block.numbers, with_surfaces ? &block.surfaces : nullptr);
                block.ends.push_back(block.numbers.size());
            }
        });
    return blocks;
}

nb::tuple encode(const WordPieces& pieces, const nb::list& lines, bool with_surfaces,
                 std::size_t threads) {
    const std::vector<Text> texts = texts_of(lines);
    std::vector<Block> blocks;
    std::size_t size = 0;
    {
        const nb::gil_scoped_release release;
        blocks = encoded_blocks(pieces, texts, with_surfaces, threads);
        for (const Block& block : blocks) size += block.numbers.size();
    }
    NewVector<int32_t> values = zeros<int32_t>(size);
    NewVector<int64_t> bounds = zeros<int64_t>(texts.size() + 1);
    int32_t* numbers = values.data();
    NewVector<uint8_t> stands = zeros<uint8_t>(with_surfaces ? size : 0);
    uint8_t* surfaces = stands.data();
    int64_t* starts = bounds.data() + 1;  // the first text's is 0
    int64_t before = 0;
    for (const Block& block : blocks) {
        for (std::size_t end : block.ends) *starts++ = before + static_cast<int64_t>(end);
        numbers = std::copy(block.numbers.begin(), block.numbers.end(), numbers);
        surfaces = std::copy(block.surfaces.begin(), block.surfaces.end(), surfaces);
        before += static_cast<int64_t>(block.numbers.size());
    }
    if (with_surfaces) return nb::make_tuple(values, bounds, stands);
    return nb::make_tuple(values, bounds);
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
