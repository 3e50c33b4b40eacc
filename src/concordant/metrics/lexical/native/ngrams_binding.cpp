#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <limits>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "ngrams.hpp"
#include "sequences.hpp"
#include "../../../native/windows.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

struct SequenceScratch {
    NgramScratch ngrams;
    SkipScratch skips;
    LcsScratch lcs;
    WordWindows windows;
    std::vector<uint32_t> translation, reference;
};

CountArray bleu_counts(const nb::list& translations, const nb::list& references,
                       const std::string& tokeniser, std::size_t order, std::size_t threads) {
    require(order <= 4, "word n-grams go up to order 4");
    const Tokeniser cut = tokeniser_named(tokeniser);
    return count_segments<NgramScratch>(
        translations, references, 2 + 2 * order, threads,
        [=](const Text& translation, const std::vector<Text>& given, NgramScratch& scratch,
            double* row) { bleu_row(translation, given, cut, order, scratch, row); });
}

CountArray chrf_counts(const nb::list& translations, const nb::list& references,
                       std::size_t char_order, std::size_t word_order, double beta,
                       bool whitespace, const std::string& tokeniser, std::size_t threads) {
    require(char_order <= 6, "character n-grams go up to order 6");
    require(word_order <= 4, "word n-grams go up to order 4");
    const ChrfOptions options{char_order, word_order, beta, whitespace,
                              tokeniser_named(tokeniser)};
    return count_segments<NgramScratch>(
        translations, references, 3 * (char_order + word_order), threads,
        [=](const Text& translation, const std::vector<Text>& given, NgramScratch& scratch,
            double* row) { chrf_row(translation, given, options, scratch, row); });
}

// F1 of matches, the measure by which the best of several references is chosen.
double f1(double translation, double reference, double matches) {
    return translation + reference > 0 ? 2 * matches / (translation + reference) : 0.0;
}

// Calls count(pair, counts) on word numbers, which adds to the counts, and keeps the best reference.
template <class Count>
void best_reference(const Text& translation, const std::vector<Text>& references, Tokeniser cut,
                    const WindowSizes& sizes, SequenceScratch& scratch, double* row,
                    const Count& count) {
    Vocabulary& vocabulary = scratch.ngrams.vocabulary;
    double best = -1.0;
    for (const Text& reference : references) {
        vocabulary.clear();
        vocabulary.number(scratch.ngrams.cutter(translation, cut), scratch.translation);
        vocabulary.number(scratch.ngrams.other_cutter(reference, cut), scratch.reference);
        double candidate[3] = {};
        scratch.windows.each({scratch.translation, scratch.reference, vocabulary.size()}, sizes,
                             [&](const WordPair& pair) { count(pair, candidate); });
        const double score = f1(candidate[0], candidate[1], candidate[2]);
        if (score > best) {
            best = score;
            std::copy(candidate, candidate + 3, row);
        }
    }
}

CountArray skip_counts(const nb::list& translations, const nb::list& references,
                       const std::string& tokeniser, int64_t skip, std::size_t threads) {
    const Tokeniser cut = tokeniser_named(tokeniser);
    const std::size_t reach = skip < 0 ? kAnySkip : static_cast<std::size_t>(skip);
    // The work grows with the length times the reach: within a short reach texts are counted whole.
    WindowSizes sizes;
    if (reach <= sizes.window) sizes.whole = std::numeric_limits<std::size_t>::max();
    return count_segments<SequenceScratch>(
        translations, references, 3, threads,
        [=](const Text& translation, const std::vector<Text>& given, SequenceScratch& scratch,
            double* row) {
            best_reference(translation, given, cut, sizes, scratch, row,
                           [&](const WordPair& pair, double* counts) {
                               const SkipCounts found =
                                   skip_bigrams(pair.translation, pair.reference, pair.vocabulary,
                                                reach, scratch.skips);
                               counts[0] += found.translation;
                               counts[1] += found.reference;
                               counts[2] += found.matches;
                           });
        });
}

CountArray lcs_counts(const nb::list& translations, const nb::list& references,
                      const std::string& tokeniser, std::size_t threads) {
    const Tokeniser cut = tokeniser_named(tokeniser);
    return count_segments<SequenceScratch>(
        translations, references, 3, threads,
        [=](const Text& translation, const std::vector<Text>& given, SequenceScratch& scratch,
            double* row) {
            best_reference(translation, given, cut, {}, scratch, row,
                           [&](const WordPair& pair, double* counts) {
                               counts[0] += static_cast<double>(pair.translation.size());
                               counts[1] += static_cast<double>(pair.reference.size());
                               counts[2] += static_cast<double>(longest_common_subsequence(
                                   pair.translation, pair.reference, pair.vocabulary,
                                   scratch.lcs));
                           });
        });
}

nb::list tokenise(const nb::list& texts, const std::string& tokeniser) {
    const Tokeniser cut = tokeniser_named(tokeniser);
    Words cutter;
    nb::list lines;
    for (const Text& text : texts_of(texts)) {
        nb::list words;
        for (const auto& word : cutter(text, cut))
            words.append(python_string(word));
        lines.append(words);
    }
    return lines;
}

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.def("bleu_counts", &bleu_counts, nb::arg("translations"), nb::arg("references"),
          nb::arg("tokeniser") = "13a", nb::arg("order") = 4, nb::arg("threads") = 1);
    m.def("chrf_counts", &chrf_counts, nb::arg("translations"), nb::arg("references"),
          nb::arg("char_order") = 6, nb::arg("word_order") = 0, nb::arg("beta") = 2.0,
          nb::arg("whitespace") = false, nb::arg("tokeniser") = "chrf", nb::arg("threads") = 1);
    m.def("skip_counts", &skip_counts, nb::arg("translations"), nb::arg("references"),
          nb::arg("tokeniser") = "13a", nb::arg("skip") = -1, nb::arg("threads") = 1);
    m.def("lcs_counts", &lcs_counts, nb::arg("translations"), nb::arg("references"),
          nb::arg("tokeniser") = "13a", nb::arg("threads") = 1);
    m.def("tokenise", &tokenise, nb::arg("texts"), nb::arg("tokeniser") = "13a");
    m.def("set_character_classes", [](const nb::bytes& classes) {
        set_character_classes(reinterpret_cast<const uint8_t*>(classes.c_str()), classes.size());
    });
}

}  // namespace concordant
