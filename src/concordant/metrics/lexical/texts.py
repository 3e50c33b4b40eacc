"""What every measure takes: a list of hypotheses, and one or more references for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError, SpecError, nearest
from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

TOKENISERS = {
    "13a": "mteval-v13a's rules, WMT's standard",
    "intl": "mteval-v14's rules: every Unicode punctuation and symbol apart",
    "char": "every character a token",
    "none": "white space only",
    "chrf": "chrF++'s rule: white space, and a mark of ASCII punctuation off the end of a word",
}


def check_texts(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    tokeniser: str | None = None,
) -> tuple[list[str], list[list[str]]]:
    """The texts as the kernel takes them; references given the wrong way round are refused.

    >>> check_texts(["a b"], [["a c", "b"]], lowercase=True)
    (['a b'], [['a c', 'b']])
    """
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if not hasattr(texts, "__len__") or isinstance(texts, str | bytes | Mapping | Set):
            raise ConcordantError(f"{name} must be a list, not {type(texts).__name__}")
    lists = set(map(type, references))
    if any(issubclass(kind, (str, bytes)) or not _is_list(kind) for kind in lists):
        raise ConcordantError("references must be one list per translation, such as [['first'], …]")
    if len(hypotheses) != len(references):
        turned = len(references) > 0 and {len(given or ()) for given in references} == {
            len(hypotheses)
        }
        cure = "; if you have one list per reference file, transpose them: list(zip(*references))"
        raise ConcordantError(
            f"{len(hypotheses)} translations, but references for {len(references)}; "
            f"give one list of references per translation{cure if turned else ''}"
        )
    if type(None) in lists or 0 in map(len, references):
        lonely = next(i for i, given in enumerate(references, 1) if given is None or not len(given))
        raise ConcordantError(f"translation {lonely} has no reference")
    kinds = set(map(type, chain(hypotheses, chain.from_iterable(references))))
    odd = sorted(kind.__name__ for kind in kinds if not issubclass(kind, str))
    if odd:
        raise ConcordantError(f"every text must be a string, but one is {', '.join(odd)}")
    if tokeniser is not None:
        _make_ready(tokeniser)
    if lowercase:
        return [h.lower() for h in hypotheses], [[r.lower() for r in g] for g in references]
    # The kernel only reads, so lists are passed on unchanged.
    lines = hypotheses if isinstance(hypotheses, list) else list(hypotheses)
    if isinstance(references, list) and lists <= {list}:
        return lines, references
    return lines, [list(given) for given in references]


def _is_list(kind: type) -> bool:
    """Whether values of a type have a length; None is told of later, with its place."""
    return hasattr(kind, "__len__") or kind is type(None)


def tokenise(text: str, tokeniser: str = "13a") -> list[str]:
    """The tokens of a line, the same as sacrebleu's.

    >>> tokenise("It costs 1,000.50 (or so).")
    ['It', 'costs', '1,000.50', '(', 'or', 'so', ')', '.']
    """
    _make_ready(tokeniser)
    return _native.tokenise([text], tokeniser)[0]


def with_reference_count(references: Sequence[Sequence[str]], signature: str) -> str:
    """A signature with the number of references in front; `var` where segments differ in it.

    >>> with_reference_count([["a", "b"], ["c", "d"]], "metric:bleu")
    'nrefs:2|metric:bleu'
    """
    counts = set(map(len, references)) or {0}
    return f"nrefs:{counts.pop() if len(counts) == 1 else 'var'}|{signature}"


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, 0 where the denominator is 0: what no n-gram is a share of is 0."""
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.where(denominator == 0, 0.0, numerator / safe)


def _make_ready(tokeniser: str) -> None:
    if tokeniser not in TOKENISERS:
        hint = nearest(tokeniser, list(TOKENISERS))
        raise SpecError(f'tokeniser "{tokeniser}" is not one of {", ".join(TOKENISERS)}{hint}')
    if tokeniser == "intl":
        _load_character_classes()


_classes_loaded = False


def _load_character_classes() -> None:
    """Tell the kernel which code points are numbers, punctuation and symbols, once.

    From the `regex` package, which sacrebleu's `intl` uses, so that both know the same Unicode.
    """
    global _classes_loaded  # noqa: PLW0603 - the kernel's table is one for the process
    if _classes_loaded:
        return
    import regex  # noqa: PLC0415 - only this tokeniser needs it

    everything = "".join(map(chr, range(0x110000)))
    classes = bytearray(0x110000)
    for number, name in ((1, "N"), (2, "P"), (3, "S")):
        for found in regex.finditer(rf"\p{{{name}}}+", everything):
            classes[found.start() : found.end()] = bytes([number]) * (found.end() - found.start())
    _native.set_character_classes(bytes(classes))
    _classes_loaded = True
