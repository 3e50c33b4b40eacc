"""Makes the judgements of the example test set: three imaginary judges look at quality.tsv.

A judge's score of an output is its quality (0 to 100) seen with three faults of people: `severity`
multiplies the points that an output has lost, `taste` is an opinion on an output that stays, `slip`
comes anew with every look. Taste makes judges disagree with each other, slips make them disagree
with themselves. Outputs whose text is the same get the same score.

    python examples/judge.py        # rewrites rankings.jsonl, preferences.csv and ratings.csv
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

SEED = 20260
PAIR = "de-en"
Look = Callable[[int], npt.NDArray[np.float64]]  # segment → the judge's scores, one a system


@dataclass(frozen=True)
class Judge:
    """How one judge sees: the two standard deviations and the tie margin are in points."""

    name: str
    severity: float
    taste: float
    slip: float
    margin: float


JUDGES = (
    Judge("ada", severity=1.0, taste=8, slip=4, margin=5),  # careful
    Judge("ben", severity=0.75, taste=13, slip=8, margin=8),  # lenient and noisy
    Judge("cleo", severity=1.25, taste=11, slip=5, margin=3),  # strict
)


def eyes(
    judge: Judge,
    quality: npt.NDArray[np.float64],  # (segments, systems)
    same_as: npt.NDArray[np.intp],  # (segments, systems): the first system with the same text
    rng: np.random.Generator,
) -> Look:
    """The judge's way of looking: scores of 0 to 100, higher is better, a little new each time."""
    opinion = 100 - judge.severity * (100 - quality) + rng.normal(0, judge.taste, quality.shape)

    def look(segment: int) -> npt.NDArray[np.float64]:
        seen = opinion[segment - 1] + rng.normal(0, judge.slip, quality.shape[1])
        scores: npt.NDArray[np.float64] = np.clip(seen[same_as[segment - 1]], 0, 100)
        return scores

    return look


def ranks(scores: npt.NDArray[np.float64], margin: float) -> list[int]:
    """Ranks from 1 (best); a score within the margin of the best of a tie joins that tie."""
    order = np.argsort(-scores, kind="stable")
    result = [1] * len(scores)
    head, rank = order[0], 1
    for place, system in enumerate(order, start=1):
        if scores[head] - scores[system] > margin:
            head, rank = system, place
        result[system] = rank
    return result


def rankings(systems: list[str], segments: range, looks: list[Look]) -> list[str]:
    """Every judge ranks the odd segments and a third of the even ones, then a sixth once more."""
    lines = []
    for turn, (judge, look) in enumerate(zip(JUDGES, looks, strict=True)):
        first = [s for s in segments if s % 2 == 1 or s % 6 == 2 * turn]
        again = [s for s in segments if s % 6 == 1]
        for segment in first + again:
            record = {"record": "ranking", "testset": "examples", "pair": PAIR, "segment": segment}
            record |= {"systems": systems, "ranks": ranks(look(segment), judge.margin)}
            lines.append(json.dumps(record | {"judge": judge.name}))
    return lines


def preferences(systems: list[str], segments: range, looks: list[Look]) -> list[str]:
    """Every pair of translations is shown to one judge; equally good ones are left out."""
    lines = ["lp,segment,better,worse,judge"]
    pairs = itertools.combinations(range(len(systems)), 2)
    for segment, (number, (a, b)) in itertools.product(segments, list(enumerate(pairs))):
        turn = (segment + number) % len(JUDGES)
        scores, judge = looks[turn](segment), JUDGES[turn]
        if abs(scores[a] - scores[b]) > judge.margin:
            better, worse = (a, b) if scores[a] > scores[b] else (b, a)
            lines.append(f"{PAIR},{segment},{systems[better]},{systems[worse]},{judge.name}")
    return lines


def ratings(systems: list[str], segments: range, looks: list[Look]) -> list[str]:
    """Every judge rates all systems on three segments of four, in whole points."""
    lines = ["lp,segment,system,score,judge"]
    for turn, (judge, look) in enumerate(zip(JUDGES, looks, strict=True)):
        for segment in (s for s in segments if s % 4 != turn):
            lines += [
                f"{PAIR},{segment},{system},{score:.0f},{judge.name}"
                for system, score in zip(systems, look(segment), strict=True)
            ]
    return lines


def main(folder: Path) -> None:
    """Write the three judgement files of a folder with quality.tsv and systems/."""
    header, *rows = (folder / "quality.tsv").read_text(encoding="utf-8").splitlines()
    systems = header.split("\t")[1:]
    quality = np.array([row.split("\t")[1:] for row in rows], dtype=np.float64)
    files = [folder / "systems" / f"{name}.txt" for name in systems]
    texts = [file.read_text(encoding="utf-8").splitlines() for file in files]
    translations = zip(*texts, strict=True)
    same_as = np.array([[line.index(text) for text in line] for line in translations])

    rng = np.random.default_rng(SEED)
    looks = [eyes(judge, quality, same_as, rng) for judge in JUDGES]
    segments = range(1, len(rows) + 1)
    makers = {"rankings.jsonl": rankings, "preferences.csv": preferences, "ratings.csv": ratings}
    for name, make in makers.items():
        text = "\n".join(make(systems, segments, looks)) + "\n"
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(__file__).parent / PAIR)
