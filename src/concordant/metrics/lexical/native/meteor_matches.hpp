// All matches between two texts that METEOR's modules find: same word, same stem, shared synset,
// paraphrase (Denkowski and Lavie 2014). Which of them to keep is the alignment's business.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "meteor_words.hpp"

namespace concordant {

constexpr std::size_t kMeteorModules = 4;

using MeteorText = Slice<int32_t>;

struct MeteorMatch {
    int32_t start, length;            // in the reference
    int32_t test_start, test_length;  // in the translation
    int32_t module;
};

class MeteorMatches {
  public:
    void find(MeteorText test, MeteorText reference, const MeteorWords& words,
              const MeteorParaphrases& paraphrases);

    // The matches that begin at a place of the reference: by module, then by place.
    Slice<MeteorMatch> at(std::size_t start) const {
        return {matches_.data() + starts_[start], matches_.data() + starts_[start + 1]};
    }
    // Whether nothing else covers any of the words of a match.
    bool is_alone(const MeteorMatch& match) const;

  private:
    // A key (a word, a stem, a synset, a phrase) and a place where it stands.
    using Places = std::vector<std::pair<int32_t, int32_t>>;

    struct Phrases {
        Places places;  // node → place
        std::vector<int32_t> nodes, starts;  // by place, shorter phrases first
        std::bitset<4096> seen;              // a sieve for nodes

        // How many words the phrase of a node has that stands at a place.
        int32_t length(int32_t place, int32_t node) const {
            int32_t words = 1;
            for (int32_t at = starts[place]; nodes[at] != node; ++at) ++words;
            return words;
        }
    };

    void match_words(int32_t module, const MeteorWords& words);
    void match_synsets(const MeteorWords& words);
    void match_phrases(const MeteorWords& words, const MeteorParaphrases& paraphrases);
    void add_phrase(const MeteorMatch& match);
    template <class Found>
    void match_said_as(const Phrases& from, const Phrases& to,
                       const MeteorParaphrases& paraphrases, const Found& found) const;
    static void find_phrases(MeteorText text, const MeteorWords& words,
                             const MeteorParaphrases& paraphrases, Phrases& phrases);
    std::pair<Places::const_iterator, Places::const_iterator> nearest(const Places& places,
                                                                      int32_t key,
                                                                      int32_t place) const;
    void add(const MeteorMatch& match);
    void order_by_start();

    MeteorText test_, reference_;
    std::size_t limit_ = 0;          // of matches of a module at a word of the reference
    std::vector<std::size_t> room_;  // what is left of it for paraphrases
    std::vector<MeteorMatch> found_, matches_;
    std::vector<std::size_t> starts_;
    std::vector<uint32_t> test_cover_, cover_;
    Places places_;
    std::vector<int32_t> candidates_;
    Phrases test_phrases_, phrases_;
};

}  // namespace concordant
