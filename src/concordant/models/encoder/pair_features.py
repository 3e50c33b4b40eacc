"""Features of translations and references, found by the numbers of their texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from concordant.features.preparation import Preparation

    Rows = Sequence[int] | np.ndarray
    Pair = tuple[int, int]  # a translation and a reference, by the numbers of their texts

TOGETHER = 20_000


@dataclass(frozen=True, repr=False)
class PairFeatures(Brief):
    """Scaled features (pairs, columns), and the row of each pair."""

    place: Mapping[Pair, int]
    values: npt.NDArray[np.float32]

    def rows(self, translations: Rows, references: Rows) -> npt.NDArray[np.float32]:
        """The features of some pairs."""
        pairs = zip(map(int, translations), map(int, references), strict=True)
        return self.values[[self.place[pair] for pair in pairs]]


def pair_features(
    preparation: Preparation, texts: Sequence[str], pairs: Iterable[Pair], *, threads: int = 1
) -> PairFeatures | None:
    """The features of pairs of texts, each against its one reference; None if there are none."""
    if preparation.features is None:
        return None
    place = {pair: row for row, pair in enumerate(dict.fromkeys(pairs))}
    both = list(place)
    parts = [np.zeros((0, len(preparation.columns)), dtype=np.float32)]
    for start in range(0, len(both), TOGETHER):
        part = both[start : start + TOGETHER]
        found = preparation.inputs(
            [texts[t] for t, _ in part], [[texts[r]] for _, r in part], threads=threads
        )
        parts.append(found.features.astype(np.float32))
    return PairFeatures(place, np.concatenate(parts))
