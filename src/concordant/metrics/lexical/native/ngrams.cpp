#include "ngrams.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace concordant {

double grams_in(std::size_t length, std::size_t n) {
    return length >= n ? static_cast<double>(length - n + 1) : 0.0;
}

void number_words(const Text& text, Tokeniser tokeniser, NgramScratch& scratch,
                  std::vector<uint32_t>& numbers) {
    const auto& words = scratch.cutter(text, tokeniser);
    std::size_t size = 0;
    for (const auto& word : words) size += word.size();
    scratch.kept.emplace_back();
    std::u32string& copy = scratch.kept.back();
    copy.reserve(size);  // so that the views below stay good
    numbers.clear();
    for (const auto& word : words) {
        const std::size_t begin = copy.size();
        copy.append(word);
        numbers.push_back(
            scratch.vocabulary.number(std::u32string_view(copy).substr(begin, word.size())));
    }
}

void without_spaces(const Text& text, bool whitespace, std::u32string& characters) {
    copy_code_points(text, characters);
    if (!whitespace)
        characters.erase(std::remove_if(characters.begin(), characters.end(), is_space),
                         characters.end());
}

void write_orders(std::size_t translation, std::size_t reference, const double* matches,
                  std::size_t order, double* row) {
    for (std::size_t n = 1; n <= order; ++n) {
        const double in_reference = grams_in(reference, n);
        row[0] = in_reference > 0 ? grams_in(translation, n) : 0.0;
        row[1] = in_reference;
        row[2] = matches[n - 1];
        row += 3;
    }
}

namespace {

void begin_segment(NgramScratch& scratch, std::size_t texts) {
    scratch.vocabulary.clear();
    scratch.kept.clear();
    scratch.kept.reserve(texts);
    if (scratch.sequences.size() < texts) scratch.sequences.resize(texts);
}

std::size_t closest_length(std::size_t length, const NgramScratch& scratch,
                           std::size_t references) {
    std::size_t best = scratch.sequences[1].size();
    for (std::size_t r = 1; r <= references; ++r) {
        const std::size_t size = scratch.sequences[r].size();
        const auto gap = [&](std::size_t s) { return s > length ? s - length : length - s; };
        if (gap(size) < gap(best) || (gap(size) == gap(best) && size < best)) best = size;
    }
    return best;
}

template <class AnyGrams, class Sequence>
void count_two(AnyGrams& grams, const Sequence& translation, const Sequence& reference,
               std::size_t order, double* matches) {
    grams.clear();
    grams.add(translation, 0);
    grams.add(reference, 1);
    grams.count(2, order, matches);
}

// The characters as small numbers; false if there are too many different ones.
bool number_characters(const std::u32string& characters, Alphabet& alphabet,
                       std::vector<uint32_t>& numbers) {
    numbers.resize(characters.size());
    uint32_t largest = 0;
    for (std::size_t i = 0; i < characters.size(); ++i) {
        numbers[i] = alphabet.number(characters[i]);
        largest = std::max(largest, numbers[i]);
    }
    return largest < ShortCharacterGrams::kSymbols;
}

void match_characters(NgramScratch& scratch, std::size_t order, double* matches) {
    scratch.alphabet.clear();
    if (number_characters(scratch.translation, scratch.alphabet, scratch.translation_numbers) &&
        number_characters(scratch.reference, scratch.alphabet, scratch.reference_numbers))
        count_two(scratch.short_characters, scratch.translation_numbers, scratch.reference_numbers,
                  order, matches);
    else
        count_two(scratch.characters, scratch.translation, scratch.reference, order, matches);
}

// Sequence 0 of the scratch against sequences 1 … references.
template <class AnyGrams>
void match_words(AnyGrams& grams, const NgramScratch& scratch, std::size_t references,
                 std::size_t order, double* matches) {
    grams.clear();
    for (std::size_t s = 0; s <= references; ++s) grams.add(scratch.sequences[s], s);
    grams.count(references + 1, order, matches);
}

void match_words(NgramScratch& scratch, std::size_t references, std::size_t order,
                 double* matches) {
    if (scratch.vocabulary.size() <= ShortWordGrams::kSymbols &&
        references < ShortWordGrams::kSequences)
        match_words(scratch.short_words, scratch, references, order, matches);
    else
        match_words(scratch.words, scratch, references, order, matches);
}

// chrF as sacrebleu computes it, to the last bit, because it decides between references.
double f_score(const double* row, std::size_t orders, double beta) {
    const double factor = beta * beta;
    double precision = 0.0, recall = 0.0, effective = 0.0;
    for (std::size_t i = 0; i < orders; ++i) {
        const double translation = row[3 * i], reference = row[3 * i + 1], match = row[3 * i + 2];
        if (translation > 0 && reference > 0) {
            precision += match / translation;
            recall += match / reference;
            effective += 1;
        }
    }
    if (effective == 0) return 0.0;
    precision /= effective;
    recall /= effective;
    if (precision + recall == 0) return 0.0;
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

}  // namespace

void bleu_row(const Text& translation, const std::vector<Text>& references, Tokeniser tokeniser,
              std::size_t order, NgramScratch& scratch, double* row) {
    if (references.size() + 1 > WordGrams::kSequences)
        throw std::invalid_argument("a segment has more than 255 references");
    begin_segment(scratch, references.size() + 1);
    number_words(translation, tokeniser, scratch, scratch.sequences[0]);
    for (std::size_t r = 0; r < references.size(); ++r)
        number_words(references[r], tokeniser, scratch, scratch.sequences[r + 1]);
    match_words(scratch, references.size(), order, row + 2);
    const std::size_t length = scratch.sequences[0].size();
    row[0] = static_cast<double>(length);
    row[1] = static_cast<double>(closest_length(length, scratch, references.size()));
    for (std::size_t n = 1; n <= order; ++n) row[2 + order + n - 1] = grams_in(length, n);
}

void chrf_row(const Text& translation, const std::vector<Text>& references,
              const ChrfOptions& options, NgramScratch& scratch, double* row) {
    const std::size_t orders = options.char_order + options.word_order;
    std::vector<double> candidate(3 * orders), matches(std::max(options.char_order, orders));
    begin_segment(scratch, references.size() + 1);
    if (options.word_order > 0)
        number_words(translation, options.tokeniser, scratch, scratch.sequences[0]);
    if (options.char_order > 0)
        without_spaces(translation, options.whitespace, scratch.translation);
    double best = -1.0;
    for (const Text& reference : references) {
        if (options.char_order > 0) {
            without_spaces(reference, options.whitespace, scratch.reference);
            match_characters(scratch, options.char_order, matches.data());
            write_orders(scratch.translation.size(), scratch.reference.size(), matches.data(),
                         options.char_order, candidate.data());
        }
        if (options.word_order > 0) {
            number_words(reference, options.tokeniser, scratch, scratch.sequences[1]);
            match_words(scratch, 1, options.word_order, matches.data());
            write_orders(scratch.sequences[0].size(), scratch.sequences[1].size(), matches.data(),
                         options.word_order, candidate.data() + 3 * options.char_order);
        }
        const double score = f_score(candidate.data(), orders, options.beta);
        if (score > best) {
            best = score;
            std::copy(candidate.begin(), candidate.end(), row);
        }
    }
}

}  // namespace concordant
