"""A training from recipe to folder: plan, train, say what was reached, save."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.bundle import check_place, save
from concordant.training.card import card_text
from concordant.training.training import learning_curve as curve_of
from concordant.training.training import plan, train_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from concordant.embeddings.encoders import Track
    from concordant.records import Collection, Estimate
    from concordant.training.loop import Progress
    from concordant.training.recipe import Recipe
    from concordant.training.training import Trained

    Point = tuple[float, int, Estimate]

HISTORY = "history.jsonl"


@dataclass(frozen=True)
class Course:
    """What came of a training: the metric and its figures, and the learning curve if asked for."""

    trained: Trained
    curve: list[Point]


def run_course(
    recipe: Recipe,
    output: str | Path,
    *,
    judgements: Collection | None = None,
    learning_curve: bool = False,
    threads: int = 1,
    track: Track | None = None,
    say: Callable[[Sequence[str]], None] = lambda _: None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> Course:
    """Train as the recipe says and save the metric; a run that was interrupted is taken up again.

    `say` is given words for the person, `after_epoch` is called after each epoch.
    """
    folder = Path(output)
    check_place(folder)
    planned = plan(recipe, judgements, threads=threads, track=track)
    say([*planned.material.notes, *planned.lines()])
    curve = curve_of(planned) if learning_curve else []
    checkpoint = folder.with_name(f".{folder.name}.training")
    trained = train_metric(planned, checkpoint=checkpoint, after_epoch=after_epoch)
    metric = replace(trained.metric, card=card_text(planned, trained))
    trained = replace(trained, metric=metric)
    history = "".join(f"{json.dumps(asdict(epoch))}\n" for epoch in trained.progress.history)
    save(metric, folder, training=trained.record, files={HISTORY: history})
    shutil.rmtree(checkpoint, ignore_errors=True)
    return Course(trained, curve)
