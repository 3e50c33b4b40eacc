// SentencePiece's unigram model: a text as the likeliest pieces of a vocabulary (Kudo 2018).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text_trie.hpp"

namespace concordant {

struct UnigramScratch {
    struct Step {  // the best way to a place in the text
        float score = 0.0f;
        int32_t piece = 0;
        std::size_t start = kUnreached;
    };
    static constexpr std::size_t kUnreached = static_cast<std::size_t>(-1);

    std::u32string points, text;
    std::vector<Step> best;
};

// The arithmetic is SentencePiece's, so that ties fall as they do there. Neighbouring characters
// that no piece covers are one token, whose number is negative and says which characters they are.
class UnigramPieces {
  public:
    // `scores` are log probabilities. A text is rewritten by the rules, the longest that fits first;
    // a space stands before it and never twice.
    UnigramPieces(const std::vector<std::u32string>& pieces, const std::vector<float>& scores,
                  const std::vector<std::u32string>& from, std::vector<std::u32string> to);

    // Appends the numbers of the pieces of scratch.points.
    void encode(UnigramScratch& scratch, std::vector<int32_t>& numbers) const;

  private:
    void rewrite(UnigramScratch& scratch) const;
    void find_best(UnigramScratch& scratch) const;

    TextTrie pieces_, rules_;
    std::vector<float> scores_;
    std::vector<std::u32string> replacements_;
    float unknown_ = 0.0f;
};

}  // namespace concordant
