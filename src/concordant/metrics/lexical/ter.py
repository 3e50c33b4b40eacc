"""TER, the translation edit rate (Snover et al. 2006), by the same numbers as sacrebleu.

Edits are insertions, deletions and substitutions of words, and shifts of whole phrases, which are
searched for as tercom does, within its limits. Counts of a segment are the fewest edits to any of
its references and the references' mean length; a corpus is the sum of its segments' counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts
from concordant.metrics.lexical.wer import error_rate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.metrics.lexical.texts import Floats

COLUMNS = ("edits", "reference length")


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    threads: int = 1,
) -> Floats:
    """Counts of each segment, in the order of COLUMNS: (segments, 2).

    The options are sacrebleu's, by its names and with its defaults: `normalized` separates
    punctuation, `no_punct` removes it, `asian_support` lets both of them mind CJK characters.

    >>> counts(["on the mat sat the cat"], [["The cat sat on the mat"]]).tolist()
    [[2.0, 6.0]]
    """
    if not (normalized or no_punct):
        texts = check_texts(translations, references, lowercase=not case_sensitive)
        return _native.ter_counts(*texts, threads)
    prepare = _tokeniser(normalized, no_punct, asian_support, case_sensitive)
    plain, given = check_texts(translations, references)
    return _native.ter_counts(
        [prepare(text) for text in plain],
        # sacrebleu prepares references twice, which shows in "..1": ". .1" becomes ". . 1".
        [[prepare(prepare(text)) for text in texts] for texts in given],
        threads,
    )


def ter(counts: Floats) -> Floats:
    """TER in percent, from 0, better when lower, of counts (last axis); it can exceed 100.

    >>> row = counts(["on the mat sat the cat"], [["The cat sat on the mat"]])
    >>> ter(row).round(2).tolist()
    [33.33]
    """
    return error_rate(counts[..., 0], counts[..., 1])


def _tokeniser(
    normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer  # noqa: PLC0415 - rarely needed

    tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)

    def prepare(text: str) -> str:
        prepared: str = tokenizer(text.rstrip())
        return prepared

    return prepare
