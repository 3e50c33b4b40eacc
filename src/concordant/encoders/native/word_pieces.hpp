// BERT's word pieces: a text as numbers of the pieces of a vocabulary, the longest piece first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace concordant {

// What becomes of a code point: the low bits are what it is replaced by (0: it is dropped, a space:
// a word ends there), the high bits how it stands.
inline constexpr uint32_t kReplacement = 0x1fffff;
inline constexpr uint32_t kAlone = 1u << 24;      // a word of its own: punctuation, ideographs
inline constexpr uint32_t kMayBeSpecial = 1u << 25;  // a special token may begin here
inline constexpr uint32_t kMark = 1u << 26;         // dropped, and part of the character before it
inline constexpr uint32_t kCapital = 1u << 27;
inline constexpr std::size_t kCodePoints = 0x110000;

// How a piece stands in its text, since small letters hide it: none, the first or other letters are
// capitals; and kJoined more, if nothing stands between it and the piece before.
inline constexpr uint8_t kFirstCapital = 1, kOtherCapitals = 2, kJoined = 3;

struct SpecialToken {
    std::u32string text;
    int32_t number;
};

struct WordPieceScratch {
    std::u32string points, word;
    std::vector<std::size_t> places;  // of the word's characters, in points
    std::size_t end = 0;              // of the piece before, in points
    std::vector<uint64_t> hashes;
};

// Words are cut greedily: the longest piece that begins the word, then the longest that continues
// it, and so on. A word that cannot be cut so, or has too many characters, is `unknown` as a whole.
class WordPieces {
  public:
    // `pieces` by number, with ## before those that continue a word; `characters` has kCodePoints
    // entries.
    WordPieces(const std::vector<std::u32string>& pieces, std::vector<uint32_t> characters,
               std::vector<SpecialToken> specials, int32_t unknown, std::size_t longest_word);

    // Appends the numbers of the pieces of scratch.points, and their surfaces if they are wanted.
    void encode(WordPieceScratch& scratch, std::vector<int32_t>& numbers,
                std::vector<uint8_t>* surfaces = nullptr) const;

  private:
    // Where pieces are found: those that begin a word and those that continue it have other hashes.
    struct Slot {
        uint64_t hash = 0;
        uint32_t text = 0;  // where it begins in texts_
        int32_t number = -1;
    };

    const SpecialToken* special_at(std::u32string_view rest) const;
    void cut_word(WordPieceScratch& scratch, std::vector<int32_t>& numbers,
                  std::vector<uint8_t>* surfaces) const;
    uint8_t surface(WordPieceScratch& scratch, std::size_t begin, std::size_t end) const;
    int32_t longest_piece(std::u32string_view rest, bool begins, std::vector<uint64_t>& hashes,
                          std::size_t& length) const;
    int32_t find(uint64_t hash, std::u32string_view text, bool begins) const;

    std::u32string texts_;  // of all pieces, with a mark between them that tells what begins a word
    std::vector<uint32_t> characters_;
    std::vector<SpecialToken> specials_;  // the longest first
    std::vector<Slot> slots_;
    int32_t unknown_;
    std::size_t longest_word_;
    std::size_t longest_piece_ = 0;
};

}  // namespace concordant
