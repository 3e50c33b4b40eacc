#include "word_index.hpp"

#include <algorithm>
#include <stdexcept>

#include "../../native/unicode.hpp"
#include "punctuation.hpp"

namespace concordant {

namespace {

// Written to disk with the table: a change of it needs a new format number.
uint64_t hash_of(std::string_view word) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ (hash >> 32)) * 0xff51afd7ed558ccd;
    return hash ^ (hash >> 29);
}

uint64_t tag_of(uint64_t hash) { return hash >> 32; }

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

char32_t folded(char32_t c) {
    if (c == 0x2019) return U'\'';
    return c == 0x2010 || c == 0x2011 ? U'-' : c;
}

bool is_run_mark(char32_t c) { return c == U'.' || c == U'-' || c == U'\'' || c == U'`'; }

// What may stand after an apostrophe: 's 'd 'm 're 've 'll.
bool is_clitic(char32_t c) { return c == U's' || c == U'd' || c == U'm'; }
bool is_clitic(char32_t a, char32_t b) {
    return (b == U'e' && (a == U'r' || a == U'v')) || (a == U'l' && b == U'l');
}

}  // namespace

void add_utf8(std::u32string_view points, std::string& bytes) {
    const auto add = [&](char32_t c) { bytes.push_back(static_cast<char>(c)); };
    for (const char32_t c : points) {
        if (c < 0x80) {
            add(c);
            continue;
        }
        if (c < 0x800) {
            add(0xc0 | c >> 6);
        } else if (c < 0x10000) {
            add(0xe0 | c >> 12);
            add(0x80 | (c >> 6 & 0x3f));
        } else {
            add(0xf0 | c >> 18);
            add(0x80 | (c >> 12 & 0x3f));
            add(0x80 | (c >> 6 & 0x3f));
        }
        add(0x80 | (c & 0x3f));
    }
}

std::string_view WordList::operator[](std::size_t row) const {
    if (row >= words) throw std::runtime_error("the table names a word that is not there");
    const int64_t begin = starts[row], end = starts[row + 1];
    if (begin < 0 || end < begin || static_cast<uint64_t>(end) > size)
        throw std::runtime_error("a word lies outside the list of words");
    return {bytes + begin, static_cast<std::size_t>(end - begin)};
}

int32_t WordIndex::find(std::string_view word) const {
    const uint64_t hash = hash_of(word);
    std::size_t place = hash & (size - 1);
    for (std::size_t probe = 0; probe < size && slots[place] != 0; ++probe) {
        const std::size_t row = (slots[place] & 0xffffffff) - 1;
        if (tag_of(slots[place]) == tag_of(hash) && words[row] == word)
            return static_cast<int32_t>(row);
        place = (place + 1) & (size - 1);
    }
    return kUnknownWord;
}

std::vector<uint64_t> slots_of(const WordList& words) {
    if (words.words > 0x7fffffff) throw std::invalid_argument("too many words");
    std::size_t size = 2;
    while (size < 2 * words.words) size *= 2;
    std::vector<uint64_t> slots(size, 0);
    for (std::size_t row = 0; row < words.words; ++row) {
        const uint64_t hash = hash_of(words[row]);
        std::size_t place = hash & (size - 1);
        while (slots[place] != 0) place = (place + 1) & (size - 1);
        slots[place] = tag_of(hash) << 32 | (row + 1);
    }
    return slots;
}

const std::vector<WordToken>& WordCutter::operator()(const Text& text, const WordIndex* index) {
    index_ = index;
    tokens_.clear();
    copy_code_points(text, line_);
    for (char32_t& c : line_) c = folded(c);
    std::size_t i = 0;
    while (i < line_.size()) {
        if (is_space(line_[i]))
            ++i;
        else
            i = is_word(i) ? cut_word(i) : cut_mark(i);
    }
    return tokens_;
}

// Without a vocabulary every word is known.
int32_t WordCutter::row(std::size_t begin, std::size_t end) {
    if (index_ == nullptr) return 0;
    bytes_.clear();
    add_utf8(std::u32string_view(line_).substr(begin, end - begin), bytes_);
    return index_->find(bytes_);
}

void WordCutter::push(std::size_t begin, std::size_t end) {
    tokens_.push_back({begin, end, row(begin, end)});
}

void WordCutter::push_each(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) push(i, i + 1);
}

