// METEOR 1.5's own tokenisation (its option -norm) of English, Czech, French, Spanish, German and
// Russian, rule by rule in its order: what a rule sees depends on the rules before it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace concordant {

enum class Apostrophes { english, french, apart };

// Abbreviations whose full stop stays with them: always, or only before a number.
using Prefixes = std::unordered_map<std::u32string, bool>;

struct NormaliserRules {
    Apostrophes apostrophes = Apostrophes::english;
    bool keep_punctuation = true;
    Prefixes prefixes;  // → only before a number
};

class Normaliser {
  public:
    // The tokens of a line, joined by single spaces; the case is kept.
    const std::u32string& normalise(std::u32string_view line, const NormaliserRules& rules);

  private:
    template <class Left, class Right>
    void around(char32_t middle, const Left& left, const Right& right, std::u32string_view put);
    void separate(std::u32string_view line);
    void commas();
    void quotes();
    void dashes();
    void apostrophes(Apostrophes kind);
    void full_stops(const Prefixes& prefixes);
    void close(bool keep_punctuation);

    std::u32string line_, next_;
    std::vector<std::u32string_view> tokens_;
};

}  // namespace concordant
