// The tokenisers that BLEU knows, by rules on code points: the same pieces as sacrebleu's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../../native/text.hpp"

namespace concordant {

enum class Tokeniser { none, v13a, intl, chars, zh, chrf };

Tokeniser tokeniser_named(const std::string& name);

// What `intl` asks of a character; the table has a byte for every code point, filled once.
enum CharacterClass : uint8_t { kOther = 0, kNumber = 1, kPunctuation = 2, kSymbol = 3 };
void set_character_classes(const uint8_t* classes, std::size_t size);

// A line cut into words. The words view into buffers of this object or into the tokenised copy of
// the line, and are good until the next call.
class Words {
  public:
    const std::vector<std::u32string_view>& operator()(const Text& text, Tokeniser tokeniser);

  private:
    void rules_intl();
    std::u32string line_, other_;
    std::vector<std::u32string_view> words_;
};

}  // namespace concordant
