#include "meteor_align.hpp"

#include <algorithm>
#include <cstdlib>

#include "../../../native/interruption.hpp"

namespace concordant {

namespace {

// What a match adds to the words covered: exact matches count whole and others half, and METEOR
// cuts the half off, so that a stem or a synonym adds nothing and wins only by saving a chunk.
int32_t covered_by(const MeteorMatch& match) {
    if (match.module == 0) return match.test_length + match.length;
    return match.test_length / 2 + match.length / 2;
}

int64_t distance_of(const MeteorMatch& match) { return std::abs(match.start - match.test_start); }

template <class Do>
void for_each_word(const MeteorMatch& match, const Do& run) {
    for (int32_t j = match.test_start; j < match.test_start + match.test_length; ++j)
        run(static_cast<std::size_t>(j));
}

}  // namespace

void MeteorAligner::count(MeteorText test, MeteorText reference, const MeteorWords& words,
                          const MeteorParaphrases& paraphrases, std::size_t beam, double* row) {
    best_.clear();
    // Between equal texts METEOR looks for exact matches only, and the diagonal comes out best.
    const bool equal =
        std::equal(test.begin(), test.end(), reference.begin(), reference.end(),
                   [&](int32_t word, int32_t other) { return words.same(word, other); });
    if (!equal) {
        matches_.find(test, reference, words, paraphrases);
        blocks_ = test.size() / 64 + 1;
        fix_lonely_matches(reference.size());
        search(reference.size(), beam);
    }
    store(test, reference, words, row);
    if (!equal) return;
    for (const int32_t word : test) row[4 + (words.function[word] != 0)] += 1;
    for (const int32_t word : reference) row[6 + (words.function[word] != 0)] += 1;
}

// A match that is alone on both of its sides is certain.
void MeteorAligner::fix_lonely_matches(std::size_t length) {
    fixed_.assign(length, nullptr);
    taken_.assign(length, 0);
    fixed_used_.assign(blocks_, 0);
    for (std::size_t i = 0; i < length; ++i) {
        const auto here = matches_.at(i);
        if (here.size() != 1 || !matches_.is_alone(here[0])) continue;
        const MeteorMatch& match = here[0];
        fixed_[i] = &match;
        std::fill_n(taken_.begin() + match.start, match.length, uint8_t{1});
        for_each_word(match, [&](std::size_t j) { fixed_used_[j / 64] |= uint64_t{1} << j % 64; });
    }
}

void MeteorAligner::search(std::size_t length, std::size_t beam) {
    steps_.clear();
    used_ = fixed_used_;
    paths_.assign(1, Path{});
    Pace pace;
    for (std::size_t current = 0; current < length; ++current) {
        pace.spend(paths_.size() * (matches_.at(current).size() * 8 + blocks_));
        if (fixed_[current] != nullptr || matches_.at(current).size() == 0)
            go_on(current, beam);
        else
            branch(current, beam);
    }
    for (Path& path : paths_) path.chunks += path.last_end != -1;
    rank(paths_);
    best_ = fixed_;
    int32_t trail = paths_[std::min_element(order_.begin(), order_.end())->place()].trail;
    for (; trail >= 0; trail = steps_[trail].before)
        best_[steps_[trail].match->start] = steps_[trail].match;
}

// There is one way to go on, the same for all paths: a fixed match or a gap. The distance of a
// fixed match would be in every path, so it is left out.
void MeteorAligner::go_on(std::size_t current, std::size_t beam) {
    for (std::size_t rank = 0; rank < paths_.size(); ++rank) {
        Path& path = paths_[rank];
        path.parent = static_cast<int32_t>(rank);
        path.match = nullptr;
        if (path.next <= static_cast<int32_t>(current)) extend(path, fixed_[current]);
    }
    rank(paths_);
    if (std::is_sorted(order_.begin(), order_.end())) return;
    next_paths_ = paths_;
    keep_best(beam);
}

// Every path goes on by each match that is free to it, then by a gap.
void MeteorAligner::branch(std::size_t current, std::size_t beam) {
    next_paths_.clear();
    for (std::size_t rank = 0; rank < paths_.size(); ++rank) {
        Path& path = paths_[rank];
        path.parent = static_cast<int32_t>(rank);
        path.match = nullptr;
        if (path.next > static_cast<int32_t>(current)) {
            next_paths_.push_back(path);
            continue;
        }
        for (const MeteorMatch& match : matches_.at(current)) {
            if (!is_free(match, rank)) continue;
            next_paths_.push_back(path);
            next_paths_.back().match = &match;
            extend(next_paths_.back(), &match);
            // METEOR adds a match's distance to the path without it, so it is in all that follow.
            path.distance += distance_of(match);
        }
        next_paths_.push_back(path);
        extend(next_paths_.back(), nullptr);
    }
    rank(next_paths_);
    keep_best(beam);
}

bool MeteorAligner::is_free(const MeteorMatch& match, std::size_t rank) const {
    for (int32_t i = match.start; i < match.start + match.length; ++i)
        if (taken_[i]) return false;
    const uint64_t* used = used_.data() + rank * blocks_;
    for (int32_t j = match.test_start; j < match.test_start + match.test_length; ++j)
        if (used[j / 64] >> j % 64 & 1) return false;
    return true;
}

// By one match, or by a gap in place of a word.
void MeteorAligner::extend(Path& path, const MeteorMatch* match) {
    if (match == nullptr) {
        path.chunks += path.last_end != -1;
        path.last_end = -1;
        ++path.next;
        return;
    }
    path.uncovered -= covered_by(*match);
    path.chunks += path.last_end != -1 && path.last_end != match->test_start;
    path.next = match->start + match->length;
    path.last_end = match->test_start + match->test_length;
}

void MeteorAligner::rank(const std::vector<Path>& paths) {
    order_.clear();
    for (const Path& path : paths)
        order_.push_back({static_cast<uint64_t>(path.uncovered) << 32 |
                              static_cast<uint32_t>(path.chunks),
                          static_cast<uint64_t>(path.distance) << 24 | order_.size()});
}

// The best `beam` of the next paths, which have been ranked, in order.
void MeteorAligner::keep_best(std::size_t beam) {
    const std::size_t kept = std::min(beam, order_.size());
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(kept);
    if (end != order_.end()) std::nth_element(order_.begin(), end, order_.end());
    std::sort(order_.begin(), end);
    paths_.clear();
    next_used_.resize(kept * blocks_);
    for (std::size_t rank = 0; rank < kept; ++rank) {
        Path path = next_paths_[order_[rank].place()];
        const auto from = used_.begin() + static_cast<std::ptrdiff_t>(path.parent * blocks_);
        uint64_t* used = next_used_.data() + rank * blocks_;
        std::copy_n(from, blocks_, used);
        if (path.match != nullptr) {
            for_each_word(*path.match,
                          [&](std::size_t j) { used[j / 64] |= uint64_t{1} << j % 64; });
            steps_.push_back({path.trail, path.match});
            path.trail = static_cast<int32_t>(steps_.size()) - 1;
        }
        paths_.push_back(path);
    }
    used_.swap(next_used_);
}

void MeteorAligner::store(MeteorText test, MeteorText reference, const MeteorWords& words,
                          double* row) {
    std::fill_n(row, kMeteorColumns, 0.0);
    const auto is_function = [&](int32_t word) { return words.function[word] != 0; };
    row[0] = static_cast<double>(test.size());
    row[1] = static_cast<double>(reference.size());
    row[2] = static_cast<double>(std::count_if(test.begin(), test.end(), is_function));
    row[3] = static_cast<double>(std::count_if(reference.begin(), reference.end(), is_function));
    std::size_t matched = 0, chunks = 0;
    int32_t last_end = -1, next = 0;
    for (const MeteorMatch* match : best_) {
        if (match == nullptr) continue;
        double* module = row + 4 + 4 * match->module;
        for_each_word(*match, [&](std::size_t j) { module[is_function(test[j])] += 1; });
        for (int32_t i = match->start; i < match->start + match->length; ++i)
            module[2 + is_function(reference[static_cast<std::size_t>(i)])] += 1;
        chunks += match->start != next || match->test_start != last_end;
        next = match->start + match->length;
        last_end = match->test_start + match->test_length;
        matched += static_cast<std::size_t>(match->length + match->test_length);
    }
    // A text that is matched whole and in one piece has no fragmentation, on its own or in a sum.
    const bool whole = chunks == 1 && matched == test.size() + reference.size();
    row[kMeteorColumns - 1] = whole ? 0.0 : static_cast<double>(chunks);
}

}  // namespace concordant
