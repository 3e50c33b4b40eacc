// The lexical kernel as Python sees it: a batch of strings in, a matrix of counts out.
#include "bindings.hpp"

NB_MODULE(_native, m) {
    m.doc() = "The lexical kernel: tokenise, count, match, align, edit; batched and threaded.";
    concordant::bind_character(m);
    concordant::bind_edits(m);
    concordant::bind_grid(m);
    concordant::bind_language(m);
    concordant::bind_meteor(m);
    concordant::bind_ngrams(m);
    concordant::bind_nist(m);
    concordant::bind_ter(m);
    concordant::bind_text_traits(m);
}
