// n-gram counts of a segment against its references, as BLEU, chrF and their relatives need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grams.hpp"
#include "../../../native/text.hpp"
#include "tokenise.hpp"
#include "../../../native/words.hpp"

namespace concordant {

// Reused from segment to segment by one thread.
struct NgramScratch {
    Words cutter, other_cutter;
    Vocabulary vocabulary;
    Alphabet alphabet;
    ShortWordGrams short_words;
    WordGrams words;
    ShortCharacterGrams short_characters;
    CharacterGrams characters;
    std::vector<uint32_t> translation_numbers, reference_numbers;
    std::vector<std::vector<uint32_t>> sequences;
    std::u32string translation, reference;
    std::vector<std::u32string> kept;
};

// How many n-grams of order n a sequence has.
double grams_in(std::size_t length, std::size_t n);

// The words of a text by their numbers in the scratch's vocabulary. The vocabulary views into texts,
// so words are copied to `kept`, which must have room for every text.
void number_words(const Text& text, Tokeniser tokeniser, NgramScratch& scratch,
                  std::vector<uint32_t>& numbers);

// The characters that chrF counts: all but white space, unless that counts too.
void without_spaces(const Text& text, bool whitespace, std::u32string& characters);

// The three counts of every order, where `matches` are known, of sequences of these lengths.
void write_orders(std::size_t translation, std::size_t reference, const double* matches,
                  std::size_t order, double* row);

// Row: translation length, closest reference length, matches and totals of orders 1 … order.
void bleu_row(const Text& translation, const std::vector<Text>& references, Tokeniser tokeniser,
              std::size_t order, NgramScratch& scratch, double* row);

struct ChrfOptions {
    std::size_t char_order, word_order;
    double beta;
    bool whitespace;
    Tokeniser tokeniser;
};

// Row: n-grams of the translation, of the reference, and matches, for each order of characters and
// then of words; of the reference with the best F score.
void chrf_row(const Text& translation, const std::vector<Text>& references,
              const ChrfOptions& options, NgramScratch& scratch, double* row);

}  // namespace concordant
