import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.errors import UndefinedStatistic
from concordant.stats.soft_accuracy import (
    SoftAccuracy,
    normal_p_values,
    permutation_p_values,
    soft_pairwise_accuracy,
)


@st.composite
def scores(draw, metrics=1):
    """Human scores (segments, systems) with holes, and metrics with the same holes."""
    shape = draw(st.tuples(st.integers(2, 5), st.integers(2, 4)))
    missing = draw(arrays(np.bool_, shape, elements=st.integers(0, 5).map(lambda n: n == 0)))
    missing[0] = False
    whole = st.integers(-3, 3).map(float)
    return [
        np.where(missing, np.nan, draw(arrays(np.float64, shape, elements=whole)))
        for _ in range(1 + metrics)
    ]


def measured(human, metric, permutations=40):
    return soft_pairwise_accuracy(
        human, metric, permutations=permutations, rng=np.random.default_rng(0)
    )


def rows(matrix):
    return [[None if np.isnan(value) else value for value in row] for row in matrix.tolist()]


def deviation(metric):
    known = metric[~np.isnan(metric)]
    return 1.0 if len(set(known)) == 1 else known.std()


@given(scores())
@settings(deadline=None)
def test_against_the_definition(drawn):
    spa = measured(*drawn)

    def p(differences):
        return oracles.permutation_p(differences, spa.signs.tolist())

    assert spa.value() == pytest.approx(oracles.soft_accuracy(*map(rows, drawn), p, p))


@given(scores(), st.data())
@settings(deadline=None, max_examples=40)
def test_resampled_in_the_normal_limit(drawn, data):
    spa = measured(*drawn)
    weights = data.draw(arrays(np.int64, (3, len(drawn[0])), elements=st.integers(0, 3)))
    results = spa.resample(weights.astype(float))
    for value, row in zip(results, weights, strict=True):
        copies = [rows(np.repeat(each, row, axis=0)) for each in drawn]
        if row.sum():
            expected = oracles.soft_accuracy(*copies, oracles.normal_p, oracles.normal_p)
            assert value == pytest.approx(expected)


@given(scores(metrics=2), st.sampled_from([1.0, 1000.0]))
@settings(deadline=None, max_examples=40)
def test_swapped(drawn, scale):
    human, one, two = drawn
    first, second = measured(human, one), measured(human, scale * two)
    masks = np.array(oracles.all_masks(len(human)))
    results = first.swap(second, masks)
    one, two = (each / deviation(each) for each in (one, two))

    def p(differences):
        return oracles.permutation_p(differences, first.signs.tolist())

    for mask, *values in zip(masks, *results, strict=True):
        taken = mask[:, None]
        mixed = np.where(taken, two, one), np.where(taken, one, two)
        expected = [oracles.soft_accuracy(rows(human), rows(m), p, oracles.normal_p) for m in mixed]
        assert values == pytest.approx(expected)
    assert [each[0] for each in results] == pytest.approx([each[-1] for each in results[::-1]])


def test_by_hand():
    # One difference of 1 and the signs +, -: equal, which counts by half, and less; (½ + ½) / 3.
    assert permutation_p_values(np.array([[1.0]]), np.array([[1.0], [-1.0]])) == pytest.approx(
        1 / 3
    )
    # People see no difference (p = ½), the metric has z = 2: SPA = 1 - |½ - Φ(-2)|.
    human, metric = np.zeros((4, 2)), np.array([[1.0, 0.0]] * 4)
    spa = SoftAccuracy(human, metric, np.ones((1, 4)))
    assert spa.resample(np.ones((1, 4))) == pytest.approx(1 - (0.5 - 0.022750131948179))


def test_the_limit_is_what_many_permutations_come_to(rng):
    differences = rng.normal(0.1, 1, (200, 5))
    signs = rng.choice([-1.0, 1.0], (20_000, 200))
    exact = permutation_p_values(differences, signs)
    assert exact == pytest.approx(normal_p_values(differences, np.ones((1, 200)))[0], abs=0.02)


def test_the_order_of_the_systems_does_not_matter(rng):
    human, metric = rng.normal(size=(2, 30, 5))
    order = rng.permutation(5)
    assert measured(human[:, order], metric[:, order]).value() == pytest.approx(
        measured(human, metric).value()
    )


def test_extremes(rng):
    human = rng.normal(size=(200, 4)) + 10 * np.arange(4)
    assert measured(human, human).value() == 1.0
    assert measured(human, -human).value() < 0.1
    assert measured(human, np.zeros_like(human)).value() == pytest.approx(0.5, abs=0.05)


def test_refusals():
    two = np.ones((3, 2))
    apart = np.array([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(
        UndefinedStatistic, match=r"SPA: human scores are \(3, 2\), metric .*\(3, 1\)"
    ):
        measured(two, two[:, :1])
    with pytest.raises(UndefinedStatistic, match="SPA: 1 systems; at least 2 are needed"):
        measured(two[:, :1], two[:, :1])
    with pytest.raises(UndefinedStatistic, match="two systems have no judged segment in common"):
        measured(apart, apart)
