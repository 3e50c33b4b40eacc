// n-grams of all orders at once, counted exactly and without hashing.
//
// Every position of a sequence becomes one number: its first symbol in the highest bits, then the
// next ones, 0 where the sequence has ended, and in the lowest bits the sequence it belongs to.
// Sorted, equal n-grams of every order stand next to each other; where two neighbours first differ
// tells which runs end there. Sequences of few symbols fit 64 bits, any others 128.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

using Wide = unsigned __int128;

inline int leading_zeros(uint64_t key) { return key != 0 ? __builtin_clzll(key) : 64; }
inline int leading_zeros(Wide key) {
    const auto high = static_cast<uint64_t>(key >> 64);
    return high != 0 ? __builtin_clzll(high) : 64 + leading_zeros(static_cast<uint64_t>(key));
}
inline int trailing_zeros(uint64_t key) { return key != 0 ? __builtin_ctzll(key) : 64; }
inline int trailing_zeros(Wide key) {
    const auto low = static_cast<uint64_t>(key);
    return low != 0 ? __builtin_ctzll(low) : 64 + trailing_zeros(static_cast<uint64_t>(key >> 64));
}

// `Bits` bits a symbol, up to `Order` symbols in a Key; what is left numbers the sequences.
template <class Key, int Bits, int Order>
class Grams {
  public:
    static constexpr int kWidth = 8 * static_cast<int>(sizeof(Key));
    static constexpr int kTagBits = kWidth - Bits * Order;
    static_assert(kTagBits > 0);
    static constexpr std::size_t kSequences = std::size_t{1} << std::min(kTagBits, 16);
    static constexpr std::size_t kSymbols = (std::size_t{1} << Bits) - 1;

    void clear() { keys_.clear(); }

    // Adds a sequence of symbols, each below kSymbols, under a tag below kSequences.
    template <class Symbols>
    void add(const Symbols& symbols, std::size_t tag) {
        Key key = 0;
        const std::size_t begin = keys_.size();
        keys_.resize(begin + symbols.size());
        for (std::size_t i = symbols.size(); i-- > 0;) {
            key = (static_cast<Key>(symbols[i]) + 1) << (kWidth - Bits) | (key >> Bits);
            keys_[begin + i] = (key & ~kTagMask) | static_cast<Key>(tag);
        }
    }

    // matches[n - 1] gets, for n-grams of order n, the sum over distinct n-grams of the smaller of
    // their count in sequence 0 and their largest count in sequences 1 … sequences - 1.
    void count(std::size_t sequences, std::size_t order, double* matches) {
        std::sort(keys_.begin(), keys_.end());
        counts_.assign(order * sequences, 0);
        std::fill(matches, matches + order, 0.0);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            const auto tag = static_cast<std::size_t>(keys_[i] & kTagMask);
            const std::size_t length = std::min(symbols_in(keys_[i]), order);
            for (std::size_t n = 0; n < length; ++n) ++counts_[n * sequences + tag];
            const std::size_t common = i + 1 < keys_.size() ? shared(keys_[i], keys_[i + 1]) : 0;
            for (std::size_t n = common; n < length; ++n) matches[n] += close_run(n, sequences);
        }
    }

  private:
    static constexpr Key kTagMask = (Key{1} << kTagBits) - 1;

    static std::size_t shared(Key a, Key b) {
        return static_cast<std::size_t>(leading_zeros((a ^ b) & ~kTagMask) / Bits);
    }

    static std::size_t symbols_in(Key key) {
        return static_cast<std::size_t>((kWidth - 1 - trailing_zeros(key & ~kTagMask)) / Bits + 1);
    }

    double close_run(std::size_t n, std::size_t sequences) {
        uint32_t* counts = &counts_[n * sequences];
        uint32_t best = 0;
        for (std::size_t s = 1; s < sequences; ++s) best = std::max(best, counts[s]);
        const uint32_t match = std::min(counts[0], best);
        std::fill(counts, counts + sequences, 0);
        return static_cast<double>(match);
    }

    std::vector<Key> keys_;
    std::vector<uint32_t> counts_;
};

using ShortWordGrams = Grams<uint64_t, 15, 4>;       // 32,767 words, 15 references
using WordGrams = Grams<Wide, 30, 4>;                // a thousand million words, 255 references
using ShortCharacterGrams = Grams<uint64_t, 10, 6>;  // 1,023 characters
using CharacterGrams = Grams<Wide, 21, 6>;           // any code point

}  // namespace concordant
