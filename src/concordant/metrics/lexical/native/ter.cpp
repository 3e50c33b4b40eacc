#include "ter.hpp"

#include <algorithm>
#include <utility>

#include "../../../native/interruption.hpp"
#include "edits.hpp"
#include "phrase_move.hpp"

namespace concordant {

namespace {

constexpr std::size_t kLongestPhrase = 10;
constexpr std::size_t kFarthestShift = 50;
constexpr std::size_t kMostCandidates = 1000;

// A shift to before the word at `target`, and by how much it lowers the edit distance.
struct Shift {
    std::size_t gain = 0, target = 0;
    PhraseMove move;

    // Tercom's order: the larger gain, the longer phrase, the earlier phrase, the earlier target.
    bool outranks(const Shift& other) const {
        if (gain != other.gain) return gain > other.gain;
        if (move.length != other.move.length) return move.length > other.move.length;
        if (move.start != other.move.start) return move.start < other.move.start;
        return target < other.target;
    }
};

template <class Rows>
class ShiftSearch {
  public:
    // `least` is a distance that no order of the words can go below.
    ShiftSearch(Rows& rows, const std::vector<uint32_t>& reference, std::size_t vocabulary,
                std::size_t least, TerScratch& scratch)
        : rows_(rows), reference_(reference), least_(least), scratch_(scratch) {
        scratch_.next_places.resize(reference.size());
        scratch_.first_places.assign(vocabulary, reference.size());
        for (std::size_t place = reference.size(); place-- > 0;)
            scratch_.next_places[place] =
                std::exchange(scratch_.first_places[reference[place]], place);
    }

    // Shifts until that stops lowering the distance; shifts and remaining edits together.
    std::size_t run() {
        std::size_t shifts = 0;
        while (rows_.distance() > least_) {
            find_best();
            if (checked_ >= kMostCandidates || best_.gain == 0) break;
            best_.move(scratch_.words, scratch_.moved);
            scratch_.words.swap(scratch_.moved);
            rows_.lay(scratch_.words, best_.move.begin());
            ++shifts;
        }
        return shifts + rows_.distance();
    }

  private:
    void find_best() {
        best_ = {};
        align();
        scratch_.near_places = scratch_.first_places;
        for (std::size_t start = 0; start < scratch_.words.size(); ++start) {
            pace_.spend(kFarthestShift);
            if (!try_phrases_from(start)) return;
        }
    }

    // Phrases at `start` that the reference has elsewhere; false once enough shifts were tried.
    bool try_phrases_from(std::size_t start) {
        const std::size_t first = start > kFarthestShift ? start - kFarthestShift : 0;
        const std::size_t end = std::min(reference_.size(), start + kFarthestShift + 1);
        std::size_t& near = scratch_.near_places[scratch_.words[start]];
        while (near < first) near = scratch_.next_places[near];
        for (std::size_t place = near; place < end; place = scratch_.next_places[place])
            if (!try_lengths(start, place)) return false;
        return true;
    }

    bool try_lengths(std::size_t start, std::size_t place) {
        const std::size_t most = std::min({kLongestPhrase, scratch_.words.size() - start,
                                           reference_.size() - place});
        for (std::size_t length = 1; length <= most; ++length) {
            if (scratch_.words[start + length - 1] != reference_[place + length - 1]) break;
            if (!is_worth_moving(start, place, length)) continue;
            try_targets(start, place, length);
            if (checked_ >= kMostCandidates) return false;
        }
        return true;
    }

    // Only where both the phrase and its place in the reference have errors, and apart.
    bool is_worth_moving(std::size_t start, std::size_t place, std::size_t length) const {
        const auto& words = scratch_.wrong_words;
        const auto& references = scratch_.wrong_references;
        if (words[start] == words[start + length]) return false;
        if (references[place] == references[place + length]) return false;
        const auto begin = static_cast<int64_t>(start);
        const int64_t aligned = scratch_.aligned[place];
        return aligned < begin || aligned >= begin + static_cast<int64_t>(length);
    }

    // Before the phrase's place in the reference, and after each of its words there.
    void try_targets(std::size_t start, std::size_t place, std::size_t length) {
        int64_t previous = -1;
        for (std::size_t offset = 0; offset <= length; ++offset) {
            const std::size_t after = place + offset;
            const int64_t target = after == 0 ? 0 : scratch_.aligned[after - 1] + 1;
            if (target == previous) continue;
            previous = target;
            ++checked_;
            consider(start, length, static_cast<std::size_t>(target));
        }
    }

    void consider(std::size_t start, std::size_t length, std::size_t target) {
        std::size_t place = target;
        if (target > start + length) place = target - length;
        else if (target > start) place = std::min(target, scratch_.words.size() - length);
        if (place == start) return;
        Shift shift{rows_.distance() - least_, target, {start, length, place}};
        if (Rows::kBoundedByMove) shift.gain = std::min(shift.gain, shift.move.most());
        if (!shift.outranks(best_)) return;
        pace_.spend(scratch_.words.size());
        const std::size_t distance = rows_.distance_after(scratch_.words, shift.move);
        if (distance >= rows_.distance()) return;
        shift.gain = rows_.distance() - distance;
        if (shift.outranks(best_)) best_ = shift;
    }

    // Walks back through the rows: which word each reference word stands at, and what is wrong.
    void align() {
        std::size_t i = scratch_.words.size(), j = reference_.size();
        scratch_.aligned.resize(j);
        scratch_.wrong_words.assign(i + 1, 0);
        scratch_.wrong_references.assign(j + 1, 0);
        while (i > 0 || j > 0) {
            const Edit edit = rows_.edit(i, j, scratch_.words);
            const uint32_t wrong = edit == Edit::match ? 0 : 1;
            if (edit != Edit::remove) {
                scratch_.aligned[j - 1] = static_cast<int64_t>(i) - 1;
                scratch_.wrong_references[j--] = wrong;
            }
            if (edit != Edit::insert) scratch_.wrong_words[i--] = wrong;
        }
        accumulate(scratch_.wrong_words);
        accumulate(scratch_.wrong_references);
    }

    static void accumulate(std::vector<uint32_t>& counts) {
        for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
    }

    Rows& rows_;
    const std::vector<uint32_t>& reference_;
    const std::size_t least_;
    TerScratch& scratch_;
    std::size_t checked_ = 0;
    Shift best_;
    Pace pace_;
};

}  // namespace

std::size_t ter_edits(const std::vector<uint32_t>& translation,
                      const std::vector<uint32_t>& reference, std::size_t vocabulary,
                      TerScratch& scratch) {
    const std::size_t n = translation.size(), m = reference.size();
    if (n == 0 || m == 0) return std::max(n, m);
    const std::size_t least =
        std::max(n, m) - shared_words(translation, reference, vocabulary, scratch.counts);
    scratch.words = translation;
    if (BitRows::fits(n, m)) {
        // Where the true distance is safe in the beam, shifts that lower it are safe as well, and
        // no other shift is ever taken.
        scratch.bits.start(reference, vocabulary);
        const auto distance = static_cast<int64_t>(scratch.bits.lay(translation, 0));
        if (distance <= Beam(n, m).safe_distance())
            return ShiftSearch(scratch.bits, reference, vocabulary, least, scratch).run();
    }
    scratch.beam.start(reference, n);
    scratch.beam.lay(translation, 0);
    return ShiftSearch(scratch.beam, reference, vocabulary, least, scratch).run();
}

}  // namespace concordant
