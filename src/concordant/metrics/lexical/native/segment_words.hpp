// The words of one segment's texts as numbers, in memory that is reused from segment to segment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../../native/text.hpp"
#include "../../../native/words.hpp"

namespace concordant {

class SegmentWords {
  public:
    void read(const Text& translation, const std::vector<Text>& references) {
        references_ = references.size();
        if (lines_.size() < references_ + 1) {
            lines_.resize(references_ + 1);
            numbers_.resize(references_ + 1);
        }
        vocabulary_.clear();
        words_.clear();
        take(translation, 0);
        for (std::size_t k = 0; k < references_; ++k) take(references[k], k + 1);
    }

    std::size_t references() const { return references_; }
    const std::vector<uint32_t>& translation() const { return numbers_[0]; }
    const std::vector<uint32_t>& reference(std::size_t k) const { return numbers_[k + 1]; }

    // The word of each number; their count is the size of the vocabulary.
    const std::vector<std::u32string_view>& words() const { return words_; }

  private:
    void take(const Text& text, std::size_t place) {
        std::u32string& line = lines_[place];
        copy_code_points(text, line);
        split(line, pieces_);
        vocabulary_.number(pieces_, numbers_[place]);
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            if (numbers_[place][i] == words_.size()) words_.push_back(pieces_[i]);
    }

    std::size_t references_ = 0;
    std::vector<std::u32string> lines_;           // the translation, then the references
    std::vector<std::vector<uint32_t>> numbers_;  // likewise
    std::vector<std::u32string_view> pieces_, words_;
    Vocabulary vocabulary_;
};

}  // namespace concordant
