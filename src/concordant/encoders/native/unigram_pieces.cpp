#include "unigram_pieces.hpp"

#include <algorithm>
#include <utility>

namespace concordant {

namespace {

constexpr char32_t kSpace = 0x2581;  // stands for a space in pieces
constexpr char32_t kReplacement = 0xfffd;
constexpr float kPenalty = 10.0f;  // of an unknown character, below the rarest piece

bool is_surrogate(char32_t c) { return c >= 0xd800 && c <= 0xdfff; }

int32_t unknown_number(std::u32string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (char32_t c : text) hash = (hash ^ c) * 0x100000001b3;
    return -1 - static_cast<int32_t>((hash ^ hash >> 32) & 0x3fffffff);
}

}  // namespace

UnigramPieces::UnigramPieces(const std::vector<std::u32string>& pieces,
                             const std::vector<float>& scores,
                             const std::vector<std::u32string>& from,
                             std::vector<std::u32string> to)
    : scores_(scores), replacements_(std::move(to)) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!pieces[i].empty()) pieces_.add(pieces[i], static_cast<int32_t>(i));
    for (std::size_t i = 0; i < from.size(); ++i) rules_.add(from[i], static_cast<int32_t>(i));
    if (!scores_.empty()) unknown_ = *std::min_element(scores_.begin(), scores_.end()) - kPenalty;
}

void UnigramPieces::encode(UnigramScratch& scratch, std::vector<int32_t>& numbers) const {
    rewrite(scratch);
    find_best(scratch);
    const std::u32string_view text = scratch.text;
    const auto first = static_cast<std::ptrdiff_t>(numbers.size());
    for (std::size_t end = text.size(); end > 0;) {
        std::size_t start = scratch.best[end].start;
        int32_t number = scratch.best[end].piece;
        if (number == TextTrie::kNone) {
            while (start > 0 && scratch.best[start].piece == TextTrie::kNone)
                start = scratch.best[start].start;
            number = unknown_number(text.substr(start, end - start));
        }
        numbers.push_back(number);
        end = start;
    }
    std::reverse(numbers.begin() + first, numbers.end());
}

// scratch.points → scratch.text, with a mark for each space and one before the first word.
void UnigramPieces::rewrite(UnigramScratch& scratch) const {
    std::u32string& text = scratch.text;
    text.clear();
    const auto add = [&text](char32_t c) {
        if (text.empty()) text.push_back(kSpace);
        if (c != U' ')
            text.push_back(c);
        else if (text.back() != kSpace)
            text.push_back(kSpace);
    };
    const std::u32string_view points = scratch.points;
    for (std::size_t i = 0; i < points.size();) {
        std::size_t length = 0;
        int32_t rule = TextTrie::kNone;
        rules_.visit_beginnings(points.substr(i), [&](std::size_t size, int32_t number) {
            length = size;
            rule = number;
        });
        if (length == 0) {
            add(is_surrogate(points[i]) ? kReplacement : points[i]);
            ++i;
            continue;
        }
        for (char32_t c : replacements_[static_cast<std::size_t>(rule)]) add(c);
        i += length;
    }
    while (!text.empty() && text.back() == kSpace) text.pop_back();
}

// The likeliest way to each place. Products of probabilities are sums of floats; a sum is made in
// double and kept as float, as SentencePiece does.
void UnigramPieces::find_best(UnigramScratch& scratch) const {
    const std::u32string_view text = scratch.text;
    scratch.best.assign(text.size() + 1, {});
    for (std::size_t start = 0; start < text.size(); ++start) {
        const float here = scratch.best[start].score;
        bool single = false;
        const auto reach = [&](std::size_t end, double score, int32_t piece) {
            UnigramScratch::Step& step = scratch.best[end];
            if (step.start != UnigramScratch::kUnreached && score <= step.score) return;
            step = {static_cast<float>(score), piece, start};
        };
        pieces_.visit_beginnings(text.substr(start), [&](std::size_t length, int32_t piece) {
            const double score = scores_[static_cast<std::size_t>(piece)];
            reach(start + length, score + here, piece);
            single = single || length == 1;
        });
        if (!single) reach(start + 1, unknown_ + here, TextTrie::kNone);
    }
}

}  // namespace concordant
