"""The pairwise network against the paper's equations, written group by group, and its laws."""

import itertools

import numpy as np
import pytest

from concordant.models.pairwise.forward import (
    PairwiseShape,
    both_ways,
    forward,
    group_mask,
    initial,
    margin,
    sizes,
    standing,
)

ANCHORS = [(), ("reference",), ("reference", "source")]
SHAPES = [
    PairwiseShape(vector, features, hidden, anchors, symmetric)
    for (vector, features), hidden, anchors, symmetric in itertools.product(
        [(3, 2), (3, 0), (0, 2)], [0, 4], ANCHORS, [False, True]
    )
]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def drawn(shape, rng, pairs=6):
    """Parameters with biases that are not zero, and the inputs of some pairs."""
    params = initial(shape, rng)
    params = {k: v if "weights" in k else rng.normal(size=v.shape) for k, v in params.items()}
    vectors = rng.normal(size=(pairs, shape.texts, shape.vector))
    return params, vectors, *rng.normal(size=(2, pairs, shape.features))


def swapped(vectors, first, second):
    return np.concatenate([vectors[:, [1, 0]], vectors[:, 2:]], axis=1), second, first


def papers_log_odds(params, shape, texts, first, second):
    """§3.2 for one pair: x_t1, x_t2, x_r in, each group with its own W and b."""
    inside = []
    if shape.vector and shape.hidden:
        weights = params["hidden_weights"].reshape(
            shape.texts, shape.vector, len(shape.groups), shape.hidden
        )
        bias = params["hidden_bias"].reshape(len(shape.groups), shape.hidden)
        for group, (one, two) in enumerate(shape.groups):
            matrix = np.concatenate([weights[one, :, group], weights[two, :, group]]).T
            both = np.concatenate([texts[one], texts[two]])
            inside += np.tanh(matrix @ both + bias[group]).tolist()
    else:
        inside = texts.ravel().tolist()
    return params["output_weights"] @ [*inside, *first, *second] + params["output_bias"][0]


@every_shape
def test_the_papers_equations(shape, rng):
    params, vectors, first, second = drawn(shape, rng)
    found = forward(params, shape, vectors, first, second)
    for i, log_odds in enumerate(found):
        there = papers_log_odds(params, shape, vectors[i], first[i], second[i])
        turned = vectors[i][[1, 0, *range(2, shape.texts)]]
        back = papers_log_odds(params, shape, turned, second[i], first[i])
        assert log_odds == pytest.approx(there - back if shape.symmetric else there)


def test_the_papers_groups():
    assert PairwiseShape(3, 2).groups == ((0, 1), (0, 2), (1, 2))
    assert len(PairwiseShape(3, 2, anchors=("reference", "source")).groups) == 5
    assert PairwiseShape(3, 2, anchors=()).groups == ((0, 1),)


@every_shape
def test_the_sizes_are_those_of_the_parameters(shape, rng):
    assert {k: v.shape for k, v in initial(shape, rng).items()} == sizes(shape)


@every_shape
def test_the_order_of_a_pair_does_not_matter(shape, rng):
    params, *inputs = drawn(shape, rng)
    there, back = margin(params, shape, *inputs), margin(params, shape, *swapped(*inputs))
    assert (there == -back).all()
    if shape.symmetric:
        turned = forward(params, shape, *swapped(*inputs))
        assert (forward(params, shape, *inputs) == -turned).all()


@every_shape
def test_both_ways_is_forward_twice(shape, rng):
    params, *inputs = drawn(shape, rng)
    there, back = both_ways(params, shape, *inputs)
    assert (there == forward(params, shape, *inputs)).all()
    assert (back == forward(params, shape, *swapped(*inputs))).all()


@every_shape
def test_a_translation_has_no_margin_over_itself(shape, rng):
    params, vectors, first, _ = drawn(shape, rng, pairs=200)
    vectors[:, 1] = vectors[:, 0]
    assert not margin(params, shape, vectors, first, first).any()


@every_shape
def test_neighbours_change_no_bit(shape, rng):
    params, vectors, first, second = drawn(shape, rng, pairs=50)
    whole = margin(params, shape, vectors, first, second)
    alone = standing(params, shape, vectors[:, 1:], first)
    for rows in ([7], [3, 3, 49, 0], list(range(1, 50))):
        part = margin(params, shape, vectors[rows], first[rows], second[rows])
        assert part.tobytes() == whole[rows].tobytes()
        part = standing(params, shape, vectors[rows][:, 1:], first[rows])
        assert part.tobytes() == alone[rows].tobytes()


@every_shape
def test_a_standing_is_what_one_translation_adds_to_the_log_odds(shape, rng):
    """Without the group that sees both, half the difference of both orders is that of standings."""
    params, vectors, first, second = drawn(shape, rng)
    if shape.hidden and shape.vector:
        params["output_weights"][: shape.hidden] = 0.0
    there, back = both_ways(params, shape, vectors, first, second)
    own = [
        standing(params, shape, vectors[:, [place, *range(2, shape.texts)]], features)
        for place, features in ((0, first), (1, second))
    ]
    halves = 0.25 if shape.symmetric else 0.5
    assert halves * (there - back) == pytest.approx(own[0] - own[1], abs=1e-12)


@every_shape
def test_a_standing_does_not_see_the_group_of_both(shape, rng):
    params, vectors, first, _ = drawn(shape, rng)
    before = standing(params, shape, vectors[:, 1:], first)
    if shape.hidden and shape.vector:
        params["output_weights"][: shape.hidden] += 5.0
    assert (standing(params, shape, vectors[:, 1:], first) == before).all()


def test_a_group_has_weights_for_its_two_texts_only(rng):
    shape = PairwiseShape(3, 2, 4, ("reference", "source"))
    weights, mask = initial(shape, rng)["hidden_weights"], group_mask(shape)
    assert mask.shape == weights.shape
    assert ((weights != 0) == (mask == 1)).all()
    assert mask.sum() == 5 * 2 * 3 * 4
    bound = np.sqrt(6 / (4 + 2 * 3))
    assert 0.9 * bound < np.abs(weights).max() <= bound


def test_the_same_seed_gives_the_same_weights():
    shape = PairwiseShape(3, 2)
    one, two, other = (initial(shape, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert not np.array_equal(one["output_weights"], other["output_weights"])
    assert not one["hidden_bias"].any()
