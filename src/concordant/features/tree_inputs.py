"""Texts → trees of word vectors, for models that follow the structure of sentences.

`trees(parser-en,glove-840b,glove-100)` names a parser, a vocabulary of word vectors, and further
ones that fill it. Each distinct text is parsed once, and the parse is kept on disk.

Entities such as `&quot;` are read as the characters they stand for; as words, no vocabulary has
them.
"""

from __future__ import annotations

import copyreg
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.encoders.syntax.parser import load_parser, parse_cached
from concordant.encoders.syntax.word_trees import word_trees
from concordant.encoders.words.filled_words import filled_words
from concordant.errors import SpecError
from concordant.judgements.entities import resolve_entities
from concordant.resources.places import require
from concordant.specs import parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from concordant.encoders.encoders import Track
    from concordant.encoders.syntax.word_trees import WordTrees
    from concordant.features.feature import Fitted
    from concordant.specs import Spec

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float32]

USAGE = "trees(parser-en,glove-840b,glove-100)"


@dataclass(frozen=True, repr=False)
class TreeInputs(Brief):
    """The trees of some translations and of their references, and the vectors of the words in them.

    `translation` has the tree of each translation. A comparison is of one with one reference:
    `output` and `reference` have the translation and the reference's tree of each.
    """

    trees: WordTrees
    table: Floats
    translation: Ints
    output: Ints
    reference: Ints

    def __len__(self) -> int:
        return len(self.translation)

    @property
    def pairs(self) -> Ints:
        """Reference and translation of each comparison, as trees, (comparisons, 2)."""
        return np.stack([self.reference, self.translation[self.output]], axis=1)

    def take(self, rows: Ints) -> TreeInputs:
        """Some of the translations with their references, in this order; one may be taken twice."""
        order = np.argsort(self.output, kind="stable")
        first = np.searchsorted(self.output[order], np.arange(len(self) + 1))
        counts = np.diff(first)[rows]
        output = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(output)) - np.repeat(np.cumsum(counts) - counts, counts)
        found = order[np.repeat(first[:-1][rows], counts) + within]
        return replace(
            self,
            translation=self.translation[rows],
            output=output,
            reference=self.reference[found],
        )


@dataclass(frozen=True, repr=False)
class TreeReader(Brief):
    """One spec resolved: `read` gives the trees of translations and references."""

    spec: Spec
    dimension: int
    signature: str
    fit: Callable[[], Fitted]
    check: Callable[[Fitted], None]
    trees: Callable[[Sequence[str], Fitted, Track | None], tuple[WordTrees, Floats]]

    def read(
        self,
        translations: Sequence[str],
        references: Sequence[Sequence[str]],
        fitted: Fitted,
        track: Track | None = None,
    ) -> TreeInputs:
        """The trees of translations and of the references of each."""
        flat = [text for given in references for text in given]
        place: dict[str, int] = {}
        rows = [
            place.setdefault(resolve_entities(text), len(place)) for text in (*translations, *flat)
        ]
        trees, table = self.trees(list(place), fitted, track)
        counts = [len(given) for given in references]
        return TreeInputs(
            trees,
            table,
            np.array(rows[: len(translations)], dtype=np.int64),
            np.repeat(np.arange(len(translations)), counts),
            np.array(rows[len(translations) :], dtype=np.int64),
        )


def tree_reader_named(text: str | Spec) -> TreeReader:
    """The reader that a text spells."""
    spec = parse_spec(text) if isinstance(text, str) else text
    if spec.name != "trees" or spec.options or len(spec.arguments) < 2:
        raise SpecError(f"{spec}: trees need a parser and word vectors; as in {USAGE}")
    require(spec.arguments)
    name, *vocabularies = spec.arguments
    words = filled_words(vocabularies)
    parser = load_parser(name)

    def trees(
        texts: Sequence[str], fitted: Fitted, track: Track | None
    ) -> tuple[WordTrees, Floats]:
        found, names = word_trees(parse_cached(parser, texts, track=track))
        return found, words.vectors(names, fitted)

    signature = f"{parser.signature}|{words.signature}"
    return TreeReader(spec, words.dimension, signature, words.fit, words.check, trees)


# Its functions cannot be pickled or copied; another is built from its spec.
copyreg.pickle(TreeReader, lambda each: (tree_reader_named, (each.spec,)))
