"""A list of candidate translations of one source, and what is known beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import DataError

if TYPE_CHECKING:
    from concordant.metrics.lexical.texts import Floats


@dataclass(frozen=True)
class CandidateList:
    """Candidates in the order of the file, and the place they come from.

    `pseudo_references` are what candidates are compared with by consensus; None means the
    candidates themselves. `weights` has one number for each of those, None where all weigh alike.
    `features` has a row of the decoder's own scores for each candidate.
    """

    name: str
    candidates: tuple[str, ...]
    references: tuple[str, ...] = ()
    source: str | None = None
    pseudo_references: tuple[str, ...] | None = None
    weights: tuple[float, ...] | None = None
    features: tuple[tuple[float, ...], ...] = ()
    path: str = ""
    line: int | None = None

    def check(self) -> CandidateList:
        """The list itself; raises if it is empty, or its weights are no weights."""
        if not self.candidates:
            raise self.fault(f'list "{self.name}" has no candidates; give at least one')
        compared = self.compared
        if not compared:
            raise self.fault(f'list "{self.name}" has no pseudo-references; leave the key out')
        if self.weights is None:
            return self
        if len(self.weights) != len(compared):
            raise self.fault(
                f'list "{self.name}" has {len(self.weights)} weights for {len(compared)} '
                "pseudo-references; give one for each"
            )
        given = np.array(self.weights, dtype=np.float64)
        if not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
            raise self.fault(
                f'list "{self.name}" has weights that cannot be used; they must be finite, none '
                "below 0 and one above 0"
            )
        return self

    @property
    def compared(self) -> tuple[str, ...]:
        """The pseudo-references."""
        return self.candidates if self.pseudo_references is None else self.pseudo_references

    def shares(self) -> Floats:
        """The weights of the pseudo-references, which sum to 1.

        >>> CandidateList("1", ("a", "b"), weights=(1.0, 3.0)).shares().tolist()
        [0.25, 0.75]
        """
        given = np.ones(len(self.compared)) if self.weights is None else np.array(self.weights)
        return np.asarray(given / given.sum())

    def fault(self, message: str) -> DataError:
        """An error about this list, with its file and line."""
        return DataError.at(self.path or "the lists", self.line, message)
