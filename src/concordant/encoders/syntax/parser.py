"""Dependency trees of texts from a spaCy pipeline, each distinct text parsed once.

White space is reduced to single spaces first, so that no token is white space. If the parser finds
several sentences in a text, the first one's root is the root and the others' become its children.

The same text gets the same tree and the same states to the last bit in any batch: spaCy's own
matrix product (BLIS) treats each row alike (seen on 2,098 texts in batches of 1, 8, 64 and 256, in
two orders). Neither two threads nor two processes parse faster than one, so one is used.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from concordant.brief import Brief
from concordant.encoders.cache.cache import cached
from concordant.encoders.networks.model_folder import folder_digest
from concordant.encoders.syntax.tree_bytes import tree_from_bytes, tree_to_bytes
from concordant.encoders.syntax.trees import ROOT, Tree, join_roots
from concordant.errors import ConcordantError
from concordant.resources.places import known_place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.encoders.cache.cache_store import Cache
    from concordant.encoders.encoders import Track, Vectors

BATCH = 128
# What comes after the tree, or beside it, in spaCy's pipelines.
NOT_NEEDED = (
    "attribute_ruler", "entity_linker", "entity_ruler", "lemmatizer", "morphologizer", "ner",
    "senter", "spancat", "textcat", "textcat_multilabel",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Parser(Brief):
    """A pipeline with a dependency parser; `width` is that of its states, 0 if it has none."""

    name: str
    signature: str
    width: int
    pipeline: Any

    def parse(self, texts: Sequence[str], *, track: Track | None = None) -> list[Tree]:
        """The tree of each text, in their order; a text without words is a tree without nodes."""
        return self._each(texts, _tree, (), track)

    def vectors(self, texts: Sequence[str], *, track: Track | None = None) -> Vectors:
        """The mean of the parser's states of the words, (texts, width); 0 for no words."""
        after = tuple(name for name in self.pipeline.pipe_names if name in {"tagger", "parser"})
        rows = self._each(texts, self._mean, after, track)
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.width)

    def _mean(self, doc: Any) -> Vectors:
        if not len(doc):
            return np.zeros(self.width, dtype=np.float32)
        mean: Vectors = doc.tensor.mean(axis=0, dtype=np.float64).astype(np.float32)
        return mean

    def _each(
        self,
        texts: Sequence[str],
        keep: Callable[[Any], Any],
        disabled: Sequence[str],
        track: Track | None,
    ) -> list[Any]:
        """`keep` of each text's parse; each distinct text is parsed once, short ones first."""
        plain = [self._plain(text) for text in texts]
        distinct = sorted(set(plain), key=lambda text: (len(text), text))
        batches = [distinct[i : i + BATCH] for i in range(0, len(distinct), BATCH)]
        found: dict[str, Any] = {}
        # The zone lets go of words that were new, or millions of texts would fill the memory.
        with self.pipeline.memory_zone():
            for batch in track(batches, "parsing") if track else batches:
                part = cast("list[str]", batch)
                docs = self.pipeline.pipe(part, batch_size=BATCH, disable=list(disabled))
                found.update(zip(part, map(keep, docs), strict=True))
        return [found[text] for text in plain]

    def _plain(self, text: str) -> str:
        plain = " ".join(text.split())
        if len(plain) > self.pipeline.max_length:
            raise ConcordantError(
                f"a text of {len(plain):,} characters is too long for {self.name}; "
                f"{self.pipeline.max_length:,} are allowed: put one segment on each line"
            )
        if not plain.isascii() and any("\ud800" <= c <= "\udfff" for c in plain):
            raise ConcordantError(f"a text has a lone surrogate: {plain[:60]!a}; read it as UTF-8")
        return plain


def load_parser(name_or_path: str | Path = "parser-en") -> Parser:
    """The parser of an installed part, a pipeline's folder, or the files of a spaCy package."""
    name = str(name_or_path)
    try:
        import spacy  # noqa: PLC0415 - heavy, and an extra
    except ImportError:
        raise ConcordantError(
            "parsing needs spaCy, which is not installed: pip install 'concordant[parse]'"
        ) from None
    place = _place(name)
    try:
        pipeline = spacy.load(place, exclude=list(NOT_NEEDED))
    except Exception as fault:
        reason = str(fault).strip().split("\n")[0]
        raise ConcordantError(
            f"{place} cannot be loaded as a spaCy pipeline: {reason}; "
            "name a folder with config.cfg and meta.json, such as the part parser-en"
        ) from fault
    if "parser" not in pipeline.pipe_names:
        there = ", ".join(pipeline.pipe_names) or "none"
        raise ConcordantError(f"{name} has no dependency parser; its components are: {there}")
    width = pipeline("a", disable=["tagger", "parser"]).tensor.shape[-1]
    folder = Path(pipeline.path)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    from importlib.metadata import version  # noqa: PLC0415 - slow, and only parsing needs it

    signature = f"{Path(name).name}|weights:{folder_digest(folder, files)}|spacy:{version('spacy')}"
    return Parser(name, signature, int(width), pipeline)


def parse_cached(
    parser: Parser, texts: Sequence[str], *, track: Track | None = None, store: Cache | None = None
) -> list[Tree]:
    """The tree of each text; what the cache knows is not parsed again."""

    def compute(places: list[int]) -> list[bytes]:
        return [
            tree_to_bytes(each) for each in parser.parse([texts[i] for i in places], track=track)
        ]

    return cached(f"{parser.signature}|tree", texts, compute, tree_from_bytes, store=store)


def _place(name: str) -> Path:
    """The folder of a pipeline. A package is only looked into: spaCy would import and run it."""
    known = known_place(name)
    if known is not None:
        return known
    try:
        package = importlib.util.find_spec(name) if name.isidentifier() else None
    except ValueError:  # __main__, and modules that were made by hand
        package = None
    for place in (package and package.submodule_search_locations) or ():
        for config in Path(place).glob(f"{name}-*/config.cfg"):
            return config.parent
    raise ConcordantError(
        f'parser "{name}" is neither an installed part, nor a folder, nor an installed spaCy '
        "package such as en_core_web_sm; concordant resources install parser-en installs one"
    )


def _tree(doc: Any) -> Tree:
    heads = [ROOT if word.head.i == word.i else word.head.i for word in doc]
    return Tree(
        words=tuple(word.text for word in doc),
        heads=join_roots(heads),
        labels=tuple(word.dep_ for word in doc),
        tags=tuple(word.tag_ for word in doc),
    )
