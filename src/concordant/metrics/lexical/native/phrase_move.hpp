// A phrase of a sequence taken out and put in elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

// `length` words from `start` that will begin at `place`.
struct PhraseMove {
    std::size_t start = 0, length = 0, place = 0;

    std::size_t begin() const { return std::min(start, place); }
    std::size_t end() const { return std::max(start, place) + length; }

    // From begin to end, the words from here on now stand before those up to here.
    std::size_t cut() const { return place < start ? start : start + length; }

    // By how much it can change an edit distance: of the phrase and the words it passes, the
    // shorter could as well be removed and inserted again.
    std::size_t most() const {
        return 2 * std::min(length, start < place ? place - start : start - place);
    }

    void operator()(const std::vector<uint32_t>& words, std::vector<uint32_t>& moved) const {
        moved = words;
        const auto at = [&](std::size_t i) { return moved.begin() + static_cast<long>(i); };
        if (place < start) std::rotate(at(place), at(start), at(start + length));
        else std::rotate(at(start), at(start + length), at(place + length));
    }
};

}  // namespace concordant
