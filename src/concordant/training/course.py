"""Training from recipe to folder: plan, train, report agreement, save."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.arguments import describe, instance, path, thread_count
from concordant.brief import Brief
from concordant.errors import SpecError
from concordant.features.part_names import check_part_names
from concordant.judgements.detection import read_each
from concordant.metrics.bundle import check_place, is_bundle, named_specs, save
from concordant.metrics.manifest import check_name
from concordant.records import Collection
from concordant.tabular import Tabular
from concordant.training.card import card_text
from concordant.training.checkpoint import remove_checkpoint
from concordant.training.recipe import Recipe, check_recipe, read_recipe, recipe_trainer
from concordant.training.training import learning_curve as curve_of
from concordant.training.training import plan, train_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.encoders.encoders import Track
    from concordant.metrics.learned import Metric
    from concordant.models.loop import Progress
    from concordant.records import Estimate
    from concordant.training.training import Plan, Trained

    Point = tuple[float, int, Estimate]


@dataclass(frozen=True, repr=False)
class Course(Brief, Tabular):
    """The result of a training: the metric, its agreement, and the learning curve if requested."""

    trained: Trained
    curve: list[Point]

    @property
    def metric(self) -> Metric:
        """The metric itself."""
        return self.trained.metric

    def records(self) -> list[dict[str, Any]]:
        """One row: the metric's agreement with people on held-out judgements."""
        found = self.trained.agreement
        return [{
            "metric": self.metric.name, "measured_on": self.trained.held_out,
            "value": found.value, "low": found.low, "high": found.high, "n": found.n,
        }]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The agreement and the record of the training as plain values."""
        return {**self.trained.record, "records": self.records()}

    def _title(self) -> str:
        return self.metric.signature()


def train(
    recipe: str | Path | Recipe,
    judgements: Collection | str | Path | Sequence[str | Path] | None = None,
    *,
    output: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
    learning_curve: bool = False,
    threads: int = 1,
) -> Course:
    """Train a metric according to a recipe, from its judgements or the given ones, and save it.

    `recipe` is a shipped name, a file or a recipe; `changes` override its values
    (`{"optimiser.rate": 0.1}`). Without `output` nothing is saved.
    """
    chosen = recipe if isinstance(recipe, Recipe) else read_recipe(path(recipe, "recipe"))
    changed = {} if changes is None else changes
    if not isinstance(changed, Mapping) or not all(isinstance(key, str) for key in changed):
        raise SpecError(
            f"changes must be a dict of recipe keys and values, not {describe(changes)}"
        )
    return run_course(
        check_recipe({**chosen.values, **changed}, chosen.folder, "changes"),
        None if output is None else path(output, "output"),
        judgements=_collect(judgements),
        learning_curve=instance(learning_curve, "learning_curve", bool, "True or False"),
        threads=thread_count(threads),
    )


def run_course(
    recipe: Recipe,
    output: str | Path | None,
    *,
    judgements: Collection | None = None,
    learning_curve: bool = False,
    threads: int = 1,
    track: Track | None = None,
    say: Callable[[Sequence[str]], None] = lambda _: None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> Course:
    """Train as the recipe says and save the metric; an interrupted run is continued.

    `say` receives notes for the user, `after_epoch` is called after each epoch. Without `output`
    nothing is saved and nothing is continued. With it, the recipe may name parts only.
    """
    folder = None if output is None else Path(output).resolve()
    check_name(recipe["name"])
    if folder is not None:
        check_place(folder)
        recipe_trainer(recipe)  # report faults of the recipe before missing parts
        inputs = {key: recipe[f"inputs.{key}"] for key in ("features", "vectors", "trees")}
        check_part_names(named_specs(inputs))
        if is_bundle(folder):
            say([f"{folder} already holds a metric; it is replaced when training ends"])
    planned = plan(recipe, judgements, threads=threads, track=track)
    say([*planned.material.notes, *planned.lines()])
    curve = []
    if learning_curve:
        curve = curve_of(planned, lambda *point: say([_words(planned, *point)]))
    checkpoint = None if folder is None else folder.with_name(f".{folder.name}.training")
    trained = train_metric(
        planned, checkpoint=checkpoint, after_epoch=after_epoch, track=track,
        say=lambda line: say([line]),
    )  # fmt: skip
    metric = replace(trained.metric, card=card_text(planned, trained))
    trained = replace(trained, metric=metric)
    if folder is not None and checkpoint is not None:
        save(metric, folder, training=trained.record, history=_history(trained))
        remove_checkpoint(checkpoint)
    return Course(trained, curve)


def _history(trained: Trained) -> str:
    """The file of the epochs, where there were any; without times, so that it stays the same."""
    if trained.progress is None:
        return ""
    epochs = [asdict(each) for each in trained.progress.history]
    told = [{key: each[key] for key in each if key != "seconds"} for each in epochs]
    return "".join(f"{json.dumps(each)}\n" for each in told)


def _collect(
    given: Collection | str | Path | Sequence[str | Path] | None,
) -> Collection | None:
    if given is None or isinstance(given, Collection):
        return given
    if isinstance(given, (str, Path)):
        return read_each([given])
    if not isinstance(given, list | tuple):
        raise SpecError(f"judgements must be a path, or a list of paths, not {describe(given)}")
    return read_each(given)


def _words(planned: Plan, share: float, count: int, reached: Estimate) -> str:
    what = planned.material.sides["training"].THINGS
    return f"learning curve, {share:.0%} of the segments, {count:,} {what}: {reached.value:.4f}"
