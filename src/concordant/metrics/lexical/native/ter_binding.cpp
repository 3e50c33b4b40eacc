#include <algorithm>

#include "bindings.hpp"
#include "../../../native/counts_array.hpp"
#include "segment_words.hpp"
#include "ter.hpp"
#include "../../../native/windows.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

struct Scratch {
    SegmentWords segment;
    WordWindows windows;
    TerScratch ter;
};

// The fewest edits to any reference, and the references' mean length.
void ter_row(const Text& translation, const std::vector<Text>& references, Scratch& scratch,
             double* row) {
    SegmentWords& segment = scratch.segment;
    segment.read(translation, references);
    std::size_t fewest = 0, length = 0;
    for (std::size_t k = 0; k < segment.references(); ++k) {
        std::size_t edits = 0;
        scratch.windows.each(
            {segment.translation(), segment.reference(k), segment.words().size()}, {},
            [&](const WordPair& pair) {
                edits += ter_edits(pair.translation, pair.reference, pair.vocabulary, scratch.ter);
            });
        fewest = k == 0 ? edits : std::min(fewest, edits);
        length += segment.reference(k).size();
    }
    row[0] = static_cast<double>(fewest);
    row[1] = static_cast<double>(length) / static_cast<double>(segment.references());
}

}  // namespace

void bind_ter(nb::module_& m) {
    define_counts(m, "ter_counts", 2, ter_row,
                  "Columns: edits, mean length of the references in words.");
}

}  // namespace concordant
