"""A Tree-LSTM learns from ratings: it finds what it is shown, again to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

from concordant.encoders.syntax.trees import Tree
from concordant.encoders.syntax.word_trees import word_trees
from concordant.errors import ConcordantError
from concordant.features.tree_inputs import TreeInputs
from concordant.judgements.judged_translations import RatedTranslations
from concordant.models.tree_lstm.fitting import TreeSide, agreement, train_trees
from concordant.models.tree_lstm.forward import TreeShape
from concordant.training.recipe import read_recipe

SHAPE = TreeShape(8, 12, 6)
RECIPE = read_recipe("reval").with_values(optimiser__epochs=8)


def shown(rng, count=240):
    """Pairs of flat trees; the more words two sentences share, the higher their score."""
    trees, scores = [], []
    for _ in range(count):
        words = rng.integers(2, 40, size=5)
        same = rng.integers(6)
        other = np.where(np.arange(5) < same, words, rng.integers(2, 40, size=5))
        trees += [words, other]
        scores.append(1.0 + 4.0 * (words == other).mean())
    heads = np.array([-1, 0, 0, 0, 0])
    forest, _ = word_trees([Tree(tuple("abcde"), heads, ("x",) * 5, ("x",) * 5) for _ in trees])
    table = rng.normal(size=(40, 8)).astype(np.float32)
    pairs = np.arange(2 * count).reshape(count, 2)
    return replace(forest, words=np.concatenate(trees)), table, pairs, np.array(scores)


def side(given, rows):
    trees, table, pairs, scores = given
    return TreeSide(trees, table, pairs[rows], scores[rows], np.zeros(len(scores[rows]), dtype=int))


def test_likeness_is_learned(rng):
    given = shown(rng)
    training, held_out = side(given, slice(0, 200)), side(given, slice(200, None))
    (params,), progress = train_trees(RECIPE, SHAPE, training, held_out, seeds=[1])
    assert agreement(params, SHAPE, held_out) == progress.best_score[0] > 0.5
    assert progress.history[-1].cost < 0.9 * progress.history[0].cost


def test_runs_side_by_side_are_the_runs_alone(rng):
    given = shown(rng, 60)
    both = side(given, slice(0, 50)), side(given, slice(50, None))
    recipe = RECIPE.with_values(optimiser__epochs=2)
    together, _ = train_trees(recipe, SHAPE, *both, seeds=[1, 2])
    for seed, params in zip([1, 2], together, strict=True):
        (alone,), _ = train_trees(recipe, SHAPE, *both, seeds=[seed])
        assert all(np.array_equal(alone[name], params[name]) for name in params)


def test_a_parts_own_mean_is_no_merit(rng):
    """Two parts that differ in nothing but their level: told apart, but not understood."""
    given = shown(rng, 40)
    one = side(given, slice(0, 40))
    (params,), _ = train_trees(RECIPE.with_values(optimiser__epochs=1), SHAPE, one, one, seeds=[1])
    moved = TreeSide(
        one.trees, one.table, one.pairs, one.scores + np.arange(40) % 2, np.arange(40) % 2
    )
    same = TreeSide(one.trees, one.table, one.pairs, one.scores, np.arange(40) % 2)
    found = agreement(params, SHAPE, moved)
    assert found == pytest.approx(agreement(params, SHAPE, same))


def rated(scores):
    count = len(scores)
    return RatedTranslations(
        ("a",) * count, (("b",),) * count, ("",) * count,
        tuple(("de-en", "t", i) for i in range(1, count + 1)),
        np.array(scores), np.ones(count), np.arange(count),
    )  # fmt: skip


def test_ratings_of_another_scale_are_refused():
    none = np.zeros(0, dtype=np.int64)
    inputs = TreeInputs(word_trees([])[0], np.zeros((0, 3)), none, none, none)
    with pytest.raises(ConcordantError, match=r"1 of 2 ratings are not from 1 to 5 .+ 71\.5, seg"):
        TreeSide.of(inputs, rated([3.0, 71.5]))
