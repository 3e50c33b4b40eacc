"""Which judgements of a collection are used: their kind, human score and language pairs.

Evaluation, training and experiments all choose here, so the same request means the same records and
fails with the same message. What is chosen must also fit the texts (`refuse_missing`).
"""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from concordant.errors import DataError, Fault, SpecError, nearest
from concordant.judgements.conversion import human_of, mean_ratings, preferences_of_rankings
from concordant.records import Preference, Ranking, Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from concordant.records import Collection, TestSet

    Record = Preference | Rating

Judged = TypeVar("Judged", bound=Ranking | Preference | Rating)
KINDS = ("preferences", "rankings", "ratings", "system ratings")
OF_SEGMENTS = KINDS[:3]
UNNAMED = "unnamed"  # judgements that name neither test set nor language pair


class ChosenRecords(NamedTuple):
    """Comparisons of two translations (those of rankings too), and ratings."""

    comparisons: tuple[Preference, ...]
    ratings: tuple[Rating, ...]


def kinds_of(collection: Collection) -> list[str]:
    """Which kinds of judgement a collection has."""
    by_system = any(rating.segment is None for rating in collection.ratings)
    by_segment = any(rating.segment is not None for rating in collection.ratings)
    present = {
        "preferences": bool(collection.preferences),
        "rankings": bool(collection.rankings),
        "ratings": by_segment,
        "system ratings": by_system,
    }
    return [kind for kind in KINDS if present[kind]]


def human_scores_of(collection: Collection) -> list[str]:
    """The names of the human scores that segments were rated by; "" for one without a name."""
    return sorted({human_of(each) for each in collection.ratings if each.segment is not None})


def choose_records(
    collection: Collection,
    kinds: Sequence[str],
    *,
    language_pairs: Sequence[str],
    human: str | None,
    by_judge: bool,
) -> ChosenRecords:
    """The judgements of some kinds and language pairs, in the order of the input.

    Kinds that a collection does not have are skipped, but one of them must be there. Every pattern
    of `language_pairs` ("de-en", "*-en", "newstest2016 *") must match. `human` names one of several
    human scores. Ratings are averaged over judges, unless they are asked for `by_judge`.
    """
    present = kinds_of(collection)
    if not present:
        raise SpecError("there are no judgements, only texts or scores; give a file of judgements")
    if not set(kinds) & set(present):
        raise SpecError(f"there are no {' or '.join(kinds)}; there are {', '.join(present)}")
    comparisons: list[Preference] = []
    if "preferences" in kinds:
        comparisons += collection.preferences
    if "rankings" in kinds:
        comparisons += preferences_of_rankings(collection.rankings)
    ratings = _choose_ratings(collection, kinds, human)
    if not by_judge:
        ratings = mean_ratings(ratings)
    if not comparisons and not ratings:
        raise SpecError(
            f"the {' and '.join(each for each in kinds if each in present)} compare nothing: "
            "none of them ranks two translations"
        )
    records: list[Record] = [*comparisons, *ratings]
    places = dict.fromkeys((each.testset, each.pair) for each in records)
    matched = [each for each in language_pairs if any(matches(place, [each]) for place in places)]
    if len(matched) < len(language_pairs):
        unmatched = ", ".join(each for each in language_pairs if each not in matched)
        there = ", ".join(name_place(*place) for place in places)
        raise SpecError(f"no language pair matches {unmatched}; there are: {there}")
    wanted = {place for place in places if matches(place, language_pairs)}
    return ChosenRecords(
        tuple(each for each in comparisons if (each.testset, each.pair) in wanted),
        tuple(each for each in ratings if (each.testset, each.pair) in wanted),
    )


def matches(place: tuple[str, str], patterns: Sequence[str]) -> bool:
    """Whether a pattern matches a test set and language pair; no patterns match all.

    >>> matches(("newstest2016", "de-en"), ["*-en"])
    True
    """
    names = (place[1], " ".join(place))
    return not patterns or any(fnmatch.fnmatch(name, p) for name in names for p in patterns)


def matching_patterns(collection: Collection, patterns: Sequence[str]) -> list[str]:
    """The patterns that match some judgement of a collection."""
    kinds = (collection.preferences, collection.rankings, collection.ratings)
    places = {(each.testset, each.pair) for records in kinds for each in records}
    return [each for each in patterns if any(matches(place, [each]) for place in places)]


def name_place(testset: str, pair: str) -> str:
    """Test set and language pair as a heading."""
    return f"{testset} {pair}".strip() or UNNAMED


def by_place(records: Iterable[Judged]) -> dict[tuple[str, str], list[Judged]]:
    """The records of each test set and language pair."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for record in records:
        groups.setdefault((record.testset, record.pair), []).append(record)
    return groups


def systems_of(record: Record) -> tuple[str, ...]:
    """The systems whose translations a record judges."""
    return (record.better, record.worse) if isinstance(record, Preference) else (record.system,)


def references_of(texts: TestSet, segment: int) -> tuple[str, ...]:
    """The references of a segment, as many as there are."""
    return tuple(given[segment] for given in texts.references.values() if segment in given)


def refuse_missing(
    records: Iterable[Record],
    texts: Mapping[tuple[str, str], TestSet],
    needs: Sequence[str] = (),
) -> None:
    """Refuse judgements of translations that the texts lack, with file and line.

    `needs`: "texts" must be there at all, each segment must have a "reference", a "source".
    """
    faults: dict[str, Fault] = {}
    for record in records:
        message = _missing(record, texts.get((record.testset, record.pair)), needs)
        if message:
            file, line = record.file or "judgements", record.line or None
            faults.setdefault(message, Fault(file, line, message))
    if faults:
        raise DataError(list(faults.values()))


def _missing(record: Record, texts: TestSet | None, needs: Sequence[str]) -> str:
    place = f"{record.testset} {record.pair}".strip() or "the unnamed test set"
    segment = record.segment
    if texts is None:
        wanted = "texts" in needs
        return f"there are no texts for {place}; add a file or folder that has them" * wanted
    for system in systems_of(record):
        if system not in texts.translations:
            hint = nearest(system, [*texts.translations])
            return f'system "{system}" has no translation in {place}{hint}'
        if segment is not None and segment not in texts.translations[system]:
            return f'system "{system}" has no translation of segment {segment}'
    if segment is not None and "reference" in needs and not references_of(texts, segment):
        return f"segment {segment} of {place} has no reference"
    if segment is not None and "source" in needs and segment not in texts.source:
        return f"segment {segment} of {place} has no source"
    return ""


def _choose_ratings(
    collection: Collection, kinds: Sequence[str], human: str | None
) -> list[Rating]:
    """The ratings of segments or systems by one human score."""
    of_systems = "system ratings" in kinds
    if not of_systems and "ratings" not in kinds:
        if human is not None:
            raise SpecError(
                f'human score "{human}" is only for ratings; these are {" and ".join(kinds)}'
            )
        return []
    wanted = [each for each in collection.ratings if (each.segment is None) == of_systems]
    names = sorted({human_of(each) for each in wanted})
    if human is None and len(names) > 1:
        raise SpecError(
            f"there are several human scores: {', '.join(names)}; choose one by --human, in a "
            "recipe by data.human"
        )
    if human is not None and human not in names:
        there = ", ".join(filter(None, names)) or "the one of the file, which has no name"
        raise SpecError(f'there is no human score "{human}"; there is {there}')
    return [each for each in wanted if human is None or human_of(each) == human]
