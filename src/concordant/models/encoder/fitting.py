"""How an encoder is trained: from a part or a metric, on ratings and judged pairs at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.encoders.networks.model_folder import require
from concordant.errors import ConcordantError
from concordant.models.encoder.judged_lessons import (
    TextNumbers,
    paired_lessons,
    rated_lessons,
    standardised,
)
from concordant.models.encoder.learner import Schedule, new_learner
from concordant.models.encoder.lessons import MARKS, Curriculum, Source
from concordant.models.encoder.loop import train as train_epochs
from concordant.models.encoder.network import shape_of
from concordant.models.encoder.pair_features import pair_features
from concordant.models.encoder.quantised import pack, unpack
from concordant.models.encoder.start import (
    new_beside,
    new_head,
    read_network,
    start_options,
)
from concordant.models.encoder.texts import read_pieces
from concordant.models.functions import correlation
from concordant.models.kind import Learned, Trainer
from concordant.models.regression.calibration import calibration
from concordant.resources.places import locate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats, Ints
    from concordant.models.encoder.learner import Learner
    from concordant.models.encoder.lessons import Lesson
    from concordant.models.encoder.network import NetworkShape
    from concordant.models.kind import Fitted, Lessons, RecipeValues
    from concordant.models.loop import TrainingRun

    Tensor = Any
    Pair = tuple[int, int]  # a translation and a reference, by the numbers of their texts

WORDS = "embeddings.words"  # the one matrix that does not learn: most of it is seldom read
TOKENS = 3000  # of the sequences that are read together
TOGETHER = 48  # sequences whose scores are computed together
HEAD_FASTER = 5.0  # the head's rate, in rates of the network
WARM_UP = 0.06  # of all steps


@dataclass(frozen=True, repr=False)
class HeldOut(Brief):
    """Judgements to choose the best epoch by: pairs of texts to score, and what people say.

    `owner` is the translation of each of `rows`; `better` and `worse` are by translation.
    """

    rows: list[Pair]
    owner: Ints
    ratings: Floats | None
    better: Ints
    worse: Ints

    def agreement(self, scores: Floats) -> float:
        """Pearson's r with ratings, or the strict tau of pairs where there are none."""
        if self.ratings is not None:
            return correlation(scores, self.ratings)
        gaps = scores[self.better] - scores[self.worse]
        return float(np.mean(np.where(gaps > 0, 1.0, -1.0)))

    def within(self, longest: int, lengths: Ints) -> HeldOut:
        """Those of no more than so many tokens in translation and reference."""
        short = np.array([lengths[list(row)].sum() + MARKS <= longest for row in self.rows])
        kept, owner = np.unique(self.owner[short], return_inverse=True)
        place = np.full(self.owner.max() + 1, -1)
        place[kept] = np.arange(len(kept))
        better, worse = place[self.better], place[self.worse]
        both = (better >= 0) & (worse >= 0)
        if not (short if self.ratings is not None else both).any():
            raise ConcordantError(
                f"every segment for validation has more than {longest} tokens in translation and "
                "reference; raise inputs.longest, or split the texts into sentences"
            )
        rows = [row for row, fits in zip(self.rows, short, strict=True) if fits]
        ratings = None if self.ratings is None else self.ratings[kept]
        return HeldOut(rows, owner, ratings, better[both], worse[both])


