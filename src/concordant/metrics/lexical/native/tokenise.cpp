#include "tokenise.hpp"

#include <stdexcept>
#include <utility>

#include "../../../native/unicode.hpp"
#include "../../../native/words.hpp"

namespace concordant {

namespace {

std::vector<uint8_t> character_classes;

CharacterClass class_of(char32_t c) {
    return c < character_classes.size() ? static_cast<CharacterClass>(character_classes[c]) : kOther;
}

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_stop(char32_t c) { return c == U'.' || c == U','; }

// [{-~[-` -&(-+:-@/] of mteval-v13a.
bool is_13a_punctuation(char32_t c) {
    return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') ||
           (c >= U'(' && c <= U'+') || (c >= U':' && c <= U'@') || c == U'/';
}

// The characters that chrF++ cuts off the ends of words: Python's string.punctuation.
bool is_ascii_punctuation(char32_t c) {
    return (c >= U'!' && c <= U'/') || (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') ||
           (c >= U'{' && c <= U'~');
}

void strip_right(std::u32string& line) {
    while (!line.empty() && is_space(line.back())) line.pop_back();
}

std::u32string_view without_leading_space(std::u32string_view line) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    return line;
}

// str.replace: every occurrence from the left, none overlapping.
void replace(std::u32string& line, std::u32string_view old, std::u32string_view by) {
    std::size_t found = line.find(old);
    if (found == std::u32string::npos) return;
    std::u32string result;
    std::size_t from = 0;
    for (; found != std::u32string::npos; found = line.find(old, from)) {
        result.append(line, from, found - from).append(by);
        from = found + old.size();
    }
    line = result.append(line, from, std::u32string::npos);
}

void undo_entities(std::u32string& line) {
    replace(line, U"<skipped>", U"");
    replace(line, U"-\n", U"");
    replace(line, U"\n", U" ");
    replace(line, U"&quot;", U"\"");
    replace(line, U"&amp;", U"&");
    replace(line, U"&lt;", U"<");
    replace(line, U"&gt;", U">");
}

// re.sub of a pattern of two characters: `matches(a, b)` says where; `write(a, b, out)` puts what
// stands instead, at most four characters, and returns the end of it.
template <class Matches, class Write>
void rewrite_pairs(std::u32string& line, std::u32string& other, Matches matches, Write write) {
    other.resize(2 * line.size() + 2);
    char32_t* out = other.data();
    std::size_t i = 0;
    while (i < line.size()) {
        if (i + 1 < line.size() && matches(line[i], line[i + 1])) {
            out = write(line[i], line[i + 1], out);
            i += 2;
        } else {
            *out++ = line[i++];
        }
    }
    other.resize(static_cast<std::size_t>(out - other.data()));
    line.swap(other);
}

char32_t* space_second(char32_t a, char32_t b, char32_t* out) {
    *out++ = a;
    *out++ = U' ';
    *out++ = b;
    *out++ = U' ';
    return out;
}

char32_t* space_first(char32_t a, char32_t b, char32_t* out) {
    *out++ = U' ';
    *out++ = a;
    *out++ = U' ';
    *out++ = b;
    return out;
}

// Spaces around every character that is chosen.
template <class Chosen>
void space_around(std::u32string& line, std::u32string& other, Chosen chosen) {
    other.resize(3 * line.size());
    char32_t* out = other.data();
    for (char32_t c : line) {
        const bool apart = chosen(c);
        if (apart) *out++ = U' ';
        *out++ = c;
        if (apart) *out++ = U' ';
    }
    other.resize(static_cast<std::size_t>(out - other.data()));
    line.swap(other);
}

// sacrebleu's Chinese characters. The first range is not: its author meant the extension from
// U+20000 on, but "\u20000" is U+2000 and a "0". Scores are only the same with it.
constexpr std::pair<char32_t, char32_t> kChinese[] = {
    {0x2001, 0x2a6d}, {0x2e80, 0x2fdf}, {0x2ff0, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31ef},
    {0x3200, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9},
    {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef},
};

bool is_chinese(char32_t c) {
    if (c < kChinese[0].first) return false;
    for (const auto& [first, last] : kChinese)
        if (c <= last) return c >= first;
    return false;
}

// mteval-v13a's rules in one pass over a line: punctuation stands apart, a dash after a digit, a
// full stop or comma unless it is in a number, and every character that is chosen. What decides on
// stops are two patterns of two characters each, ([^0-9])([.,]) and ([.,])([^0-9]), and what the
// first of them has matched it does not match again: of several stops in a row it takes every
// other. 13a sees a space at both ends of the line; zh sees nothing there, so that both patterns
// miss a character.
template <bool kSpaceAtEnds, class Chosen>
void cut_punctuation(std::u32string_view line, std::vector<std::u32string_view>& words,
                     Chosen chosen) {
    words.clear();
    std::size_t begin = 0;
    bool taken_before = false;  // the first pattern ended with the character before
    const auto other_than_digit = [&](std::size_t i) {
        return i < line.size() ? !is_digit(line[i]) : kSpaceAtEnds;
    };
    const auto close = [&](std::size_t end, std::size_t next) {
        if (end > begin) words.push_back(line.substr(begin, end - begin));
        begin = next;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char32_t c = line[i];
        const bool after_other = i > 0 ? !is_digit(line[i - 1]) : kSpaceAtEnds;
        const bool taken = is_stop(c) && after_other && !taken_before;
        taken_before = taken;
        if (is_space(c)) {
            close(i, i + 1);
        } else if (is_stop(c)  ? taken || other_than_digit(i + 1)
                   : c == U'-' ? i > 0 && is_digit(line[i - 1])
                               : is_13a_punctuation(c) || chosen(c)) {
            close(i, i);
            close(i + 1, i + 1);
        }
    }
    close(line.size(), line.size());
}

void split_chrf(const std::u32string& line, std::vector<std::u32string_view>& words,
                std::vector<std::u32string_view>& pieces) {
    split(line, pieces);
    words.clear();
    for (const auto& word : pieces) {
        if (word.size() > 1 && is_ascii_punctuation(word.back())) {
            words.push_back(word.substr(0, word.size() - 1));
            words.push_back(word.substr(word.size() - 1));
        } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
            words.push_back(word.substr(0, 1));
            words.push_back(word.substr(1));
        } else {
            words.push_back(word);
        }
    }
}

}  // namespace

