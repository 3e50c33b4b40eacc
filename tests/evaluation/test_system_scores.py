"""Scores of systems by people, and the statistics over systems that start from them."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_columns import Fixed, compared, paired_by_ratings, rated, rated_columns, rated_systems

from concordant.errors import ConcordantError, SpecError, UndefinedStatistic
from concordant.evaluation.system_scores import METHODS, human_scores, human_tally, win_table
from concordant.evaluation.system_statistics import (
    OVER_SYSTEMS,
    measure_systems,
    resamples_systems,
    system_points,
    without_outliers,
)
from concordant.stats.correlation import pearson
from concordant.stats.system_ratings import VARIANTS

# Three systems, two segments: a beats b twice and c once, b and c tie, c beats b.
PAIRS = [(0, 1, False, 2), (0, 2, False, 1), (1, 2, True, 1), (5, 4, False, 1), (3, 4, False, 1)]
COLUMN = compared(rated([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), PAIRS)


def systems_of(column):
    """Judged pairs as (better system, worse system, tie, count)."""
    pairs = column.pairs
    better, worse = column.system[pairs.better].tolist(), column.system[pairs.worse].tolist()
    return list(zip(better, worse, pairs.tie.tolist(), pairs.count.tolist(), strict=True))


def test_wins_and_ties_by_segment():
    table = win_table(COLUMN)
    assert table.shape == (2, 3, 6)
    assert table[0].tolist() == [[0, 2, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]]
    assert table[1].tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]


def test_known_scores():
    # By hand: a wins all; c has lost to a, beaten b and tied with b.
    scores = {method: human_scores(COLUMN, method=method).tolist() for method in VARIANTS}
    assert scores["expected-wins"] == [1.0, 0.0, 0.5]
    assert scores["better"] == [1.0, 0.0, 0.5]
    assert scores["better-or-equal"] == pytest.approx([1.0, 1 / 5, 2 / 3])
    assert scores["strictly-better"] == pytest.approx([1.0, 0.0, 1 / 3])


@given(rated_columns(metrics=0))
@settings(deadline=None)
def test_expected_wins_against_a_plain_loop(drawn):
    column = paired_by_ratings(*drawn)
    expected = oracles.expected_wins(systems_of(column), range(len(column.systems)))
    if None in expected:
        with pytest.raises(
            UndefinedStatistic, match=r'no judgement of .* counts for "expected-wins"'
        ):
            human_scores(column)
    else:
        assert human_scores(column).tolist() == pytest.approx(expected)


@given(rated_columns(metrics=0), st.data())
@settings(deadline=None, max_examples=40)
def test_a_resample_without_a_system_is_undefined(drawn, data):
    column = paired_by_ratings(*drawn)
    everyone = range(len(column.systems))
    if None in oracles.expected_wins(systems_of(column), everyone):
        return
    drawn_segment = data.draw(st.sampled_from(sorted(set(column.segment.tolist()))))
    weights = np.zeros((1, len(column.segments)))
    weights[0, drawn_segment] = 1
    inside = column.segment[column.pairs.better] == drawn_segment
    judged = [pair for pair, there in zip(systems_of(column), inside, strict=True) if there]
    expected = [
        np.nan if each is None else each for each in oracles.expected_wins(judged, everyone)
    ]
    assert human_tally(column).scores(weights)[0] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_puts_the_winner_first_and_the_loser_last(method):
    wins = {(0, 1): 9, (1, 0): 2, (1, 2): 7, (2, 1): 3, (0, 2): 8, (2, 0): 1}
    pairs = [(better, worse, False, count) for (better, worse), count in wins.items()]
    column = compared(rated(np.zeros((1, 3))), pairs)
    assert np.argsort(-human_scores(column, method=method)).tolist() == [0, 1, 2]


def test_ratings_are_averaged_whatever_the_method():
    column = rated([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]])
    for method in METHODS:
        assert human_scores(column, method=method).tolist() == [3.0, 4.0]


def test_ratings_of_systems_come_in_the_order_of_systems():
    column = rated_systems([3.0, 1.0, 2.0])
    assert human_scores(column).tolist() == [3.0, 1.0, 2.0]


def test_what_is_resampled():
    assert not resamples_systems(COLUMN, "expected-wins")
    assert resamples_systems(COLUMN, "trueskill")
    assert resamples_systems(COLUMN, "bradley-terry")
    assert not resamples_systems(rated([[1.0, 2.0]]), "trueskill")
    assert resamples_systems(rated_systems([1.0, 2.0]), "expected-wins")


def test_systems_as_points():
    points = system_points(COLUMN, "trueskill")
    assert [(each.system, each.segment) for each in points.places] == [
        ("s0", None), ("s1", None), ("s2", None),
    ]  # fmt: skip
    assert points.ratings.tolist() == human_scores(COLUMN, method="trueskill").tolist()
    assert points.segment.tolist() == points.system.tolist() == [0, 1, 2]
    assert (points.pairs, points.segments, points.kind) == (None, (), "system ratings")


def test_a_statistic_over_points(rng):
    values = rng.normal(size=6)
    measured = measure_systems("pearson", COLUMN, Fixed(values), method="trueskill")
    means = values.reshape(2, 3).mean(axis=0)
    expected = pearson(human_scores(COLUMN, method="trueskill"), means)
    assert measured.value() == pytest.approx(expected)
    assert measured.resample(np.ones((1, 3))) == pytest.approx(expected)


def test_accuracy_of_rows():
    human = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 2.0], [1.0, 1.0, 1.0]])
    metric = np.array([[1.0, 3.0, 2.0], [1.0, 1.0, 2.0], [1.0, 2.0, 3.0]])
    assert OVER_SYSTEMS["accuracy"](human, metric) == pytest.approx(
        [2 / 3, 1 / 2, np.nan], nan_ok=True
    )


def test_outliers_are_left_out_everywhere():
    human = np.array([[1.0, 2.0, 3.0, 4.0, -100.0]] * 2)
    column, names = without_outliers(rated(human), method="expected-wins")
    assert names == ["s4"]
    assert column.systems == ("s0", "s1", "s2", "s3")
    assert column.ratings.tolist() == [1, 2, 3, 4] * 2
    assert {each.system for each in column.places} == set(column.systems)
    middle, names = without_outliers(rated(human[:, [0, 1, 4, 2, 3]]), method="expected-wins")
    assert (names, middle.systems) == (["s2"], ("s0", "s1", "s3", "s4"))
    assert middle.system.tolist() == [0, 1, 2, 3] * 2
    assert human_scores(middle).tolist() == [1, 2, 3, 4]


def test_pairs_and_system_ratings_without_outliers():
    ratings = np.array([[1.0, 2.0, -100.0, 3.0, 4.0]])
    systems, names = without_outliers(rated_systems(ratings[0]), method="expected-wins")
    assert names == ["s2"]
    assert systems.ratings.tolist() == [1, 2, 3, 4]
    assert systems.segment.tolist() == systems.system.tolist() == [0, 1, 2, 3]
    # Wins of 0.5, 0.5, 0.5, 0.5 and 0: the last is off a median absolute deviation of 0.
    pairs = [(i, j, False, 1) for i in range(4) for j in range(4) if i != j]
    losses = [(i, 4, False, 1) for i in range(4)]
    even = compared(rated(np.zeros((1, 5))), pairs + losses)
    kept, names = without_outliers(even, method="better")
    assert names == ["s4"]
    assert systems_of(kept) == [(i, j, False, 1.0) for i, j, _, _ in pairs]


def test_no_outlier_is_no_change():
    column = rated([[1.0, 2.0, 3.0]])
    assert without_outliers(column, method="expected-wins") == (column, [])


def test_refusals():
    rating = rated([[1.0, 2.0]])
    with pytest.raises(
        SpecError, match="trueskill cannot be resampled by segment; use one of expected"
    ):
        human_tally(COLUMN, method="trueskill")
    with pytest.raises(SpecError, match=r'method "elo" is not one of expected-wins, .*trueskill'):
        human_scores(COLUMN, method="elo")
    with pytest.raises(UndefinedStatistic, match="test de-en has ratings, not comparisons"):
        win_table(rating)
    for column, kind in ((COLUMN, "preferences"), (rated_systems([1.0, 2.0]), "system ratings")):
        with pytest.raises(
            ConcordantError, match=f"(?i)spa needs ratings of segments; .* has {kind}"
        ):
            measure_systems("spa", column, Fixed(np.arange(len(column.places))))
