"""Judgements + recipe → metric: the whole course, and what it reached on segments it never saw."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.features.preparation import Inputs
from concordant.features.scaling import constant_columns
from concordant.metric import Metric
from concordant.stats.measured import Additive
from concordant.stats.resampling import bootstrap_weights, estimate
from concordant.training.checkpoint import load_checkpoint, save_checkpoint
from concordant.training.material import gather, prepare, unfitted
from concordant.training.pairwise_training import PairSet
from concordant.training.system_agreement import system_agreement
from concordant.training.trainers import trainer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.embeddings.encoders import Track
    from concordant.features.preparation import Preparation
    from concordant.records import Collection, Estimate
    from concordant.training.judged_texts import JudgedPairs
    from concordant.training.loop import Progress
    from concordant.training.material import Material
    from concordant.training.recipe import Recipe
    from concordant.training.trainers import Learnt

RESAMPLES = 1000
CURVE = (0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class Plan:
    """What a training will do, before it does it."""

    recipe: Recipe
    material: Material
    preparation: Preparation
    inputs: dict[str, Inputs]

    def lines(self) -> list[str]:
        """The plan in words."""
        sides = self.material.sides
        counts = [
            f"{name} {len(pairs):,} pairs of {len(np.unique(pairs.segment)):,} segments"
            for name, pairs in sides.items()
            if len(pairs)
        ]
        recipe, prepared = self.recipe, self.preparation
        scaling = prepared.feature_scaling
        constant = [] if scaling is None else constant_columns(scaling, prepared.columns)
        idle = f"; constant in training, so without effect: {', '.join(constant)}"
        return [
            "judged pairs: " + ", ".join(counts),
            (
                f"inputs: {len(prepared.columns)} features, {prepared.dimension} numbers a text"
                f"{idle if constant else ''}"
            ),
            (
                f"model: {recipe['model.kind']}, {trainer_of(recipe).describe(recipe)}; "
                f"objective: {recipe['objective.kind']}; seed {recipe['seed']}"
            ),
            *self._systems(),
        ]

    def _systems(self) -> list[str]:
        counts = [
            f"{name} {len(each):,} pairs of {len(each.names)} systems"
            for name, each in self.material.corpora.items()
            if len(each)
        ]
        return ["judged systems: " + ", ".join(counts)] if counts else []


@dataclass(frozen=True)
class Trained:
    """A metric, the course of its training, and its agreement with people on held-out pairs.

    `agreement` is the strict tau of its decisions, `absolute` that of its scores of single outputs,
    `systems` Pearson's r of its scores of systems, where it learnt from them. `held_out` says on
    what: the test side, or validation where there is none.
    """

    metric: Metric
    progress: Progress
    agreement: Estimate
    absolute: Estimate
    held_out: str
    record: dict[str, Any]
    systems: Estimate | None = None


def plan(
    recipe: Recipe,
    judgements: Collection | None = None,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> Plan:
    """Read the judgements, split them and compute all inputs."""
    trainer_of(recipe)  # what is wrong with the recipe or the machine is said before any work
    unfitted(recipe)
    material = gather(recipe, judgements)
    preparation, inputs = prepare(recipe, material, threads=threads, track=track)
    return Plan(recipe, material, preparation, inputs)


def train_metric(
    planned: Plan,
    *,
    checkpoint: Path | None = None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> Trained:
    """Train as planned; with a checkpoint folder an interrupted run is taken up again."""
    recipe, sides = planned.recipe, planned.material.sides
    digest = run_digest(recipe, planned.material)
    resume = None if checkpoint is None else load_checkpoint(checkpoint, digest)
    metric = untrained(planned)

    def keep(progress: Progress) -> None:
        if checkpoint is not None:
            save_checkpoint(checkpoint, progress, digest)
        if after_epoch is not None:
            after_epoch(progress)

    learnt = trainer_of(recipe).train(
        recipe, metric, planned.material, planned.inputs, resume, keep
    )
    held_out = "test" if len(sides["test"]) else "validation"
    metric = untrained(planned, {k: value.astype(np.float32) for k, value in learnt.params.items()})
    agreement, absolute = agreements(metric, sides[held_out], planned.inputs[held_out])
    systems = _systems(planned, metric, held_out)
    record = _record(planned, learnt, held_out, agreement, absolute, digest)
    if systems is not None:
        record["r_of_systems"] = str(systems)
    return Trained(metric, learnt.progress, agreement, absolute, held_out, record, systems)


def _systems(planned: Plan, metric: Metric, held_out: str) -> Estimate | None:
    corpora = planned.material.corpora.get(held_out)
    if corpora is None:
        return None
    return system_agreement(
        metric.segment_scores(planned.inputs[held_out]),
        planned.material.sides[held_out],
        corpora,
        human=planned.recipe["objective.systems"],
    )


def untrained(planned: Plan, params: dict[str, np.ndarray] | None = None) -> Metric:
    """The metric of a plan, with these parameters."""
    recipe = planned.recipe
    kind, options = recipe["model.kind"], trainer_of(recipe).options(recipe)
    return Metric(recipe["name"], kind, planned.preparation, params or {}, options)


def agreements(metric: Metric, pairs: JudgedPairs, inputs: Inputs) -> tuple[Estimate, Estimate]:
    """Strict tau of the metric's decisions, and of its scores of single outputs, with intervals."""
    if pairs.tie is not None:
        pairs = pairs.take(np.flatnonzero(~pairs.tie))
    rows = PairSet.of(pairs)
    segment = np.repeat(pairs.segment, pairs.weight.astype(np.int64))
    scores = metric.segment_scores(inputs)
    halves = (
        Inputs(inputs.features[each], inputs.vectors[each]) for each in (rows.better, rows.worse)
    )
    gaps = metric.margins(*halves), scores[rows.better] - scores[rows.worse]
    first, second = (tau_estimate(gap, segment) for gap in gaps)
    return first, second


