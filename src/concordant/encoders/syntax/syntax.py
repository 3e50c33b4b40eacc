"""The parser's own vector of a sentence, and its reduction to a few dimensions.

Guzmán et al. (2015) take a syntactic vector of 25 dimensions that a neural parser gave by the way.
Ours is the mean of spaCy's parser states over the words, reduced by the principal components of
training sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders.encoders import Encoded, check_layers
from concordant.encoders.fitted_arrays import check_numbers
from concordant.encoders.syntax.parser import load_parser
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Track
    from concordant.encoders.syntax.parser import Parser

    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class SyntaxEncoder(Brief):
    """The parser as an encoder of sentences (encoders/encoders.py); it has no token states."""

    parser: Parser

    @property
    def name(self) -> str:
        """The parser's name."""
        return self.parser.name

    @property
    def signature(self) -> str:
        """The parser's name, the hash of its files, spaCy's version."""
        return f"{self.parser.signature}|mean"

    @property
    def dimension(self) -> int:
        """The width of the parser's states."""
        return self.parser.width

    @property
    def depth(self) -> int | None:
        """None: only whole sentences have vectors."""
        return None

    def run(
        self,
        texts: Sequence[str],
        *,
        sentence: bool = True,
        layers: Sequence[int] = (),
        threads: int = 1,  # noqa: ARG002 - spaCy is not faster with more than one
        track: Track | None = None,
    ) -> Encoded:
        """The mean state of each text's words; 0 for a text without words."""
        if layers:
            check_layers(self, layers)
        return Encoded(self.parser.vectors(texts, track=track) if sentence else None, {}, None)


def open_syntax(name_or_path: str | Path = "parser-en") -> SyntaxEncoder:
    """The encoder of a parser by name or path; a pipeline without states is refused."""
    parser = load_parser(name_or_path)
    if not parser.width:
        raise ConcordantError(
            f"the pipeline {parser.name} keeps no states of its parser (doc.tensor is empty); "
            "one with a shared tok2vec is needed, such as parser-en"
        )
    return SyntaxEncoder(parser)


def fit_projection(vectors: npt.ArrayLike, k: int) -> Mapping[str, Floats]:
    """The mean and the k first principal components, (k, dimension), of training vectors.

    The sign of a component is such that its largest entry is positive.

    >>> fitted = fit_projection([[0, 0, 1], [2, 2, 1], [4, 4, 1], [2, 3, 1]], 2)
    >>> fitted["mean"].tolist(), fitted["components"].shape
    ([2.0, 2.25, 1.0], (2, 3))
    """
    values = np.asarray(vectors, dtype=np.float64)
    if values.ndim != 2:
        raise ConcordantError(f"vectors must be (texts, dimension), not {values.shape}")
    if not np.isfinite(values).all():
        raise ConcordantError("a projection cannot be fitted: a vector is not finite")
    mean = values.mean(axis=0) if len(values) else np.zeros(values.shape[1])
    _, strengths, components = np.linalg.svd(values - mean, full_matrices=False)
    least = strengths.max(initial=0.0) * max(values.shape) * np.finfo(np.float64).eps
    possible = int(np.count_nonzero(strengths > least))
    if not 1 <= k <= possible:
        raise ConcordantError(
            f"a projection to {k} dimensions is not possible: {len(values)} training sentences of "
            f"{values.shape[1]} dimensions span {possible}; ask for 1 to {possible}, "
            "or give more sentences"
        )
    chosen = components[:k]
    largest = np.abs(chosen).argmax(axis=1)
    signs = np.sign(chosen[np.arange(k), largest])
    return {"mean": mean, "components": chosen * signs[:, None]}


def check_projection(shape: tuple[int, int], fitted: Mapping[str, npt.NDArray[Any]]) -> None:
    """Raise unless these are the arrays of a projection of this shape, (k, dimension)."""
    if set(fitted) != {"mean", "components"}:
        found = ", ".join(sorted(fitted)) or "nothing"
        raise ConcordantError(f"mean and components are needed, not {found}")
    check_numbers(fitted["mean"], shape[1:], "mean")
    check_numbers(fitted["components"], shape, "components")


def project(vectors: npt.ArrayLike, fitted: Mapping[str, Floats]) -> Floats:
    """The vectors in the space of the components, (texts, k).

    >>> project([[3, 1]], {"mean": np.array([1, 1]), "components": np.array([[0, 1], [1, 0]])})
    array([[0., 2.]])
    """
    components = np.asarray(fitted["components"], dtype=np.float64)
    values = np.asarray(vectors, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] != components.shape[1]:
        raise ConcordantError(
            f"the projection was fitted to vectors of {components.shape[1]} dimensions; "
            f"these are {values.shape}"
        )
    centred = values - fitted["mean"]
    # Sums row by row, since a matrix product's last bits depend on how many rows there are.
    columns = [(centred * component).sum(axis=1) for component in components]
    return np.stack(columns, axis=1)
