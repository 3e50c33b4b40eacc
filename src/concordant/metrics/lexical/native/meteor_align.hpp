// METEOR's alignment of a translation with a reference, and what it counts in it.
//
// A beam search from left to right over the reference's words picks matches that do not overlap:
// the most words covered by exact matches, then the fewest chunks, then the shortest distance
// (Denkowski and Lavie 2011, 2014). It follows METEOR 1.5 in what looks odd as well, because its
// scores are the point: see the comments in the source file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meteor_matches.hpp"

namespace concordant {

// Lengths and function words (translation, reference); for each module the matched content and
// function words of the translation, then of the reference; chunks.
constexpr std::size_t kMeteorColumns = 4 + 4 * kMeteorModules + 1;

constexpr std::size_t kMostMeteorPaths = 200;

class MeteorAligner {
  public:
    // Writes one row of counts. `beam` is how many partial alignments are followed, at most
    // kMostMeteorPaths.
    void count(MeteorText test, MeteorText reference, const MeteorWords& words,
               const MeteorParaphrases& paraphrases, std::size_t beam, double* row);

  private:
    // An alignment of the reference's words before `next`.
    struct Path {
        int32_t uncovered = INT32_MAX;  // less the words of both sides that are covered, weighted
        int32_t chunks = 0;
        int64_t distance = 0;
        int32_t next = 0;
        int32_t last_end = -1;  // where the last match ends in the translation; -1: a gap follows it
        int32_t trail = -1;     // its last match, see Step
        int32_t parent = 0;     // the path it continues, of those before it
        const MeteorMatch* match = nullptr;  // the match it adds to that path
    };
    // What makes one path better than another, the smallest first: of equals the one found first.
    // Packed, as most of the time goes into comparing them.
    struct Rank {
        uint64_t uncovered_chunks, distance_place;

        std::size_t place() const { return distance_place & 0xffffff; }
        bool operator<(const Rank& other) const {
            if (uncovered_chunks != other.uncovered_chunks)
                return uncovered_chunks < other.uncovered_chunks;
            return distance_place < other.distance_place;
        }
    };
    // A match of a path, and the step before it.
    struct Step {
        int32_t before;
        const MeteorMatch* match;
    };

    void fix_lonely_matches(std::size_t length);
    void search(std::size_t length, std::size_t beam);
    void go_on(std::size_t current, std::size_t beam);
    void branch(std::size_t current, std::size_t beam);
    static void extend(Path& path, const MeteorMatch* match);
    void rank(const std::vector<Path>& paths);
    void keep_best(std::size_t beam);
    bool is_free(const MeteorMatch& match, std::size_t rank) const;
    void store(MeteorText test, MeteorText reference, const MeteorWords& words, double* row);

    MeteorMatches matches_;
    std::vector<const MeteorMatch*> fixed_;  // by start in the reference
    std::vector<uint8_t> taken_;             // the reference's words that a fixed match covers
    std::size_t blocks_ = 0;                 // of 64 words of the translation
    std::vector<uint64_t> fixed_used_, used_, next_used_;  // the translation's words in use
    std::vector<Path> paths_, next_paths_;
    std::vector<Rank> order_;
    std::vector<Step> steps_;
    std::vector<const MeteorMatch*> best_;
};

}  // namespace concordant
