// The tokens of a batch of lines as numbers, cut where Java's StringTokenizer cuts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace concordant {

inline bool is_token_end(char32_t c) {
    return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f';
}

// Calls with(token) for each token of a line, a view into it.
template <class With>
void for_each_token(std::u32string_view line, const With& with) {
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t begin = i;
        while (i < line.size() && !is_token_end(line[i])) ++i;
        if (i > begin) with(line.substr(begin, i - begin));
        i += i < line.size();
    }
}

// Java's String.hashCode, over UTF-16. METEOR takes words and stems for equal if these are.
inline int32_t java_hash(std::u32string_view word) {
    uint32_t hash = 0;
    for (const char32_t c : word) {
        if (c > 0xffff) hash = 31 * hash + (0xd7c0 + (static_cast<uint32_t>(c) >> 10));
        hash = 31 * hash + (c > 0xffff ? 0xdc00 + (c & 0x3ff) : c);
    }
    return static_cast<int32_t>(hash);
}

struct MeteorTokens {
    std::vector<int32_t> tokens;        // numbers of words, line after line
    std::vector<int64_t> starts{0};     // where each line's tokens begin; one more than lines
    std::vector<std::u32string> words;  // by number, in the order in which they are first met

    void add(std::u32string_view line) {
        for_each_token(line, [&](std::u32string_view token) {
            word_ = token;
            const auto [known, is_new] =
                numbers_.emplace(word_, static_cast<int32_t>(words.size()));
            if (is_new) words.push_back(word_);
            tokens.push_back(known->second);
        });
        starts.push_back(static_cast<int64_t>(tokens.size()));
    }

  private:
    std::u32string word_;  // a buffer
    std::unordered_map<std::u32string, int32_t> numbers_;
};

}  // namespace concordant
