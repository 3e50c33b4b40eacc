"""Texts cut into words as the makers of word vectors cut theirs, so that the words are found.

GloVe's texts went through Stanford's tokeniser, which follows the Penn Treebank. This is the part
of its rules that matters for finding words: cut at white space; every mark of punctuation and every
symbol apart, but full stops and commas stay in numbers (1,000.50) and apostrophes in words
(O'Brien); English clitics apart (do n't, cat 's, we 'll); ’ is taken as '. Compounds stay whole:
words with hyphens (well-known), initials (U.S.) and runs of one mark (... and --). Where a
vocabulary is at hand (`WordVectors.tokens`), a compound that it does not have is cut into its
parts.
"""

from __future__ import annotations

from concordant.encoders import _native

RULES = "tokens:1"  # stands in signatures; a change of the rules needs a new number


def word_tokens(text: str) -> list[str]:
    """The words and marks of a text in order, every compound whole.

    >>> word_tokens("Isn't it the well-known U.S. cat's, for 1,000.50?")
    ['Is', "n't", 'it', 'the', 'well-known', 'U.S.', 'cat', "'s", ',', 'for', '1,000.50', '?']
    """
    return _native.word_tokens([text])[0]
