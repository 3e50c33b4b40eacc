// The parts of the kernel; each part's binding file defines one of these.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant {

void bind_ngrams(nanobind::module_& m);

}  // namespace concordant
