#include "character.hpp"

#include <algorithm>

#include "edits.hpp"
#include "phrase_move.hpp"

namespace concordant {

namespace {

using Words = std::vector<std::u32string_view>;

constexpr std::size_t kMostSteps = 1'000'000'000;

class PhraseShifts {
  public:
    PhraseShifts(const std::vector<uint32_t>& reference, const Words& words,
                 CharacterScratch& scratch)
        : reference_(reference), words_(words), scratch_(scratch), rows_(scratch.rows) {
        rows_.start(reference, words.size());
        rows_.lay(scratch.words, 0);
        least_ = std::max(scratch.words.size(), reference.size()) -
                 shared_words(scratch.words, reference, words.size(), scratch.counts);
    }

    // Leaves the shifted words in scratch.words.
    void run() {
        while (rows_.distance() > least_ && find_best()) {
            scratch_.words.swap(scratch_.best);
            rows_.lay(scratch_.words, best_begin_);
        }
    }

  private:
    bool find_best() {
        gain_ = 0;
        for (std::size_t start = 0; start < scratch_.words.size(); ++start) {
            const std::size_t before = steps_;
            for (std::size_t place = 0; place < reference_.size(); ++place)
                if (place != start && scratch_.words[start] == reference_[place])
                    consider(start, place);
            steps_ += reference_.size() / 8 + 1;
            if (steps_ > kMostSteps) return false;
            pace_.spend(steps_ - before);
        }
        return gain_ > 0;
    }

    // The longest phrase common to both places, put where the reference has it.
    void consider(std::size_t start, std::size_t place) {
        const auto& words = scratch_.words;
        const std::size_t most = std::min(words.size() - start, reference_.size() - place);
        std::size_t length = 1;
        while (length < most && words[start + length] == reference_[place + length]) ++length;
        steps_ += length;
        const PhraseMove move{start, length, std::min(place, words.size() - length)};
        const std::size_t bound = std::min(move.most(), rows_.distance() - least_);
        if (bound == 0 || bound < gain_ || steps_ > kMostSteps) return;
        steps_ += words.size() / 4;  // of the copy
        move(words, scratch_.moved);
        if (bound == gain_ && !comes_after_best()) return;
        steps_ += (words.size() - move.begin()) * rows_.width();
        const std::size_t distance = rows_.distance_of(scratch_.moved, move.begin(), move.end());
        if (distance >= rows_.distance()) return;
        const std::size_t gain = rows_.distance() - distance;
        if (gain < gain_ || (gain == gain_ && !comes_after_best())) return;
        gain_ = gain;
        best_begin_ = move.begin();
        scratch_.best.swap(scratch_.moved);
    }

    // Of equal gains the authors' program takes the list of words that sorts last.
    bool comes_after_best() const {
        const auto& moved = scratch_.moved;
        const auto differ = std::mismatch(moved.begin(), moved.end(), scratch_.best.begin());
        return differ.first != moved.end() && words_[*differ.first] > words_[*differ.second];
    }

    const std::vector<uint32_t>& reference_;
    const Words& words_;
    CharacterScratch& scratch_;
    BitRows& rows_;
    std::size_t least_ = 0, steps_ = 0, gain_ = 0, best_begin_ = 0;
    Pace pace_;
};

// Reads the original from left to right; a phrase that now stands further right was shifted.
double shift_cost(const std::vector<uint32_t>& shifted, const std::vector<uint32_t>& original,
                  const Words& words) {
    double cost = 0;
    for (std::size_t i = 0; i < original.size();) {
        if (original[i] == shifted[i]) {
            ++i;
            continue;
        }
        const auto found = std::find(shifted.begin() + static_cast<long>(i) + 1, shifted.end(),
                                     original[i]);
        if (found == shifted.end()) {
            ++i;
            continue;
        }
        const auto end = std::mismatch(found, shifted.end(),
                                       original.begin() + static_cast<long>(i)).first;
        std::size_t characters = 0;
        for (auto word = found; word != end; ++word) characters += words[*word].size();
        cost += static_cast<double>(characters) / static_cast<double>(end - found);
        i += static_cast<std::size_t>(end - found);
    }
    return cost;
}

void join(const std::vector<uint32_t>& numbers, const Words& words, std::u32string& line) {
    line.clear();
    for (const uint32_t number : numbers) {
        if (!line.empty()) line.push_back(U' ');
        line.append(words[number]);
    }
}

}  // namespace

CharacterEdits character_edits(const std::vector<uint32_t>& translation,
                               const std::vector<uint32_t>& reference,
                               const std::vector<std::u32string_view>& words,
                               CharacterScratch& scratch) {
    scratch.words = translation;
    PhraseShifts(reference, words, scratch).run();
    join(scratch.words, words, scratch.shifted);
    join(reference, words, scratch.reference);
    return {scratch.levenshtein(scratch.shifted, scratch.reference),
            shift_cost(scratch.words, translation, words)};
}

std::size_t joined_length(const std::vector<uint32_t>& numbers, const Words& words) {
    std::size_t length = numbers.empty() ? 0 : numbers.size() - 1;
    for (const uint32_t number : numbers) length += words[number].size();
    return length;
}

}  // namespace concordant
