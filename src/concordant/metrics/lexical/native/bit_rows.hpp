// Levenshtein distance 64 cells at a time (Myers 1999, in the form of Hyyrö 2003).
//
// A row of the matrix belongs to a word of the translation, a bit to a word of the reference. The
// rows are kept, so that a changed translation is computed from the first change onwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phrase_move.hpp"

namespace concordant {

enum class Edit { match, substitute, remove, insert };

// How a cell differs from the one before it in its row (up, down) and, once computed, from the one
// diagonally before it (level) and from the one above it (above_up).
struct Block {
    uint64_t up = ~uint64_t{0}, down = 0, level = 0, above_up = 0;
};

// How the last cell of a block differs from the one above it. Before the first block it is up.
struct Carry {
    uint64_t up = 1, down = 0;
};

inline void advance(uint64_t matches, Block& block, Carry& carry) {
    matches |= carry.down;
    block.level = (((matches & block.up) + block.up) ^ block.up) | matches | block.down;
    block.above_up = block.down | ~(block.level | block.up);
    const uint64_t above_down = block.level & block.up;
    const uint64_t up = block.above_up << 1 | carry.up;
    const uint64_t down = above_down << 1 | carry.down;
    carry = {block.above_up >> 63, above_down >> 63};
    block.up = down | ~(block.level | up);
    block.down = up & block.level;
}

// What the cells of a block add up to along the row, of its first `cells` cells.
inline int64_t rise(const Block& block, std::size_t cells) {
    const uint64_t mask = cells >= 64 ? ~uint64_t{0} : (uint64_t{1} << cells) - 1;
    return __builtin_popcountll(block.up & mask) - __builtin_popcountll(block.down & mask);
}

class BitRows {
  public:
    // Moving a phrase changes a true edit distance by at most twice its length.
    static constexpr bool kBoundedByMove = true;

    // Whether the rows of such texts stay below some 40 MB.
    static bool fits(std::size_t translation, std::size_t reference) {
        return (translation + reference) * (reference / 64 + 1) <= std::size_t{1} << 20;
    }

    void start(const std::vector<uint32_t>& reference, std::size_t vocabulary) {
        size_ = reference.size();
        width_ = std::max<std::size_t>((size_ + 63) / 64, 1);
        masks_.assign(vocabulary * width_, 0);
        for (std::size_t j = 0; j < size_; ++j)
            masks_[reference[j] * width_ + j / 64] |= uint64_t{1} << (j % 64);
        state_.resize(width_);
        rows_.assign(width_, Block{});
    }

    // Computes and keeps the rows after the first `from` words; returns the distance.
    std::size_t lay(const std::vector<uint32_t>& words, std::size_t from) {
        rows_.resize((words.size() + 1) * width_);
        for (std::size_t i = from; i < words.size(); ++i) {
            Block* row = &rows_[(i + 1) * width_];
            std::copy(row - width_, row, row);
            step(words[i], row);
        }
        return distance_ = total(&rows_[words.size() * width_], words.size());
    }

    std::size_t distance() const { return distance_; }

    // The distance of other words that differ from those laid only at from … to - 1.
    std::size_t distance_of(const std::vector<uint32_t>& words, std::size_t from, std::size_t to) {
        start_at(from);
        run(words, from, to);
        return distance_from(words, to);
    }

    // The distance of the words laid once a phrase of them is moved.
    std::size_t distance_after(const std::vector<uint32_t>& words, const PhraseMove& move) {
        start_at(move.begin());
        run(words, move.cut(), move.end());
        run(words, move.begin(), move.cut());
        return distance_from(words, move.end());
    }

    // How the cell after i words and j words of the reference was reached: matches and
    // substitutions before removals before insertions.
    Edit edit(std::size_t i, std::size_t j, const std::vector<uint32_t>& words) const {
        if (i == 0) return Edit::insert;
        if (j == 0) return Edit::remove;
        const Block& block = rows_[i * width_ + (j - 1) / 64];
        const std::size_t bit = (j - 1) % 64;
        if ((block.level >> bit & 1) == 0) return Edit::substitute;
        if ((masks_[words[i - 1] * width_ + (j - 1) / 64] >> bit & 1) != 0) return Edit::match;
        return (block.above_up >> bit & 1) != 0 ? Edit::remove : Edit::insert;
    }

    std::size_t width() const { return width_; }

  private:
    void step(uint32_t word, Block* row) const {
        Carry carry;
        for (std::size_t w = 0; w < width_; ++w) advance(masks_[word * width_ + w], row[w], carry);
    }

    void start_at(std::size_t words) {
        const Block* row = &rows_[words * width_];
        std::copy(row, row + width_, state_.begin());
    }

    // Moves the state on by the words from `begin` to `end`.
    void run(const std::vector<uint32_t>& words, std::size_t begin, std::size_t end) {
        if (width_ > 1) {
            for (std::size_t i = begin; i < end; ++i) step(words[i], state_.data());
            return;
        }
        Block block = state_[0];
        for (std::size_t i = begin; i < end; ++i) {
            Carry carry;
            advance(masks_[words[i]], block, carry);
        }
        state_[0] = block;
    }

    // The distance where the state is that after `from` words and the rest are as they were laid.
    std::size_t distance_from(const std::vector<uint32_t>& words, std::size_t from) {
        if (std::equal(state_.begin(), state_.end(), &rows_[from * width_], same)) return distance_;
        run(words, from, words.size());
        return total(state_.data(), words.size());
    }

    std::size_t total(const Block* row, std::size_t words) const {
        auto sum = static_cast<int64_t>(words);
        for (std::size_t w = 0; w < width_; ++w) sum += rise(row[w], size_ - w * 64);
        return static_cast<std::size_t>(sum);
    }

    static bool same(const Block& a, const Block& b) { return a.up == b.up && a.down == b.down; }

    std::size_t size_ = 0, width_ = 1, distance_ = 0;
    std::vector<uint64_t> masks_;  // (vocabulary, width): where each word stands in the reference
    std::vector<Block> rows_;      // (words + 1, width)
    std::vector<Block> state_;
};

}  // namespace concordant
