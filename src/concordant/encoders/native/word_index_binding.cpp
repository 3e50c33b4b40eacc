#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../native/arrays.hpp"
#include "../../native/parallel.hpp"
#include "../../native/text.hpp"
#include "bindings.hpp"
#include "numbers.hpp"
#include "row_sums.hpp"
#include "word_index.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

WordList list_of(const Vector<uint8_t>& bytes, const Vector<int64_t>& starts) {
    require(starts.shape(0) > 0, "starts is empty");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.shape(0), starts.data(),
            starts.shape(0) - 1};
}

NewVector<uint64_t> word_slots(const Vector<uint8_t>& bytes, const Vector<int64_t>& starts) {
    return array_of(slots_of(list_of(bytes, starts)));
}

// A text's rows; its unknown words stand in their order in `unknown`, to be numbered afterwards.
struct CutText {
    std::vector<int32_t> rows;
    std::vector<std::string> unknown;
};

CutText cut_text(const Text& text, const WordIndex& index, WordCutter& cutter) {
    CutText cut;
    const std::vector<WordToken>& tokens = cutter(text, &index);
    cut.rows.reserve(tokens.size());
    for (const WordToken& token : tokens) {
        cut.rows.push_back(token.row);
        if (token.row != kUnknownWord) continue;
        cut.unknown.emplace_back();
        add_utf8(cutter.characters(token), cut.unknown.back());
    }
    return cut;
}

// All rows one after another; unknown words are -1, -2, … in the order in which they are met.
void join_rows(std::vector<CutText>& cuts, std::vector<int32_t>& rows,
               std::vector<int64_t>& starts) {
    std::unordered_map<std::string, int32_t> numbers;
    starts.push_back(0);
    for (CutText& cut : cuts) {
        std::size_t met = 0;
        for (const int32_t row : cut.rows) {
            if (row == kUnknownWord) {
                const auto next = static_cast<int32_t>(-1 - static_cast<int64_t>(numbers.size()));
                rows.push_back(numbers.emplace(std::move(cut.unknown[met++]), next).first->second);
            } else {
                rows.push_back(row);
            }
        }
        starts.push_back(static_cast<int64_t>(rows.size()));
    }
}

nb::list token_strings(const nb::list& texts, const WordIndex* index) {
    nb::list result;
    WordCutter cutter;
    for (const Text& text : texts_of(texts)) {
        nb::list tokens;
        for (const WordToken& token : cutter(text, index))
            tokens.append(python_string(cutter.characters(token)));
        result.append(tokens);
    }
    return result;
}

// The arrays are kept for as long as the object lives. What they say is checked when it is read:
// to look at all of it now would read it all from disk.
class MappedIndex {
  public:
    MappedIndex(Vector<uint8_t> bytes, Vector<int64_t> starts, Vector<uint64_t> slots)
        : bytes_(bytes),
          starts_(starts),
          slots_(slots),
          index_{list_of(bytes_, starts_), slots_.data(), slots_.shape(0)} {
        require(index_.size > 0 && (index_.size & (index_.size - 1)) == 0,
                "the number of slots is not a power of two");
    }

    NewVector<int32_t> find(const nb::list& words) const {
        std::vector<int32_t> rows;
        std::string bytes;
        for (const Text& word : texts_of(words)) {
            bytes.clear();
            add_utf8(code_points(word), bytes);
            rows.push_back(index_.find(bytes));
        }
        return array_of(rows);
    }

    nb::tuple rows(const nb::list& items, std::size_t threads) const {
        const std::vector<Text> texts = texts_of(items);
        std::vector<CutText> cuts(texts.size());
        std::vector<int32_t> rows;
        std::vector<int64_t> starts;
        {
            const nb::gil_scoped_release release;
            for_each_row<WordCutter>(
                texts.size(), threads, [&](std::size_t i, WordCutter& cutter) {
                    cuts[i] = cut_text(texts[i], index_, cutter);
                });
            join_rows(cuts, rows, starts);
        }
        return nb::make_tuple(array_of(rows), array_of(starts));
    }

    nb::list tokens(const nb::list& texts) const { return token_strings(texts, &index_); }

    nb::bytes word(std::size_t row) const {
        const std::string_view word = index_.words[row];
        return nb::bytes(word.data(), word.size());
    }

  private:
    Vector<uint8_t> bytes_;
    Vector<int64_t> starts_;
    Vector<uint64_t> slots_;
    WordIndex index_;
};

struct NoScratch {};

nb::tuple row_sums(const Matrix<float>& vectors, const Vector<int32_t>& rows,
                   const Vector<int64_t>& starts, const std::optional<Vector<double>>& weights,
                   std::size_t threads) {
    require(starts.shape(0) > 0, "starts is empty");
    const std::size_t texts = starts.shape(0) - 1;
    const int64_t* from = starts.data();
    require(from[0] == 0 && std::is_sorted(from, from + texts + 1) &&
                static_cast<uint64_t>(from[texts]) == rows.shape(0),
            "starts do not fit the rows");
    require(!weights || weights->shape(0) == rows.shape(0), "weights are not given for each row");
    const VectorTable table{vectors.data(), vectors.shape(0), vectors.shape(1)};
    const double* weight = weights ? weights->data() : nullptr;
    const NewMatrix<double> sums = zeros<double>(texts, table.dimension);
    double* data = sums.data();
    std::vector<double> totals(texts);
    {
        const nb::gil_scoped_release release;
        for_each_row<NoScratch>(texts, threads, [&](std::size_t i, NoScratch&) {
            totals[i] = sum_rows(table, rows.data(), weight, static_cast<std::size_t>(from[i]),
                                 static_cast<std::size_t>(from[i + 1]),
                                 data + i * table.dimension);
        });
    }
    return nb::make_tuple(sums, array_of(totals));
}

}  // namespace

void bind_word_index(nb::module_& m) {
    m.def("word_slots", &word_slots, nb::arg("word_bytes"), nb::arg("starts"),
          "The hash table of words that stand one after another in UTF-8.");
    nb::class_<MappedIndex>(m, "WordIndex", "Words to rows, through a table mapped from disk.")
        .def(nb::init<Vector<uint8_t>, Vector<int64_t>, Vector<uint64_t>>(), nb::arg("word_bytes"),
             nb::arg("starts"), nb::arg("slots"))
        .def("find", &MappedIndex::find, nb::arg("words"),
             "The row of each word as it is written, -1 where it is unknown.")
        .def("rows", &MappedIndex::rows, nb::arg("texts"), nb::arg("threads") = 1,
             "The rows of the tokens of all texts, and where each text's begin: (rows, starts). "
             "Unknown words are -1, -2, …, the same word the same number.")
        .def("tokens", &MappedIndex::tokens, nb::arg("texts"),
             "The tokens that the rows are of, as strings.")
        .def("word", &MappedIndex::word, nb::arg("row"), "The word of a row, in UTF-8.");
    m.def(
        "word_tokens", [](const nb::list& texts) { return token_strings(texts, nullptr); },
        nb::arg("texts"), "The tokens of each text, every compound whole.");
    m.def(
        "read_numbers", [](const nb::bytes& text) { return array_of(read_numbers(text.c_str())); },
        nb::arg("text"), "The numbers of a text up to the first thing that is none.");
    m.def("row_sums", &row_sums, nb::arg("vectors"), nb::arg("rows"), nb::arg("starts"),
          nb::arg("weights") = nb::none(), nb::arg("threads") = 1,
          "The weighted sum of the rows of each text, and the sum of their weights: "
          "(sums, totals), in double precision.");
}

}  // namespace concordant