def _train(
    recipe: RecipeValues,
    metric: Fitted,
    material: Lessons,
    _: Mapping[str, Inputs],
    run: TrainingRun,
) -> Learned:
    """The encoder after its best epoch on the validation side."""
    number = TextNumbers()
    sources = _sources(recipe, material, number)
    judged = _held_out(material, number)
    known = list(number.numbers)
    pieces = read_pieces(known)
    shape, weights = _start(recipe, metric)
    texts = pieces.texts(int(metric.options["moved"]))
    course, left_out = _course(recipe, sources, pieces.lengths)
    held_out = judged.within(recipe["inputs.longest"], pieces.lengths)
    names = [name for name in weights if name != WORDS]
    pairs = [*_pairs(course), *held_out.rows]
    features = pair_features(metric.preparation, known, pairs)
    learner = new_learner(shape, weights, names, texts, features)
    translations = sum(len(each.translations) for s in course.sources for each in s.lessons)
    epoch = max(1, round(translations / recipe["optimiser.batch"]))
    steps = epoch * recipe["optimiser.epochs"]
    rate, warm_up = recipe["optimiser.rate"], round(WARM_UP * steps)
    progress = train_epochs(
        learner, course, Schedule(steps, warm_up, warm_up, rate, HEAD_FASTER * rate),
        epoch=epoch, resume=run.resume, keep=run.keep, say=run.say,
        validate=lambda learner: held_out.agreement(held_out_scores(learner, held_out)),
    )  # fmt: skip
    learner.flat = require("torch").from_numpy(progress.best[0].copy())
    params = pack({name: value.numpy() for name, value in (weights | learner.learning).items()})
    if recipe["model.calibrated"] and held_out.ratings is not None:
        scores = held_out_scores(learner, held_out)
        params["calibration"] = _calibration(scores, held_out.ratings, metric)
    return Learned(params, progress, {"left_out_as_too_long": left_out})


def _calibration(scores: Floats, ratings: Floats, metric: Fitted) -> Floats:
    """The line of the held-out ratings; where these say nothing, that of the start, if it has one.

    Without it, hours of training would end in an error.
    """
    if correlation(scores, ratings) <= 0 and "calibration" in metric.params:
        return np.asarray(metric.params["calibration"])
    return calibration(scores, ratings)


def held_out_scores(learner: Learner, held_out: HeldOut) -> Floats:
    """Scores of held-out translations, the mean over their references."""
    scores = score_rows(learner, held_out.rows)
    sums = np.bincount(held_out.owner, weights=scores)
    return np.asarray(sums / np.bincount(held_out.owner))


def score_rows(learner: Learner, rows: Sequence[Pair]) -> Floats:
    """The learner's score of each translation and reference, short ones together."""
    lengths = np.array([len(learner.texts[t][0]) + len(learner.texts[r][0]) for t, r in rows])
    order, found = np.argsort(lengths, kind="stable"), np.zeros(len(rows))
    weights = learner.weights()
    with require("torch").no_grad():
        for start in range(0, len(rows), TOGETHER):
            part = order[start : start + TOGETHER]
            texts = np.array([rows[i] for i in part])
            found[part] = learner.scores(texts[:, 0], texts[:, 1], weights).numpy()
    return found


def _sources(recipe: RecipeValues, material: Lessons, number: TextNumbers) -> list[Source]:
    """Lessons of ratings, of pairs beside them, or of pairs alone."""
    gap, seed, weight = recipe["objective.gap"], recipe["seed"], recipe["objective.beside"]
    found = []
    if "training" in material.rated:
        lessons = rated_lessons(material.rated["training"], gap, number, seed)
        found.append(Source("ratings", lessons, 1.0, 1.0, weight))
    for name in ("training", "beside"):
        if name in material.pairs and len(material.pairs[name]):
            lessons = paired_lessons(material.pairs[name], number)
            found.append(Source(name, lessons, 1.0, 1.0, weight))
    counts = [sum(len(each.translations) for each in source.lessons) for source in found]
    return [replace(each, share=float(n)) for each, n in zip(found, counts, strict=True)]


def _course(
    recipe: RecipeValues, sources: Sequence[Source], lengths: Ints
) -> tuple[Curriculum, int]:
    """The course of the lessons that are short enough, and how many are not."""
    longest, kept = recipe["inputs.longest"], []
    for source in sources:
        lessons = [each for each in source.lessons if _tokens(each, lengths) <= longest]
        if lessons:
            kept.append(replace(source, lessons=lessons))
    if not kept:
        raise ConcordantError(
            f"every segment to learn from has more than {longest} tokens in translation and "
            "reference; raise inputs.longest, or split the texts into sentences"
        )
    left_out = sum(len(s.lessons) for s in sources) - sum(len(s.lessons) for s in kept)
    course = Curriculum(tuple(kept), lengths, recipe["seed"], recipe["optimiser.batch"], TOKENS)
    return course, left_out


