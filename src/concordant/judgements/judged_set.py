"""The one place where judgements become arrays.

A `JudgedSet` holds the records that were chosen from a collection and the texts that they are
about. Its views are what evaluation, training and experiments compute with: `columns` (judged
translations and systems by test set and language pair), `pairs` and `rated`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, SpecError
from concordant.judgements.conversion import preferences_of_ratings
from concordant.judgements.judged_columns import Column, Pairs
from concordant.judgements.judged_records import (
    OF_SEGMENTS,
    by_place,
    choose_records,
    kinds_of,
    references_of,
    refuse_missing,
    systems_of,
)
from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations, count_votes
from concordant.records import Place, Preference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.judgements.judged_columns import Floats, Ints
    from concordant.judgements.judged_records import Record
    from concordant.records import Collection, Rating, TestSet

    Index = dict[Place, int]


@dataclass(frozen=True, repr=False)
class JudgedSet(Brief):
    """Judgements chosen from a collection, in the order of the input, and their texts.

    `comparisons` are preferences and the pairs of rankings, `ratings` means over judges (unless
    they were asked for by judge). `texts`
    are by test set and language pair. `notes` say what to know about the choice.
    """

    kinds: tuple[str, ...]
    comparisons: tuple[Preference, ...]
    ratings: tuple[Rating, ...]
    texts: Mapping[tuple[str, str], TestSet]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        collection: Collection,
        *kinds: str,
        language_pairs: Sequence[str] = (),
        human: str | None = None,
        by_judge: bool = False,
    ) -> JudgedSet:
        """The judgements of some kinds (all kinds of segments if none is named).

        See `choose_records` for the patterns of `language_pairs`, `human` and `by_judge`. A
        judgement of a translation that the texts do not have is an error with its file and line.

        >>> from concordant.records import Collection, Rating
        >>> rating = Rating("t", "de-en", "A", 1, 60.0)
        >>> JudgedSet.of(Collection(ratings=(rating,)), "ratings").columns()[0].ratings.tolist()
        [60.0]
        """
        asked = kinds or OF_SEGMENTS
        chosen = choose_records(
            collection, asked, language_pairs=language_pairs, human=human, by_judge=by_judge
        )
        texts = {(each.name, each.pair): each for each in collection.testsets}
        refuse_missing((*chosen.comparisons, *chosen.ratings), texts)
        used = tuple(each for each in kinds_of(collection) if each in asked)
        words = f"{' and '.join(used)} are used together; data.kind selects one of them"
        return cls(used, *chosen, texts, (words,) if len(used) > 1 else ())

    def columns(self, *, by_document: bool = False) -> list[Column]:
        """The judgements of each test set and language pair; all must be of one kind."""
        (kind,) = self.kinds
        records: list[Record] = [*self.comparisons, *self.ratings]
        groups = by_place(records)
        return [
            _column(kind, group, self.texts.get(key), by_document) for key, group in groups.items()
        ]

    def pairs(
        self,
        *,
        minimum_gap: float = 0.0,
        needs: Sequence[str] = ("reference",),
        equal_texts: bool = False,
        ties: bool = False,
        whole_systems: bool = False,
    ) -> JudgedPairs:
        """All judged pairs with their texts; ratings make pairs if they are a gap apart.

        `needs` says what a segment must have: a reference, a source, both or none. Pairs of two
        equal texts are only kept with `equal_texts` (no metric can tell them apart), ties only with
        `ties`. `whole_systems` adds what the judged systems translated and nobody judged.
        """
        records = [
            *self.comparisons,
            *preferences_of_ratings(self.ratings, minimum_gap=minimum_gap),
        ]
        if not records:
            apart = f" that are rated {minimum_gap:g} apart" if minimum_gap else ""
            raise ConcordantError(
                f"there are no judgements that compare two translations of a segment{apart}"
            )
        kept = [each for each in records if ties or not each.tie]
        if all(each.tie for each in records):
            raise ConcordantError(
                f"all {len(records)} judgements are ties; there is nothing to learn from"
            )
        refuse_missing(kept, self.texts, ("texts", *needs))
        index = number_translations(kept)
        rated = self._ratings(index)
        if whole_systems:
            _add_unjudged(index, self.texts)
            unrated = np.full(len(index) - (0 if rated is None else len(rated)), np.nan)
            rated = None if rated is None else np.concatenate([rated, unrated])
        return _judged_pairs(self, kept, index, rated, len(records) - len(kept), equal_texts)

    def rated(self, *, needs: Sequence[str] = ("reference",)) -> RatedTranslations:
        """All rated translations with their texts; `needs` as for pairs."""
        if not self.ratings:
            raise ConcordantError(f"there are no ratings; there are {' and '.join(self.kinds)}")
        refuse_missing(self.ratings, self.texts, ("texts", *needs))
        scores = np.array([each.score for each in self.ratings])
        if np.ptp(scores) == 0:
            raise ConcordantError(
                f"all {len(scores)} ratings are {scores[0]:g}; nothing can be learned"
            )
        return RatedTranslations(
            **_texts(number_translations(self.ratings), self.texts),
            ratings=scores,
            count=np.array([each.count for each in self.ratings], dtype=np.float64),
            rows=np.arange(len(scores)),
        )

    def _ratings(self, index: Index) -> Floats | None:
        """People's rating of each translation (NaN: none); None where nothing is rated."""
        if not self.ratings:
            return None
        scores = {Place(r.testset, r.pair, r.system, r.segment): r.score for r in self.ratings}
        return np.array([scores.get(each, np.nan) for each in index])


def number_translations(records: Iterable[Record]) -> Index:
    """Each judged translation's number, in the order in which the records first name them."""
    index: Index = {}
    for record in records:
        for system in systems_of(record):
            name = Place(record.testset, record.pair, system, record.segment)
            index.setdefault(name, len(index))
    return index


