// What METEOR's matchers know: of each word of a batch, and of phrases that mean the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace concordant {

template <class T>
struct Slice {
    const T* first = nullptr;
    const T* last = nullptr;

    const T* begin() const { return first; }
    const T* end() const { return last; }
    std::size_t size() const { return static_cast<std::size_t>(last - first); }
    const T& operator[](std::size_t i) const { return first[i]; }
    Slice part(std::size_t from, std::size_t to) const { return {first + from, first + to}; }
};

// Words are numbers below some size, and each of these has that size; what is null is not known,
// and its matcher does not run.
struct MeteorWords {
    const uint8_t* function = nullptr;       // is it a function word?
    const int32_t* keys = nullptr;           // words of the same key are the same to METEOR
    const int32_t* stems = nullptr;          // words of the same number share a stem
    const int32_t* synset_starts = nullptr;  // where its synsets begin; one more than words
    const int32_t* synsets = nullptr;
    const int32_t* phrases = nullptr;        // its node among the paraphrases, or -1

    bool same(int32_t word, int32_t other) const { return keys[word] == keys[other]; }
    Slice<int32_t> synsets_of(int32_t word) const {
        return {synsets + synset_starts[word], synsets + synset_starts[word + 1]};
    }
};

// Phrases as a trie in arrays: node n is the phrase of its parent and one more word. Its children
// stand in order of that word at child_starts[n] … child_starts[n + 1], and as nodes are numbered
// in that same order, a child is `one_word` (how many phrases have one word) plus its place.
struct MeteorParaphrases {
    Slice<int32_t> child_starts;   // nodes + 1
    Slice<int32_t> child_words;    // nodes - one_word
    Slice<int32_t> entry_starts;   // nodes + 1
    Slice<int32_t> entries;        // nodes of what the phrase can be said as
    int32_t one_word = 0;

    // The node of a phrase and one more word, or -1.
    int32_t child(int32_t node, int32_t word) const {
        const int32_t* begin = child_words.begin() + child_starts[node];
        const int32_t* end = child_words.begin() + child_starts[node + 1];
        const int32_t* found = std::lower_bound(begin, end, word);
        if (found == end || *found != word) return -1;
        return one_word + static_cast<int32_t>(found - child_words.begin());
    }
    Slice<int32_t> said_as(int32_t node) const {
        return {entries.begin() + entry_starts[node], entries.begin() + entry_starts[node + 1]};
    }
};

}  // namespace concordant
