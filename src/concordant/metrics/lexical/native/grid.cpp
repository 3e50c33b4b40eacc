#include "grid.hpp"

#include <algorithm>
#include <limits>

#include "../../../native/interruption.hpp"

namespace concordant {

namespace {

// Texts as sequences of numbers: characters, or words.
struct Sequences {
    std::vector<std::vector<uint32_t>> numbers;
    std::size_t symbols = 0, longest = 0;
};

Sequences characters_of(const GridTexts& grid, bool whitespace) {
    Sequences found;
    std::u32string characters;
    for (const Text& text : grid.texts) {
        without_spaces(text, whitespace, characters);
        found.numbers.emplace_back(characters.begin(), characters.end());
        found.longest = std::max(found.longest, characters.size());
    }
    // Few different characters get small numbers, so that a key has 64 bits.
    Alphabet alphabet;
    uint32_t largest = 0;
    for (const auto& sequence : found.numbers)
        for (const uint32_t character : sequence)
            largest = std::max(largest, alphabet.number(static_cast<char32_t>(character)));
    const bool few = largest < FewCharacterRuns::kSymbols;
    for (auto& sequence : found.numbers)
        for (uint32_t& character : sequence)
            if (few) character = alphabet.number(static_cast<char32_t>(character));
    found.symbols = few ? largest + 1 : CharacterRuns::kSymbols;
    return found;
}

Sequences words_of(const GridTexts& grid, Tokeniser tokeniser) {
    Sequences found;
    NgramScratch scratch;
    scratch.kept.reserve(grid.texts.size());  // the vocabulary views into what is kept
    for (const Text& text : grid.texts) {
        number_words(text, tokeniser, scratch, scratch.translation_numbers);
        found.numbers.push_back(scratch.translation_numbers);
        found.longest = std::max(found.longest, scratch.translation_numbers.size());
    }
    return found;
}

// How often each text has the n-gram of a run: those of the candidates, and of the references.
class RunCounts {
  public:
    explicit RunCounts(const GridTexts& grid)
        : grid_(grid), times_(grid.texts.size()) {}

    template <class Position>
    void read(const Position* first, const Position* last) {
        for (const uint32_t text : met_) times_[text] = 0;
        met_.clear();
        for (; first != last; ++first)
            if (times_[first->sequence]++ == 0) met_.push_back(first->sequence);
    }

    template <class Visit>
    void for_each_candidate(const Visit& visit) const {
        for (const uint32_t text : met_)
            if (text < grid_.candidates) visit(text, times_[text]);
    }
    template <class Visit>
    void for_each_reference(const Visit& visit) const {
        for (const uint32_t text : met_)
            if (text >= grid_.first_reference) visit(text - grid_.first_reference, times_[text]);
    }

  private:
    const GridTexts& grid_;
    std::vector<uint32_t> times_;  // of each text; 0 but for those met
    std::vector<uint32_t> met_;
};

// Matches of every candidate with every reference, order by order. An n-gram that many references
// have is added to a whole row at once.
template <class Count>
class MatchTable {
  public:
    MatchTable(const GridTexts& grid, std::size_t order)
        : candidates_(grid.candidates), references_(grid.references()), dense_(references_),
          matches_(order * candidates_ * references_) {}

    void add(std::size_t n, const RunCounts& run) {
        found_.clear();
        run.for_each_reference([&](std::size_t reference, uint32_t times) {
            found_.emplace_back(reference, static_cast<Count>(times));
        });
        if (found_.empty()) return;
        const bool many = found_.size() * kManyShare > references_;
        if (many)
            for (const auto& [reference, times] : found_) dense_[reference] = times;
        run.for_each_candidate([&](std::size_t candidate, uint32_t times) {
            Count* row = &matches_[(n * candidates_ + candidate) * references_];
            const auto most = static_cast<Count>(times);
            if (many)
                for (std::size_t r = 0; r < references_; ++r)
                    row[r] = static_cast<Count>(row[r] + std::min(most, dense_[r]));
            else
                for (const auto& [reference, count] : found_)
                    row[reference] = static_cast<Count>(row[reference] + std::min(most, count));
            pace_.spend(many ? references_ / kManyShare + 1 : found_.size());
        });
        if (many)
            for (const auto& [reference, times] : found_) dense_[reference] = 0;
    }

    double operator()(std::size_t n, std::size_t candidate, std::size_t reference) const {
        return static_cast<double>(matches_[(n * candidates_ + candidate) * references_ +
                                            reference]);
    }

  private:
    static constexpr std::size_t kManyShare = 8;