def tau_estimate(gaps: np.ndarray, segment: np.ndarray, *, seed: int = 0) -> Estimate:
    """The strict tau of decisions, with a bootstrap interval over segments."""
    _, unit = np.unique(segment, return_inverse=True)
    counts = np.zeros((int(unit.max()) + 1, 2))
    np.add.at(counts, unit, np.stack([np.where(gaps > 0, 1.0, -1.0), np.ones(len(gaps))], axis=1))
    measured = Additive(counts, lambda sums: sums[..., 0] / sums[..., 1], "tau-wmt12")
    weights = bootstrap_weights(len(counts), RESAMPLES, np.random.default_rng(seed))
    method = f"bootstrap over segments, {RESAMPLES} resamples"
    return estimate(measured, weights, n=len(gaps), method=method)


def learning_curve(
    planned: Plan, after_step: Callable[[float, int, Estimate], None] | None = None
) -> list[tuple[float, int, Estimate]]:
    """Agreement on the held-out side after training on a share of the segments: would more help?"""
    from dataclasses import replace  # noqa: PLC0415 - the only place

    training = planned.material.sides["training"]
    rng = np.random.default_rng(planned.recipe["seed"])
    order = rng.permutation(int(training.segment.max()) + 1)
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order)) / len(order)
    points = []
    for share in CURVE:
        rows = np.flatnonzero(rank[training.segment] < share)
        if not len(rows):
            continue
        sides = {**planned.material.sides, "training": training.take(rows)}
        part = replace(planned, material=replace(planned.material, sides=sides))
        reached = train_metric(part).agreement
        points.append((share, len(rows), reached))
        if after_step is not None:
            after_step(*points[-1])
    return points


def run_digest(recipe: Recipe, material: Material) -> str:
    """A recipe and its data, in twelve hexadecimal digits."""
    text = json.dumps(recipe.tables(), sort_keys=True)
    return hashlib.sha256(f"{text}{material.digest}".encode()).hexdigest()[:12]


def _record(
    planned: Plan,
    learnt: Learnt,
    held_out: str,
    agreement: Estimate,
    absolute: Estimate,
    digest: str,
) -> dict[str, Any]:
    """What metric.toml says of the training."""
    sides = planned.material.sides
    training = sides["training"]
    return {
        "data": planned.material.digest,
        "run": digest,
        "language_pairs": sorted(set(training.language_pair)),
        "training_pairs": len(training),
        "validation_pairs": len(sides["validation"]),
        "held_out": f"{held_out}, {len(sides[held_out])} pairs",
        "tau": str(agreement),
        "tau_of_scores": str(absolute),
        "best_epoch": int(learnt.progress.best_epoch[0]),
        **learnt.facts,
        "recipe": json.dumps(_without_folders(planned.recipe), ensure_ascii=False),
    }


def _without_folders(recipe: Recipe) -> dict[str, Any]:
    """The recipe's tables; of files only their names, for where they lay is nobody's business."""
    tables = recipe.tables()
    for table in ("data", "validation"):
        names = [Path(each).name for each in tables[table]["judgements"]]
        tables[table] = {**tables[table], "judgements": names}
    return tables
