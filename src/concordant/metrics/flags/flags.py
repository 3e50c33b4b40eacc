"""Flags: what is suspicious about a segment, from its texts alone; a hint, not a verdict.

A metric gives every text a score, also an empty one or one in the wrong language. Flags say where
that score should not be trusted. Each segment is judged by itself, so that flags do not depend on
how a file is cut into blocks. `FLAGS` is the whole list.
"""

from __future__ import annotations

from itertools import chain, compress, groupby
from operator import eq
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.judgements.entities import has_entities
from concordant.metrics.flags.other_language import in_other_language, in_words_of_source
from concordant.metrics.flags.scripts import HAN, HANGUL, KANA
from concordant.metrics.flags.text_traits import PERIOD, TIMES, text_traits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from concordant.metrics.flags.text_traits import TextTraits

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

FLAGS = {
    "empty-output": "the translation is empty",
    "empty-reference": "a reference is empty",
    "source-copy": "the translation equals the source, and no reference does",
    "wrong-script": "most letters are of a script that no reference uses",
    "wrong-language": "clearly another language, or mostly words of the source",
    "too-long": "over twice as long as the longest reference, and over 20 characters",
    "too-short": "under a third of the shortest reference",
    "very-long": "a text has over 2,000 words or 16,384 characters: it may be compared in windows",
    "entities": "a text has HTML entities such as &quot;, which metrics read as written",
    "loop": "a run of up to 8 words is repeated four times or more",
}
FEW_LETTERS = 4  # fewer do not show a script
SHORT = 20  # characters; length differences of shorter texts mean nothing
# The kernel compares texts whole up to so many tokens, and a token has a character or more
# (native/windows.hpp); CharacTER only up to so many words (metrics/lexical/native/character.hpp).
VERY_LONG = 2000  # words, and letters of Chinese and Japanese
VERY_LONG_CHARACTERS = 16_384


def flags(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    language: str | None = None,
) -> list[tuple[str, ...]]:
    """The flags of each segment; most have none. `language` is the target language, if known.

    >>> flags(["", "Das ist ja nicht zu glauben"], [["No."], ["That is not to be believed"]])
    [('empty-output',), ('wrong-language',)]
    """
    names = tuple(FLAGS)
    found = flag_table(translations, references, sources, language=language)
    none: tuple[str, ...] = ()
    result = [none] * len(translations)
    for row in np.flatnonzero(found.any(axis=1)).tolist():
        result[row] = tuple(compress(names, found[row]))
    return result


def flag_table(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None = None,
    *,
    language: str | None = None,
) -> Bools:
    """Which flags each segment has: (segments, flags), the columns in the order of `FLAGS`."""
    count = len(translations)
    if count == 0:
        return np.zeros((0, len(FLAGS)), dtype=np.bool_)
    if not len(references):
        references = [()] * count  # of a metric that does without them
    of = np.repeat(np.arange(count), [len(given) for given in references])
    refs = list(chain.from_iterable(references))
    out, ref = text_traits(translations), text_traits(refs)
    copied = np.zeros(count, dtype=np.bool_)
    language_off = in_other_language(translations, references, language)
    language_off |= _no_kana(out.letters, ref.letters, of)
    if sources is not None:
        copied = _copies(translations, references, sources)
        language_off |= in_words_of_source(translations, references, sources)
    too_long, too_short = _lengths(out.length, ref.length, of)
    script_off = _other_script(out.letters, ref.letters, of)
    return np.stack([
        out.length == 0, _by_segment(np.logical_or, ref.length == 0, of, count), copied, script_off,
        language_off & ~copied & ~script_off, too_long, too_short,
        _very_long(out) | _by_segment(np.logical_or, _very_long(ref), of, count),
        _entities(translations, references), _loops(translations, references, out),
    ], axis=1)  # fmt: skip


def _by_segment(joined: np.ufunc, values: npt.ArrayLike, of: Ints, count: int) -> npt.NDArray[Any]:
    """What the references of each segment come to, joined; 0 where there are none.

    `of` is the segment of each reference, in order.
    """
    array = np.asarray(values)
    found = np.zeros((count, *array.shape[1:]), dtype=array.dtype)
    if len(of):
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        found[of[starts]] = joined.reduceat(array, starts, axis=0)
    return found


def _other_script(translations: Ints, references: Ints, of: Ints) -> Bools:
    """Whether most letters are of scripts that have no tenth of any reference's letters."""
    translations, references = _japanese_as_one(translations), _japanese_as_one(references)
    total = references.sum(axis=1, keepdims=True)
    written = (10 * references >= total) & (references > 0)
    used = _by_segment(np.logical_or, written, of, len(translations))
    known = _by_segment(np.logical_or, total[:, 0] >= FEW_LETTERS, of, len(translations))
    letters = translations.sum(axis=1)
    foreign = (translations * ~used).sum(axis=1)
    return np.asarray(known & (letters >= FEW_LETTERS) & (2 * foreign > letters))


