#include "porter2.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace concordant {

namespace {

using View = std::u32string_view;

// A suffix, what takes its place, and a condition: letters of which one must precede it.
struct Rule {
    View suffix, replacement;
    View preceded_by = U"";
};

constexpr std::array<Rule, 18> kWholeWords{{
    {U"skis", U"ski"},     {U"skies", U"sky"},   {U"dying", U"die"},    {U"lying", U"lie"},
    {U"tying", U"tie"},    {U"idly", U"idl"},    {U"gently", U"gentl"}, {U"ugly", U"ugli"},
    {U"early", U"earli"},  {U"only", U"onli"},   {U"singly", U"singl"}, {U"sky", U"sky"},
    {U"news", U"news"},    {U"howe", U"howe"},   {U"atlas", U"atlas"},  {U"cosmos", U"cosmos"},
    {U"bias", U"bias"},    {U"andes", U"andes"},
}};

constexpr std::array<View, 8> kKeptAfterStep1a{{U"inning", U"outing", U"canning", U"herring",
                                                U"earring", U"proceed", U"exceed", U"succeed"}};

// Step 2, in R1.
constexpr std::array<Rule, 24> kStep2{{
    {U"tional", U"tion"},   {U"enci", U"ence"},    {U"anci", U"ance"},   {U"abli", U"able"},
    {U"entli", U"ent"},     {U"izer", U"ize"},     {U"ization", U"ize"}, {U"ational", U"ate"},
    {U"ation", U"ate"},     {U"ator", U"ate"},     {U"alism", U"al"},    {U"aliti", U"al"},
    {U"alli", U"al"},       {U"fulness", U"ful"},  {U"ousli", U"ous"},   {U"ousness", U"ous"},
    {U"iveness", U"ive"},   {U"iviti", U"ive"},    {U"biliti", U"ble"},  {U"bli", U"ble"},
    {U"ogi", U"og", U"l"},  {U"fulli", U"ful"},    {U"lessli", U"less"},
    {U"li", U"", U"cdeghkmnrt"},
}};

// Step 3, in R1; "ative" in R2.
constexpr std::array<Rule, 9> kStep3{{
    {U"tional", U"tion"}, {U"ational", U"ate"}, {U"alize", U"al"}, {U"icate", U"ic"},
    {U"iciti", U"ic"},    {U"ical", U"ic"},     {U"ful", U""},     {U"ness", U""},
    {U"ative", U""},
}};

// Step 4, in R2.
constexpr std::array<Rule, 18> kStep4{{
    {U"al", U""},   {U"ance", U""}, {U"ence", U""},  {U"er", U""},   {U"ic", U""},
    {U"able", U""}, {U"ible", U""}, {U"ant", U""},   {U"ement", U""}, {U"ment", U""},
    {U"ent", U""},  {U"ism", U""},  {U"ate", U""},   {U"iti", U""},  {U"ous", U""},
    {U"ive", U""},  {U"ize", U""},  {U"ion", U"", U"st"},
}};

bool is_vowel(char32_t c) { return View(U"aeiouy").find(c) != View::npos; }

bool ends_with(View word, View suffix) {
    return word.size() >= suffix.size() && word.substr(word.size() - suffix.size()) == suffix;
}

bool has_vowel(View part) { return std::any_of(part.begin(), part.end(), is_vowel); }

// The longest suffix of the table that the word ends in, or null.
template <std::size_t N>
const Rule* longest(const std::array<Rule, N>& rules, View word) {
    const Rule* best = nullptr;
    for (const Rule& rule : rules)
        if (ends_with(word, rule.suffix) &&
            (best == nullptr || rule.suffix.size() > best->suffix.size()))
            best = &rule;
    return best;
}

class Stemmer {
  public:
    explicit Stemmer(std::u32string& word) : word_(word) {}

    void run() {
        mark_consonant_y();
        mark_regions();
        step_1a();
        if (std::find(kKeptAfterStep1a.begin(), kKeptAfterStep1a.end(), View(word_)) ==
            kKeptAfterStep1a.end()) {
            step_1b();
            step_1c();
            replace(longest(kStep2, word_), r1_);
            step_3();
            replace(longest(kStep4, word_), r2_);
            step_5();
        }
        if (marked_) std::replace(word_.begin(), word_.end(), U'Y', U'y');
    }

  private:
    void drop(std::size_t letters) { word_.resize(word_.size() - letters); }

    void mark_consonant_y() {
        if (!word_.empty() && word_[0] == U'\'') word_.erase(0, 1);
        for (std::size_t i = 0; i < word_.size(); ++i)
            if (word_[i] == U'y' && (i == 0 || is_vowel(word_[i - 1]))) {
                word_[i] = U'Y';
                marked_ = true;
            }
    }

