// Edit distance within a beam around the diagonal, as sacrebleu's TER computes it.
//
// Cells outside the beam cannot be reached, so the distance of very different long texts may be
// larger than the true one. Rows are kept as in BitRows, only the beam of each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bit_rows.hpp"

namespace concordant {

// Which cells of each row are computed for n words against a reference of m words, both above 0.
class Beam {
  public:
    Beam(std::size_t n, std::size_t m)
        : n_(static_cast<int64_t>(n)),
          m_(static_cast<int64_t>(m)),
          ratio_(static_cast<double>(m) / static_cast<double>(n)),
          width_(kWidth < ratio_ / 2 ? static_cast<int64_t>(std::ceil(ratio_ / 2 + kWidth))
                                     : kWidth) {}

    int64_t low(int64_t i) const { return i == 0 ? 0 : std::max<int64_t>(0, middle(i) - width_); }
    int64_t high(int64_t i) const {
        return i == 0 || i >= n_ ? m_ + 1 : std::min(m_ + 1, middle(i) + width_);
    }

    // Up to this distance every shortest path lies in the beam, whatever the words are: with d
    // edits a path leaves the diagonal by at most the insertions or the removals it can afford.
    int64_t safe_distance() const {
        constexpr int64_t kNone = std::numeric_limits<int64_t>::max() / 4;
        int64_t removals = kNone, insertions = kNone;
        for (int64_t i = 1; i <= n_; ++i) {
            if (low(i) > 0) removals = std::min(removals, i - low(i));
            if (high(i) <= m_) insertions = std::min(insertions, high(i) - 1 - i);
        }
        return std::min(2 * removals + 1 + (m_ - n_), 2 * insertions + 1 - (m_ - n_));
    }

  private:
    static constexpr int64_t kWidth = 25;

    int64_t middle(int64_t i) const {
        return static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio_));
    }

    int64_t n_, m_;
    double ratio_;
    int64_t width_;
};

class BeamRows {
  public:
    static constexpr bool kBoundedByMove = false;

    void start(const std::vector<uint32_t>& reference, std::size_t words) {
        const Beam beam(words, reference.size());
        const auto n = static_cast<int64_t>(words);
        reference_ = &reference;
        low_.resize(words + 1);
        high_.resize(words + 2);
        for (int64_t i = 0; i <= n; ++i) low_[at(i)] = beam.low(i);
        for (int64_t i = 0; i <= n + 1; ++i) high_[at(i)] = beam.high(i);
        high_[0] = high_[1];
        int64_t stride = 0;
        for (int64_t i = 0; i <= n; ++i) stride = std::max(stride, high_[at(i + 1)] - low_[at(i)]);
        stride_ = at(stride + 1);
        cells_.resize((words + 1) * stride_);
        other_.resize(2 * stride_);
        cells_[0] = kUnreached;
        for (int64_t j = 0; j < high_[0]; ++j) cells_[at(j + 1)] = static_cast<int32_t>(j);
    }

    std::size_t lay(const std::vector<uint32_t>& words, std::size_t from) {
        for (std::size_t i = from; i < words.size(); ++i)
            fill(i + 1, words[i], &cells_[i * stride_], &cells_[(i + 1) * stride_]);
        return distance_ = last(&cells_[words.size() * stride_], words.size());
    }

    std::size_t distance() const { return distance_; }

    std::size_t distance_after(const std::vector<uint32_t>& words, const PhraseMove& move) {
        move(words, moved_);
        const int32_t* above = &cells_[move.begin() * stride_];
        for (std::size_t i = move.begin(); i < moved_.size(); ++i) {
            int32_t* row = &other_[(i % 2) * stride_];
            fill(i + 1, moved_[i], above, row);
            above = row;
            int32_t gap = 0;
            if (i + 1 >= move.end() && is_parallel(i + 1, row, gap))
                return static_cast<std::size_t>(static_cast<int64_t>(distance_) + gap);
        }
        return last(above, words.size());
    }

    Edit edit(std::size_t i, std::size_t j, const std::vector<uint32_t>& words) const {
        if (i == 0) return Edit::insert;
        const auto column = static_cast<int64_t>(j);
        const int32_t value = cell(i, column);
        const bool match = j > 0 && words[i - 1] == (*reference_)[j - 1];
        if (j > 0 && cell(i - 1, column - 1) + (match ? 0 : 1) == value)
            return match ? Edit::match : Edit::substitute;
        return cell(i - 1, column) + 1 == value ? Edit::remove : Edit::insert;
    }

  private:
    static constexpr int32_t kUnreached = 1 << 30;

    static std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }

    // A row holds its cells from low - 1 to the next row's high, unreached where it has none.
    int32_t cell(std::size_t i, int64_t j) const {
        return cells_[i * stride_ + at(j - low_[i] + 1)];
    }

    void fill(std::size_t i, uint32_t word, const int32_t* above, int32_t* row) const {
        const int64_t low = low_[i], high = high_[i], shift = low - low_[i - 1];
        above += shift;  // now above[k] stands over row[k]
        row[0] = kUnreached;
        int64_t k = 1;
        if (low == 0) {
            row[1] = above[1] + 1;
            ++k;
        }
        const uint32_t* reference = reference_->data();
        // First what comes from above, many cells at a time; then what comes from the left.
        const int64_t first = k, end = high - low;
        for (; k <= end; ++k)
            row[k] = std::min(above[k - 1] + (reference[low + k - 2] != word), above[k] + 1);
        int32_t left = row[first - 1];
        for (k = first; k <= end; ++k) row[k] = left = std::min(row[k], left + 1);
        for (; k <= high_[i + 1] - low; ++k) row[k] = kUnreached;
    }

    // Whether a row differs from the laid one by the same `gap` in all its cells. As the words after
    // it are the same, so do all rows after it.
    bool is_parallel(std::size_t i, const int32_t* row, int32_t& gap) const {
        const int32_t* laid = &cells_[i * stride_];
        gap = row[1] - laid[1];
        for (int64_t k = 2; k <= high_[i] - low_[i]; ++k)
            if (row[k] - laid[k] != gap) return false;
        return true;
    }

    std::size_t last(const int32_t* row, std::size_t words) const {
        return static_cast<std::size_t>(row[high_[words] - low_[words]]);
    }

    const std::vector<uint32_t>* reference_ = nullptr;
    std::vector<int64_t> low_, high_;  // of each row, and once more after the last
    std::size_t stride_ = 0, distance_ = 0;
    std::vector<int32_t> cells_;  // (words + 1, stride)
    std::vector<int32_t> other_;  // two rows of other words
    std::vector<uint32_t> moved_;
};

}  // namespace concordant
