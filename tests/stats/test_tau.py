import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.tau import (
    CELLS,
    VARIANTS,
    cells_of_pairs,
    from_cells,
    pairs_apart,
    tau,
    variant,
)

SCORE = st.integers(0, 3).map(float)
PAIRS = st.lists(st.tuples(SCORE, SCORE, st.booleans(), st.integers(1, 3)), min_size=1, max_size=12)
OUTPUTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4).map(lambda n: 25.0 * n), SCORE), max_size=12
)


def test_every_variant_has_a_published_table():
    assert set(oracles.PUBLISHED) == set(VARIANTS)
    for row in VARIANTS.values():
        assert len(row.numerator) == len(row.denominator) == len(CELLS)
        assert row.title
        assert row.citation


@pytest.mark.parametrize("name", VARIANTS)
@given(PAIRS)
@settings(deadline=None)
def test_against_the_published_table(name, pairs):
    first, second, tie, _ = map(list, zip(*pairs, strict=True))
    orders = [
        (0 if t else 1, oracles.sign(a - b)) for a, b, t in zip(first, second, tie, strict=True)
    ]
    expected = oracles.tau(orders, name)
    if expected is None:
        words = f"{name}: none of the {len(pairs)} pairs counts; all of them are ties"
        with pytest.raises(UndefinedStatistic, match=words):
            tau(first, second, tie, name)
    else:
        assert tau(first, second, tie, name) == pytest.approx(expected)


@pytest.mark.parametrize("name", VARIANTS)
@given(PAIRS)
@settings(deadline=None)
def test_the_order_of_a_tie_does_not_matter(name, pairs):
    first, second, tie, _ = (np.array(each) for each in zip(*pairs, strict=True))
    one = from_cells(cells_of_pairs(first, second, tie), name)
    turned = np.where(tie, second, first), np.where(tie, first, second)
    assert np.array_equal(one, from_cells(cells_of_pairs(*turned, tie), name), equal_nan=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # By hand: 60 concordant, 30 discordant, 15 tied by people (5 by both), 10 by the metric.
        ("tau-wmt12", 0.2),
        ("tau-wmt13", 30 / 90),
        ("tau-wmt14", 0.3),
        ("tau-darr", 0.2),
        ("tau-a", 30 / 115),
        ("accuracy", 0.6),
        ("accuracy-ties", 65 / 115),
    ],
)
def test_known_values(name, value):
    assert from_cells(np.array([60, 30, 10, 10, 5]), name) == pytest.approx(value)


@given(PAIRS, st.data())
@settings(deadline=None)
def test_counts_and_units_are_repeats_and_groups(pairs, data):
    unit = data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs)))
    first, second, tie, count = zip(*pairs, strict=True)
    cells = cells_of_pairs(first, second, tie, count=count, unit=unit, units=3)
    assert cells.shape == (3, 5)
    for each in range(3):
        chosen = [p for p, u in zip(pairs, unit, strict=True) if u == each for _ in range(p[3])]
        expected = [0] * 5
        for a, b, t, _ in chosen:
            expected[(4 if a == b else 2) if t else 0 if a > b else 1 if a < b else 3] += 1
        assert cells[each].tolist() == expected


@given(OUTPUTS, st.sampled_from([0.0, 25.0, 30.0, 1000.0]))
@settings(deadline=None)
def test_pairs_apart_against_a_plain_loop(outputs, gap):
    group, human, _ = map(list, zip(*outputs, strict=True)) if outputs else ([], [], [])
    better, worse, tie = pairs_apart(np.array(human), np.array(group, dtype=int), gap)
    assert all(human[b] >= human[w] for b, w in zip(better, worse, strict=True))
    assert tie.tolist() == [human[b] == human[w] for b, w in zip(better, worse, strict=True)]
    expected = {
        frozenset((i, j))
        for i in range(len(group))
        for j in range(i)
        if group[i] == group[j] and abs(human[i] - human[j]) >= gap
    }
    assert {frozenset(map(int, pair)) for pair in zip(better, worse, strict=True)} == expected
    assert len(better) == len(expected)


def test_refusals():
    with pytest.raises(
        SpecError, match=r'tau variant "tau-wmt15" is not one of .*did you mean "tau'
    ):
        variant("tau-wmt15")
    with pytest.raises(UndefinedStatistic, match="the metric: 1 of 2 values are NaN"):
        tau([1, np.nan], [1, 2], [False, False], "tau-wmt14")
    with pytest.raises(UndefinedStatistic, match="the human ratings: 1 of 2 values are NaN"):
        pairs_apart(np.array([1, np.nan]), np.array([0, 0]), 0)
    with pytest.raises(UndefinedStatistic, match="none of the 0 pairs counts"):
        tau([], [], [], "tau-wmt14")
