"""Train an encoder by a plan, from lessons; run again, it goes on where it stopped.

    python shipping/encoder_train.py PLAN.toml LESSONS FOLDER

A plan says what the network starts from, the sources of lessons with their shares, and the
schedule. FOLDER gets checkpoints, history.jsonl and, in the end, weights.safetensors.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import tomllib
from scipy.stats import kendalltau

from concordant.encoders.networks.model_folder import require
from concordant.models.encoder.fitting import score_rows
from concordant.models.encoder.learner import Learner, Schedule, new_learner
from concordant.models.encoder.lessons import Curriculum, Lesson, Source, shares_by_source
from concordant.models.encoder.loop import train
from concordant.models.encoder.start import new_adapters, new_head, read_network
from concordant.models.encoder.texts import Pieces
from concordant.resources.places import locate
from concordant.training.checkpoint import load_checkpoint, save_checkpoint

Rows = list[dict[str, Any]]


def read_lessons(folder: Path, name: str) -> Rows:
    """The lessons of a source, as they were written."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_texts(folder: Path) -> Pieces:
    """All texts."""
    stored = np.load(folder / "texts.npz")
    return Pieces(stored["ids"], stored["surfaces"], stored["starts"])


def all_texts(folder: Path) -> list[str]:
    """All texts by number, as they are written."""
    return (folder / "texts.txt").read_text("utf-8").split("\n")


def fifth(segment: str) -> int:
    """Which fifth of the contrast pairs a segment is of; 4 is kept for testing."""
    return zlib.crc32(segment.encode()) % 5


def lessons_of(rows: Rows, lengths: np.ndarray, longest: int, *, keep_all: bool) -> list[Lesson]:
    """The lessons that may be learned from and are short enough."""
    found = []
    for row in rows:
        if not keep_all and (row.get("seen") or ("category" in row and fifth(row["segment"]) == 4)):
            continue
        most = longest - 3 - max(lengths[each] for each in row["translations"])
        references = tuple(each for each in row["references"] if 0 < lengths[each] <= most)
        if references:
            ratings = tuple(row["ratings"]) if row.get("ratings") else None
            pairs = tuple((better, worse) for better, worse in row.get("pairs", ()))
            translations = tuple(row["translations"])
            found.append(Lesson(references, translations, ratings, pairs, row["segment"]))
    return found


def taught(paths: list[Path], lengths: np.ndarray, longest: int) -> list[Lesson]:
    """Lessons of a teacher's scores: rows of translation, reference and score."""
    groups: dict[int, list[tuple[int, float]]] = {}
    for translation, reference, score in np.concatenate([np.load(each) for each in paths]):
        if lengths[int(translation)] + lengths[int(reference)] + 3 <= longest:
            groups.setdefault(int(reference), []).append((int(translation), float(score)))
    found = []
    for reference, scored in groups.items():
        for start in range(0, len(scored), 5):
            part = scored[start : start + 5]
            translations, scores = zip(*part, strict=True)
            found.append(Lesson((reference,), translations, scores))
    return found


def sources_of(plan: dict[str, Any], folder: Path, lengths: np.ndarray) -> tuple[Source, ...]:
    """The sources of a plan."""
    longest, found = plan["longest"], []
    for name, each in plan["sources"].items():
        if "taught" in each:
            files = [folder.parent / file for file in each["taught"]]
            lessons = taught(files, lengths, longest)
        else:
            rows = read_lessons(folder, name)
            lessons = lessons_of(rows, lengths, longest, keep_all=plan.get("all", False))
        weights = each.get("rating", 1.0), each.get("pair", 1.0)
        found.append(Source(name, lessons, each["share"], *weights))
    return tuple(found)


def start(plan: dict[str, Any], folder: Path) -> tuple[Any, dict[str, Any], int]:
    """Shape, weights, what ids are moved by: a network, a new head, what an earlier plan left."""
    place = folder.parent / plan["start"]
    where = place if place.is_dir() else locate(plan["start"])
    shape, weights, moved = read_network(where, plan["form"], plan["layers"])
    weights |= new_head(
        plan["form"], weights["embeddings.scale"].shape[0], plan["hidden"], plan["seed"]
    )
    if plan["rank"]:
        weights |= new_adapters(shape, weights, plan["rank"], plan["seed"])
    if "from" in plan:
        weights |= require("safetensors.torch").load_file(folder.parent / plan["from"])
    return shape, weights, moved


