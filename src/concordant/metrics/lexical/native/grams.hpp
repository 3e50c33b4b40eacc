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
#include <utility>
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

    void clear() {
        keys_.clear();
        largest_ = 0;
    }

    // Adds a sequence of symbols, each below kSymbols, under a tag below kSequences.
    template <class Symbols>
    void add(const Symbols& symbols, std::size_t tag) {
        Key key = 0;
        const std::size_t begin = keys_.size();
        keys_.resize(begin + symbols.size());
        for (std::size_t i = symbols.size(); i-- > 0;) {
            largest_ = std::max(largest_, static_cast<std::size_t>(symbols[i]) + 1);
            key = (static_cast<Key>(symbols[i]) + 1) << (kWidth - Bits) | (key >> Bits);
            keys_[begin + i] = (key & ~kTagMask) | static_cast<Key>(tag);
        }
    }

    // matches[n - 1] gets, for n-grams of order n, the sum over distinct n-grams of the smaller of
    // their count in sequence 0 and their largest count in sequences 1 … sequences - 1.
    void count(std::size_t sequences, std::size_t order, double* matches) {
        sort();
        if (sequences == 2) {
            count_runs(Two{}, order, matches);
            return;
        }
        Several runs{std::vector<uint32_t>(sequences), std::vector<uint32_t>(order * sequences)};
        count_runs(runs, order, matches);
    }

  private:
    static constexpr Key kTagMask = (Key{1} << kTagBits) - 1;
    static constexpr std::size_t kBuckets = 128, kFewKeys = 1024;
    static_assert(Bits >= 7, "a symbol has as many bits as the number of a bucket");

    static std::size_t shared(Key a, Key b) {
        return static_cast<std::size_t>(leading_zeros((a ^ b) & ~kTagMask) / Bits);
    }

    static std::size_t symbols_in(Key key) {
        return static_cast<std::size_t>((kWidth - 1 - trailing_zeros(key & ~kTagMask)) / Bits + 1);
    }

    // Few keys of few symbols: by their second symbol, by their first, and the rest by insertion.
    void sort() {
        if (keys_.size() > kFewKeys || largest_ >= kBuckets) {
            std::sort(keys_.begin(), keys_.end());
            return;
        }
        sort_by(kWidth - 2 * Bits);
        sort_by(kWidth - Bits);
        for (std::size_t i = 1; i < keys_.size(); ++i) {
            const Key key = keys_[i];
            std::size_t j = i;
            for (; j > 0 && key < keys_[j - 1]; --j) keys_[j] = keys_[j - 1];
            keys_[j] = key;
        }
    }

    // In the order of the symbol that begins at a bit; keys with the same one stay as they stand.
    void sort_by(int bit) {
        const auto bucket = [=](Key key) {
            return static_cast<std::size_t>(key >> bit) & (kBuckets - 1);
        };
        uint32_t places[kBuckets] = {};
        for (const Key key : keys_) ++places[bucket(key)];
        uint32_t before = 0;
        for (std::size_t b = 0; b <= largest_; ++b) before += std::exchange(places[b], before);
        other_.resize(keys_.size());
        for (const Key key : keys_) other_[places[bucket(key)]++] = key;
        keys_.swap(other_);
    }

    // How many keys of each sequence were seen, and how many when the open run of each order began;
    // `close` ends a run of equal n-grams and says how many of them match.
    struct Two {
        uint32_t seen[2] = {}, begun[Order][2] = {};

        uint32_t close(std::size_t n) {
            const uint32_t match = std::min(seen[0] - begun[n][0], seen[1] - begun[n][1]);
            begun[n][0] = seen[0];
            begun[n][1] = seen[1];
            return match;
        }
    };

    struct Several {
        std::vector<uint32_t> seen, begun;

        uint32_t close(std::size_t n) {
            uint32_t* from = &begun[n * seen.size()];
            uint32_t best = 0;
            for (std::size_t s = 1; s < seen.size(); ++s) best = std::max(best, seen[s] - from[s]);
            const uint32_t match = std::min(seen[0] - from[0], best);
            std::copy(seen.begin(), seen.end(), from);
            return match;
        }
    };

    template <class Runs>
    void count_runs(Runs runs, std::size_t order, double* matches) const {
        uint32_t found[Order] = {};
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            ++runs.seen[static_cast<std::size_t>(keys_[i] & kTagMask)];
            const std::size_t length = std::min(symbols_in(keys_[i]), order);
            const std::size_t common = i + 1 < keys_.size() ? shared(keys_[i], keys_[i + 1]) : 0;
            for (std::size_t n = std::min(common, length); n < order; ++n) {
                const uint32_t match = runs.close(n);
                found[n] += n < length ? match : 0;  // a sequence that has ended has no n-gram here
            }
        }
        std::copy(found, found + order, matches);
    }

    std::vector<Key> keys_, other_;
    std::size_t largest_ = 0;  // symbol, and 1: 0 stands for none
};

using ShortWordGrams = Grams<uint64_t, 15, 4>;       // 32,767 words, 15 references
using WordGrams = Grams<Wide, 30, 4>;                // a thousand million words, 255 references
using ShortCharacterGrams = Grams<uint64_t, 10, 6>;  // 1,023 characters
using CharacterGrams = Grams<Wide, 21, 6>;           // any code point

}  // namespace concordant
