// The parts of the kernel; each part's binding file defines one of these.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant {

void bind_token_match(nanobind::module_& m);
void bind_transformer(nanobind::module_& m);
void bind_unigram_pieces(nanobind::module_& m);
void bind_word_index(nanobind::module_& m);
void bind_word_pieces(nanobind::module_& m);

}  // namespace concordant