    std::size_t candidates_, references_;
    std::vector<Count> dense_;
    std::vector<Count> matches_;
    std::vector<std::pair<std::size_t, Count>> found_;
    Pace pace_;
};

// Where the counts of one unit (characters, words) stand in a row of them all.
struct Place {
    std::size_t order, first, width;
};

template <class Runs, class Count>
void match_grid(const GridTexts& grid, const Sequences& sequences, const Place& place,
                double* rows) {
    Runs runs;
    for (std::size_t t = 0; t < grid.texts.size(); ++t) runs.add(sequences.numbers[t], t);
    MatchTable<Count> table(grid, place.order);
    RunCounts counts(grid);
    runs.for_each_run(place.order, [&](std::size_t n, const auto* first, const auto* last) {
        counts.read(first, last);
        table.add(n, counts);
    });
    double matches[6];
    for (std::size_t c = 0; c < grid.candidates; ++c) {
        for (std::size_t r = 0; r < grid.references(); ++r) {
            for (std::size_t n = 0; n < place.order; ++n) matches[n] = table(n, c, r);
            const auto reference = grid.first_reference + r;
            write_orders(sequences.numbers[c].size(),
                         sequences.numbers[reference].size(), matches, place.order,
                         rows + (c * grid.references() + r) * place.width + place.first);
        }
        check_interruption();
    }
}

template <class Runs>
void match_grid(const GridTexts& grid, const Sequences& sequences, const Place& place,
                double* rows) {
    if (sequences.longest <= std::numeric_limits<int16_t>::max())  // eight at once
        match_grid<Runs, int16_t>(grid, sequences, place, rows);
    else
        match_grid<Runs, int32_t>(grid, sequences, place, rows);
}

template <class Runs>
void match_aggregate(const GridTexts& grid, const Sequences& sequences, const double* weights,
                     const Place& place, double* rows) {
    Runs runs;
    for (std::size_t t = 0; t < grid.texts.size(); ++t) runs.add(sequences.numbers[t], t);
    RunCounts counts(grid);
    Pace pace;
    runs.for_each_run(place.order, [&](std::size_t n, const auto* first, const auto* last) {
        counts.read(first, last);
        double mean = 0;
        counts.for_each_reference(
            [&](std::size_t r, uint32_t times) { mean += weights[r] * times; });
        counts.for_each_candidate([&](std::size_t c, uint32_t times) {
            rows[c * place.width + place.first + 3 * n + 2] +=
                std::min(static_cast<double>(times), mean);
        });
        pace.spend(static_cast<std::size_t>(last - first));
    });
    for (std::size_t n = 0; n < place.order; ++n) {
        double total = 0;
        for (std::size_t r = 0; r < grid.references(); ++r)
            total += weights[r] * grams_in(sequences.numbers[grid.first_reference + r].size(), n + 1);
        for (std::size_t c = 0; c < grid.candidates; ++c) {
            double* triple = rows + c * place.width + place.first + 3 * n;
            triple[0] = total > 0 ? grams_in(sequences.numbers[c].size(), n + 1) : 0.0;
            triple[1] = total;
        }
    }
}

// Calls characters(sequences, place, few) and words(sequences, place) for the units asked for.
template <class Characters, class OfWords>
void for_each_unit(const GridTexts& grid, const ChrfOptions& options, const Characters& characters,
                   const OfWords& words) {
    const std::size_t width = 3 * (options.char_order + options.word_order);
    if (options.char_order > 0) {
        const Sequences sequences = characters_of(grid, options.whitespace);
        characters(sequences, Place{options.char_order, 0, width},
                   sequences.symbols <= FewCharacterRuns::kSymbols);
    }
    if (options.word_order > 0)
        words(words_of(grid, options.tokeniser),
              Place{options.word_order, 3 * options.char_order, width});
}

}  // namespace

void grid_rows(const GridTexts& grid, const ChrfOptions& options, double* rows) {
    for_each_unit(
        grid, options,
        [&](const Sequences& sequences, const Place& place, bool few) {
            if (few) match_grid<FewCharacterRuns>(grid, sequences, place, rows);
            else match_grid<CharacterRuns>(grid, sequences, place, rows);
        },
        [&](const Sequences& sequences, const Place& place) {
            match_grid<WordRuns>(grid, sequences, place, rows);
        });
}

void aggregate_rows(const GridTexts& grid, const double* weights, const ChrfOptions& options,
                    double* rows) {
    for_each_unit(
        grid, options,
        [&](const Sequences& sequences, const Place& place, bool few) {
            if (few) match_aggregate<FewCharacterRuns>(grid, sequences, weights, place, rows);
            else match_aggregate<CharacterRuns>(grid, sequences, weights, place, rows);
        },
        [&](const Sequences& sequences, const Place& place) {
            match_aggregate<WordRuns>(grid, sequences, weights, place, rows);
        });
}

}  // namespace concordant
