"""The parser's own vector of a sentence, and its reduction to a few dimensions.

Guzmán et al. (2015) use a syntactic vector of 25 dimensions, a by-product of a neural parser. Ours
is the mean of spaCy's parser states over the words, reduced by the principal components of training
sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders.encoders import Encoded, Encoder
from concordant.encoders.fitted_arrays import check_numbers
from concordant.encoders.syntax.parser import load_parser
from concordant.errors import ConcordantError
from concordant.resources.places import is_installed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Request
    from concordant.encoders.syntax.parser import Parser

    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class SyntaxEncoder(Brief, Encoder):
    """The parser as an encoder of sentences; it has no token states."""

    name: str
    signature: str
    dimension: int
    parser: Parser

    depth = None

    def compute(self, texts: Sequence[str], request: Request) -> Encoded:
        """The mean state of each text's words; 0 for a text without words.

        Threads are not used: spaCy is not faster with more than one.
        """
        found = self.parser.vectors(texts, track=request.track) if request.sentence else None
        return Encoded(found, {}, None)


def open_syntax(place: Path, *, name: str) -> SyntaxEncoder:
    """The encoder of a part or a pipeline's folder; a pipeline without states is refused."""
    parser = load_parser(name if is_installed(name) else place)
    if not parser.width:
        raise ConcordantError(
            f"the pipeline {parser.name} keeps no states of its parser (doc.tensor is empty); "
            "one with a shared tok2vec is needed, such as parser-en"
        )
    return SyntaxEncoder(parser.name, f"{parser.signature}|mean", parser.width, parser)


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
