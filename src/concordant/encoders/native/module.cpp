// The embeddings kernel as Python sees it: texts to rows of a vector table, rows matched to rows.
#include "bindings.hpp"

NB_MODULE(_native, m) {
    m.doc() = "The embeddings kernel: words and word pieces as numbers, tokens matched by vectors.";
    concordant::bind_token_match(m);
    concordant::bind_transformer(m);
    concordant::bind_unigram_pieces(m);
    concordant::bind_word_index(m);
    concordant::bind_word_pieces(m);
}
