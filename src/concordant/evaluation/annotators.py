"""Agreement between and within judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError, UndefinedStatistic
from concordant.judgements.judged_records import by_place, human_scores_of, kinds_of
from concordant.judgements.judged_set import JudgedSet
from concordant.stats.agreement import cohen_kappa_wmt, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.records import Collection, Estimate, Preference, Rating

JUDGED = ("rankings", "preferences", "ratings")
UNKNOWN_JUDGES = "the judges are not named"


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
    kinds = [kind for kind in JUDGED if kind in kinds_of(collection)]
    if not kinds:
        raise SpecError("there are no judgements of segments to compute agreement from")
    found = []
    for kind in kinds:
        for human in human_scores_of(collection) if kind == "ratings" else [None]:
            judged = JudgedSet.of(collection, kind, human=human, by_judge=True)
            for place, group in by_place(judged.comparisons).items():
                found += [
                    _kappa(place, kind, group, each, seed, resamples) for each in ("inter", "intra")
                ]
            for place, rated in by_place(judged.ratings).items():
                found.append(_alpha(place, f"{kind} {human or ''}".strip(), rated, seed, resamples))
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

    def estimate() -> Estimate:
        return cohen_kappa_wmt(
            [number[item] for item in items],
            np.unique(judges, return_inverse=True)[1],
            labels,
            kind=kind,
            rng=np.random.default_rng(seed),
            n_resamples=resamples,
        )

    return _agreement(place, judged, f"κ {kind}-annotator", judges, estimate)


def _alpha(
    place: tuple[str, str], judged: str, ratings: Sequence[Rating], seed: int, resamples: int
) -> Agreement:
    first: dict[tuple[str, int | None, str], float] = {}
    for rating in ratings:
        if rating.judge is not None:
            first.setdefault((rating.system, rating.segment, rating.judge), rating.score)
    units = [f"{segment} {system}" for system, segment, _ in first]
    judges = [judge for _, _, judge in first]

    def estimate() -> Estimate:
        rng = np.random.default_rng(seed)
        scores = list(first.values())
        return krippendorff_alpha(units, judges, scores, rng=rng, n_resamples=resamples)

    return _agreement(place, judged, "α interval", judges, estimate)


def _agreement(
    place: tuple[str, str],
    judged: str,
    coefficient: str,
    judges: Sequence[str],
    estimate: Callable[[], Estimate],
) -> Agreement:
    count = len(set(judges))
    if not judges:
        return Agreement(*place, judged, coefficient, 0, None, UNKNOWN_JUDGES)
    try:
        return Agreement(*place, judged, coefficient, count, estimate())
    except UndefinedStatistic as reason:
        return Agreement(*place, judged, coefficient, count, None, str(reason))