Tokeniser tokeniser_named(const std::string& name) {
    if (name == "none") return Tokeniser::none;
    if (name == "13a") return Tokeniser::v13a;
    if (name == "intl") return Tokeniser::intl;
    if (name == "char") return Tokeniser::chars;
    if (name == "chrf") return Tokeniser::chrf;
    if (name == "zh") return Tokeniser::zh;
    throw std::invalid_argument("tokeniser " + name +
                                " is not one of none, 13a, intl, char, zh, chrf");
}

void set_character_classes(const uint8_t* classes, std::size_t size) {
    character_classes.assign(classes, classes + size);
}

void Words::rules_intl() {
    rewrite_pairs(
        line_, other_,
        [](char32_t a, char32_t b) { return class_of(b) == kPunctuation && class_of(a) != kNumber; },
        space_second);
    rewrite_pairs(
        line_, other_,
        [](char32_t a, char32_t b) { return class_of(a) == kPunctuation && class_of(b) != kNumber; },
        space_first);
    space_around(line_, other_, [](char32_t c) { return class_of(c) == kSymbol; });
}

const std::vector<std::u32string_view>& Words::operator()(const Text& text, Tokeniser tokeniser) {
    copy_code_points(text, line_);
    if (tokeniser == Tokeniser::chrf) {
        std::vector<std::u32string_view> pieces;
        split_chrf(line_, words_, pieces);
        return words_;
    }
    strip_right(line_);
    if (tokeniser == Tokeniser::v13a) {
        if (line_.find_first_of(U"<\n&") != std::u32string::npos) undo_entities(line_);
        cut_punctuation<true>(line_, words_, [](char32_t) { return false; });
        return words_;
    }
    if (tokeniser == Tokeniser::zh) {
        cut_punctuation<false>(without_leading_space(line_), words_, is_chinese);
        return words_;
    }
    if (tokeniser == Tokeniser::intl) rules_intl();
    if (tokeniser == Tokeniser::chars) {
        words_.clear();
        for (std::size_t i = 0; i < line_.size(); ++i)
            if (!is_space(line_[i])) words_.push_back(std::u32string_view(line_).substr(i, 1));
        return words_;
    }
    split(line_, words_);
    return words_;
}

}  // namespace concordant
