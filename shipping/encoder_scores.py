"""Scores of all translations of some lessons by an encoder or a metric; run again, it goes on.

    python shipping/encoder_scores.py FOLDER LESSONS OUT.npy[:MOST] NAME[:SEGMENTS]…

Rows of OUT are the numbers of translation and reference, and the score. `NAME:500` takes 500
segments at random, `OUT.npy:3000` scores 3,000 rows at random. This is how a teacher teaches, and
how figures are measured.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from encoder_train import all_texts, read_lessons, read_texts, start

from concordant.encoders.networks.model_folder import require
from concordant.metrics.find import find
from concordant.metrics.manifest import MANIFEST
from concordant.models.encoder.fitting import score_rows
from concordant.models.encoder.learner import Learner, new_learner

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1000
LONGEST = 500


def trained(folder: Path, lessons: Path) -> Learner:
    """The encoder of a folder; adapters are added to their matrices."""
    with require("safetensors").safe_open(folder / "weights.safetensors", "pt") as opened:
        facts = opened.metadata()
        own = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    plan = json.loads(facts["plan"])
    shape, weights, moved = start(plan, lessons)
    weights |= own
    for name in [each for each in weights if each.endswith(".down")]:
        at = name.removesuffix(".down")
        weights[at] = weights[at] + weights.pop(f"{at}.up") @ weights.pop(name)
    return new_learner(shape, weights, ["head.out_bias"], read_texts(lessons).texts(moved))


def scorer_of(folder: Path, lessons: Path) -> Callable[[list[tuple[int, int]]], np.ndarray]:
    """How the encoder of a folder scores pairs, or the metric that is there or of that name."""
    if (folder / "weights.safetensors").is_file() and not (folder / MANIFEST).is_file():
        learner = trained(folder, lessons)
        return lambda part: score_rows(learner, part)
    metric, texts = find(str(folder))[0], all_texts(lessons)

    def scores(part: list[tuple[int, int]]) -> np.ndarray:
        given = [texts[t] for t, _ in part], [[texts[r]] for _, r in part]
        return metric.sign * np.asarray(metric.score(*given).segments)

    return scores


def rows_of(lessons: Path, name: str) -> list[tuple[int, int]]:
    """Translations and references of a source, or of some of its segments."""
    name, _, limit = name.partition(":")
    rows: list[dict[str, Any]] = read_lessons(lessons, name)
    if limit:
        order = np.random.default_rng(7).permutation(len(rows))[: int(limit)]
        rows = [rows[i] for i in order]
    return [(t, r) for each in rows for t in each["translations"] for r in each["references"]]


def main(folder: Path, lessons: Path, place: str, names: list[str]) -> None:
    """Score what is not scored yet."""
    file, _, limit = place.partition(":")
    out = Path(file)
    require("torch").set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    lengths = read_texts(lessons).lengths
    rows = dict.fromkeys(row for name in names for row in rows_of(lessons, name))
    done = {}
    if out.exists():
        done = {(int(t), int(r)): score for t, r, score in np.load(out)}
    left = [row for row in rows if row not in done and lengths[list(row)].sum() <= LONGEST]
    order, started = np.random.default_rng(1).permutation(len(left)), time.monotonic()
    if limit:
        order = order[: max(0, int(limit) - len(done))]
    score = scorer_of(folder, lessons)
    for begin in range(0, len(order), BLOCK):
        part = [left[i] for i in order[begin : begin + BLOCK]]
        done |= dict(zip(part, score(part).tolist(), strict=True))
        draft = out.with_suffix(".part.npy")
        np.save(draft, np.array([(t, r, score) for (t, r), score in done.items()]))
        draft.replace(out)
        each = (time.monotonic() - started) / (begin + len(part))
        minutes = each * (len(order) - begin - len(part)) / 60
        print(f"{begin + len(part)} of {len(order)}: {minutes:.1f} min left", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
