#include "meteor_matches.hpp"

#include <algorithm>

namespace concordant {

namespace {

enum Module : int32_t { kExact, kStem, kSynonym, kParaphrase };

// A line of 50,000 equal words has 2.5 thousand million matches with its like. So many are not
// kept: a word of the reference takes part in a limited number of matches of a module, the nearest
// ones. The limit falls with the length of the reference and touches only lines in which a word
// comes a thousand times.
constexpr std::size_t kLeastMatches = 64, kMostMatches = 10000, kInAll = 1000000;

std::size_t seen_bit(int32_t node) {
    return (static_cast<uint32_t>(node) * 2654435769u) >> 20;
}

}  // namespace

void MeteorMatches::find(MeteorText test, MeteorText reference, const MeteorWords& words,
                         const MeteorParaphrases& paraphrases) {
    test_ = test;
    reference_ = reference;
    limit_ = std::clamp(kInAll / std::max<std::size_t>(reference.size(), 1), kLeastMatches,
                        kMostMatches);
    found_.clear();
    test_cover_.assign(test.size(), 0);
    cover_.assign(reference.size(), 0);
    match_words(kExact, words);
    if (words.stems != nullptr) match_words(kStem, words);
    if (words.synsets != nullptr) match_synsets(words);
    if (words.phrases != nullptr) match_phrases(words, paraphrases);
    order_by_start();
}

bool MeteorMatches::is_alone(const MeteorMatch& match) const {
    const auto once = [](uint32_t covered) { return covered == 1; };
    const auto here = cover_.begin() + match.start, there = test_cover_.begin() + match.test_start;
    return std::all_of(here, here + match.length, once) &&
           std::all_of(there, there + match.test_length, once);
}

// The places of a key; of more than the limit, those nearest to `place`.
std::pair<MeteorMatches::Places::const_iterator, MeteorMatches::Places::const_iterator>
MeteorMatches::nearest(const Places& places, int32_t key, int32_t place) const {
    const auto first = std::lower_bound(places.begin(), places.end(), std::make_pair(key, 0));
    auto last = first;
    while (last != places.end() && last->first == key &&
           static_cast<std::size_t>(last - first) <= limit_)
        ++last;
    if (static_cast<std::size_t>(last - first) <= limit_) return {first, last};
    const auto end = std::lower_bound(first, places.end(), std::make_pair(key, INT32_MAX));
    const auto width = static_cast<std::ptrdiff_t>(limit_);
    const auto middle = std::lower_bound(first, end, std::make_pair(key, place));
    const auto begin =
        first + std::clamp<std::ptrdiff_t>(middle - first - width / 2, 0, end - first - width);
    return {begin, begin + width};
}

void MeteorMatches::add(const MeteorMatch& match) {
    found_.push_back(match);
    for (int32_t i = 0; i < match.length; ++i) ++cover_[match.start + i];
    for (int32_t i = 0; i < match.test_length; ++i) ++test_cover_[match.test_start + i];
}

// The same word; or the same stem, but not the same word.
void MeteorMatches::match_words(int32_t module, const MeteorWords& words) {
    const int32_t* keys = module == kExact ? words.keys : words.stems;
    places_.clear();
    for (std::size_t j = 0; j < test_.size(); ++j)
        places_.emplace_back(keys[test_[j]], static_cast<int32_t>(j));
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        const auto start = static_cast<int32_t>(i);
        const auto [first, last] = nearest(places_, keys[reference_[i]], start);
        for (auto place = first; place != last; ++place)
            if (module == kExact || !words.same(test_[place->second], reference_[i]))
                add({start, 1, place->second, 1, module});
    }
}

