"""How much better people rated the chosen translation: WMT's judged systems as candidate lists.

Each segment is a list of what all systems gave. A metric chooses by the reference, or by consensus
over the systems. Ratings are MQM (0 is flawless, minus the weighted errors). The gain is over a
translation drawn at random, and over the best single system by the same ratings; segments are
resampled for the intervals.
"""

from __future__ import annotations

import csv
import gzip
import os
from collections import defaultdict
from pathlib import Path

import numpy as np

from concordant.metrics.find import load
from concordant.reranking.choices import Consensus
from concordant.reranking.lists import CandidateList
from concordant.reranking.rerank import rerank
from concordant.stats.quantiles import percentile_interval
from concordant.stats.resampling import bootstrap_weights

SETS = ("mqm20", "mqm21")
BY_REFERENCE = ("bleu", "chrf", "ter", "tokens(compact-pieces)", "fast")
BY_CONSENSUS = ("bleu", "chrf", "ter", "fast")
PEOPLE = ("human", "ref")  # how the names of translations by people begin


def judged_lists(path: Path) -> tuple[list[CandidateList], list[np.ndarray], list[list[str]]]:
    """Lists of the systems' translations, their ratings, and the systems."""
    rows: dict[tuple[str, str], dict[str, tuple[str, float]]] = defaultdict(dict)
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if not row["system"].lower().startswith(PEOPLE):
                rows[row["src"], row["ref"]][row["system"]] = row["mt"], float(row["score"])
    lists, ratings, systems = [], [], []
    for number, ((source, reference), found) in enumerate(rows.items()):
        texts = tuple(text for text, _ in found.values())
        lists.append(CandidateList(str(number), texts, (reference,), source))
        ratings.append(np.array([rating for _, rating in found.values()]))
        systems.append(list(found))
    return lists, ratings, systems


def gain(chosen: np.ndarray, other: np.ndarray, weights: np.ndarray) -> str:
    gains = chosen - other
    low, high = percentile_interval(weights @ gains / weights.sum(axis=1))
    return f"{gains.mean():+.2f} [{low:+.2f}, {high:+.2f}]"


def show(name: str) -> None:
    (path,) = sorted((Path(os.environ["CONCORDANT_DATA"]) / "modern" / name).glob("*zh-en*"))
    lists, ratings, systems = judged_lists(path)
    random = np.array([each.mean() for each in ratings])
    by_system = defaultdict(list)
    for rated, names in zip(ratings, systems, strict=True):
        for rating, system in zip(rated, names, strict=True):
            by_system[system].append(rating)
    means = {system: np.mean(found) for system, found in by_system.items()}
    best = max(means, key=lambda system: means[system])
    single = np.array([
        rated[names.index(best)] if best in names else rated.mean()
        for rated, names in zip(ratings, systems, strict=True)
    ])  # fmt: skip
    top = np.array([each.max() for each in ratings])
    weights = bootstrap_weights(len(lists), 1000, np.random.default_rng(0))
    print(f"\n{name} zh-en: {len(lists)} segments, {len(means)} systems")
    print(f"| chosen by | rating | over a random one | over the best system ({best}) |")
    print("|---|---|---|---|")

    def line(what: str, chosen: np.ndarray) -> None:
        over = [gain(chosen, other, weights) for other in (random, single)]
        print(f"| {what} | {chosen.mean():.2f} | {over[0]} | {over[1]} |", flush=True)

    line("a random one", random)
    line(f"the best system, {best}", single)
    for metric in BY_REFERENCE:
        found = rerank(lists, load(metric))
        line(f"{metric}, by the reference", rated_choices(found, ratings))
    for metric in BY_CONSENSUS:
        found = rerank(lists, load(metric), consensus=Consensus(resamples=0))
        line(f"{metric}, by consensus", rated_choices(found, ratings))
    line("people (the highest rating)", top)


def rated_choices(found: object, ratings: list[np.ndarray]) -> np.ndarray:
    pairs = zip(found, ratings, strict=True)  # type: ignore[call-overload]
    return np.array([rated[choice.place] for (_, choice), rated in pairs])


if __name__ == "__main__":
    for each in SETS:
        show(each)
