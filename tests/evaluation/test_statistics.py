"""Statistics of single translations by name; stats/test_measured.py checks their numbers too."""

from dataclasses import replace

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from small_columns import compared, paired_by_ratings, rated, rated_columns, rated_systems

from concordant.errors import SpecError, UndefinedStatistic
from concordant.evaluation.statistics import (
    AVERAGES,
    CORRELATIONS,
    PAIRWISE,
    STATISTICS,
    measure_segments,
    pairs_of,
    statistic_named,
)
from concordant.stats.tau import VARIANTS

COLUMN = rated([[10.0, 40.0, 90.0], [50.0, 50.0, 20.0]])
VALUES = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 0.0])


def test_the_table():
    assert set(VARIANTS) | set(CORRELATIONS) | {"acc-eq", "spa"} == set(STATISTICS)
    for row in STATISTICS.values():
        assert row.title
        assert set(row.levels) <= {"segment", "system"}
        assert set(row.kinds) <= {"preferences", "rankings", "ratings"}


@pytest.mark.parametrize("name", ["acc-eq", *PAIRWISE, *CORRELATIONS])
@given(drawn=rated_columns())
@settings(deadline=None, max_examples=30)
def test_pooled_values_against_plain_loops(name, drawn):
    column, values = drawn
    lists = (each.tolist() for each in (column.ratings, values, column.segment, column.system))
    expected = oracles.segment_statistic(name, *lists)
    if expected is None:
        with pytest.raises(UndefinedStatistic):
            measure_segments(name, column, values).value()
    else:
        assert measure_segments(name, column, values).value() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in PAIRWISE if name != "tau-darr"])
@given(drawn=rated_columns())
@settings(deadline=None, max_examples=30)
def test_judged_pairs_count_as_often_as_they_were_judged(name, drawn):
    column, values = drawn
    column = paired_by_ratings(column)
    orders = [
        (0 if tie else 1, oracles.sign(values[better] - values[worse]))
        for better, worse, tie, count in zip(
            column.pairs.better,
            column.pairs.worse,
            column.pairs.tie,
            column.pairs.count,
            strict=True,
        )
        for _ in range(int(count))
    ]
    expected = oracles.tau(orders, name)
    if expected is None:
        with pytest.raises(UndefinedStatistic, match=f"{name}: .*no pair counts"):
            measure_segments(name, column, values).value()
    else:
        assert measure_segments(name, column, values).value() == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in PAIRWISE if name != "tau-darr"])
def test_ratings_and_the_pairs_they_imply_agree(name):
    pairs = pairs_of(COLUMN, None)
    implied = compared(
        COLUMN, list(zip(pairs.better, pairs.worse, pairs.tie, pairs.count, strict=True))
    )
    for average in ("pooled", "segment"):
        one, other = (
            measure_segments(name, each, VALUES, average=average) for each in (COLUMN, implied)
        )
        assert one.value() == pytest.approx(other.value())


def test_judges_who_disagree_are_two_pairs():
    column = compared(rated([[1.0, 2.0]]), [(0, 1, False, 2), (1, 0, False, 1)])
    assert measure_segments("accuracy", column, np.array([5.0, 3.0])).value() == pytest.approx(
        2 / 3
    )
    assert measure_segments("tau-wmt14", column, np.array([5.0, 3.0])).value() == pytest.approx(
        1 / 3
    )


def test_darr_takes_pairs_25_points_apart():
    # 10 < 40 < 90 in the first segment and 20 < 50 twice in the second; only 40 < 90 is wrong.
    assert measure_segments("tau-darr", COLUMN, VALUES).value() == pytest.approx(3 / 5)
    # 50 points: 10 < 90 and 40 < 90 only.
    assert measure_segments("tau-darr", COLUMN, VALUES, gap=50.0).value() == pytest.approx(0.0)
    with pytest.raises(UndefinedStatistic, match="tau-darr"):
        measure_segments("tau-darr", COLUMN, VALUES, gap=81.0).value()


def test_darr_goes_by_raw_scores_where_there_are_any():
    standardised = replace(COLUMN, ratings=COLUMN.ratings / 100, raw=COLUMN.ratings)
    plain = measure_segments("tau-darr", COLUMN, VALUES)
    assert measure_segments("tau-darr", standardised, VALUES).value() == plain.value()
    with pytest.raises(UndefinedStatistic, match="no pair counts"):
        measure_segments("tau-darr", replace(standardised, raw=None), VALUES).value()


def test_a_gap_for_any_pairwise_statistic_and_zero_is_a_gap():
    near, all_pairs = (pairs_of(COLUMN, gap) for gap in (50.0, 0.0))
    assert (len(near.tie), len(all_pairs.tie), len(pairs_of(COLUMN, None).tie)) == (2, 6, 6)
    assert measure_segments("accuracy", COLUMN, VALUES, gap=80.0).value() == 1.0


def test_points_that_are_systems():
    column = rated_systems([3.0, 1.0, 2.0])
    values = np.array([30.0, 20.0, 10.0])
    assert measure_segments("pearson", column, values).value() == pytest.approx(0.5)
    assert measure_segments("accuracy", column, values).value() == pytest.approx(2 / 3)
    assert measure_segments("pearson", column, values).resample(np.ones((1, 3))) == pytest.approx(
        0.5
    )


def test_averages_differ():
    # Within segments and within systems the metric is right, across them it is not.
    column = rated([[1.0, 2.0], [11.0, 12.0]])
    values = np.array([5.0, 6.0, 1.0, 2.0])
    results = {each: measure_segments("pearson", column, values, average=each) for each in AVERAGES}
    assert results["segment"].value() == pytest.approx(1)
    assert results["system"].value() == pytest.approx(-1)
    assert results["pooled"].value() < 0


def test_refusals():
    pairs = paired_by_ratings(COLUMN)
    with pytest.raises(SpecError, match=r'statistic "pearsn" is not one of .*mean "pearson"\?'):
        statistic_named("pearsn", "segment")
    with pytest.raises(SpecError, match=r'statistic "spa" is not one of .* at segment level'):
        statistic_named("spa", "segment")
    with pytest.raises(SpecError, match=r'statistic "tau-wmt12" is not one of .* at system level'):
        statistic_named("tau-wmt12", "system")
    assert statistic_named("accuracy", "system") is STATISTICS["accuracy"]
    with pytest.raises(SpecError, match='average "sentence" is not one of pooled, segment, system'):
        measure_segments("pearson", COLUMN, VALUES, average="sentence")
    with pytest.raises(
        SpecError, match="accuracy compares translations of a segment; average it pooled"
    ):
        measure_segments("accuracy", COLUMN, VALUES, average="system")
    with pytest.raises(
        SpecError, match="pearson at segment level needs ratings, and test de-en has pref"
    ):
        measure_segments("pearson", pairs, VALUES)
    words = "tau-darr at segment level needs ratings, .*; use one of tau-wmt12, .*, tau-wmt14, acc"
    with pytest.raises(SpecError, match=words):
        measure_segments("tau-darr", pairs, VALUES)
