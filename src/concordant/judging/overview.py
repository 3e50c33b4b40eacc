"""What the organiser sees: progress, agreement, the ranking as it stands, and what is not settled.

All figures come from the campaign's file by the functions behind `concordant data` and
`concordant evaluate`, so page and command agree to the last digit.
"""

from __future__ import annotations

import itertools
import json
import statistics
import threading
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from concordant._version import __version__
from concordant.errors import ConcordantError
from concordant.evaluation.annotators import annotator_agreement
from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.evaluation.system_ranking import system_ranking
from concordant.judgements.campaign_schema import LAST_JUDGEMENTS, open_to_read
from concordant.judgements.judged_records import kinds_of
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.readers.campaign import read, settings_of
from concordant.judging.outlook import outlook
from concordant.judging.settings import CampaignSettings
from concordant.judging.tallies import PairTallies, RatingTallies

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from concordant.records import Collection

METRICS = ("chrf", "bleu", "ter", "fast", "base")
ENGLISH = "en"
FEWEST = 10  # judgements before anything is ranked or compared


class Overview:
    """The figures of a campaign, computed again only when something was judged since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: dict[str, tuple[object, dict[str, Any]]] = {}
        self._changes = 0

    def forget(self) -> None:
        """Compute everything again: more than the number of judgements has changed."""
        self._changes += 1

    def now(self, judgements: int, paused: bool) -> dict[str, Any]:
        """Progress, agreement, ranking and what is open."""
        return {**self._cached("now", self._count(judgements), self._figures), "paused": paused}

    def metrics(self) -> dict[str, Any]:
        """How far metrics agree with the judges so far, each with its interval; best first."""
        with closing(open_to_read(self.path)) as connection:
            (count,) = connection.execute("SELECT COUNT(*) FROM judgements").fetchone()
        return self._cached("metrics", self._count(count), self._metric_figures)

    def _metric_figures(self) -> dict[str, Any]:
        found = metric_figures(read(self.path))
        if found["why"]:
            return {**found, "outlook": ""}
        try:
            return {**found, "outlook": outlook(self.path).sentence}
        except ConcordantError as reason:
            return {**found, "outlook": f"No metric can be trained yet: {reason}."}

    def _count(self, judgements: int) -> tuple[int, int]:
        return judgements, self._changes

    def _cached(self, name: str, key: object, compute: Any) -> dict[str, Any]:
        with self._lock:
            if self._known.get(name, (None,))[0] != key:
                self._known[name] = (key, compute())
            return self._known[name][1]

    def _figures(self) -> dict[str, Any]:
        collection = read(self.path)
        with closing(open_to_read(self.path)) as connection:
            settings = CampaignSettings.of(settings_of(connection))
            judges = judge_rows(connection, settings)
            doubts = open_questions(connection, settings)
        return {
            "title": settings.title,
            "protocol": settings.protocol,
            "policy": settings.policy,
            "judgements": sum(each["done"] for each in judges),
            "wanted": sum(each["each"] for each in judges),
            "judges": judges,
            "agreement": agreement_rows(collection),
            **ranking_rows(collection),
            "open": doubts,
            "notes": list(collection.notes),
        }


def judge_rows(connection: sqlite3.Connection, settings: CampaignSettings) -> list[dict[str, Any]]:
    """Each judge's progress, time, and how they did on repeats and damaged items."""
    answers: dict[int, dict[str, Any]] = {}
    rows: dict[int, dict[str, Any]] = {
        number: {
            "judge": name, "state": state, "done": 0, "each": settings.each, "seconds": [],
            "repeats": 0, "repeated": 0, "damaged": 0, "found": 0,
        }
        for number, name, state in connection.execute("SELECT id, name, state FROM judges")
    }  # fmt: skip
    for row in connection.execute(LAST_JUDGEMENTS):
        task, judge, _, shown, kind, _, repeats, changed, answer, seconds, _ = row
        answers[task] = {"shown": json.loads(shown), **json.loads(answer)}
        mine = rows[judge]
        mine["done"] += 1
        mine["seconds"].append(seconds)
        if kind == "repeat":
            alike, asked = answered_alike(answers[repeats], answers[task])
            mine["repeats"] += asked
            mine["repeated"] += alike
        elif kind == "damaged":
            mine["damaged"] += 1
            mine["found"] += found_damage(answers[task], json.loads(changed), answers[repeats])
    for each in rows.values():
        each["seconds"] = statistics.median(each["seconds"]) if each["seconds"] else None
    return list(rows.values())


