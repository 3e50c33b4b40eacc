"""Features of token states, all those of one encoder from a single pass over the texts.

Token states are too large to store, so the cache holds the features computed from them. Segments
that it lacks are computed in chunks, those with the same references together. The states of a text
that belongs to several chunks are kept until the last of them, so that no text is encoded twice.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.cache.cache import default_cache, entry_key, remember_rows
from concordant.encoders.encoders import Encoded
from concordant.encoders.ragged import Ragged, join
from concordant.encoders.token_matching import best_reference
from concordant.features.feature import distinct_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.encoders.encoders import Encoder
    from concordant.features.feature import Context, Feature, Fitted
    from concordant.metrics.lexical.texts import Floats

    Segment = tuple[str, ...]  # a translation and its references

CHUNK = 3000  # texts whose states are in memory at once


def extract_together(
    features: Sequence[Feature],
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    fitted: Mapping[str, Fitted],
    context: Context,
) -> Iterator[tuple[str, Floats]]:
    """The values of every feature of token states, by spec."""
    groups: dict[str, list[Feature]] = {}
    for feature in features:
        if feature.encoding is not None:
            groups.setdefault(feature.encoding.encoder.signature, []).append(feature)
    if not groups:
        return
    segments = [(text, *given) for text, given in zip(translations, references, strict=True)]
    texts, places = _places(segments)
    for group in groups.values():
        needed = {str(f.spec): fitted.get(str(f.spec), {}) for f in group}
        encodings = [f.encoding for f in group if f.encoding is not None]
        encoder = encodings[0].encoder
        if encoder.depth == 0:  # static vectors: a cache would be slower
            sentence = any(each.sentence for each in encodings)
            encoded = encoder.run(texts, sentence=sentence, threads=context.threads)
            yield from _values(group, encoded, places, needed, context.threads).items()
            continue
        place = {segment: i for i, segment in enumerate(dict.fromkeys(segments))}
        where = [place[segment] for segment in segments]
        for spec, rows in _through_cache(group, list(place), needed, context).items():
            yield spec, rows[where]


def _through_cache(
    group: Sequence[Feature],
    segments: Sequence[Segment],
    fitted: Mapping[str, Fitted],
    context: Context,
) -> dict[str, Floats]:
    """Values from the cache; what it lacks is computed and stored, chunk by chunk."""
    store = default_cache()
    texts = ["".join(f"{len(text)}:{text}" for text in segment) for segment in segments]
    names = {str(f.spec): f"{f.signature}|{digest(fitted[str(f.spec)])}" for f in group}
    keys = {spec: [entry_key(name, text) for text in texts] for spec, name in names.items()}
    values = {str(f.spec): np.zeros((len(segments), len(f.columns))) for f in group}
    lacking: dict[str, set[int]] = {}
    for spec, rows in values.items():
        found = store.fetch(keys[spec])
        lacking[spec] = {i for i, value in enumerate(found) if value is None}
        for i, value in enumerate(found):
            if value is not None:
                rows[i] = np.frombuffer(value)
    missing = sorted(set().union(*lacking.values()), key=lambda i: segments[i][1:])
    asked = [f for f in group if lacking[str(f.spec)]]
    for rows_of_chunk, computed in _in_chunks(asked, segments, missing, fitted, context):
        for spec, part in computed.items():
            values[spec][rows_of_chunk] = part
            store.store([keys[spec][i] for i in rows_of_chunk], [row.tobytes() for row in part])
    return values


def _in_chunks(
    group: Sequence[Feature],
    segments: Sequence[Segment],
    order: Sequence[int],
    fitted: Mapping[str, Fitted],
    context: Context,
) -> Iterator[tuple[list[int], dict[str, Floats]]]:
    encodings = [f.encoding for f in group if f.encoding is not None]
    if not encodings:
        return
    layers = tuple(sorted({layer for each in encodings for layer in each.layers}))
    chunks = _chunks(segments, order)
    times = Counter(text for chunk in chunks for text in {t for i in chunk for t in segments[i]})
    encoder = encodings[0].encoder
    # The same network may pool another layer for its sentence vectors: it gives both in one pass.
    pooling = next((each for each in context.sentences if each.name == encoder.name), None)
    reader = _Reader(pooling or encoder, layers, times, pooling is not None)
    track = context.track or (lambda items, _: items)
    for chunk in track(chunks, f"encoding with {encoder.name}"):
        texts, places = _places([segments[i] for i in chunk])
        encoded, row = reader.read(texts, context.threads)
        read = Ragged(row[places.values], places.starts)
        yield chunk, _values(group, encoded, read, fitted, context.threads)


class _Reader:
    """Encodes texts, and remembers those that will come again: `times` says how often each does.

    With `sentence`, their sentence vectors are stored in the cache too.
    """

    def __init__(
        self, encoder: Encoder, layers: tuple[int, ...], times: Counter[str], sentence: bool
    ) -> None:
        self.encoder, self.layers, self.times = encoder, layers, times
        self.sentence = sentence
        self.kept: dict[str, int] = {}
        self.states: Encoded | None = None

    def read(self, texts: Sequence[str], threads: int) -> tuple[Encoded, np.ndarray]:
        """The states of at least these texts, and the place of each of them there."""
        new = [text for text in texts if text not in self.kept]
        fresh = self.encoder.run(new, sentence=self.sentence, layers=self.layers, threads=threads)
        if fresh.sentence is not None:
            signature = self.encoder.signature
            remember_rows(signature, new, fresh.sentence, store=default_cache())
        both = fresh if self.states is None else _unite(self.states, fresh)
        place = self.kept | {text: i for i, text in enumerate(new, start=len(self.kept))}
        rows = np.array([place[text] for text in texts], dtype=np.int64)
        self.times.subtract(texts)
        self._keep([text for text in place if self.times[text] > 0], place, both)
        return both, rows

    def _keep(self, texts: list[str], place: Mapping[str, int], both: Encoded) -> None:
        rows = [place[text] for text in texts]
        layers = {layer: states.take(rows) for layer, states in both.layers.items()}
        pieces = None if both.pieces is None else both.pieces.take(rows)
        self.kept = {text: i for i, text in enumerate(texts)}
        self.states = Encoded(None, layers, pieces)


def _unite(first: Encoded, second: Encoded) -> Encoded:
    layers = {k: join(first.layers[k], second.layers[k]) for k in first.layers}
    if first.pieces is None or second.pieces is None:
        raise AssertionError(layers)
    return Encoded(None, layers, join(first.pieces, second.pieces))


def _chunks(segments: Sequence[Segment], order: Sequence[int]) -> list[list[int]]:
    """The segments in order, cut so that no chunk has many more than CHUNK different texts."""
    chunks: list[list[int]] = []
    texts: set[str] = set()
    for i in order:
        if not chunks or len(texts) >= CHUNK:
            chunks.append([])
            texts = set()
        chunks[-1].append(i)
        texts.update(segments[i])
    return chunks


def _places(segments: Sequence[Segment]) -> tuple[list[str], Ragged]:
    """Every text once, and the places of each segment's texts in it, the translation's first."""
    texts, (places,) = distinct_texts(list(chain.from_iterable(segments)))
    return texts, Ragged(places, np.cumsum([0, *map(len, segments)]))


def _values(
    group: Sequence[Feature],
    encoded: Encoded,
    places: Ragged,
    fitted: Mapping[str, Fitted],
    threads: int,
) -> dict[str, Floats]:
    """Values of segments given as places of their texts, the translation's first."""
    owners = np.repeat(np.arange(len(places)), places.lengths - 1)
    translation = places.values[places.starts[owners]]
    reference = np.delete(places.values, places.starts[:-1])
    values = {}
    for feature in group:
        encoding, spec = feature.encoding, str(feature.spec)
        if encoding is None:
            raise AssertionError(spec)
        rows = encoding.compute(encoded, translation, reference, fitted[spec], threads)
        values[spec] = best_reference(rows, owners, feature.main or 0)
    return values


def digest(fitted: Fitted) -> str:
    """What was fitted, in twelve hexadecimal digits."""
    found = hashlib.sha256()
    for name in sorted(fitted):
        found.update(name.encode() + np.ascontiguousarray(fitted[name]).tobytes())
    return found.hexdigest()[:12]
