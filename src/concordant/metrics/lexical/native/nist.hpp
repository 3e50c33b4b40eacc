// NIST's information weights, and the information that a segment shares with its references.
//
// n-grams of all orders form one tree: an n-gram is reached from its first n - 1 words by its last
// one, so that a node and a word are an exact key of any order, and what is unknown ends the walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../../../native/text.hpp"
#include "tokenise.hpp"

namespace concordant {

constexpr std::size_t kNistOrder = 5;
constexpr std::size_t kNistColumns = 2 * kNistOrder + 2;

// Words with numbers from 0; it owns its words, so the texts they came from may go.
class Lexicon {
  public:
    static constexpr uint32_t kUnknown = 0xffffffff;

    uint32_t add(std::u32string_view word);
    uint32_t find(std::u32string_view word) const;

  private:
    std::deque<std::u32string> words_;  // a deque never moves them
    std::unordered_map<std::u32string_view, uint32_t> numbers_;
};

// Nodes are numbered from 1 in the order in which they are added. The root is 0 and nobody's child,
// so that 0 also says that there is no such child. Slots with linear probing.
class GramTree {
  public:
    static constexpr uint32_t kRoot = 0, kNone = 0;

    GramTree() { clear(); }
    void clear();
    uint32_t add(uint32_t parent, uint32_t word);
    uint32_t find(uint32_t parent, uint32_t word) const { return slots_[place(parent, word)].node; }
    std::size_t size() const { return size_; }  // with the root

    // Calls visit(parent, node) for every node but the root.
    template <class Visit>
    void for_each_edge(const Visit& visit) const {
        for (const Slot& slot : slots_)
            if (slot.node != kNone) visit(slot.parent, slot.node);
    }

  private:
    struct Slot {
        uint32_t parent = 0, word = 0, node = kNone;
    };

    std::size_t place(uint32_t parent, uint32_t word) const;
    void grow();

    std::vector<Slot> slots_;
    std::size_t size_ = 1;
};

// Reused from segment to segment by one thread.
struct NistScratch {
    // An n-gram of the translation that the weights know.
    struct Gram {
        uint32_t known;  // its node among the weights
        uint32_t in_translation, in_reference;
        std::size_t order;  // from 0
    };

    Words cutter;
    std::vector<uint32_t> translation, reference;
    GramTree tree;
    std::vector<Gram> grams;  // by node of `tree`, the root's first
};

class NistWeights {
  public:
    NistWeights(const std::vector<std::vector<Text>>& references, Tokeniser tokeniser);
    NistWeights(const NistWeights&) = delete;
    NistWeights& operator=(const NistWeights&) = delete;

    // Row: for each order the information of the shared n-grams of the best reference, then for
    // each order the n-grams of the translation, then the lengths of the best references and of the
    // translation, both summed over the orders. n-grams that the weights do not know weigh 0.
    void count(const Text& translation, const std::vector<Text>& references, NistScratch& scratch,
               double* row) const;

  private:
    // An n-gram of the references where it stands: the word after it, and where its text ends.
    struct Place {
        uint32_t node;
        std::size_t next, end;
    };

    void extend(std::vector<Place>& places, const std::vector<uint32_t>& words,
                std::vector<double>& counts);
    void find_words(const Text& text, Words& cutter, std::vector<uint32_t>& numbers) const;
    void plant_translation(NistScratch& scratch) const;
    void share_reference(NistScratch& scratch, double* information) const;

    Tokeniser tokeniser_;
    Lexicon lexicon_;
    GramTree tree_;                // of the references' n-grams that carry information
    std::vector<double> weights_;  // by node of `tree_`
};

}  // namespace concordant
