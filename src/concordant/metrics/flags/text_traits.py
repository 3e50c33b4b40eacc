"""What texts show of their script and their length, counted in the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.flags.scripts import HAN, KANA, SCRIPTS, script_of
from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

TIMES, PERIOD = 4, 8  # a loop: so often in a row, and at most so many words


@dataclass(frozen=True)
class TextTraits:
    """Counts of each text: `letters` (texts, scripts).

    `words` are separated by white space. `length` is in characters, without outer white space.
    `repeated` says where a run of up to eight words stands four times in a row.
    """

    letters: Ints
    words: Ints
    length: Ints
    repeated: Bools

    @property
    def tokens(self) -> Ints:
        """Words, and every letter of Chinese and Japanese, which have no spaces."""
        return np.asarray(self.words + self.letters[:, HAN] + self.letters[:, KANA])


def text_traits(texts: Sequence[str]) -> TextTraits:
    """What each text shows.

    >>> found = text_traits(["Été 42!", "да, yes", " das ist das Haus "])
    >>> found.letters[:, [SCRIPTS.index("Latin"), SCRIPTS.index("Cyrillic")]].tolist()
    [[3, 0], [3, 2], [13, 0]]
    >>> found.words.tolist(), found.length.tolist()
    ([2, 2, 4], [7, 7, 16])
    """
    counts = _kernel().count(list(texts), [text.lower() for text in texts]).astype(np.int64)
    words, length, repeated = counts[:, len(SCRIPTS) :].T
    letters = counts[:, : len(SCRIPTS)]
    return TextTraits(letters, words, length, repeated.astype(np.bool_))


@cache
def _kernel() -> _native.TextTraits:
    return _native.TextTraits(script_of(), len(SCRIPTS), TIMES, PERIOD)
