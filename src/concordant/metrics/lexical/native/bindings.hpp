// The parts of the kernel; each part's binding file defines one of these.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant {

void bind_character(nanobind::module_& m);
void bind_edits(nanobind::module_& m);
void bind_grid(nanobind::module_& m);
void bind_language(nanobind::module_& m);
void bind_meteor(nanobind::module_& m);
void bind_ngrams(nanobind::module_& m);
void bind_nist(nanobind::module_& m);
void bind_ter(nanobind::module_& m);
void bind_text_traits(nanobind::module_& m);

}  // namespace concordant
