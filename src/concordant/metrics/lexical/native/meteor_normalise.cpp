#include "meteor_normalise.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "meteor_tokens.hpp"

namespace concordant {

namespace {

using View = std::u32string_view;

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_ascii_letter(char32_t c) { return (c | 0x20) >= U'a' && (c | 0x20) <= U'z'; }

// METEOR's letters: Latin, Cyrillic and phonetic ones; those of other scripts are symbols to it.
bool is_letter(char32_t c) {
    if (c < 0x80) return is_ascii_letter(c);
    if (c <= 0x17e) return c >= 0xc0 && c != 0xd7 && c != 0xf7;
    return (c >= 0x400 && c <= 0x527) || (c >= 0x1d00 && c <= 0x1d7f) ||
           (c >= 0xa640 && c <= 0xa66e) || (c >= 0xa67e && c <= 0xa697);
}

bool is_word(char32_t c) { return is_digit(c) || is_letter(c); }
bool is_other(char32_t c) { return !is_letter(c); }
bool is_not_digit(char32_t c) { return !is_digit(c); }

bool is_blank(char32_t c) {
    return c == U' ' || c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f ||
           c == 0x3000;
}

// A vertical tab is white space to the rules, but no token ends at it.
bool stays_attached(char32_t c) {
    return is_word(c) || is_token_end(c) || c == U'\v' ||
           View(U".'`,-\u2018\u2019").find(c) != View::npos;
}

bool is_run_of_dots(View token) {
    return token.size() > 1 && token.find_first_not_of(U'.') == View::npos;
}

}  // namespace

// Puts `put` in place of `middle` wherever it stands between a `left` and a `right`. As with a
// regular expression, the character on the right is used up: it is not the next one's left.
template <class Left, class Right>
void Normaliser::around(char32_t middle, const Left& left, const Right& right, View put) {
    next_.clear();
    std::size_t i = 0;
    while (i + 2 < line_.size()) {
        next_ += line_[i];
        if (line_[i + 1] == middle && left(line_[i]) && right(line_[i + 2])) {
            next_ += put;
            next_ += line_[i + 2];
            i += 3;
        } else {
            ++i;
        }
    }
    next_.append(line_, i, View::npos);
    line_.swap(next_);
}

// Symbols stand apart, and so does a run of full stops.
void Normaliser::separate(View line) {
    line_.assign(1, U' ');
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i + 1;
        if (line[i] == U'.') end = std::min(line.find_first_not_of(U'.', i), line.size());
        const bool apart = end - i > 1 || !stays_attached(line[i]);
        if (apart) line_ += U' ';
        line_ += line.substr(i, end - i);
        if (apart) line_ += U' ';
        i = end;
    }
    line_ += U' ';
}

void Normaliser::commas() {
    around(U',', is_not_digit, is_not_digit, U" , ");
    around(U',', is_digit, is_not_digit, U" , ");
    around(U',', is_not_digit, is_digit, U" , ");
}

void Normaliser::quotes() {
    for (char32_t& c : line_)
        if (c == U'`' || c == U'\u2018' || c == U'\u2019') c = U'\'';
    next_.clear();
    for (std::size_t i = 0; i < line_.size(); ++i) {
        const bool twice = line_[i] == U'\'' && i + 1 < line_.size() && line_[i + 1] == U'\'';
        if (twice || line_[i] == U'\u201c' || line_[i] == U'\u201d') {
            next_ += U" \" ";
            i += twice;
        } else {
            next_ += line_[i];
        }
    }
    line_.swap(next_);
}

void Normaliser::dashes() {
    std::replace(line_.begin(), line_.end(), U'\u2013', U'-');
    next_.clear();
    for (std::size_t i = 0; i < line_.size(); ++i) {
        next_ += line_[i];
        i += line_[i] == U'-' && i + 1 < line_.size() && line_[i + 1] == U'-';
    }
    line_.swap(next_);
    around(U'-', [](char32_t c) { return is_word(c) || c == U'.'; }, is_word, U" ");
}

void Normaliser::apostrophes(Apostrophes kind) {
    if (kind == Apostrophes::apart) {
        next_.clear();
        for (const char32_t c : line_)
            c == U'\'' ? next_ += U" ' " : next_ += c;
        line_.swap(next_);
        return;
    }
    const bool english = kind == Apostrophes::english;
    around(U'\'', is_other, is_other, U" ' ");
    around(U'\'', [&](char32_t c) { return !is_letter(c) && !(english && is_digit(c)); }, is_letter,
           U" ' ");
    around(U'\'', is_letter, is_other, U" ' ");
    around(U'\'', is_letter, is_letter, english ? U" '" : U"' ");
    if (english) around(U'\'', is_digit, [](char32_t c) { return c == U's'; }, U" '");
}

// The full stop at a token's end goes with an abbreviation, out of an acronym (U.S. → US), or
// becomes a token.
void Normaliser::full_stops(const Prefixes& prefixes) {
    tokens_.clear();
    for_each_token(line_, [&](View token) { tokens_.push_back(token); });
    next_.clear();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const View token = tokens_[i];
        const View word = token.substr(0, token.size() - 1);
        const char32_t after = i + 1 < tokens_.size() ? tokens_[i + 1][0] : U'\0';
        const bool stops = token.back() == U'.' && !word.empty() && !is_run_of_dots(token);
        const auto known = stops ? prefixes.find(std::u32string(word)) : prefixes.end();
        if (!stops) {
            next_ += token;
        } else if (word.find(U'.') != View::npos &&
                   std::any_of(word.begin(), word.end(), is_letter)) {
            std::copy_if(word.begin(), word.end(), std::back_inserter(next_),
                         [](char32_t c) { return c != U'.'; });
        } else if ((known != prefixes.end() && (!known->second || is_digit(after))) ||
                   (after >= U'a' && after <= U'z')) {
            next_ += token;
        } else {
            next_ += word;
            next_ += U" .";
        }
        next_ += U' ';
    }
    line_.swap(next_);
}

// One space between tokens, none at the ends; what is below a space at the ends goes as well.
void Normaliser::close(bool keep_punctuation) {
    next_.clear();
    for (const char32_t c : line_) {
        const bool blank = is_blank(c) || (!keep_punctuation && !is_word(c));
        if (!blank || next_.empty() || next_.back() != U' ') next_ += blank ? U' ' : c;
    }
    const auto is_kept = [](char32_t c) { return c > U' '; };
    const auto end = std::find_if(next_.rbegin(), next_.rend(), is_kept).base();
    next_.erase(end, next_.end());
    next_.erase(next_.begin(), std::find_if(next_.begin(), next_.end(), is_kept));
    line_.swap(next_);
}

const std::u32string& Normaliser::normalise(View line, const NormaliserRules& rules) {
    separate(line);
    commas();
    quotes();
    dashes();
    apostrophes(rules.apostrophes);
    full_stops(rules.prefixes);
    close(rules.keep_punctuation);
    return line_;
}

}  // namespace concordant
