"""A Tree-LSTM learned from rated translations (Gupta et al. 2015, §4): similarity from 1 to 5.

A rating becomes a distribution over grades, and the divergence from it is made small. Trees are
read, and words looked up, once before the first epoch; a mini-batch takes the ones it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.syntax.word_trees import chains
from concordant.errors import ConcordantError, SpecError
from concordant.models.kind import Learned, Trainer, describe_hidden, optimiser_of, round_weights
from concordant.models.loop import FROM_THE_START, Stage, train
from concordant.models.tree_lstm import forward as tree_lstm
from concordant.models.tree_lstm.batches import batch_of
from concordant.models.tree_lstm.gradient import cost_and_gradient
from concordant.models.tree_lstm.kind import shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from concordant.encoders.syntax.word_trees import WordTrees
    from concordant.features.preparation import Inputs
    from concordant.features.tree_inputs import TreeInputs
    from concordant.judgements.judged_translations import RatedTranslations
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted, Lessons, RecipeValues
    from concordant.models.loop import Progress, TrainingRun
    from concordant.models.tree_lstm.forward import TreeShape

LOWEST, HIGHEST = 1.0, float(tree_lstm.GRADES)


@dataclass(frozen=True)
class TreeSide:
    """Comparisons of translations with references: their trees, and the score of each from 1 to 5.

    `pairs` is (comparisons, 2), reference and translation; `group` names the part of the data that
    a comparison is of, such as its test set.
    """

    trees: WordTrees
    table: np.ndarray
    pairs: np.ndarray
    scores: np.ndarray
    group: np.ndarray

    @classmethod
    def of(
        cls, inputs: TreeInputs, rated: RatedTranslations, *, structure: str = "tree"
    ) -> TreeSide:
        """One side of the rated translations; each is compared with all of its references."""
        refuse_other_scale(rated)
        chosen = inputs.take(rated.rows)
        rows = rated.rows[chosen.output]
        number: dict[str, int] = {}
        group = [number.setdefault(rated.places[i][1], len(number)) for i in rows]
        trees = chains(chosen.trees) if structure == "sequence" else chosen.trees
        scores = rated.ratings[rows]
        return cls(trees, chosen.table, chosen.pairs, scores, np.array(group, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.scores)


def refuse_other_scale(rated: RatedTranslations) -> None:
    """Ratings must be likeness from 1 to 5, as SICK's are and those from ranks."""
    given = rated.ratings[rated.rows]
    outside = np.flatnonzero((given < LOWEST) | (given > HIGHEST))
    if len(outside):
        pair, testset, segment = rated.places[rated.rows[outside[0]]]
        raise ConcordantError(
            f"{len(outside)} of {len(given)} ratings are not from 1 to 5 (the first: "
            f"{given[outside[0]]:g}, segment {segment} of {testset} {pair}); this model learns "
            "grades: use other ratings, or scores from rankings (data.rank_scores)"
        )


def train_trees(
    recipe: RecipeValues,
    shape: TreeShape,
    training: TreeSide,
    validation: TreeSide,
    *,
    seeds: Sequence[int],
    run: TrainingRun = FROM_THE_START,
) -> tuple[list[Params], Progress]:
    """The weights of a network for each seed, at the epoch with the best r on validation."""
    initial = [tree_lstm.initial(shape, np.random.default_rng(seed)) for seed in seeds]
    stage = Stage(
        "divergence",
        lambda params, batch: _gradient(params, shape, training.table, batch),
        _batches(training, recipe["optimiser.batch"]),
    )

    def validate(params: Params) -> float:
        return agreement(params, shape, validation)

    return train(initial, [stage], validate, optimiser_of(recipe), seeds=seeds, run=run)


def agreement(params: Params, shape: TreeShape, side: TreeSide) -> float:
    """Pearson's r of the network's grades with the scores, within the parts of the data.

    Each part's mean is subtracted first: image captions are more similar than translations,
    and telling the two apart is not the task.
    """
    found = tree_lstm.grades_of(params, shape, side.trees, side.table, side.pairs)
    first, second = _centre(found, side.group), _centre(side.scores, side.group)
    spread = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / spread if spread > 0 else 0.0


def _centre(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    sums = np.bincount(group, weights=values)
    return np.asarray(values - (sums / np.maximum(np.bincount(group), 1))[group])


def _gradient(
    params: Params, shape: TreeShape, table: np.ndarray, batches: Sequence[Any]
) -> tuple[np.ndarray, Params]:
    """Cost and slopes of several runs, each with its own weights and batch."""
    runs = [
        cost_and_gradient({name: value[run] for name, value in params.items()}, shape, table, *each)
        for run, each in enumerate(batches)
    ]
    slopes = {name: np.stack([slope[name] for _, slope in runs]) for name in params}
    return np.array([cost for cost, _ in runs]), slopes


def _batches(
    side: TreeSide, size: int
) -> Callable[[Sequence[np.random.Generator]], Iterator[list[Any]]]:
    """Mini-batches of an epoch: for each run some trees, the pairs of them and their targets."""
    targets = tree_lstm.sparse_target(side.scores).astype(np.float32)

    def batches(rngs: Sequence[np.random.Generator]) -> Iterator[list[Any]]:
        orders = [rng.permutation(len(side)) for rng in rngs]
        for start in range(0, len(side), size):
            chosen = (order[start : start + size] for order in orders)
            yield [(*_batch(side, rows), targets[rows]) for rows in chosen]

    return batches


def _batch(side: TreeSide, rows: np.ndarray) -> tuple[Any, np.ndarray]:
    trees, places = np.unique(side.pairs[rows], return_inverse=True)
    return batch_of(side.trees, trees), places.reshape(-1, 2)


def _train_trees(
    recipe: RecipeValues,
    metric: Fitted,
    lessons: Lessons,
    inputs: Mapping[str, Inputs],
    run: TrainingRun,
) -> Learned:
    sides = {}
    for name in ("training", "validation"):
        given, rated = inputs[name].trees, lessons.rated[name]
        if given is None or not len(rated):
            raise SpecError(f"there is nothing for {name}: set validation.share above 0")
        sides[name] = TreeSide.of(given, rated, structure=recipe["model.structure"])
    (params,), progress = train_trees(
        recipe,
        shape_of(metric),
        *sides.values(),
        seeds=[recipe["seed"]],
        run=run,
    )
    return Learned(round_weights(params), progress)


def _tree_faults(recipe: RecipeValues) -> list[str]:
    wrong = []
    if not recipe["inputs.trees"]:
        wrong.append("a tree-lstm model reads trees; set inputs.trees, as in the recipe reval")
    if recipe["inputs.features"] or recipe["inputs.vectors"]:
        wrong.append("a tree-lstm model sees no inputs.features and no inputs.vectors")
    if recipe["inputs.anchors"] != ["reference"]:
        wrong.append(
            'a tree-lstm model compares with the reference: inputs.anchors = ["reference"]'
        )
    if not recipe["model.hidden"]:
        wrong.append("a tree-lstm model needs a hidden layer: model.hidden of at least 1")
    if not recipe["validation.judgements"] and not recipe["validation.share"]:
        wrong.append("there is no validation data: set validation.share above 0")
    return wrong


TRAINER = Trainer(
    ("divergence",),
    lambda recipe: {
        key: recipe[f"model.{key}"] for key in ("hidden", "memory", "structure", "output_gate")
    },
    lambda recipe: (
        f"{recipe['model.structure']}, memory {recipe['model.memory']}, {describe_hidden(recipe)}"
    ),
    _train_trees,
    _tree_faults,
    learns_from="ratings",
)
