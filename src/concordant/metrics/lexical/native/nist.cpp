#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "../../../native/interruption.hpp"

namespace concordant {

namespace {

constexpr std::size_t kFewestSlots = 512;

// Goes down the tree from every word along the next ones, up to kNistOrder of them, as long as
// step(node, word, depth) gives a child.
template <class Step>
void walk_grams(const std::vector<uint32_t>& words, const Step& step) {
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
        const std::size_t depths = std::min(kNistOrder, words.size() - begin);
        uint32_t node = GramTree::kRoot;
        for (std::size_t depth = 0; depth < depths; ++depth) {
            node = step(node, words[begin + depth], depth);
            if (node == GramTree::kNone) break;
        }
    }
}

}  // namespace

uint32_t Lexicon::add(std::u32string_view word) {
    const uint32_t number = find(word);
    if (number != kUnknown) return number;
    const auto next = static_cast<uint32_t>(words_.size());
    words_.emplace_back(word);
    numbers_.emplace(words_.back(), next);
    return next;
}

uint32_t Lexicon::find(std::u32string_view word) const {
    const auto found = numbers_.find(word);
    return found != numbers_.end() ? found->second : kUnknown;
}

void GramTree::clear() {
    slots_.assign(kFewestSlots, Slot{});
    size_ = 1;
}

uint32_t GramTree::add(uint32_t parent, uint32_t word) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(parent, word)];
    if (slot.node != kNone) return slot.node;
    if (size_ > 0xfffffffe) throw std::length_error("the references have too many n-grams");
    slot = Slot{parent, word, static_cast<uint32_t>(size_++)};
    return slot.node;
}

// Where the child is, or the empty slot where it would be.
std::size_t GramTree::place(uint32_t parent, uint32_t word) const {
    const uint64_t hash = (static_cast<uint64_t>(parent) << 32 | word) * 0x9e3779b97f4a7c15;
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = (hash ^ (hash >> 32)) & mask;
    while (slots_[place].node != kNone &&
           (slots_[place].parent != parent || slots_[place].word != word))
        place = (place + 1) & mask;
    return place;
}

void GramTree::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.node != kNone) slots_[place(slot.parent, slot.word)] = slot;
}

NistWeights::NistWeights(const std::vector<std::vector<Text>>& references, Tokeniser tokeniser)
    : tokeniser_(tokeniser) {
    Words cutter;
    std::vector<Place> places;
    std::vector<uint32_t> words;
    Pace pace;
    for (const auto& given : references) {
        for (const Text& text : given) {
            pace.spend(64 * text.size);
            for (const auto& word : cutter(text, tokeniser_)) words.push_back(lexicon_.add(word));
            while (places.size() < words.size())
                places.push_back({GramTree::kRoot, places.size(), words.size()});
        }
    }
    // The root, which is the n-gram of no words, occurs as often as there are words.
    std::vector<double> counts(1, static_cast<double>(words.size()));
    for (std::size_t n = 0; n < kNistOrder; ++n) extend(places, words, counts);
    // A quotient of logarithms, because that is nltk's logarithm to base 2 to the last bit.
    weights_.assign(counts.size(), 0.0);
    tree_.for_each_edge([&](uint32_t parent, uint32_t node) {
        weights_[node] = std::log(counts[parent] / counts[node]) / std::log(2.0);
    });
}

// Lengthens the n-gram at every place by a word. What follows an n-gram that occurs only once is
// certain and carries no information, so it is left out, which is most of all long n-grams.
void NistWeights::extend(std::vector<Place>& places, const std::vector<uint32_t>& words,
                         std::vector<double>& counts) {
    const auto ended = [&](const Place& place) {
        return place.next == place.end || counts[place.node] < 2;
    };
    places.erase(std::remove_if(places.begin(), places.end(), ended), places.end());
    Pace pace;
    for (Place& place : places) {
        place.node = tree_.add(place.node, words[place.next++]);
        if (place.node == counts.size()) counts.push_back(0.0);
        ++counts[place.node];
        pace.spend(64);
    }
}

void NistWeights::find_words(const Text& text, Words& cutter,
                             std::vector<uint32_t>& numbers) const {
    numbers.clear();
    for (const auto& word : cutter(text, tokeniser_)) numbers.push_back(lexicon_.find(word));
}

// The translation's n-grams as a tree of their own, in which references are then looked up.
void NistWeights::plant_translation(NistScratch& scratch) const {
    scratch.tree.clear();
    scratch.grams.assign(1, {GramTree::kRoot, 0, 0, 0});
    walk_grams(scratch.translation, [&](uint32_t parent, uint32_t word, std::size_t order) {
        uint32_t node = scratch.tree.find(parent, word);
        if (node == GramTree::kNone) {
            const uint32_t known = tree_.find(scratch.grams[parent].known, word);
            if (known == GramTree::kNone) return GramTree::kNone;
            node = scratch.tree.add(parent, word);
            scratch.grams.push_back({known, 0, 0, order});
        }
        ++scratch.grams[node].in_translation;
        return node;
    });
}

// Summed in the order in which the translation has its n-grams, as nltk does: the last bit may
// decide between references.
void NistWeights::share_reference(NistScratch& scratch, double* information) const {
    walk_grams(scratch.reference, [&](uint32_t parent, uint32_t word, std::size_t) {
        const uint32_t node = scratch.tree.find(parent, word);
        if (node != GramTree::kNone) ++scratch.grams[node].in_reference;
        return node;
    });
    std::fill(information, information + kNistOrder, 0.0);
    for (NistScratch::Gram& gram : scratch.grams) {
        const uint32_t shared = std::min(gram.in_translation, gram.in_reference);
        if (shared > 0)
            information[gram.order] += weights_[gram.known] * static_cast<double>(shared);
        gram.in_reference = 0;
    }
}

void NistWeights::count(const Text& translation, const std::vector<Text>& references,
                        NistScratch& scratch, double* row) const {
    find_words(translation, scratch.cutter, scratch.translation);
    plant_translation(scratch);
    double best[kNistOrder], lengths[kNistOrder] = {};
    std::fill(best, best + kNistOrder, -1.0);
    for (const Text& reference : references) {
        double information[kNistOrder];
        find_words(reference, scratch.cutter, scratch.reference);
        share_reference(scratch, information);
        const auto length = static_cast<double>(scratch.reference.size());
        for (std::size_t n = 0; n < kNistOrder; ++n) {
            // Of equally good references the longest.
            if (information[n] == best[n]) lengths[n] = std::max(lengths[n], length);
            if (information[n] > best[n]) lengths[n] = length;
            best[n] = std::max(best[n], information[n]);
        }
    }
    const std::size_t length = scratch.translation.size();
    double* totals = row + kNistOrder;
    double* both_lengths = totals + kNistOrder;
    for (std::size_t n = 0; n < kNistOrder; ++n) {
        row[n] = best[n];
        totals[n] = length > n ? static_cast<double>(length - n) : 0.0;
        both_lengths[0] += lengths[n];
        both_lengths[1] += static_cast<double>(length);
    }
}

}  // namespace concordant
