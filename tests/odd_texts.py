"""Texts that break tokenisers, as translation strategies: every alphabet at once, few symbols each.

A text draws from a handful of pieces, so that two texts of one segment share n-grams.
"""

import string

from hypothesis import strategies as st

# Everything for which str.isspace() is true.
WHITE_SPACE = "".join(c for c in map(chr, range(0x110000)) if c.isspace())
PIECES = (
    *string.punctuation, *"0123456789", *"abzABZ", *WHITE_SPACE, " ", " ", "\n",
    # what 13a replaces, and what looks like it
    "<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&quot", "-\n", "<skip", "1,000.5",
    *"äßİŁΣς", "e\u0301", "\u0301", *"漢字かな。、「", *"٣½Ⅷ²", *"«»—…¿’",
    *"€±°©", "🙂", "𝐀", "𝟘", "𐄀",
    # nothing, or next to it
    "\0", "\ud800", "\udfff", "\u200b", "\u200d", "\ufeff", "\u180e", "\uffff", "\U0010ffff",
)  # fmt: skip


def pieces() -> st.SearchStrategy[str]:
    """A piece of the table, or any code point, lone surrogates among them."""
    return st.one_of(st.sampled_from(PIECES), st.characters(exclude_categories=()))


def spelled(symbols, places):
    """The symbols at some places; translation draws bytes much faster than lists of strings."""
    return "".join(symbols[place % len(symbols)] for place in places)


@st.composite
def batches(draw, max_references=3, max_pieces=25, max_segments=4):
    """Translations, and one to `max_references` references for each of them, of few pieces."""
    symbols = draw(st.lists(pieces(), min_size=1, max_size=8))
    text = st.binary(max_size=max_pieces).map(lambda places: spelled(symbols, places))
    segment = st.lists(text, min_size=2, max_size=max_references + 1)
    given = draw(st.lists(segment, min_size=1, max_size=max_segments))
    return [translation for translation, *_ in given], [references for _, *references in given]


def texts() -> st.SearchStrategy[str]:
    """One text."""
    return batches(max_references=1, max_segments=1).map(lambda batch: batch[0][0])
