// Texts as numbers, found by their beginnings: every text that a line begins with, in one walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace concordant {

// A trie of code points whose edges are in one table of slots with linear probing.
class TextTrie {
  public:
    static constexpr int32_t kNone = -1;

    TextTrie() : slots_(1024), numbers_(1, kNone) {}

    // A text that is added twice keeps its last number. The empty text is not found.
    void add(std::u32string_view text, int32_t number) {
        uint32_t node = 0;
        for (char32_t c : text) {
            if (2 * numbers_.size() > slots_.size()) grow();
            Slot& slot = slots_[place_of(slots_, node, c)];
            if (slot.child == 0) {
                slot = {node, c, static_cast<uint32_t>(numbers_.size())};
                numbers_.push_back(kNone);
            }
            node = slot.child;
        }
        numbers_[node] = number;
    }

    // Calls visit(length, number) for each text that `line` begins with, the shortest first.
    template <class Visit>
    void visit_beginnings(std::u32string_view line, const Visit& visit) const {
        uint32_t node = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            node = slots_[place_of(slots_, node, line[i])].child;
            if (node == 0) return;
            if (numbers_[node] != kNone) visit(i + 1, numbers_[node]);
        }
    }

  private:
    struct Slot {
        uint32_t parent = 0;
        char32_t point = 0;
        uint32_t child = 0;  // 0: empty, for nothing leads back to the root
    };

    // Where an edge is, or the empty slot where it would be.
    static std::size_t place_of(const std::vector<Slot>& slots, uint32_t parent, char32_t point) {
        uint64_t hash = (static_cast<uint64_t>(parent) << 21 ^ point) * 0x9e3779b97f4a7c15;
        std::size_t place = (hash ^ hash >> 32) & (slots.size() - 1);
        while (slots[place].child != 0 &&
               (slots[place].parent != parent || slots[place].point != point))
            place = (place + 1) & (slots.size() - 1);
        return place;
    }

    void grow() {
        std::vector<Slot> larger(2 * slots_.size());
        for (const Slot& slot : slots_)
            if (slot.child != 0) larger[place_of(larger, slot.parent, slot.point)] = slot;
        slots_.swap(larger);
    }

    std::vector<Slot> slots_;
    std::vector<int32_t> numbers_;  // of the text that ends at each node
};

}  // namespace concordant