void MeteorMatches::match_synsets(const MeteorWords& words) {
    places_.clear();
    for (std::size_t j = 0; j < test_.size(); ++j)
        for (const int32_t synset : words.synsets_of(test_[j]))
            places_.emplace_back(synset, static_cast<int32_t>(j));
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        const auto start = static_cast<int32_t>(i);
        candidates_.clear();
        for (const int32_t synset : words.synsets_of(reference_[i])) {
            const auto [first, last] = nearest(places_, synset, start);
            for (auto place = first; place != last; ++place) candidates_.push_back(place->second);
        }
        std::sort(candidates_.begin(), candidates_.end());
        const auto end = std::unique(candidates_.begin(), candidates_.end());
        for (auto j = candidates_.begin(); j != end; ++j)
            if (!words.same(test_[*j], reference_[i])) add({start, 1, *j, 1, kSynonym});
    }
}

void MeteorMatches::find_phrases(MeteorText text, const MeteorWords& words,
                                 const MeteorParaphrases& paraphrases, Phrases& phrases) {
    phrases.places.clear();
    phrases.nodes.clear();
    phrases.starts.assign(1, 0);
    phrases.seen.reset();
    for (std::size_t i = 0; i < text.size(); ++i) {
        int32_t node = words.phrases[text[i]];
        for (std::size_t end = i + 1; node >= 0; ++end) {
            phrases.nodes.push_back(node);
            phrases.places.emplace_back(node, static_cast<int32_t>(i));
            phrases.seen.set(seen_bit(node));
            const int32_t next = end < text.size() ? words.phrases[text[end]] : -1;
            node = next < 0 ? -1 : paraphrases.child(node, next);
        }
        phrases.starts.push_back(static_cast<int32_t>(phrases.nodes.size()));
    }
    std::sort(phrases.places.begin(), phrases.places.end());
}

// Phrases of the reference that can be said as one of the translation, then the other way round:
// a match that is found both ways counts as two, as it does in METEOR.
void MeteorMatches::match_phrases(const MeteorWords& words,
                                  const MeteorParaphrases& paraphrases) {
    find_phrases(test_, words, paraphrases, test_phrases_);
    find_phrases(reference_, words, paraphrases, phrases_);
    room_.assign(reference_.size(), limit_);
    match_said_as(phrases_, test_phrases_, paraphrases, [&](int32_t i, int32_t length, int32_t j,
                                                            int32_t test_length) {
        add_phrase({i, length, j, test_length, kParaphrase});
    });
    match_said_as(test_phrases_, phrases_, paraphrases, [&](int32_t j, int32_t test_length,
                                                            int32_t i, int32_t length) {
        add_phrase({i, length, j, test_length, kParaphrase});
    });
}

void MeteorMatches::add_phrase(const MeteorMatch& match) {
    if (room_[match.start] == 0) return;
    --room_[match.start];
    add(match);
}

// Calls found(place, length, place there, length there) for each phrase that can be said as
// another one, in the order of the places, then of the lengths, then of the table.
template <class Found>
void MeteorMatches::match_said_as(const Phrases& from, const Phrases& to,
                                  const MeteorParaphrases& paraphrases, const Found& found) const {
    for (std::size_t i = 0; i + 1 < from.starts.size(); ++i) {
        const auto place = static_cast<int32_t>(i);
        for (int32_t at = from.starts[i]; at < from.starts[i + 1]; ++at)
            for (const int32_t node : paraphrases.said_as(from.nodes[at])) {
                if (!to.seen.test(seen_bit(node))) continue;
                const auto [first, last] = nearest(to.places, node, place);
                for (auto there = first; there != last; ++there)
                    found(place, at - from.starts[i] + 1, there->second,
                          to.length(there->second, node));
            }
    }
}

// A counting sort: matches of the same start stay in the order in which they were found.
void MeteorMatches::order_by_start() {
    starts_.assign(reference_.size() + 2, 0);
    for (const MeteorMatch& match : found_) ++starts_[match.start + 2];
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    matches_.resize(found_.size());
    for (const MeteorMatch& match : found_) matches_[starts_[match.start + 1]++] = match;
    starts_.pop_back();
}

}  // namespace concordant
