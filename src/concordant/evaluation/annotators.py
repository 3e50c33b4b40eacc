"""Agreement between and within judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic
from concordant.judgements.conversion import preferences_of_rankings
from concordant.records import Preference, Rating
from concordant.stats.agreement import cohen_kappa_wmt, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.records import Collection, Estimate

UNKNOWN_JUDGES = "the judges are not named"
_Judged = TypeVar("_Judged", Preference, Rating)


@dataclass(frozen=True)
class Agreement:
    """One coefficient for one test set and language pair; `undefined` says why there is none."""

    testset: str
    pair: str
    judged: str
    coefficient: str
    judges: int
    estimate: Estimate | None
    undefined: str = ""


def annotator_agreement(
    collection: Collection, *, seed: int = 0, resamples: int = 1000
) -> list[Agreement]:
    """WMT's κ between and within judges for comparisons, Krippendorff's α for ratings."""
    found = []
    for judged, records in (
        ("rankings", preferences_of_rankings(collection.rankings)),
        ("preferences", collection.preferences),
    ):
        for place, group in _by_place(records).items():
            found += [
                _kappa(place, judged, group, kind, seed, resamples) for kind in ("inter", "intra")
            ]
    ratings = [rating for rating in collection.ratings if rating.segment is not None]
    for place, rated in _by_place(ratings).items():
        found.append(_alpha(place, rated, seed, resamples))
    if not found:
        raise SpecError("there are no judgements of segments to compute agreement from")
    return found


def _kappa(
    place: tuple[str, str],
    judged: str,
    records: Sequence[Preference],
    kind: str,
    seed: int,
    resamples: int,
) -> Agreement:
    known = [each for each in records if each.judge is not None]
    items = [(each.segment, *sorted((each.better, each.worse))) for each in known]
    number = {item: i for i, item in enumerate(dict.fromkeys(items))}
    labels = [0 if each.tie else 1 if each.better < each.worse else -1 for each in known]
    judges = [each.judge or "" for each in known]
    name = f"κ {kind}-annotator"
    if not known:
        return Agreement(*place, judged, name, 0, None, UNKNOWN_JUDGES)
    try:
        estimate = cohen_kappa_wmt(
            [number[item] for item in items],
            np.unique(judges, return_inverse=True)[1],
            labels,
            kind=kind,
            rng=np.random.default_rng(seed),
            n_resamples=resamples,
        )
    except UndefinedStatistic as reason:
        return Agreement(*place, judged, name, len(set(judges)), None, str(reason))
    return Agreement(*place, judged, name, len(set(judges)), estimate)


def _alpha(
    place: tuple[str, str], ratings: Sequence[Rating], seed: int, resamples: int
) -> Agreement:
    first: dict[tuple[str, int | None, str], float] = {}
    for rating in ratings:
        if rating.judge is not None:
            first.setdefault((rating.system, rating.segment, rating.judge), rating.score)
    units = [f"{segment} {system}" for system, segment, _ in first]
    judges = [judge for _, _, judge in first]
    if not judges:
        return Agreement(*place, "ratings", "α interval", 0, None, UNKNOWN_JUDGES)
    try:
        estimate = krippendorff_alpha(
            units,
            judges,
            list(first.values()),
            rng=np.random.default_rng(seed),
            n_resamples=resamples,
        )
    except UndefinedStatistic as reason:
        return Agreement(*place, "ratings", "α interval", len(set(judges)), None, str(reason))
    return Agreement(*place, "ratings", "α interval", len(set(judges)), estimate)


def _by_place(records: Sequence[_Judged]) -> dict[tuple[str, str], list[_Judged]]:
    groups: dict[tuple[str, str], list[_Judged]] = {}
    for record in records:
        groups.setdefault((record.testset, record.pair), []).append(record)
    return groups
