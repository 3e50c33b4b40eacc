#include "word_pieces.hpp"

#include <algorithm>
#include <utility>

namespace concordant {

namespace {

constexpr std::u32string_view kContinues = U"##";

bool continues(std::u32string_view piece) {
    return piece.size() > kContinues.size() && piece.substr(0, kContinues.size()) == kContinues;
}

// Before each piece's text and after the last; no character is as large.
char32_t mark_of(bool begins) { return kCodePoints + (begins ? 0 : 1); }

uint64_t first_hash(bool begins) { return begins ? 0x9e3779b97f4a7c15 : 0xc2b2ae3d27d4eb4f; }

uint64_t next_hash(uint64_t hash, char32_t c) {
    hash = (hash ^ c) * 0xff51afd7ed558ccd;
    return hash ^ (hash >> 29);
}

}  // namespace

WordPieces::WordPieces(const std::vector<std::u32string>& pieces, std::vector<uint32_t> characters,
                       std::vector<SpecialToken> specials, int32_t unknown,
                       std::size_t longest_word)
    : characters_(std::move(characters)),
      specials_(std::move(specials)),
      unknown_(unknown),
      longest_word_(longest_word) {
    std::stable_sort(specials_.begin(), specials_.end(),
                     [](const SpecialToken& one, const SpecialToken& other) {
                         return one.text.size() > other.text.size();
                     });
    for (const SpecialToken& special : specials_) characters_[special.text[0]] |= kMayBeSpecial;
    std::size_t size = 16;
    while (size < 2 * pieces.size()) size *= 2;
    slots_.resize(size);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool begins = !continues(pieces[i]);
        const auto text = std::u32string_view(pieces[i]).substr(begins ? 0 : kContinues.size());
        uint64_t hash = first_hash(begins);
        for (char32_t c : text) hash = next_hash(hash, c);
        std::size_t place = hash & (size - 1);
        while (slots_[place].number >= 0) place = (place + 1) & (size - 1);
        texts_.push_back(mark_of(begins));
        slots_[place] = Slot{hash, static_cast<uint32_t>(texts_.size()), static_cast<int32_t>(i)};
        texts_.append(text);
        longest_piece_ = std::max(longest_piece_, text.size());
    }
    texts_.push_back(mark_of(true));
}

void WordPieces::encode(WordPieceScratch& scratch, std::vector<int32_t>& numbers,
                        std::vector<uint8_t>* surfaces) const {
    const std::u32string_view line = scratch.points;
    scratch.word.clear();
    scratch.places.clear();
    scratch.end = static_cast<std::size_t>(-1);  // no piece yet
    std::size_t i = 0;
    while (i < line.size()) {
        const uint32_t character = characters_[line[i]];
        const SpecialToken* special =
            (character & kMayBeSpecial) != 0 ? special_at(line.substr(i)) : nullptr;
        if (special != nullptr) {
            cut_word(scratch, numbers, surfaces);
            numbers.push_back(special->number);
            if (surfaces != nullptr)
                surfaces->push_back(surface(scratch, i, i + special->text.size()));
            i += special->text.size();
            continue;
        }
        ++i;
        const char32_t replacement = character & kReplacement;
        if (replacement == 0) continue;
        const bool alone = (character & kAlone) != 0;
        if (alone || replacement == U' ') cut_word(scratch, numbers, surfaces);
        if (replacement != U' ') {
            scratch.word.push_back(replacement);
            scratch.places.push_back(i - 1);
        }
        if (alone) cut_word(scratch, numbers, surfaces);
    }
    cut_word(scratch, numbers, surfaces);
}

const SpecialToken* WordPieces::special_at(std::u32string_view rest) const {
    for (const SpecialToken& special : specials_)
        if (rest.substr(0, special.text.size()) == special.text) return &special;
    return nullptr;
}

// Appends the pieces of scratch.word and empties it.
void WordPieces::cut_word(WordPieceScratch& scratch, std::vector<int32_t>& numbers,
                          std::vector<uint8_t>* surfaces) const {
    const std::u32string_view word = scratch.word;
    if (word.empty()) return;
    const std::size_t before = numbers.size();
    std::size_t start = 0, length = 0;
    bool known = word.size() <= longest_word_;
    const std::size_t end_before = scratch.end;
    const std::size_t surfaces_before = surfaces == nullptr ? 0 : surfaces->size();
    while (known && start < word.size()) {
        numbers.push_back(longest_piece(word.substr(start), start == 0, scratch.hashes, length));
        known = numbers.back() >= 0;
        if (known && surfaces != nullptr)
            surfaces->push_back(surface(scratch, scratch.places[start],
                                        scratch.places[start + length - 1] + 1));
        start += length;
    }
    if (!known) {
        if (surfaces != nullptr) {
            surfaces->resize(surfaces_before);
            scratch.end = end_before;
            surfaces->push_back(surface(scratch, scratch.places.front(), scratch.places.back() + 1));
        }
        numbers.resize(before);
        numbers.push_back(unknown_);
    }
    scratch.word.clear();
    scratch.places.clear();
}

// The surface of the piece from `begin` to `end` of the text; the next one is seen from its end.
uint8_t WordPieces::surface(WordPieceScratch& scratch, std::size_t begin, std::size_t end) const {
    const std::u32string_view line = scratch.points;
    const auto is = [&](std::size_t i, uint32_t flag) { return (characters_[line[i]] & flag) != 0; };
    uint8_t found = is(begin, kCapital) ? kFirstCapital : 0;
    for (std::size_t i = begin + 1; i < end; ++i)
        if (is(i, kCapital)) found = kOtherCapitals;
    std::size_t last = scratch.end;
    while (last < begin && is(last, kMark)) ++last;
    scratch.end = end;
    return last == begin ? found + kJoined : found;
}

// The number of the longest piece that `rest` starts with, and its length; -1 if there is none.
int32_t WordPieces::longest_piece(std::u32string_view rest, bool begins,
                                  std::vector<uint64_t>& hashes, std::size_t& length) const {
    const std::size_t longest = std::min(rest.size(), longest_piece_);
    hashes.clear();
    uint64_t hash = first_hash(begins);
    for (std::size_t i = 0; i < longest; ++i) hashes.push_back(hash = next_hash(hash, rest[i]));
    for (length = longest; length > 0; --length) {
        const int32_t number = find(hashes[length - 1], rest.substr(0, length), begins);
        if (number >= 0) return number;
    }
    return -1;
}

int32_t WordPieces::find(uint64_t hash, std::u32string_view text, bool begins) const {
    std::size_t place = hash & (slots_.size() - 1);
    for (; slots_[place].number >= 0; place = (place + 1) & (slots_.size() - 1)) {
        if (slots_[place].hash != hash) continue;
        const char32_t* found = texts_.data() + slots_[place].text;
        if (found[-1] == mark_of(begins) && std::equal(text.begin(), text.end(), found) &&
            found[text.size()] >= kCodePoints)
            return slots_[place].number;
    }
    return -1;
}

}  // namespace concordant
