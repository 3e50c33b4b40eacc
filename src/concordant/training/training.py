"""Judgements + recipe → metric, with its agreement on held-out segments."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.features.scaling import constant_columns
from concordant.metrics.learned import Metric
from concordant.models.kind import Lessons
from concordant.models.loop import TrainingRun
from concordant.models.search import Ledger
from concordant.training.checkpoint import SEARCH, load_checkpoint, save_checkpoint
from concordant.training.held_out import agreement_of, agreement_of_scores
from concordant.training.material import gather, prepare, unfitted_preparation
from concordant.training.recipe import recipe_trainer
from concordant.training.start import start_of
from concordant.training.system_agreement import system_agreement

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.encoders.encoders import Track
    from concordant.features.preparation import Inputs, Preparation
    from concordant.models.kind import Learned
    from concordant.models.loop import Progress
    from concordant.records import Collection, Estimate
    from concordant.training.held_out import Reached
    from concordant.training.material import Material
    from concordant.training.recipe import Recipe

CROSSED = "cross-validation"
CURVE = (0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True, repr=False)
class Plan(Brief):
    """What a training will do, before it does it."""

    recipe: Recipe
    material: Material
    preparation: Preparation
    inputs: dict[str, Inputs]
    start: Metric | None = None

    def lines(self) -> list[str]:
        """The plan in words."""
        sides = self.material.sides
        counts = [
            f"{name} {len(side):,} {side.THINGS} of {len(np.unique(side.segment)):,} segments"
            for name, side in sides.items()
            if len(side)
        ]
        recipe, prepared = self.recipe, self.preparation
        scaling = prepared.feature_scaling
        constant = [] if scaling is None else constant_columns(scaling, prepared.columns)
        idle = f"; constant in training, so without effect: {', '.join(constant)}"
        trees = "" if prepared.trees is None else f", {prepared.trees.spec}"
        return [
            f"{'ratings' if self.material.rated else 'judged pairs'}: " + ", ".join(counts),
            (
                f"inputs: {len(prepared.columns)} features, {prepared.dimension} numbers a text"
                f"{trees}{idle if constant else ''}"
            ),
            (
                f"model: {recipe['model.kind']}, {recipe_trainer(recipe).describe(recipe)}; "
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


@dataclass(frozen=True, repr=False)
class Trained(Brief):
    """A metric, the course of its training, and its agreement with people on held-out judgements.

    `before` is the agreement of the metric that it started from, if it did. `systems` is Pearson's
    r of its system scores, if it learned from them. `held_out` says on
    what it was measured: the test side, validation where there is none, or the folds of
    cross-validation where there is neither. `progress` is None where there are no epochs.
    """

    metric: Metric
    progress: Progress | None
    reached: Reached
    held_out: str
    record: dict[str, Any]
    systems: Estimate | None = None
    before: Reached | None = None

    @property
    def agreement(self) -> Estimate:
        """The agreement that the training was for."""
        return self.reached.first


def plan(
    recipe: Recipe,
    judgements: Collection | None = None,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> Plan:
    """Read the judgements, split them and compute all inputs."""
    recipe_trainer(recipe)  # report faults of the recipe or the machine before any work
    unfitted_preparation(recipe)
    start = start_of(recipe)
    material = gather(recipe, judgements)
    own = None if start is None else start.preparation
    preparation, inputs = prepare(recipe, material, start=own, threads=threads, track=track)
    return Plan(recipe, material, preparation, inputs, start)


def train_metric(
    planned: Plan,
    *,
    checkpoint: Path | None = None,
    after_epoch: Callable[[Progress], None] | None = None,
    track: Track | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Trained:
    """Train as planned; with a checkpoint folder an interrupted run is taken up again."""
    recipe = planned.recipe
    digest = run_digest(recipe, planned.material)
    resume = None if checkpoint is None else load_checkpoint(checkpoint, digest)
    ledger = None if checkpoint is None else Ledger(checkpoint / SEARCH, digest)
    metric = untrained_metric(planned)

    def keep(progress: Progress) -> None:
        if checkpoint is not None:
            save_checkpoint(checkpoint, progress, digest)
        if after_epoch is not None:
            after_epoch(progress)

    material, run = planned.material, TrainingRun(resume, keep, ledger, track, say)
    lessons = Lessons(material.pairs, material.rated, material.corpora)
    learned = recipe_trainer(recipe).train(recipe, metric, lessons, planned.inputs, run)
    metric = untrained_metric(planned, learned.params)
    held_out, found = _held_out(planned, metric, learned)
    systems = _systems(planned, metric, held_out)
    record = _record(planned, learned, held_out, found, digest)
    if systems is not None:
        record["r_of_systems"] = str(systems)
    before = None
    if planned.start is not None:
        judged, inputs = planned.material.sides[held_out], planned.inputs[held_out]
        before = agreement_of(planned.start, judged, inputs)
        record[f"{before.short}_before"] = str(before.first)
    return Trained(metric, learned.progress, found, held_out, record, systems, before)


def _held_out(planned: Plan, metric: Metric, learned: Learned) -> tuple[str, Reached]:
    """The first side that is there and was not trained on, and what was reached on it."""
    sides = planned.material.sides
    for name in ("test", "validation"):
        if len(sides[name]):
            return name, agreement_of(metric, sides[name], planned.inputs[name])
    if learned.crossed is None:
        raise AssertionError("a model without cross-validation has a validation side")
    return CROSSED, agreement_of_scores(learned.crossed, planned.material.rated["training"])


def _systems(planned: Plan, metric: Metric, held_out: str) -> Estimate | None:
    corpora = planned.material.corpora.get(held_out)
    if corpora is None:
        return None
    return system_agreement(
        metric.scores_of_inputs(planned.inputs[held_out]),
        planned.material.pairs[held_out],
        corpora,
        human=planned.recipe["objective.systems"],
    )


def untrained_metric(planned: Plan, params: dict[str, np.ndarray] | None = None) -> Metric:
    """The metric of a plan, with these parameters."""
    recipe = planned.recipe
    if planned.start is not None:
        start = planned.start
        return replace(start, name=recipe["name"], params=params or start.params, card="")
    kind, options = recipe["model.kind"], recipe_trainer(recipe).options(recipe)
    return Metric(recipe["name"], kind, planned.preparation, params or {}, options)


def learning_curve(
    planned: Plan, after_step: Callable[[float, int, Estimate], None] | None = None
) -> list[tuple[float, int, Estimate]]:
    """Agreement on the held-out side after training on a share of the segments: would more help?"""
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
        points.append((share, len(rows), train_metric(part).agreement))
        if after_step is not None:
            after_step(*points[-1])
    return points


def run_digest(recipe: Recipe, material: Material) -> str:
    """A recipe and its data, in twelve hexadecimal digits.

    Of the recipe it is what differs from the defaults: a key that a later version adds changes
    nothing for those who do not use it.
    """
    text = json.dumps(_without_folders(recipe.differing()), sort_keys=True)
    return hashlib.sha256(f"{text}{material.digest}".encode()).hexdigest()[:12]


def _record(
    planned: Plan,
    learned: Learned,
    held_out: str,
    found: Reached,
    digest: str,
) -> dict[str, Any]:
    """What metric.toml says of the training."""
    sides = planned.material.sides
    training = sides["training"]
    things = found.things.replace(" ", "_")
    names = (found.short, f"{found.short}_of_scores")
    progress = learned.progress
    return {
        "data": planned.material.digest,
        "run": digest,
        "language_pairs": sorted(set(training.language_pair)),
        f"training_{things}": len(training),
        f"validation_{things}": len(sides["validation"]),
        "held_out": f"{held_out}, {len(sides.get(held_out, training))} {found.things}",
        **{name: str(each) for name, each in zip(names, found.estimates.values(), strict=False)},
        **({} if progress is None else {"best_epoch": int(progress.best_epoch[0])}),
        **learned.facts,
        "recipe": json.dumps(_without_folders(planned.recipe.tables()), ensure_ascii=False),
    }


def _without_folders(tables: dict[str, Any]) -> dict[str, Any]:
    """A recipe's tables; of files only their names, since paths are private."""
    for table, key in (("data", "judgements"), ("data", "beside"), ("validation", "judgements")):
        if key in tables.get(table, {}):
            tables[table][key] = [Path(each).name for each in tables[table][key]]
    return tables
