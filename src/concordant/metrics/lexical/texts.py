"""What every measure takes: a list of translations, and one or more references for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import ConcordantError
from concordant.metrics.lexical.tokenisers import cut_by_model, has_model, make_ready

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


def check_texts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    tokeniser: str | None = None,
) -> tuple[list[str], list[list[str]]]:
    """The texts as the kernel takes them; references given the wrong way round are refused.

    With a tokeniser that has a model they are cut already; the kernel then splits at spaces.

    >>> check_texts(["a b"], [["a c", "b"]], lowercase=True)
    (['a b'], [['a c', 'b']])
    """
    for name, texts in (("translations", translations), ("references", references)):
        if not hasattr(texts, "__len__") or isinstance(texts, str | bytes | Mapping | Set):
            raise ConcordantError(f"{name} must be a list, not {type(texts).__name__}")
    lists = set(map(type, references))
    if any(issubclass(kind, (str, bytes)) or not _is_list(kind) for kind in lists):
        raise ConcordantError("references must be one list per translation, such as [['first'], …]")
    if len(translations) != len(references):
        turned = len(references) > 0 and {len(given or ()) for given in references} == {
            len(translations)
        }
        cure = "; if you have one list per reference file, transpose them: list(zip(*references))"
        raise ConcordantError(
            f"{len(translations)} translations, but references for {len(references)}; "
            f"give one list of references per translation{cure if turned else ''}"
        )
    if type(None) in lists or 0 in map(len, references):
        lonely = next(i for i, given in enumerate(references, 1) if given is None or not len(given))
        raise ConcordantError(f"translation {lonely} has no reference")
    kinds = set(map(type, chain(translations, chain.from_iterable(references))))
    odd = sorted(kind.__name__ for kind in kinds if not issubclass(kind, str))
    if odd:
        raise ConcordantError(f"every text must be a string, but one is {', '.join(odd)}")
    if tokeniser is not None:
        make_ready(tokeniser)
    return _prepare(translations, references, lowercase=lowercase, tokeniser=tokeniser)


def _prepare(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool,
    tokeniser: str | None,
) -> tuple[list[str], list[list[str]]]:
    """Lowercased and cut by a model if wanted; else the same lists, as the kernel only reads."""
    if lowercase:
        translations = [text.lower() for text in translations]
        references = [[text.lower() for text in given] for given in references]
    if tokeniser is not None and has_model(tokeniser):
        cut = [cut_by_model(given, tokeniser) for given in references]
        return cut_by_model(translations, tokeniser), cut
    lines = translations if isinstance(translations, list) else list(translations)
    if isinstance(references, list) and set(map(type, references)) <= {list}:
        return lines, references
    return lines, [list(given) for given in references]


def _is_list(kind: type) -> bool:
    """Whether values of a type have a length; None is told of later, with its place."""
    return hasattr(kind, "__len__") or kind is type(None)


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
