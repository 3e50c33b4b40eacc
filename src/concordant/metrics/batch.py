"""What is scored together: translations with their references, sources and places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from concordant.arguments import as_list, as_references

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from concordant.records import Place

    Ints = npt.NDArray[np.int64]
    # As people give them: a column of any kind; a reference is a text, or a list of texts.
    Texts = Iterable[str]
    References = Iterable[str] | Iterable[Iterable[str]]
    Grid = tuple[Sequence[str], Sequence[str]]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Batch:
    """Translations, and for each its references, its source and its place in the judgements.

    `grid` has the candidates and the references of a batch that is every pair of them: what counts
    n-grams reads each text once.

    >>> Batch(["a cat"], [["the cat"]]).joined(Batch(["a dog"], [["the dog"]])).translations
    ['a cat', 'a dog']
    """

    translations: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None = None
    places: Sequence[Place] | None = None
    grid: Grid | None = None

    @classmethod
    def of_grid(
        cls, candidates: Sequence[str], references: Sequence[str], source: str | None = None
    ) -> Batch:
        """Every candidate with every reference, candidate by candidate.

        >>> batch = Batch.of_grid(["a", "b"], ["x", "y"])
        >>> batch.translations, batch.references
        (['a', 'a', 'b', 'b'], [['x'], ['y'], ['x'], ['y']])
        """
        given = [[text] for text in references]
        translations = [text for text in candidates for _ in given]
        sources = None if source is None else [source] * len(translations)
        return cls(translations, given * len(candidates), sources, grid=(candidates, references))

    @classmethod
    def of(cls, translations: Texts, references: References, sources: Texts | None = None) -> Batch:
        """The batch of lists, tuples, arrays, columns of data frames, or generators.

        >>> Batch.of(("a cat",), ["the cat"]).references
        [['the cat']]
        """
        return cls(
            as_list(translations),
            as_references(references),
            None if sources is None else as_list(sources),
        )

    def __len__(self) -> int:
        return len(self.translations if self.places is None else self.places)

    def joined(self, *others: Batch) -> Batch:
        """Several batches as one; all have what this one has."""
        each = (self, *others)
        return Batch(
            [text for one in each for text in one.translations],
            [given for one in each for given in one.references],
            None if self.sources is None else [t for one in each for t in one.sources or ()],
            None if self.places is None else [p for one in each for p in one.places or ()],
        )

    def distinct(self) -> tuple[Batch, Ints]:
        """Each translation once with the same references and source, and the row of each.

        >>> batch, rows = Batch(["a", "b", "a"], [["x"], ["x"], ["x"]]).distinct()
        >>> batch.translations, rows.tolist()
        (['a', 'b'], [0, 1, 0])
        """
        sources = self.sources or [""] * len(self.translations)
        keys = list(zip(self.translations, map(tuple, self.references), sources, strict=True))
        place: dict[object, int] = {}
        rows = np.array([place.setdefault(key, len(place)) for key in keys], dtype=np.int64)
        return self.take(np.unique(rows, return_index=True)[1]), rows

    def take(self, rows: Ints | slice) -> Batch:
        """Some of the translations, in this order."""
        chosen = np.arange(len(self))[rows].tolist()

        def of(values: Sequence[Value] | None) -> list[Value] | None:
            return None if values is None else [values[i] for i in chosen]

        return Batch(
            of(self.translations) or [],
            of(self.references) or [],
            of(self.sources),
            of(self.places),
        )
