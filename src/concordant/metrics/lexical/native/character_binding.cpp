#include "bindings.hpp"
#include "character.hpp"
#include "../../../native/counts_array.hpp"
#include "segment_words.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

struct Scratch {
    SegmentWords segment;
    WordWindows windows;
    std::vector<std::u32string_view> words;  // of a window
    CharacterScratch character;
};

CharacterEdits edits_in_windows(const WordPair& texts, Scratch& scratch) {
    const auto& words = scratch.segment.words();
    CharacterEdits sum;
    scratch.windows.each(texts, kCharacterWindows, [&](const WordPair& pair) {
        scratch.words.clear();
        for (uint32_t number = 0; number < pair.vocabulary; ++number)
            scratch.words.push_back(words[scratch.windows.original(number)]);
        const CharacterEdits edits = character_edits(pair.translation, pair.reference,
                                                     scratch.words, scratch.character);
        sum.distance += edits.distance;
        sum.shifts += edits.shifts;
    });
    return sum;
}

// Of the reference with the fewest edits, the first of equals; the length is the translation's own.
void character_row(const Text& translation, const std::vector<Text>& references, Scratch& scratch,
                   double* row) {
    SegmentWords& segment = scratch.segment;
    segment.read(translation, references);
    row[2] = static_cast<double>(joined_length(segment.translation(), segment.words()));
    for (std::size_t k = 0; k < segment.references(); ++k) {
        const CharacterEdits edits = edits_in_windows(
            {segment.translation(), segment.reference(k), segment.words().size()}, scratch);
        const auto distance = static_cast<double>(edits.distance);
        if (k > 0 && distance + edits.shifts >= row[0] + row[1]) continue;
        row[0] = distance;
        row[1] = edits.shifts;
    }
}

}  // namespace

void bind_character(nb::module_& m) {
    define_counts(
        m, "character_counts", 3, character_row,
        "Columns: edited characters, cost of shifts, length of the translation in characters.");
}

}  // namespace concordant
