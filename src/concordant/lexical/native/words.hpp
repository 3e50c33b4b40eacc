// Words as numbers: the same word is the same number within one segment.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "unicode.hpp"

namespace concordant {

// Pieces of a line between white space, as str.split() gives them. They view into `line`.
inline void split(std::u32string_view line, std::vector<std::u32string_view>& pieces) {
    pieces.clear();
    std::size_t i = 0;
    while (i < line.size()) {
        while (i < line.size() && is_space(line[i])) ++i;
        const std::size_t begin = i;
        while (i < line.size() && !is_space(line[i])) ++i;
        if (i > begin) pieces.push_back(line.substr(begin, i - begin));
    }
}

// Numbers from 0 in the order in which words are first met. The texts must outlive it.
class Vocabulary {
  public:
    void clear() { numbers_.clear(); }
    std::size_t size() const { return numbers_.size(); }
    uint32_t number(std::u32string_view word) {
        return numbers_.emplace(word, static_cast<uint32_t>(numbers_.size())).first->second;
    }
    void number(const std::vector<std::u32string_view>& words, std::vector<uint32_t>& numbers) {
        numbers.clear();
        for (const auto& word : words) numbers.push_back(number(word));
    }

  private:
    std::unordered_map<std::u32string_view, uint32_t> numbers_;
};

}  // namespace concordant
