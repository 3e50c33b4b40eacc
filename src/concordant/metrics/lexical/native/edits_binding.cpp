#include <algorithm>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "edits.hpp"
#include "segment_words.hpp"
#include "../../../native/windows.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

struct Scratch {
    SegmentWords segment;
    WordWindows windows;
    std::vector<uint32_t> row, counts;
};

double rate(std::size_t errors, std::size_t length) {
    if (length == 0) return errors == 0 ? 0.0 : 1.0;
    return static_cast<double>(errors) / static_cast<double>(length);
}

void store(std::initializer_list<std::size_t> counts, double* row) {
    for (const std::size_t count : counts) *row++ = static_cast<double>(count);
}

// Of the reference with the lowest rate, the first of equals.
void wer_row(const Text& translation, const std::vector<Text>& references, Scratch& scratch,
             double* row) {
    SegmentWords& segment = scratch.segment;
    segment.read(translation, references);
    double lowest = 0.0;
    for (std::size_t k = 0; k < segment.references(); ++k) {
        const auto& reference = segment.reference(k);
        WordErrors errors;
        scratch.windows.each({segment.translation(), reference, segment.words().size()}, {},
                             [&](const WordPair& pair) {
                                 errors.add(word_errors(pair.translation, pair.reference,
                                                        scratch.row));
                             });
        const double found = rate(errors.total(), reference.size());
        if (k > 0 && found >= lowest) continue;
        lowest = found;
        store({errors.substitutions, errors.insertions, errors.deletions, reference.size()}, row);
    }
}

void per_row(const Text& translation, const std::vector<Text>& references, Scratch& scratch,
             double* row) {
    SegmentWords& segment = scratch.segment;
    segment.read(translation, references);
    const std::size_t length = segment.translation().size();
    double lowest = 0.0;
    for (std::size_t k = 0; k < segment.references(); ++k) {
        const auto& reference = segment.reference(k);
        const std::size_t matches = shared_words(segment.translation(), reference,
                                                 segment.words().size(), scratch.counts);
        const std::size_t errors = std::max(length, reference.size()) - matches;
        const double found = rate(errors, reference.size());
        if (k > 0 && found >= lowest) continue;
        lowest = found;
        store({errors, matches, length, reference.size()}, row);
    }
}

}  // namespace

void bind_edits(nb::module_& m) {
    define_counts(
        m, "wer_counts", 4, wer_row,
        "Columns: substitutions, insertions, deletions, length of the reference in words.");
    define_counts(m, "per_counts", 4, per_row,
                  "Columns: errors, matches, lengths of translation and reference in words.");
}

}  // namespace concordant