    // Behind the first consonant that follows a vowel, from `begin`.
    std::size_t region(std::size_t begin) const {
        const auto vowel = std::find_if(word_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        word_.end(), is_vowel);
        const auto consonant = std::find_if_not(vowel, word_.end(), is_vowel);
        if (consonant == word_.end()) return word_.size();
        return static_cast<std::size_t>(consonant - word_.begin()) + 1;
    }

    void mark_regions() {
        r1_ = 0;
        for (const View start : {View(U"gener"), View(U"commun"), View(U"arsen")})
            if (View(word_).substr(0, start.size()) == start) r1_ = start.size();
        if (r1_ == 0) r1_ = region(0);
        r2_ = region(r1_);
    }

    bool in_region(std::size_t suffix, std::size_t region) const {
        return word_.size() - suffix >= region;
    }

    // Ends in a short syllable: consonant, vowel, consonant other than w, x, Y; or is vowel and
    // consonant alone.
    bool ends_short() const {
        const std::size_t n = word_.size();
        if (n < 2 || is_vowel(word_[n - 1]) || !is_vowel(word_[n - 2])) return false;
        if (n == 2) return true;
        return !is_vowel(word_[n - 3]) && View(U"wxY").find(word_[n - 1]) == View::npos;
    }

    void replace(const Rule* rule, std::size_t region) {
        if (rule == nullptr || !in_region(rule->suffix.size(), region)) return;
        const std::size_t rest = word_.size() - rule->suffix.size();
        if (!rule->preceded_by.empty() &&
            (rest == 0 || rule->preceded_by.find(word_[rest - 1]) == View::npos))
            return;
        word_.replace(rest, View::npos, rule->replacement);
    }

    void step_1a() {
        for (const View suffix : {View(U"'s'"), View(U"'s"), View(U"'")})
            if (ends_with(word_, suffix)) {
                drop(suffix.size());
                break;
            }
        if (ends_with(word_, U"sses")) return drop(2);
        if (ends_with(word_, U"ied") || ends_with(word_, U"ies"))
            return drop(word_.size() > 4 ? 2 : 1);
        if (!ends_with(word_, U"s") || ends_with(word_, U"us") || ends_with(word_, U"ss")) return;
        if (word_.size() > 2 && has_vowel(View(word_).substr(0, word_.size() - 2))) drop(1);
    }

    void step_1b() {
        for (const View suffix : {View(U"eedly"), View(U"eed")})
            if (ends_with(word_, suffix)) {
                if (in_region(suffix.size(), r1_)) drop(suffix.size() - 2);
                return;
            }
        for (const View suffix : {View(U"ingly"), View(U"edly"), View(U"ing"), View(U"ed")})
            if (ends_with(word_, suffix)) {
                if (!has_vowel(View(word_).substr(0, word_.size() - suffix.size()))) return;
                drop(suffix.size());
                return mend();
            }
    }

    // After -ed and -ing: hoping → hope, hopping → hop, luxuriated → luxuriate.
    void mend() {
        const std::size_t n = word_.size();
        const View at_end = View(word_).substr(n < 2 ? 0 : n - 2);
        if (at_end == U"at" || at_end == U"bl" || at_end == U"iz") {
            word_ += U'e';
        } else if (n >= 2 && word_[n - 1] == word_[n - 2] &&
                   View(U"bdfgmnprt").find(word_[n - 1]) != View::npos) {
            drop(1);
        } else if (n == r1_ && ends_short()) {
            word_ += U'e';
        }
    }

    void step_1c() {
        const std::size_t n = word_.size();
        if (n > 2 && (word_[n - 1] == U'y' || word_[n - 1] == U'Y') && !is_vowel(word_[n - 2]))
            word_[n - 1] = U'i';
    }

    void step_3() {
        const Rule* rule = longest(kStep3, word_);
        replace(rule, rule != nullptr && rule->suffix == U"ative" ? std::max(r1_, r2_) : r1_);
    }

    void step_5() {
        if (ends_with(word_, U"e")) {
            const bool in_r1 = in_region(1, r1_), in_r2 = in_region(1, r2_);
            drop(1);
            if (!in_r2 && (!in_r1 || ends_short())) word_ += U'e';
        } else if (ends_with(word_, U"ll") && in_region(1, r2_)) {
            drop(1);
        }
    }

    std::u32string& word_;
    std::size_t r1_ = 0, r2_ = 0;
    bool marked_ = false;  // is there a y that counts as a consonant?
};

}  // namespace

void porter2_stem(std::u32string& word) {
    for (const Rule& rule : kWholeWords)
        if (word == rule.suffix) {
            word = rule.replacement;
            return;
        }
    if (word.size() > 2) Stemmer(word).run();
}

}  // namespace concordant
