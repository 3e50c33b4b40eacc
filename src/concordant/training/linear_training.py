"""A linear metric learnt from judged sentences, judged corpora or both (Stanojević, Sima'an 2017).

A step sees a mini-batch of judged pairs, one pair of corpora, or one of each. An epoch goes through
all pairs of either kind at least once; the kind that has fewer goes round again. The epoch that is
kept is the one whose own objective is lowest on validation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError, UndefinedStatistic
from concordant.models import linear
from concordant.stats.correlation import pearson
from concordant.stats.tau import strict_tau
from concordant.training.autograd import by_autograd, torch_module
from concordant.training.loop import Optimiser, Stage, train
from concordant.training.objectives import corpus_margin, corpus_score, joint, sentence_margin
from concordant.training.pair_margins import margin_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Floats, Ints, JudgedPairs
    from concordant.training.loop import Progress
    from concordant.training.pair_margins import MarginPairs
    from concordant.training.recipe import Recipe

    Params = dict[str, np.ndarray]

ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9)  # what is tried where alpha is chosen on validation


@dataclass(frozen=True)
class LinearSide:
    """What one side of a split has to learn or to validate on; `features` are of all outputs."""

    features: Floats
    pairs: MarginPairs
    corpora: JudgedSystems | None

    @classmethod
    def of(
        cls, recipe: Recipe, features: Floats, pairs: JudgedPairs, corpora: JudgedSystems | None
    ) -> LinearSide:
        """The side as a recipe's objective wants it."""
        return cls(features, margin_pairs(pairs, recipe["objective.margin"]), corpora)


def train_linear(
    recipe: Recipe,
    training: LinearSide,
    validation: LinearSide,
    *,
    seeds: Sequence[int],
    alphas: Sequence[float] | None = None,
    resume: Progress | None = None,
    after_epoch: Callable[[Progress], None] | None = None,
) -> tuple[list[Params], Progress]:
    """The weights of a model for each seed, at the epoch that is best on validation.

    With `alphas`, one for each seed, the best epoch is the one that agrees most with people on
    validation: objectives of different alphas cannot be compared.
    """
    shape = linear.LinearShape(training.features.shape[-1], recipe["model.hidden"])
    initial = [linear.initial(shape, np.random.default_rng(seed)) for seed in seeds]
    optimiser = Optimiser(
        recipe["optimiser.kind"], recipe["optimiser.rate"], recipe["optimiser.decay"],
        recipe["optimiser.epochs"], recipe["optimiser.patience"], recipe["optimiser.averaged"],
    )  # fmt: skip
    columns = np.asfortranarray(validation.features)  # a forward pass goes column by column

    def validate(params: Params) -> float:
        outputs = linear.forward(params, columns)
        if alphas is not None:
            return agreement(outputs, validation)
        return -objective(recipe, outputs, validation)

    shares = [recipe["objective.alpha"]] * len(seeds) if alphas is None else alphas
    stage = _stage(recipe, training, shares)
    return train(
        initial, [stage], validate, optimiser, seeds=seeds, resume=resume, after_epoch=after_epoch
    )


def objective(recipe: Recipe, outputs: Floats, side: LinearSide) -> float:
    """The objective over a whole side, from forward(φ) of every output."""
    kind = recipe["objective.kind"]
    if kind == "sentence":
        return _sentence_objective(recipe, outputs, side)
    corpora = _corpora(side)
    gaps = _corpus_gaps(outputs, corpora)
    corpus = float(corpus_margin(gaps, corpora.gap).mean())
    if kind == "corpus":
        return corpus
    sentence = _sentence_objective(recipe, outputs, side)
    return float(joint(sentence, corpus, recipe["objective.alpha"]))


def agreement(outputs: Floats, side: LinearSide) -> float:
    """Agreement with people: the mean of the sentences' strict tau and the systems' Pearson's r.

    The r is averaged over language pairs and test sets that have three systems or more.
    """
    pairs, corpora = side.pairs, _corpora(side)
    decided = slice(None) if pairs.tie is None else ~pairs.tie
    gaps = (outputs[pairs.better] - outputs[pairs.worse])[decided]
    tau = strict_tau(gaps)
    scores = _corpus_scores(outputs, corpora)
    places: dict[tuple[str, str], list[int]] = {}
    for i, (pair, testset, _) in enumerate(corpora.names):
        places.setdefault((pair, testset), []).append(i)
    found = [_pearson(scores[at], corpora.human[at]) for at in places.values() if len(at) >= 3]
    return 0.5 * (tau + float(np.mean(found))) if found else tau


def _pearson(scores: Floats, human: Floats) -> float:
    try:
        return pearson(scores, human)
    except UndefinedStatistic:
        return 0.0  # constant scores order nothing


