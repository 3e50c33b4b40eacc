// The n-grams of many sequences at once, run by run: which sequences have each one, and how often.
//
// As in grams.hpp, every position becomes a key of its first symbols, and sorted keys put equal
// n-grams of every order next to each other. The sequence stands beside the key, so there may be
// any number of them, and each sequence is read once however many others it is compared with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grams.hpp"

namespace concordant {

// `Bits` bits a symbol, up to `Order` symbols in a Key.
template <class Key, int Bits, int Order>
class GramRuns {
  public:
    static constexpr int kWidth = 8 * static_cast<int>(sizeof(Key));
    static_assert(Bits * Order <= kWidth);
    static constexpr std::size_t kSymbols = (std::size_t{1} << Bits) - 1;

    struct Position {
        Key key;
        uint32_t sequence;
    };

    void clear() { positions_.clear(); }

    // Adds a sequence of symbols, each below kSymbols.
    template <class Symbols>
    void add(const Symbols& symbols, std::size_t sequence) {
        Key key = 0;
        const std::size_t begin = positions_.size();
        positions_.resize(begin + symbols.size());
        for (std::size_t i = symbols.size(); i-- > 0;) {
            key = ((static_cast<Key>(symbols[i]) + 1) << (kWidth - Bits) | (key >> Bits)) & kUsed;
            positions_[begin + i] = {key, static_cast<uint32_t>(sequence)};
        }
    }

    // Calls visit(n, first, last) for each distinct n-gram of orders 1 … order: the positions
    // [first, last) have it, and n counts from 0. Runs come in the order of their symbols.
    template <class Visit>
    void for_each_run(std::size_t order, const Visit& visit) {
        std::sort(positions_.begin(), positions_.end(), [](const Position& a, const Position& b) {
            return a.key != b.key ? a.key < b.key : a.sequence < b.sequence;
        });
        std::size_t begun[Order] = {};
        const Position* data = positions_.data();
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            const std::size_t length = std::min(symbols_in(data[i].key), order);
            const std::size_t common =
                i + 1 < positions_.size() ? shared(data[i].key, data[i + 1].key) : 0;
            for (std::size_t n = std::min(common, length); n < order; ++n) {
                if (n < length) visit(n, data + begun[n], data + i + 1);
                begun[n] = i + 1;
            }
        }
    }

  private:
    static constexpr int kSpare = kWidth - Bits * Order;
    static constexpr Key kUsed = ~((Key{1} << kSpare) - 1);

    static std::size_t shared(Key a, Key b) {
        return static_cast<std::size_t>(leading_zeros(a ^ b) / Bits);
    }
    static std::size_t symbols_in(Key key) {
        return static_cast<std::size_t>((kWidth - 1 - trailing_zeros(key)) / Bits + 1);
    }

    std::vector<Position> positions_;
};

using FewCharacterRuns = GramRuns<uint64_t, 10, 6>;  // 1,023 different characters
using CharacterRuns = GramRuns<Wide, 21, 6>;         // any code point
using WordRuns = GramRuns<Wide, 30, 4>;              // a thousand million words

}  // namespace concordant