def _pairs(course: Curriculum) -> Iterator[Pair]:
    """Every translation of a course with each of its references."""
    lessons = (each for source in course.sources for each in source.lessons)
    return ((t, r) for each in lessons for t in each.translations for r in each.references)


def _tokens(lesson: Lesson, lengths: Ints) -> int:
    """Tokens of a lesson's longest translation and reference together."""
    both = (
        max(lengths[each] for each in side) for side in (lesson.translations, lesson.references)
    )
    return int(sum(both)) + MARKS


def _held_out(material: Lessons, number: TextNumbers) -> HeldOut:
    """The validation side."""
    none = np.zeros(0, dtype=np.int64)
    if "validation" in material.rated:
        judged: Any = material.rated["validation"]
        chosen, ratings, better, worse = judged.rows, standardised(judged), none, none
    else:
        judged = material.pairs["validation"]
        chosen, ratings = np.unique(np.concatenate([judged.better, judged.worse])), None
        better, worse = (np.searchsorted(chosen, each) for each in (judged.better, judged.worse))
    if not len(chosen):
        raise ConcordantError("there is nothing for validation: set validation.share above 0")
    owners = [(i, row, text) for i, row in enumerate(chosen) for text in judged.references[row]]
    pairs = [(number(judged.translations[row]), number(text)) for _, row, text in owners]
    owner = np.array([i for i, _, _ in owners])
    return HeldOut(pairs, owner, None if ratings is None else np.nan_to_num(ratings), better, worse)


def _start(recipe: RecipeValues, metric: Fitted) -> tuple[NetworkShape, dict[str, Tensor]]:
    """Shape and weights to start from: the metric's own, or a part's with a new head."""
    torch = require("torch")
    if metric.params:
        given = unpack({n: v for n, v in metric.params.items() if n != "calibration"})
        weights = {n: torch.from_numpy(v.astype(np.float32)) for n, v in given.items()}
        return shape_of(metric.options), weights
    form, seed = recipe["model.form"], recipe["seed"]
    depth = recipe["model.depth"]
    shape, weights, _ = read_network(locate(recipe["model.start"]), form, range(depth))
    width = weights["embeddings.places"].shape[1]
    weights |= new_head(form, width, recipe["model.hidden"], seed)
    return shape, weights | new_beside(len(metric.preparation.columns))


def _options(recipe: RecipeValues) -> dict[str, Any]:
    """What the metric keeps besides its weights, where it starts from a part."""
    return start_options(locate(recipe["model.start"]), recipe["model.form"], recipe["model.depth"])


def _faults(recipe: RecipeValues) -> list[str]:
    require("torch")
    wrong = []
    if recipe["inputs.vectors"] or recipe["inputs.trees"]:
        wrong.append("an encoder reads the texts; leave out inputs.vectors and inputs.trees")
    if recipe["inputs.anchors"] != ["reference"]:
        wrong.append('an encoder compares with the reference: inputs.anchors = ["reference"]')
    if recipe["optimiser.kind"] != "adam":
        wrong.append('an encoder learns with optimiser.kind = "adam"')
    if not recipe["model.hidden"]:
        wrong.append("an encoder needs a hidden layer in its head: model.hidden of at least 1")
    if not recipe["model.start"]:
        wrong.append('set model.start to a metric of this kind, such as "base", or to a part')
    if not recipe["validation.judgements"] and not recipe["validation.share"]:
        wrong.append("there is no validation data: set validation.share above 0")
    return wrong


TRAINER = Trainer(
    ("judgements",),
    _options,
    lambda recipe: f"from {recipe['model.start']}",
    _train,
    _faults,
    learns_from="any",
    alone=("data.beside", "model.calibrated", "model.start"),
)