def _sentence_objective(recipe: Recipe, outputs: Floats, side: LinearSide) -> float:
    pairs = side.pairs
    gaps = outputs[pairs.better] - outputs[pairs.worse]
    width = recipe["objective.tie_width"]
    return float(sentence_margin(gaps, pairs.margin, pairs.tie, tie_width=width))


def _corpora(side: LinearSide) -> JudgedSystems:
    if side.corpora is None or not len(side.corpora):
        raise ConcordantError("there are no judged corpora to compare")
    return side.corpora


def _corpus_scores(outputs: Floats, corpora: JudgedSystems) -> Floats:
    return np.array([corpus_score(outputs[rows]) for rows in corpora.rows])


def _corpus_gaps(outputs: Floats, corpora: JudgedSystems) -> Floats:
    scores = _corpus_scores(outputs, corpora)
    return np.asarray(scores[corpora.better] - scores[corpora.worse])


def _stage(recipe: Recipe, side: LinearSide, alphas: Sequence[float]) -> Stage:
    torch = torch_module()
    kind = recipe["objective.kind"]
    parts: dict[str, Part] = {}
    if kind in {"sentence", "joint"}:
        parts["sentence"] = _sentence_part(recipe, side)
    if kind in {"corpus", "joint"}:
        parts["corpus"] = _corpus_part(side)
    share = torch.tensor(list(alphas), dtype=torch.float32)
    steps = max(recipe["optimiser.steps"], *(part.steps for part in parts.values()))

    def cost(params: dict[str, Any], batch: dict[str, Any]) -> Any:
        found = {name: part.cost(params, batch[name]) for name, part in parts.items()}
        return found[kind] if kind in found else joint(found["sentence"], found["corpus"], share)

    def batches(rngs: Sequence[np.random.Generator]) -> Iterator[dict[str, Any]]:
        drawn = {
            name: np.stack([_rounds(rng, part.count, steps * part.size) for rng in rngs])
            for name, part in parts.items()
        }
        for step in range(steps):
            yield {
                name: drawn[name][:, step * part.size : (step + 1) * part.size]
                for name, part in parts.items()
            }

    return Stage(kind, by_autograd(cost), batches)


@dataclass(frozen=True)
class Part:
    """One of the two costs: of `count` things that are judged, `size` are in a step.

    `cost` is given the numbers of the things, (runs, size), and gives one number a run.
    """

    count: int
    size: int
    cost: Callable[[dict[str, Any], np.ndarray], Any]

    @property
    def steps(self) -> int:
        """How many steps go through all of them."""
        return -(-self.count // self.size)


def _sentence_part(recipe: Recipe, side: LinearSide) -> Part:
    torch = torch_module()
    features = torch.from_numpy(side.features.astype(np.float32))
    pairs, width = side.pairs, recipe["objective.tie_width"]
    margin = pairs.margin.astype(np.float32)

    def cost(params: dict[str, Any], numbers: np.ndarray) -> Any:
        runs, size = numbers.shape
        rows = np.concatenate([pairs.better[numbers], pairs.worse[numbers]], axis=1)
        seen = features.index_select(0, torch.from_numpy(rows.reshape(-1)))
        outputs = linear.forward(params, seen.reshape(runs, 2 * size, -1))
        wanted = torch.from_numpy(margin[numbers])
        tied = None if pairs.tie is None else torch.from_numpy(pairs.tie[numbers])
        gaps = outputs[:, :size] - outputs[:, size:]
        return sentence_margin(gaps, wanted, tied, tie_width=width)

    count = len(pairs.better)
    return Part(count, min(recipe["optimiser.batch"], count), cost)


def _corpus_part(side: LinearSide) -> Part:
    torch = torch_module()
    corpora = _corpora(side)
    whole = [torch.from_numpy(side.features[rows].astype(np.float32)) for rows in corpora.rows]
    gap = torch.from_numpy(corpora.gap.astype(np.float32))

    def score(params: dict[str, Any], corpus: int) -> Any:
        return corpus_score(linear.forward(params, whole[corpus]))

    def cost(params: dict[str, Any], numbers: np.ndarray) -> Any:
        found = []
        for run, number in enumerate(numbers[:, 0]):
            own = {name: value[run] for name, value in params.items()}
            better, worse = (int(side[number]) for side in (corpora.better, corpora.worse))
            found.append(corpus_margin(score(own, better) - score(own, worse), gap[number]))
        return torch.stack(found)

    return Part(len(corpora), 1, cost)


def _rounds(rng: np.random.Generator, count: int, length: int) -> Ints:
    """So many numbers below `count`: all of them in random order, then all again, and so on."""
    rounds = -(-length // count)
    return np.concatenate([rng.permutation(count) for _ in range(rounds)])[:length]