def _column(
    kind: str, records: Sequence[Record], texts: TestSet | None, by_document: bool
) -> Column:
    index = number_translations(records)
    systems = sorted({each.system for each in index})
    segments = sorted({each.segment for each in index if each.segment is not None})
    place = {segment: i for i, segment in enumerate(segments)}
    number = {system: i for i, system in enumerate(systems)}
    of_segment = [number[s] if seg is None else place[seg] for _, _, s, seg in index]
    return Column(
        records[0].testset,
        records[0].pair,
        kind,
        places=tuple(index),
        segments=tuple(segments),
        systems=tuple(systems),
        segment=np.array(of_segment, dtype=np.int64),
        system=np.array([number[each.system] for each in index], dtype=np.int64),
        texts=texts,
        clusters=_clusters(segments, texts) if by_document else None,
        **_human_side(records, index),
    )


def _human_side(records: Sequence[Record], index: Index) -> dict[str, Any]:
    pairs = [record for record in records if isinstance(record, Preference)]
    if pairs:
        return {"pairs": _pairs(pairs, index)}
    ratings = [record for record in records if not isinstance(record, Preference)]
    raws = [rating.raw for rating in ratings]
    return {
        "ratings": np.array([rating.score for rating in ratings], dtype=np.float64),
        "raw": None if None in raws else np.array(raws, dtype=np.float64),
    }


def _pairs(records: Sequence[Preference], index: Index) -> Pairs:
    better = [index[Place(p.testset, p.pair, p.better, p.segment)] for p in records]
    worse = [index[Place(p.testset, p.pair, p.worse, p.segment)] for p in records]
    return Pairs(
        np.array(better, dtype=np.int64),
        np.array(worse, dtype=np.int64),
        np.array([p.tie for p in records], dtype=bool),
        np.array([p.count for p in records], dtype=np.float64),
        np.array([p.count * p.weight for p in records], dtype=np.float64),
    )


def _clusters(segments: Sequence[int], texts: TestSet | None) -> Ints:
    if texts is None or not texts.documents:
        raise SpecError("resampling by document needs texts with document names")
    names = [texts.documents.get(segment, f"segment {segment}") for segment in segments]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([number[name] for name in names], dtype=np.int64)


def _texts(index: Index, texts: Mapping[tuple[str, str], TestSet]) -> dict[str, Any]:
    """The fields of judged translations that are texts and names."""
    names = [(each, each.segment) for each in index if each.segment is not None]
    given = [texts[each.testset, each.pair] for each, _ in names]
    rows = list(zip(names, given, strict=True))
    return {
        "translations": tuple(found.translations[each.system][seg] for (each, seg), found in rows),
        "references": tuple(references_of(found, seg) for (_, seg), found in rows),
        "sources": tuple(found.source.get(seg, "") for (_, seg), found in rows),
        "places": tuple((each.pair, each.testset, seg) for each, seg in names),
        "systems": tuple(each.system for each, _ in names),
    }


def _add_unjudged(index: Index, texts: Mapping[tuple[str, str], TestSet]) -> None:
    """Number what the judged systems translated and nobody judged, after what was judged.

    Where judged segments have references, others without are left out.
    """
    referenced = any(
        references_of(texts[each.testset, each.pair], each.segment)
        for each in index
        if each.segment is not None
    )
    for testset, pair, system in dict.fromkeys((e.testset, e.pair, e.system) for e in [*index]):
        found = texts[testset, pair]
        for segment in found.translations[system]:
            if not referenced or references_of(found, segment):
                index.setdefault(Place(testset, pair, system, segment), len(index))


def _judged_pairs(
    judged: JudgedSet,
    records: Sequence[Preference],
    index: Index,
    ratings: Floats | None,
    ties: int,
    equal_texts: bool,
) -> JudgedPairs:
    found, texts = _pairs(records, index), _texts(index, judged.texts)
    translations = texts["translations"]
    different = [
        equal_texts or translations[better] != translations[worse]
        for better, worse in zip(found.better, found.worse, strict=True)
    ]
    kept = np.array(different, dtype=bool)
    if not (kept & ~found.tie).any():
        raise ConcordantError("every judged pair is of two equal texts; nothing can be learned")
    pairs = JudgedPairs(
        **texts,
        better=found.better[kept],
        worse=found.worse[kept],
        weight=found.count[kept],
        tie=found.tie[kept] if found.tie[kept].any() else None,
        ratings=ratings,
    )
    notes = _notes(pairs, ties, int((~kept).sum()))
    return replace(pairs, notes=(*judged.notes, *notes))


def _notes(pairs: JudgedPairs, ties: int, same: int) -> list[str]:
    """What was left out and contradicted; an error if contradictions leave nothing."""
    decided = np.ones(len(pairs), dtype=bool) if pairs.tie is None else ~pairs.tie
    judged = list(zip(*(x[decided].tolist() for x in (pairs.better, pairs.worse)), strict=True))
    seen = set(judged)
    opposed = sum((worse, better) in seen for better, worse in judged)
    weights = pairs.weight[decided].tolist()
    votes = count_votes((*pair, weight) for pair, weight in zip(judged, weights, strict=True))
    if not any(votes.values()):
        raise ConcordantError(
            f"all {len(judged)} judgements contradict each other: every pair was judged as often "
            "one way as the other"
        )
    notes = []
    if ties:
        notes.append(f"{ties} ties are left out")
    if same:
        notes.append(f"{same} judgements of two equal texts are left out")
    if opposed:
        notes.append(f"{opposed} of {len(judged)} judgements are contradicted by another one")
    return notes
