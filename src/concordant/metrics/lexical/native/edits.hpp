// Errors between two sequences of words, with and without their order (WER and PER).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

struct WordErrors {
    std::size_t substitutions = 0, insertions = 0, deletions = 0;
    std::size_t total() const { return substitutions + insertions + deletions; }

    void add(const WordErrors& other) {
        substitutions += other.substitutions;
        insertions += other.insertions;
        deletions += other.deletions;
    }
};

// The fewest word errors that turn the reference into the translation; of several such ways, the
// one with most substitutions. Both have fewer than 32,768 words. `row` is memory to reuse.
WordErrors word_errors(const std::vector<uint32_t>& translation,
                       const std::vector<uint32_t>& reference, std::vector<uint32_t>& row);

// How many words two sequences share as bags; words are numbers below `vocabulary`, `counts` is
// memory to reuse.
std::size_t shared_words(const std::vector<uint32_t>& translation,
                         const std::vector<uint32_t>& reference, std::size_t vocabulary,
                         std::vector<uint32_t>& counts);

}  // namespace concordant