def _japanese_as_one(letters: Ints) -> Ints:
    """Kana counted as Han: a Japanese sentence may have either."""
    merged = letters.copy()
    merged[:, HAN] += merged[:, KANA]
    merged[:, KANA] = 0
    return merged


def _no_kana(translations: Ints, references: Ints, of: Ints) -> Bools:
    """Chinese for Japanese, or the other way: kana in one text only, and enough Han in both."""
    enough = (references[:, HAN] + references[:, KANA]) >= SHORT
    mostly = enough & (5 * references[:, KANA] >= references[:, HAN])
    plain = enough & (references[:, KANA] == 0)
    japanese = _by_segment(np.logical_or, mostly, of, len(translations))
    chinese = _by_segment(np.logical_or, plain, of, len(translations)) & ~japanese
    here = (translations[:, HAN] + translations[:, KANA]) >= SHORT
    kana = 5 * translations[:, KANA] >= translations[:, HAN]
    return np.asarray(here & ((japanese & (translations[:, KANA] == 0)) | (chinese & kana)))


def _copies(
    translations: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
) -> Bools:
    """Whether the translation equals the source up to case and spaces, and no reference does.

    Text without letters, or the same in both languages, is copied correctly.
    """

    def plain(text: str) -> str:
        return " ".join(text.lower().split())

    return np.array([
        bool(output)
        and (same := plain(output)) == plain(source)
        and any(map(str.isalpha, same))
        and all(plain(text) != same for text in given)
        for output, given, source in zip(translations, references, sources, strict=True)
    ])


def _lengths(length: Ints, sizes: Ints, of: Ints) -> tuple[Bools, Bools]:
    """Far too long and far too short against the references that have text."""
    longest = _by_segment(np.maximum, sizes, of, len(length))
    some = np.where(sizes > 0, sizes, longest[of])
    shortest = _by_segment(np.minimum, some, of, len(length))
    too_long = (longest > 0) & (length > 2 * longest + SHORT)
    too_short = (length > 0) & (shortest >= SHORT) & (3 * length < shortest)
    return np.asarray(too_long), np.asarray(too_short)


def _very_long(texts: TextTraits) -> Bools:
    """Whether texts are so long that a measure may compare them in windows."""
    # Word pieces are cut from decomposed text, where a Hangul syllable has up to three characters.
    characters = texts.length + 2 * texts.letters[:, HANGUL]
    return np.asarray((texts.tokens > VERY_LONG) | (characters > VERY_LONG_CHARACTERS))


def _entities(translations: Sequence[str], references: Sequence[Sequence[str]]) -> Bools:
    """Whether the translation or a reference has entities, which people saw as characters."""
    return np.array([
        has_entities(output) or any(map(has_entities, given))
        for output, given in zip(translations, references, strict=True)
    ], dtype=np.bool_)  # fmt: skip


def _loops(
    translations: Sequence[str], references: Sequence[Sequence[str]], out: TextTraits
) -> Bools:
    """Whether a translation, and no reference, repeats words four times in a row."""
    unspaced = 2 * (out.letters[:, HAN] + out.letters[:, KANA]) > out.letters.sum(axis=1)
    found = np.zeros(len(translations), dtype=np.bool_)
    for i in np.flatnonzero(out.repeated | unspaced).tolist():
        words = translations[i].lower().split()
        units = list("".join(words)) if unspaced[i] else words
        if len(units) - len(set(units)) < TIMES - 1 or not repeats(units):
            continue
        same = (list(text) if unspaced[i] else text.lower().split() for text in references[i])
        found[i] = not any(map(repeats, same))
    return found


def repeats(units: Sequence[str]) -> bool:
    """Whether a run of up to eight units with a letter is repeated four times in a row.

    >>> repeats("so it was it was it was it was".split()), repeats("ha ha ha".split())
    (True, False)
    """
    for period in range(1, min(PERIOD, len(units) // TIMES) + 1):
        again = list(map(eq, units, units[period:]))
        need = (TIMES - 1) * period
        if sum(again) < need:
            continue
        for begin, end in _runs(again):
            run = "".join(units[begin : begin + period])
            if end - begin >= need and any(map(str.isalpha, run)):
                return True
    return False


def _runs(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where each run of true ones begins and ends."""
    begin = 0
    for mark, group in groupby(marks):
        end = begin + sum(1 for _ in group)
        if mark:
            yield begin, end
        begin = end
