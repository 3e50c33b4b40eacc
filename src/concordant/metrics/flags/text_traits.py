"""What texts show of their script, their language and their length, counted in the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from concordant.metrics.flags.function_words import FUNCTION_WORDS, LANGUAGES, MOST
from concordant.metrics.flags.scripts import HAN, KANA, SCRIPTS, script_of
from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

TIMES, PERIOD = 4, 8  # a loop: so often in a row, and at most so many words
FEWEST = 3  # function words that speak for a language


@dataclass(frozen=True)
class TextTraits:
    """Counts of each text: `letters` (texts, scripts), `function_words` (texts, languages).

    `words` are separated by white space. `length` is in characters, without outer white space.
    `repeated` says where a run of up to eight words stands four times in a row.
    """

    letters: Ints
    function_words: Ints
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
    >>> found.function_words[2, [LANGUAGES.index("de"), LANGUAGES.index("en")]].tolist()
    [3, 0]
    >>> found.words.tolist(), found.length.tolist()
    ([2, 2, 4], [7, 7, 16])
    """
    counts = _kernel().count(list(texts), [text.lower() for text in texts]).astype(np.int64)
    scripts, languages = len(SCRIPTS), len(LANGUAGES)
    words, length, repeated = counts[:, scripts + languages :].T
    return TextTraits(
        counts[:, :scripts],
        counts[:, scripts : scripts + languages],
        words,
        length,
        repeated.astype(np.bool_),
    )


def seem_english(texts: Sequence[str]) -> bool:
    """Whether texts may be English: False where another script or language clearly prevails.

    >>> seem_english(["The house is by the river."]), seem_english(["Das Haus ist auf dem Berg."])
    (True, False)
    """
    found = text_traits(texts)
    letters, words = found.letters.sum(axis=0), found.function_words.sum(axis=0)
    in_script = 2 * int(letters[SCRIPTS.index("Latin")]) >= int(letters.sum())
    most, english = int(words.max()), int(words[LANGUAGES.index("en")])
    return in_script and most < max(FEWEST, 2 * english)


@cache
def _kernel() -> _native.TextTraits:
    lists = [set(words.split()) for words in FUNCTION_WORDS.values()]
    language_of = np.repeat(np.arange(len(lists), dtype=np.int32), [len(words) for words in lists])
    words = [word for each in lists for word in each]
    return _native.TextTraits(
        script_of(), len(SCRIPTS), words, language_of, len(lists), MOST, TIMES, PERIOD
    )
