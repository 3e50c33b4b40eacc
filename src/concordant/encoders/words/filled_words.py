"""Word vectors of one vocabulary, filled by those of others, mapped to its space.

Two vocabularies trained in the same way agree up to a linear map. The map is fitted by least
squares on the words that both have, so a word that only the second has gets a vector near its
neighbours in the first. The map depends on the two vocabularies alone.

Words that no vocabulary has share one random vector, shorter than those of words, so that a network
can tell an untranslated word from nothing at all. Names and numbers have half of it:
they are the same in any language, and a good translation has them too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.fitted_arrays import check_numbers
from concordant.encoders.words.words import open_vectors
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from concordant.encoders.words.word_table import WordVectors

    Floats = npt.NDArray[np.float32]

# The names of the vectors of unknown words among the maps; no vocabulary is called so. The vectors'
# deviation is a share of that of the first vocabulary's numbers.
UNKNOWN, UNKNOWN_SHARE = "?", 0.35
UNKNOWN_NAME, NAME_SHARE = "?name", 0.175


@dataclass(frozen=True, repr=False)
class FilledWords(Brief):
    """A vocabulary and those that fill it, in the order in which they are asked."""

    first: WordVectors
    others: tuple[WordVectors, ...] = ()

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.first.dimension

    @property
    def signature(self) -> str:
        """All vocabularies, in their order."""
        return "+".join(each.signature for each in (self.first, *self.others))

    def fit(self) -> dict[str, Floats]:
        """The map of each filling vocabulary, (1 + its dimension, dimension), by its name.

        Under `UNKNOWN` stands the vector of words that none knows, (dimension,), and under
        `UNKNOWN_NAME` that of such names and numbers.
        """
        words = [self.first.word(row) for row in range(len(self.first))]
        drawn = self._draw()
        shares = {UNKNOWN: UNKNOWN_SHARE, UNKNOWN_NAME: NAME_SHARE}
        maps = {name: (share * drawn).astype(np.float32) for name, share in shares.items()}
        for other in self.others:
            rows = other.lookup(words)
            both = np.flatnonzero(rows >= 0)
            known = _with_ones(other.vectors[rows[both]])
            found = np.linalg.lstsq(known, self.first.vectors[both].astype(np.float64), rcond=None)
            maps[other.name] = found[0].astype(np.float32)
        return maps

    def check(self, maps: Mapping[str, np.ndarray]) -> None:
        """Raise unless these are maps that `fit` can have given."""
        shapes: dict[str, tuple[int, ...]] = {
            each.name: (1 + each.dimension, self.dimension) for each in self.others
        }
        missing = [name for name in shapes if name not in maps]
        shapes |= dict.fromkeys((UNKNOWN, UNKNOWN_NAME), (self.dimension,))
        if missing or not maps.keys() <= shapes.keys():
            raise ConcordantError(f"maps of {', '.join(shapes)} are needed, not {', '.join(maps)}")
        for name, values in maps.items():
            check_numbers(values, shapes[name], name)

    def vectors(self, words: Sequence[str], maps: Mapping[str, np.ndarray]) -> Floats:
        """The vector of each word, (words, dimension); words that none knows share one.

        Capitals tell names from other unknown words; a vocabulary without capitals finds a word in
        any case.
        """
        missing_maps = [each.name for each in self.others if each.name not in maps]
        if missing_maps:
            raise ConcordantError(f"{missing_maps[0]} has not been mapped to {self.first.name}")
        rows = self.first.lookup(words)
        found = np.zeros((len(words), self.dimension), dtype=np.float32)
        found[rows >= 0] = self.first.vectors[rows[rows >= 0]]
        missing = np.flatnonzero(rows < 0)
        for other in self.others:
            rows = other.lookup([words[i] for i in missing.tolist()])
            known = _with_ones(other.vectors[rows[rows >= 0]])
            # one by one, so that a word's vector does not depend on the words beside it
            mapped = [row @ maps[other.name].astype(np.float64) for row in known]
            found[missing[rows >= 0]] = np.array(mapped).reshape(len(known), self.dimension)
            missing = missing[rows < 0]
        for i in missing.tolist():
            unknown = maps.get(UNKNOWN_NAME if _is_name(words[i]) else UNKNOWN)
            if unknown is not None:  # metrics of earlier versions were trained on zeros
                found[i] = unknown
        return found

    def _draw(self) -> np.ndarray:
        """A vector of uniform numbers as long as words' vectors; the same for a vocabulary."""
        bound = np.sqrt(3.0) * self.first.vectors.std(dtype=np.float64)
        return np.random.default_rng(1).uniform(-bound, bound, self.dimension)


def filled_words(names: Sequence[str]) -> FilledWords:
    """The vocabularies of these names, parts or files; the first is filled by the others."""
    first, *others = (open_vectors(name) for name in names)
    return FilledWords(first, tuple(others))


def _is_name(word: str) -> bool:
    """Whether a word looks like a name or a number."""
    return word[:1].isupper() or any(each.isdigit() for each in word)


def _with_ones(vectors: np.ndarray) -> np.ndarray:
    return np.concatenate([np.ones((len(vectors), 1)), vectors.astype(np.float64)], axis=1)