def answered_alike(first: dict[str, Any], second: dict[str, Any]) -> tuple[int, int]:
    """How many pairs of translations a repeat ordered as before, and how many there are.

    Of scores: whether the two are within 10 points, of one.

    >>> shown = [[1], [2], [3]]
    >>> answered_alike({"shown": shown, "ranks": [1, 2, 2]}, {"shown": shown, "ranks": [1, 2, 3]})
    (2, 3)
    """
    if "score" in first:
        return int(abs(first["score"] - second["score"]) <= 10), 1
    before, after = (
        {min(group): rank for group, rank in zip(each["shown"], each["ranks"], strict=True)}
        for each in (first, second)
    )
    pairs = list(itertools.combinations(sorted(before), 2))
    alike = [
        _order(before[one], before[other]) == _order(after[one], after[other])
        for one, other in pairs
    ]
    return sum(alike), len(pairs)


def _order(one: int, other: int) -> int:
    return (one > other) - (one < other)


def found_damage(answer: dict[str, Any], changed: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether the damaged translation was judged worse than the one that it was made from."""
    if "score" in answer:
        return bool(answer["score"] < before["score"])
    return bool(answer["ranks"][changed["place"]] > answer["ranks"][changed["of"]])


def agreement_rows(collection: Collection) -> list[dict[str, Any]]:
    """κ between and within judges, or α, with intervals; the reason where there is none."""
    try:
        found = annotator_agreement(collection)
    except ConcordantError:
        return []
    return [
        {
            "coefficient": each.coefficient,
            "undefined": each.undefined,
            **(asdict(each.estimate) if each.estimate is not None else {"value": None}),
        }
        for each in found
    ]


def ranking_rows(collection: Collection) -> dict[str, Any]:
    """The ranking that `concordant data systems` prints, and its signature."""
    kind = next(iter(kinds_of(collection)), None)
    count = len(collection.rankings) + len(collection.preferences) + len(collection.ratings)
    if kind is None or count < FEWEST:
        return {"ranking": [], "why": f"a ranking needs {FEWEST} judgements", "signature": ""}
    try:
        columns = JudgedSet.of(collection, kind).columns()
        rows = [asdict(each) for column in columns for each in system_ranking(column)]
    except ConcordantError as reason:
        return {"ranking": [], "why": str(reason), "signature": ""}
    rated = "mean-rating" if kind == "ratings" else "expected-wins"
    signature = f"human:{kind}|score:{rated}|seed:0|concordant:{__version__}"
    return {"ranking": rows, "why": "", "signature": signature}


def open_questions(
    connection: sqlite3.Connection, settings: CampaignSettings
) -> list[dict[str, Any]]:
    """Neighbours in the ranking whose order may be wrong, the most doubtful first."""
    systems = [name for (name,) in connection.execute("SELECT name FROM systems ORDER BY id")]
    if len(systems) < 2:
        return []
    tallies = (PairTallies if settings.compares else RatingTallies)(len(systems))
    for row in connection.execute(LAST_JUDGEMENTS):
        if row[4] != "damaged":
            tallies.add(json.loads(row[3]), json.loads(row[8]), row[5])
    found = tallies.doubts()
    rows = [
        {"better": systems[one], "worse": systems[other], "doubt": float(doubt)}
        for one, other, doubt in zip(found.better, found.worse, found.doubt, strict=True)
        if doubt > 0.025
    ]
    return sorted(rows, key=lambda each: -each["doubt"])


def metric_figures(collection: Collection) -> dict[str, Any]:
    """Metrics by their agreement with the judges."""
    pair = collection.testsets[0].pair
    names = METRICS if pair.endswith(f"-{ENGLISH}") or not pair else (*METRICS[:3], "fast-any")
    try:
        found = evaluate(list(names), collection, EvaluationOptions())
    except ConcordantError as reason:
        return {"metrics": [], "why": str(reason), "statistic": "", "signature": ""}
    rows = [each for each in found.records() if each["column"] != "average"]
    rows.sort(key=lambda each: -(each["value"] if each["value"] is not None else -2.0))
    return {
        "metrics": rows, "why": "", "statistic": found.statistic, "signature": found.signature
    }  # fmt: skip
