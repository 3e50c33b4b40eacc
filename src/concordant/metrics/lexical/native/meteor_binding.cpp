#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "meteor_align.hpp"
#include "meteor_normalise.hpp"
#include "meteor_tokens.hpp"
#include "porter2.hpp"
#include "../../../native/windows.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

template <class T>
Slice<T> slice(const Vector<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

template <class T>
void require_below(Slice<T> numbers, int64_t least, int64_t limit, const char* otherwise) {
    require(std::all_of(numbers.begin(), numbers.end(),
                        [=](T number) { return number >= least && number < limit; }),
            otherwise);
}

template <class T>
void require_starts(Slice<T> starts, std::size_t size, std::size_t end, const char* otherwise) {
    require(starts.size() == size + 1 && starts[0] == 0 &&
                std::is_sorted(starts.begin(), starts.end()) &&
                static_cast<uint64_t>(starts[size]) == end,
            otherwise);
}

// The arrays are checked once, here, and kept for as long as the object lives.
class ParaphraseTable {
  public:
    ParaphraseTable(Vector<int32_t> child_starts, Vector<int32_t> child_words,
                    Vector<int32_t> entry_starts, Vector<int32_t> entries)
        : child_starts_(child_starts),
          child_words_(child_words),
          entry_starts_(entry_starts),
          entries_(entries),
          table_{slice(child_starts_), slice(child_words_), slice(entry_starts_), slice(entries_)} {
        require(table_.child_starts.size() > table_.child_words.size(), "too few nodes");
        const std::size_t nodes = table_.child_starts.size() - 1;
        const char* wrong = "the arrays of the paraphrases do not fit each other";
        require_starts(table_.child_starts, nodes, table_.child_words.size(), wrong);
        require_starts(table_.entry_starts, nodes, table_.entries.size(), wrong);
        table_.one_word = static_cast<int32_t>(nodes - table_.child_words.size());
        require_below(table_.child_words, 0, table_.one_word, wrong);
        require_below(table_.entries, 0, static_cast<int64_t>(nodes), wrong);
        // A child's number must be above its parent's, or a phrase would never end.
        for (std::size_t n = 0; n < nodes; ++n)
            require(table_.child_starts[n] == table_.child_starts[n + 1] ||
                        static_cast<std::size_t>(table_.one_word + table_.child_starts[n]) > n,
                    wrong);
    }
    const MeteorParaphrases& table() const { return table_; }

  private:
    Vector<int32_t> child_starts_, child_words_, entry_starts_, entries_;
    MeteorParaphrases table_;
};

MeteorWords words_of(const Vector<uint8_t>& function_words, const Vector<int32_t>& keys,
                     const std::optional<Vector<int32_t>>& stems,
                     const std::optional<Vector<int32_t>>& synset_starts,
                     const std::optional<Vector<int32_t>>& synsets,
                     const std::optional<Vector<int32_t>>& phrases,
                     const ParaphraseTable* paraphrases) {
    const std::size_t size = function_words.shape(0);
    MeteorWords words;
    words.function = function_words.data();
    require(keys.shape(0) == size, "keys are not given for each word");
    words.keys = keys.data();
    if (stems) {
        require(stems->shape(0) == size, "stems are not given for each word");
        words.stems = stems->data();
    }
    if (synsets && synset_starts) {
        require_starts(slice(*synset_starts), size, synsets->shape(0), "synsets do not fit");
        words.synset_starts = synset_starts->data();
        words.synsets = synsets->data();
    }
    if (phrases && paraphrases != nullptr) {
        require(phrases->shape(0) == size, "phrases are not given for each word");
        require_below(slice(*phrases), -1, paraphrases->table().one_word, "phrases do not fit");
        words.phrases = phrases->data();
    }
    return words;
}

CountArray meteor_counts(const Vector<int32_t>& tokens, const Vector<int64_t>& starts,
                         const Pairs& pairs, const Vector<uint8_t>& function_words,
                         const Vector<int32_t>& keys,
                         const std::optional<Vector<int32_t>>& stems,
                         const std::optional<Vector<int32_t>>& synset_starts,
                         const std::optional<Vector<int32_t>>& synsets,
                         const std::optional<Vector<int32_t>>& phrases,
                         const ParaphraseTable* paraphrases, std::size_t beam,
                         std::size_t threads) {
    const MeteorWords words =
        words_of(function_words, keys, stems, synset_starts, synsets, phrases, paraphrases);
    const MeteorParaphrases table = paraphrases == nullptr ? MeteorParaphrases{}
                                                           : paraphrases->table();
    require(beam > 0 && beam <= kMostMeteorPaths, "the beam must be from 1 to 200");
    require(starts.shape(0) > 0, "starts is empty");
    const std::size_t texts = starts.shape(0) - 1, rows = pairs.shape(0);
    require_starts(slice(starts), texts, tokens.shape(0), "starts do not fit the tokens");
    require_below(slice(tokens), 0, static_cast<int64_t>(function_words.shape(0)),
                  "a token is not one of the words");
    require_below(Slice<int64_t>{pairs.data(), pairs.data() + 2 * rows}, 0,
                  static_cast<int64_t>(texts), "a pair names no text");
    CountArray result = zeros<double>(rows, kMeteorColumns);
    double* data = result.data();
    const auto text = [&](int64_t i) {
        return MeteorText{tokens.data() + starts(i), tokens.data() + starts(i + 1)};
    };
    {
        const nb::gil_scoped_release release;
        for_each_row<MeteorAligner>(rows, threads, [&](std::size_t i, MeteorAligner& aligner) {
            const MeteorText test = text(pairs(i, 0)), reference = text(pairs(i, 1));
            double* sum = data + i * kMeteorColumns;
            for_each_window(test.size(), reference.size(), {}, [&](Window one, Window other) {
                double row[kMeteorColumns];
                aligner.count(test.part(one.begin, one.end),
                              reference.part(other.begin, other.end), words, table, beam, row);
                for (std::size_t c = 0; c < kMeteorColumns; ++c) sum[c] += row[c];
            });
        });
    }
    return result;
}

NormaliserRules rules_of(const std::string& apostrophes, const nb::list& prefixes,
                         const nb::list& numeric_prefixes, bool keep_punctuation) {
    static const std::map<std::string, Apostrophes> kinds{{"english", Apostrophes::english},
                                                          {"french", Apostrophes::french},
                                                          {"apart", Apostrophes::apart}};
    const auto kind = kinds.find(apostrophes);
    require(kind != kinds.end(), "apostrophes are treated as english, french or apart");
    NormaliserRules rules;
    rules.apostrophes = kind->second;
    rules.keep_punctuation = keep_punctuation;
    for (const Text& prefix : texts_of(prefixes)) rules.prefixes[code_points(prefix)] = false;
    for (const Text& prefix : texts_of(numeric_prefixes))
        rules.prefixes[code_points(prefix)] = true;
    return rules;
}

struct NormaliserScratch {
    Normaliser normaliser;
    std::u32string line;
};

nb::list meteor_normalise(const nb::list& lines, const std::string& apostrophes,
                          const nb::list& prefixes, const nb::list& numeric_prefixes,
                          bool keep_punctuation, std::size_t threads) {
    const NormaliserRules rules =
        rules_of(apostrophes, prefixes, numeric_prefixes, keep_punctuation);
    const std::vector<Text> texts = texts_of(lines);
    std::vector<std::u32string> normalised(texts.size());
    {
        const nb::gil_scoped_release release;
        for_each_row<NormaliserScratch>(
            texts.size(), threads, [&](std::size_t i, NormaliserScratch& scratch) {
                copy_code_points(texts[i], scratch.line);
                normalised[i] = scratch.normaliser.normalise(scratch.line, rules);
            });
    }
    nb::list result;
    for (const std::u32string& line : normalised) result.append(python_string(line));
    return result;
}

nb::tuple meteor_tokens(const nb::list& lines) {
    MeteorTokens numbered;
    std::u32string line;
    for (const Text& text : texts_of(lines)) {
        copy_code_points(text, line);
        numbered.add(line);
    }
    nb::list words;
    for (const std::u32string& word : numbered.words) words.append(python_string(word));
    return nb::make_tuple(words, array_of(numbered.tokens), array_of(numbered.starts));
}

NewVector<int32_t> java_hashes(const nb::list& words) {
    std::vector<int32_t> hashes;
    std::u32string word;
    for (const Text& text : texts_of(words)) {
        copy_code_points(text, word);
        hashes.push_back(java_hash(word));
    }
    return array_of(hashes);
}

nb::list porter2_stems(const nb::list& words) {
    nb::list stems;
    std::u32string word;
    for (const Text& text : texts_of(words)) {
        copy_code_points(text, word);
        porter2_stem(word);
        stems.append(python_string(word));
    }
    return stems;
}

}  // namespace

