// Porter's second stemmer for English, the "English" of Snowball as of 2006 (porter2).
//
// Later Snowball releases stem some words differently; METEOR 1.5 carries this one, so it is kept.
// https://snowballstem.org/algorithms/english/stemmer.html
#pragma once

#include <string>

namespace concordant {

// Replaces a word in lower case by its stem.
void porter2_stem(std::u32string& word);

}  // namespace concordant
