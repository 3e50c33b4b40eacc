"""What a feature is: named columns, and how they are computed from translations and references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from concordant.brief import Brief
from concordant.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Encoded, Encoder, Track
    from concordant.metrics.batch import Grid
    from concordant.metrics.lexical.texts import Floats
    from concordant.specs import Spec

    # What was learned from training references: idf weights, projections. Kept in a bundle.
    Fitted = Mapping[str, npt.NDArray[Any]]
    Rows = npt.NDArray[np.int64]


class Extract(Protocol):
    """Values of a feature's columns: (segments, columns)."""

    def __call__(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        /,
        *,
        context: Context,
    ) -> Floats:
        """The values for every segment."""
        ...


@dataclass(frozen=True)
class Context:
    """What an extraction may know besides the segments.

    `fitted` is the feature's own share of the fitted arrays. `test_set` are the references
    of the whole test set where a feature needs them (NIST's weights). `sentences` are encoders
    whose sentence vectors will be wanted too. `grid` has the candidates and the references where
    the segments are every pair of them.
    """

    threads: int = 1
    fitted: Fitted | None = None
    test_set: Sequence[Sequence[str]] | None = None
    track: Track | None = None
    sentences: tuple[Encoder, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True, repr=False)
class Encoding(Brief):
    """A feature of encoded texts: `compute` gives rows for (translation, reference) pairs of them.

    Features of one encoder share a pass over the texts, so they only say what they need of it:
    token states of layers, sentence vectors. Where there are several references, the one with the
    best value in the feature's main column counts (the first column, if it has none).
    """

    encoder: Encoder
    layers: tuple[int, ...]
    compute: Callable[[Encoded, Rows, Rows, Fitted, int], Floats]
    sentence: bool = False


@dataclass(frozen=True, repr=False)
class Feature(Brief):
    """One spec resolved.

    Either `extract` or `encoding` says how values are computed. `fit` learns from training
    references, `check` raises where what was learned does not fit.
    `main` is the column that stands for the feature where one number is wanted, higher is better.
    `sentence_encoder` is the encoder whose sentence vectors it is made of.
    `whole_test_set` says that a value depends on the references of the whole test set, as NIST's.
    `outside` names what it is computed with that is not in the package: weights, METEOR's modules.
    """

    spec: Spec
    columns: tuple[str, ...]
    extract: Extract | None = None
    encoding: Encoding | None = None
    fit: Callable[[Sequence[str]], Fitted] | None = None
    check: Callable[[Fitted], None] | None = None
    main: int | None = None
    signature: str = ""
    sentence_encoder: Encoder | None = None
    whole_test_set: bool = False
    outside: str = ""


@dataclass(frozen=True)
class Kind:
    """A row of the table: how it is spelled, what it is, and how a spec becomes a feature."""

    usage: str
    title: str
    build: Callable[[Spec], Feature]


def arguments(spec: Spec, wanted: tuple[str, ...], usage: str) -> tuple[str, ...]:
    """The arguments of a spec that takes just these and no options."""
    if len(spec.arguments) != len(wanted) or spec.options:
        need = ", ".join(wanted) or "no arguments"
        raise SpecError(f"{spec}: {spec.name} takes {need}, as in {usage}")
    return spec.arguments


def distinct_texts(*lists: Sequence[str]) -> tuple[list[str], list[Rows]]:
    """Every text once, and for each list the places of its texts.

    >>> texts, (first, second) = distinct_texts(["a", "b"], ["b", "b"])
    >>> texts, first.tolist(), second.tolist()
    (['a', 'b'], [0, 1], [1, 1])
    """
    place: dict[str, int] = {}
    rows = [
        np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)
        for texts in lists
    ]
    return list(place), rows