void bind_meteor(nb::module_& m) {
    nb::class_<ParaphraseTable>(m, "Paraphrases",
                                "Phrases that mean the same, as a trie in arrays.")
        .def(nb::init<Vector<int32_t>, Vector<int32_t>, Vector<int32_t>, Vector<int32_t>>(),
             nb::arg("child_starts"), nb::arg("child_words"), nb::arg("entry_starts"),
             nb::arg("entries"));
    m.def("meteor_counts", &meteor_counts, nb::arg("tokens"), nb::arg("starts"), nb::arg("pairs"),
          nb::arg("function_words"), nb::arg("keys"), nb::arg("stems") = nb::none(),
          nb::arg("synset_starts") = nb::none(), nb::arg("synsets") = nb::none(),
          nb::arg("phrases") = nb::none(), nb::arg("paraphrases") = nb::none(),
          nb::arg("beam") = 40, nb::arg("threads") = 1,
          "One row of counts for each pair (translation, reference) of texts; text i has the tokens "
          "starts[i] … starts[i + 1].");
    m.def("meteor_normalise", &meteor_normalise, nb::arg("lines"), nb::arg("apostrophes"),
          nb::arg("prefixes"), nb::arg("numeric_prefixes"), nb::arg("keep_punctuation") = true,
          nb::arg("threads") = 1, "METEOR's tokens of each line, joined by spaces.");
    m.def("meteor_tokens", &meteor_tokens, nb::arg("lines"),
          "The words of the lines, and the lines as numbers of words: (words, tokens, starts).");
    m.def("java_hashes", &java_hashes, nb::arg("words"), "Java's hashCode of each word.");
    m.def("porter2_stems", &porter2_stems, nb::arg("words"),
          "The stem of each English word (Porter 2).");
}

}  // namespace concordant
