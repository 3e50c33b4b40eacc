// Words of a text as rows of a vector table: cut as the vectors' makers cut them, looked up in a
// hash table that is mapped from disk, so that a lookup reads only its own pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../native/text.hpp"

namespace concordant {

inline constexpr int32_t kUnknownWord = -1;

// Code points in UTF-8, added to `bytes`; a lone surrogate as Python's "surrogatepass" writes it.
void add_utf8(std::u32string_view points, std::string& bytes);

// The words of a vocabulary one after another in UTF-8, word i from starts[i] to starts[i + 1].
struct WordList {
    const char* bytes = nullptr;
    std::size_t size = 0;
    const int64_t* starts = nullptr;
    std::size_t words = 0;

    // Throws where the numbers do not fit: the files may have been damaged on disk.
    std::string_view operator[](std::size_t row) const;
};

// Open addressing with linear probing. A slot is 0 where it is empty, else row + 1 in its lower
// half and the upper half of the word's hash in its upper, so that few words are ever compared.
struct WordIndex {
    WordList words;
    const uint64_t* slots = nullptr;
    std::size_t size = 0;  // a power of two

    // The row of a word, kUnknownWord where it has none.
    int32_t find(std::string_view word) const;
};

// At least twice as many slots as words; of equal words the first is found.
std::vector<uint64_t> slots_of(const WordList& words);

struct WordToken {
    std::size_t begin, end;
    int32_t row;
};

// A line cut into words: at white space; every mark of punctuation and every symbol apart, but for
// full stops and commas in numbers, apostrophes and hyphens within words; English clitics apart as
// in the Penn Treebank. A compound (well-known, U.S., ...) is one word if the vocabulary knows it
// or none is given; otherwise it is its parts. Tokens are good until the next call.
class WordCutter {
  public:
    const std::vector<WordToken>& operator()(const Text& text, const WordIndex* index);

    // A token's characters: ’ is ' and the hyphens U+2010 and U+2011 are - here.
    std::u32string_view characters(const WordToken& token) const {
        return std::u32string_view(line_).substr(token.begin, token.end - token.begin);
    }

  private:
    int32_t row(std::size_t begin, std::size_t end);
    void push(std::size_t begin, std::size_t end);
    void push_each(std::size_t begin, std::size_t end);
    bool push_known(std::size_t begin, std::size_t end);
    bool is_word(std::size_t i) const;
    bool joins(std::size_t i) const;
    std::size_t word_end(std::size_t begin) const;
    std::size_t initials_end(std::size_t begin) const;
    std::size_t clitic_before(std::size_t begin, std::size_t end) const;
    std::size_t clitic_after(std::size_t begin) const;
    std::size_t cut_mark(std::size_t begin);
    std::size_t cut_word(std::size_t begin);
    void cut_clitics(std::size_t begin, std::size_t end);
    void cut_compound(std::size_t begin, std::size_t end);

    const WordIndex* index_ = nullptr;
    std::u32string line_;
    std::string bytes_;
    std::vector<WordToken> tokens_;
    std::vector<std::size_t> clitics_;
};

}  // namespace concordant
