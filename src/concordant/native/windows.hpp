// Texts too long to compare every token of one with every token of the other.
//
// Up to kWhole tokens a side, two texts are compared whole. Longer ones are cut into as many windows
// as the longer text has kWindow tokens, each window at the same relative place in both texts, and
// the windows are compared pair by pair. The work then grows with the length, not with its square.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interruption.hpp"

namespace concordant {

struct WindowSizes {
    std::size_t whole = 16384;   // docs/measures.md and flags.py state it: no text of so many
                                 // characters has more tokens
    std::size_t window = 512;

    std::size_t windows(std::size_t one, std::size_t other) const {
        const std::size_t longer = std::max(one, other);
        return longer <= whole ? 1 : (longer + window - 1) / window;
    }
};

// The tokens begin … end - 1.
struct Window {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};

inline Window window_of(std::size_t size, std::size_t number, std::size_t windows) {
    return {size * number / windows, size * (number + 1) / windows};
}

// Calls compare(window of the one, window of the other) for all windows in order.
template <class Compare>
void for_each_window(std::size_t one, std::size_t other, const WindowSizes& sizes,
                     const Compare& compare) {
    const std::size_t windows = sizes.windows(one, other);
    for (std::size_t i = 0; i < windows; ++i) {
        check_interruption();
        compare(window_of(one, i, windows), window_of(other, i, windows));
    }
}

// Two sequences of words, which are numbers below `vocabulary`.
struct WordPair {
    const std::vector<uint32_t>& translation;
    const std::vector<uint32_t>& reference;
    std::size_t vocabulary;
};

// Windows of words, numbered anew in each window, so that a window costs no more than its length.
class WordWindows {
  public:
    // Calls compare(pair) for each pair of windows; of short texts that is the pair itself.
    template <class Compare>
    void each(const WordPair& pair, const WindowSizes& sizes, const Compare& compare) {
        originals_.clear();
        if (sizes.windows(pair.translation.size(), pair.reference.size()) == 1) {
            compare(pair);
            return;
        }
        numbers_.assign(pair.vocabulary, kNone);
        for_each_window(pair.translation.size(), pair.reference.size(), sizes,
                        [&](Window one, Window other) {
                            number(pair.translation, one, translation_);
                            number(pair.reference, other, reference_);
                            compare(WordPair{translation_, reference_, originals_.size()});
                            for (const uint32_t word : originals_) numbers_[word] = kNone;
                            originals_.clear();
                        });
    }

    // The number of a window's word in the whole texts.
    uint32_t original(uint32_t number) const {
        return originals_.empty() ? number : originals_[number];
    }

  private:
    static constexpr uint32_t kNone = 0xffffffff;

    void number(const std::vector<uint32_t>& words, Window window, std::vector<uint32_t>& numbered) {
        numbered.clear();
        for (std::size_t i = window.begin; i < window.end; ++i) {
            uint32_t& number = numbers_[words[i]];
            if (number == kNone) {
                number = static_cast<uint32_t>(originals_.size());
                originals_.push_back(words[i]);
            }
            numbered.push_back(number);
        }
    }

    std::vector<uint32_t> translation_, reference_;
    std::vector<uint32_t> numbers_;    // of each word of the whole texts, in the window
    std::vector<uint32_t> originals_;  // the other way round
};

}  // namespace concordant