def learning(plan: dict[str, Any], weights: dict[str, Any]) -> list[str]:
    """What learns: adapters, types and head, or all but the words' embeddings."""
    if not plan["rank"]:
        return [name for name in weights if name != "embeddings.words"]
    own = ("head.", "match.", "embeddings.types")
    return [name for name in weights if name.startswith(own) or name.endswith((".down", ".up"))]


class Chosen:
    """The figures that a plan is chosen by: WMT14's tenth and MQM of TED talks."""

    def __init__(self, lessons: Path, thin: int) -> None:
        """Every `thin`th of their segments."""
        ranked = read_lessons(lessons, "rr14")
        tenth = [each for each in ranked if int(each["segment"].split("/")[-1]) % 10 == 0]
        self.ranked = tenth[::thin]
        self.rated = read_lessons(lessons, "mqm21ted")[:: 2 * thin]

    def __call__(self, learner: Learner) -> dict[str, float]:
        """Strict tau, Pearson's r and tau-b."""
        both = [*self.ranked, *self.rated]
        rows = [(t, each["references"][0]) for each in both for t in each["translations"]]
        rows = list(dict.fromkeys(rows))
        scores = dict(zip(rows, score_rows(learner, rows).tolist(), strict=True))
        gaps = []
        for each in self.ranked:
            own = [scores[t, each["references"][0]] for t in each["translations"]]
            gaps += [own[better] - own[worse] for better, worse in each["pairs"]]
        said = [
            scores[t, each["references"][0]] for each in self.rated for t in each["translations"]
        ]
        meant = [raw for each in self.rated for raw in each["raw"]]
        return {
            "rr14": float(np.mean(np.where(np.array(gaps) > 0, 1, -1))),
            "ted_r": float(np.corrcoef(said, meant)[0, 1]),
            "ted_tau": float(kendalltau(said, meant).statistic),
        }


def main(plan_file: Path, lessons: Path, folder: Path) -> None:
    """Train, and write what learned."""
    plan = {"rank": 0, "layers": [], "thin": 4, **tomllib.loads(plan_file.read_text("utf-8"))}
    torch = require("torch")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    folder.mkdir(parents=True, exist_ok=True)
    pieces = read_texts(lessons)
    lengths = pieces.lengths
    sources = sources_of(plan, lessons, lengths)
    course = Curriculum(sources, lengths, plan["seed"], plan["batch"], plan["tokens"])
    shape, weights, moved = start(plan, lessons)
    learner = new_learner(shape, weights, learning(plan, weights), pieces.texts(moved))
    print({k: round(v, 3) for k, v in shares_by_source(course).items()}, "passes a 100 steps")
    chosen = Chosen(lessons, plan["thin"])
    digest = plan.get("digest", plan_file.stem)

    def validate(one: Learner) -> float:
        found = {"step": one.step, **{k: round(v, 4) for k, v in chosen(one).items()}}
        print(json.dumps(found), flush=True)
        with (folder / "history.jsonl").open("a") as history:
            history.write(json.dumps(found) + "\n")
        return found["rr14"] / 2 + found["ted_r"] / 2

    schedule = Schedule(
        plan["steps"], plan["warm_up"], plan["decay_from"], plan["rate"], plan["head_rate"]
    )
    train(
        learner,
        course,
        schedule,
        epoch=plan["epoch"],
        validate=validate,
        resume=load_checkpoint(folder, digest),
        keep=lambda progress: save_checkpoint(folder, progress, digest),
        say=lambda line: print(line, flush=True),
    )
    arrays = {name: value.contiguous() for name, value in learner.learning.items()}
    facts = {k: str(v) for k, v in asdict(shape).items()} | {
        "moved": str(moved),
        "plan": json.dumps(plan),
    }
    require("safetensors.torch").save_file(arrays, folder / "weights.safetensors", facts)


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:4]))
