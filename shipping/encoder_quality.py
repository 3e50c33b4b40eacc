"""How far scores agree with people on what no encoder of the development split has seen.

    python shipping/encoder_quality.py LESSONS SCORES.npy [SCORES.npy…]

Only segments whose translations are all scored count, so that a sample will do. Several files: the
mean of their scores is measured too. Intervals are from a bootstrap over segments.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from encoder_train import fifth, read_lessons
from scipy.stats import kendalltau

from concordant.training.held_out import pearson_estimate, tau_estimate

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = list[dict[str, Any]]
Scores = dict[tuple[int, int], float]


def scored(rows: Rows, scores: Scores) -> Rows:
    """The lessons whose translations are all scored; `own` are their mean scores."""
    found = []
    for each in rows:
        pairs = [[(t, r) for r in each["references"]] for t in each["translations"]]
        if all(pair in scores for own in pairs for pair in own):
            own = [float(np.mean([scores[pair] for pair in own])) for own in pairs]
            found.append({**each, "own": own})
    return found


def ranking(rows: Rows) -> str:
    """Strict tau over all judgements."""
    gaps, segments = [], []
    for number, each in enumerate(rows):
        gaps += [each["own"][better] - each["own"][worse] for better, worse in each["pairs"]]
        segments += [number] * len(each["pairs"])
    return str(tau_estimate(np.array(gaps), np.array(segments)))


def rating(rows: Rows) -> str:
    """Pearson's r, and tau-b."""
    own = np.array([score for each in rows for score in each["own"]])
    human = np.array([raw for each in rows for raw in each["raw"]])
    segments = np.array([
        zlib.crc32(each["segment"].encode()) for each in rows for _ in each["own"]
    ])
    tau = kendalltau(own, human).statistic
    return f"{pearson_estimate(own, human, segments)}, tau-b {tau:.3f}"


def pairs_of_languages(rows: Rows) -> str:
    """The mean of Pearson's r of the language pairs."""
    groups: dict[str, Rows] = {}
    for each in rows:
        groups.setdefault(each["segment"].split("/")[1], []).append(each)
    each_r = {
        pair: np.corrcoef([r["own"][0] for r in members], [r["raw"][0] for r in members])[0, 1]
        for pair, members in groups.items()
    }
    own = np.array([r["own"][0] for r in rows])
    human = np.array([r["raw"][0] for r in rows])
    pooled = pearson_estimate(own, human, np.arange(len(rows)))
    told = ", ".join(f"{pair} {r:.3f}" for pair, r in sorted(each_r.items()))
    return f"mean {np.mean(list(each_r.values())):.4f} ({told}); pooled {pooled}"


def good_above_bad(rows: Rows) -> str:
    """The share of pairs whose good translation scores higher, and by category."""
    won = np.array([each["own"][0] > each["own"][1] for each in rows], dtype=float)
    error = 1.96 * np.sqrt(won.mean() * (1 - won.mean()) / len(won))
    kinds = np.array([each["category"] for each in rows])
    told = ", ".join(f"{kind} {won[kinds == kind].mean():.2f}" for kind in sorted(set(kinds)))
    return f"{won.mean():.3f} ± {error:.3f} (n={len(won)}): {told}"


def is_tenth(row: dict[str, Any]) -> bool:
    """Whether a segment of WMT14 is of the tenth that plans are chosen by."""
    return int(row["segment"].split("/")[-1]) % 10 == 0


def is_held_out(row: dict[str, Any]) -> bool:
    """Whether a contrast pair is of the fifth that is kept for testing."""
    return fifth(row["segment"]) == 4


def is_of(row: dict[str, Any], name: str) -> bool:
    """Whether a contrast pair is of a collection."""
    return name in row["segment"]


# What is measured: a title, a source, which of its lessons, how.
MEASURED: list[tuple[str, str, Callable[[dict[str, Any]], bool], Callable[[Rows], str]]] = [
    ("WMT12 rankings, strict tau", "rr12", lambda _: True, ranking),
    ("WMT14 rankings without the tenth, strict tau", "rr14", lambda e: not is_tenth(e), ranking),
    ("WMT14 tenth (chosen on), strict tau", "rr14", is_tenth, ranking),
    ("WMT16 direct assessment, r", "da16", lambda _: True, pairs_of_languages),
    ("MQM 2021 zh-en, r", "mqm21", lambda _: True, rating),
    ("MQM 2021 TED zh-en (chosen on), r", "mqm21ted", lambda _: True, rating),
    ("contrast, XPAWS", "contrast", lambda e: is_held_out(e) and is_of(e, "xpaws"), good_above_bad),
    ("contrast, WMT21", "contrast", lambda e: is_held_out(e) and is_of(e, "wmt21"), good_above_bad),
]  # fmt: skip


def main(lessons: Path, files: list[Path]) -> None:
    """The figures of each file, and of the mean."""
    columns = {f.stem: {(int(t), int(r)): s for t, r, s in np.load(f)} for f in files}
    if len(files) > 1:
        shared = set.intersection(*(set(each) for each in columns.values()))
        columns["mean"] = {
            pair: float(np.mean([each[pair] for each in columns.values()])) for pair in shared
        }
    for title, source, wanted, measure in MEASURED:
        rows = [each for each in read_lessons(lessons, source) if wanted(each)]
        for name, scores in columns.items():
            there = scored(rows, scores)
            if there:
                print(f"{title} | {name} | {len(there)} segments | {measure(there)}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])