bool WordCutter::push_known(std::size_t begin, std::size_t end) {
    const int32_t found = row(begin, end);
    if (found == kUnknownWord) return false;
    tokens_.push_back({begin, end, found});
    return true;
}

bool WordCutter::is_word(std::size_t i) const {
    return i < line_.size() && !is_space(line_[i]) && !is_punctuation(line_[i]);
}

// A mark within a word or a number.
bool WordCutter::joins(std::size_t i) const {
    if (i == 0 || i >= line_.size()) return false;
    const char32_t c = line_[i];
    if (c == U'\'' || c == U'-') return is_word(i - 1) && is_word(i + 1);
    return (c == U'.' || c == U',') && i + 1 < line_.size() && is_digit(line_[i - 1]) &&
           is_digit(line_[i + 1]);
}

std::size_t WordCutter::word_end(std::size_t begin) const {
    std::size_t end = begin;
    while (is_word(end) || (end > begin && joins(end))) ++end;
    return end;
}

// Two or more letters with a full stop each (U.S., e.g.); `begin` where there are none.
std::size_t WordCutter::initials_end(std::size_t begin) const {
    std::size_t end = begin;
    while (end + 1 < line_.size() && line_[end + 1] == U'.' && is_word(end) &&
           !is_digit(line_[end]))
        end += 2;
    return end - begin >= 4 ? end : begin;
}

// Where the clitic at the end of a word begins; `end` where there is none.
std::size_t WordCutter::clitic_before(std::size_t begin, std::size_t end) const {
    const std::size_t size = end - begin;
    if (size < 3) return end;
    const char32_t a = lower(line_[end - 3]), b = lower(line_[end - 2]), c = lower(line_[end - 1]);
    if (a == U'n' && b == U'\'' && c == U't') return size > 3 && is_word(end - 4) ? end - 3 : end;
    if (b == U'\'' && is_clitic(c)) return end - 2;
    return size > 3 && a == U'\'' && is_clitic(b, c) ? end - 3 : end;
}

// Where a clitic that stands by itself ends ("John 's"); `begin`, its apostrophe, if it is none.
std::size_t WordCutter::clitic_after(std::size_t begin) const {
    const std::size_t end = word_end(begin + 1), size = end - begin - 1;
    const bool found = size == 1   ? is_clitic(lower(line_[begin + 1]))
                       : size == 2 ? is_clitic(lower(line_[begin + 1]), lower(line_[begin + 2]))
                                   : false;
    return found ? end : begin;
}

std::size_t WordCutter::cut_mark(std::size_t begin) {
    std::size_t end = begin + 1;
    if (is_run_mark(line_[begin]))
        while (end < line_.size() && line_[end] == line_[begin]) ++end;
    if (end > begin + 1) {
        if (!push_known(begin, end)) push_each(begin, end);
        return end;
    }
    if (line_[begin] == U'\'' && clitic_after(begin) > begin) end = clitic_after(begin);
    push(begin, end);
    return end;
}

std::size_t WordCutter::cut_word(std::size_t begin) {
    std::size_t end = initials_end(begin);
    if (end > begin) {
        if (!push_known(begin, end)) push_each(begin, end);
        return end;
    }
    end = word_end(begin);
    cut_clitics(begin, end);
    return end;
}

// There may be several: should n't 've. They are found from the right.
void WordCutter::cut_clitics(std::size_t begin, std::size_t end) {
    const std::size_t before = clitics_.size();
    clitics_.push_back(end);
    for (std::size_t cut = clitic_before(begin, end); cut < end; cut = clitic_before(begin, end)) {
        clitics_.push_back(cut);
        end = cut;
    }
    cut_compound(begin, end);
    for (; clitics_.size() > before + 1; clitics_.pop_back())
        push(clitics_.back(), clitics_[clitics_.size() - 2]);
    clitics_.resize(before);
}

// What is between clitics and marks: whole if it is known or has no hyphen, else its parts.
void WordCutter::cut_compound(std::size_t begin, std::size_t end) {
    const std::u32string_view line(line_);
    std::size_t hyphen = line.substr(0, end).find(U'-', begin);
    if (hyphen == line.npos) return push(begin, end);
    if (push_known(begin, end)) return;
    while (begin < end) {
        hyphen = std::min(line.substr(0, end).find(U'-', begin), end);
        cut_clitics(begin, hyphen);
        begin = hyphen + 1;
    }
}

}  // namespace concordant
