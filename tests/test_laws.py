"""Laws that hold for every agreement statistic at once, whoever adds the next one.

The cases come from the registry; what differs between statistics stands in the tables on top.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest
from small_columns import (
    Fixed,
    of_first_segment,
    paired_by_ratings,
    rated,
    rated_columns,
    rated_systems,
    reordered,
    unit_weights,
)

from concordant.errors import UndefinedStatistic
from concordant.evaluation.statistics import CORRELATIONS, PAIRWISE, STATISTICS, measure_segments
from concordant.evaluation.system_statistics import measure_systems
from concordant.stats.resampling import bootstrap_weights, swap_masks
from concordant.stats.significance import permutation_p

SHARES = {"accuracy", "accuracy-ties", "acc-eq", "spa"}  # in [0, 1], all others in [-1, 1]
ANTISYMMETRIC = {*CORRELATIONS, "tau-wmt13", "tau-wmt14"}  # -metric has the opposite value
OF_RANKS = {*PAIRWISE, *CORRELATIONS} - {"pearson"}  # only the order of single scores counts
NEEDS_METRIC_DIFFERENCES = {*CORRELATIONS, "tau-wmt13"}
DEFINED_IF_PEOPLE_TIE_ALL = {"accuracy-ties", "acc-eq", "spa"}


@dataclass(frozen=True)
class Case:
    """A statistic, at a level, averaged in some way, of some kind of judgement."""

    level: str
    name: str
    average: str
    kind: str

    def __str__(self):
        return f"{self.level}-{self.name}-{self.average}-{self.kind}".replace(" ", "-")

    def of(self, column, values):
        """The case's statistic of a column of ratings, whatever it makes of them."""
        if self.kind == "preferences":
            column = paired_by_ratings(column)
        elif self.kind == "system ratings":
            values = of_first_segment(column, values)
            column = rated_systems(of_first_segment(column, column.ratings))
        if self.level == "segment":
            return measure_segments(self.name, column, values, average=self.average)
        return measure_systems(self.name, column, Fixed(values), permutations=40)

    def value(self, column, values):
        """Its value, or None."""
        try:
            return self.of(column, values).value()
        except UndefinedStatistic:
            return None

    def units(self, column):
        return len(column.systems if self.kind == "system ratings" else column.segments)


def averages(name):
    if name in CORRELATIONS:
        return ("pooled", "segment", "system")
    return ("pooled", "segment") if name in PAIRWISE else ("pooled",)


SEGMENT = [
    Case("segment", name, average, kind)
    for name, row in STATISTICS.items()
    if "segment" in row.levels
    for kind in row.kinds
    if kind != "rankings"  # are preferences by then
    for average in averages(name)
]
SYSTEM = [
    Case("system", name, "systems", kind)
    for name, row in STATISTICS.items()
    if "system" in row.levels
    for kind in ("ratings", "preferences", "system ratings")
    if name != "spa" or kind == "ratings"
]
CASES = [*SEGMENT, *SYSTEM]
every_case = pytest.mark.parametrize("case", CASES, ids=str)
few = settings(deadline=None, max_examples=8)


def same(one, other):
    return np.asarray(one, float) == pytest.approx(np.asarray(other, float), abs=1e-9, nan_ok=True)


def everything(case, column, *metrics, seed=0, draws=30):
    """Values, resamples and exchanges, as an evaluation computes them."""
    units, rng = case.units(column), np.random.default_rng(seed)
    weights, masks = bootstrap_weights(units, draws, rng), swap_masks(units, draws, rng)
    first, second = (case.of(column, each) for each in metrics)
    return np.concatenate([
        [first.value(), second.value()],
        first.resample(weights),
        *first.swap(second, masks),
    ])  # fmt: skip


def noisy(rng, metrics=2, shape=(12, 5)):
    """Ratings without ties but with some closer than 25, and metrics that are equally good."""
    human = 30 * rng.normal(size=shape)
    return rated(human), *(human.ravel() + rng.normal(0, 30, human.size) for _ in range(metrics))


def test_every_statistic_is_there():
    assert {case.name for case in CASES} == set(STATISTICS)


@every_case
@given(drawn=rated_columns(metrics=2))
@few
def test_the_range(case, drawn):
    if None in (case.value(drawn[0], each) for each in drawn[1:]):
        return
    values = everything(case, *drawn)
    values = values[~np.isnan(values)]
    assert (values >= (0 if case.name in SHARES else -1) - 1e-12).all()
    assert (values <= 1 + 1e-12).all()


@every_case
@given(drawn=rated_columns(), data=st.data())
@few
def test_the_scale_of_a_metric_does_not_matter(case, drawn, data):
    column, values = drawn
    scaled = 4 * values + 8
    assert same(case.value(column, scaled), case.value(column, values))
    if case.value(column, values) is not None and case.kind != "system ratings":
        weights = data.draw(unit_weights(column))
        one, other = (case.of(column, each).resample(weights) for each in (values, scaled))
        assert same(one, other)


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in CASES
        if case.name in OF_RANKS and (case.level == "segment" or case.kind == "system ratings")
    ],
    ids=str,
)
@given(drawn=rated_columns())
@few
def test_only_the_order_of_scores_counts(case, drawn):
    column, values = drawn
    for risen in (values**3 + values, np.exp(20 * values)):
        assert same(case.value(column, risen), case.value(column, values))


@pytest.mark.parametrize("case", [case for case in CASES if case.name in ANTISYMMETRIC], ids=str)
@given(drawn=rated_columns())
@few
def test_the_opposite_metric_has_the_opposite_value(case, drawn):
    column, values = drawn
    value = case.value(column, values)
    assert same(case.value(column, -values), None if value is None else -value)


@every_case
@given(drawn=rated_columns(), seed=st.integers(0, 99))
@few
def test_names_and_order_do_not_matter(case, drawn, seed):
    column, values = drawn
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(values))
    segments, systems = (rng.permutation(len(each)) for each in (column.segments, column.systems))
    if case.name == "spa" or case.kind == "system ratings":
        segments = None  # its signs belong to segments (see below); it has none
    renamed = reordered(column, order, segments, systems)
    assert same(case.value(renamed, values[order]), case.value(column, values))


@given(drawn=rated_columns(), seed=st.integers(0, 99))
@few
def test_nor_does_the_order_of_segments_for_spa(drawn, seed):
    # Its random signs belong to segments, so this holds exactly in the limit of many signs only.
    column, values = drawn
    case = Case("system", "spa", "systems", "ratings")
    if case.value(column, values) is not None:
        units = len(column.segments)
        segments = np.random.default_rng(seed).permutation(units)
        renamed = reordered(column, np.arange(len(values)), segments)
        once = np.ones((1, units))
        one, other = (case.of(each, values).resample(once) for each in (column, renamed))
        assert same(one, other)


@every_case
@given(drawn=rated_columns(), scale=st.sampled_from([1.0, 3.0, 0.75]))
@few
def test_a_metric_and_its_copy_on_any_scale(case, drawn, scale):
    column, values = drawn
    copy = scale * values + (scale != 1)
    if case.value(column, values) is None or case.value(column, copy) is None:
        return
    first, second = case.of(column, values), case.of(column, copy)
    masks = swap_masks(case.units(column), 20, np.random.default_rng(0))
    one, two = first.swap(second, masks)
    assert same(one, np.full(20, first.swap(first, ~masks)[0][0]))
    assert same(two, one)
    assert permutation_p(first.value() - second.value(), one - two) == 1.0


@every_case
def test_what_people_say_reaches_the_maximum(case):
    # Systems 30 points apart in segments 1000 apart: equally spaced, whoever counts wins.
    column = rated(1000 * np.arange(4.0)[:, None] + 30 * np.arange(5.0))
    assert case.value(column, column.ratings) == pytest.approx(1)


@every_case
def test_a_constant_metric(case, rng):
    column, _ = noisy(rng, 1)
    constant = np.full(len(column.places), 0.1)
    if case.name in NEEDS_METRIC_DIFFERENCES:
        with pytest.raises(UndefinedStatistic, match=r"constant"):
            case.of(column, constant).value()
    else:
        assert np.isfinite(everything(case, column, constant, column.ratings)).any()


@every_case
def test_people_who_tie_all(case, rng):
    column = rated(np.full((5, 4), 50.0))
    values = rng.normal(size=20)
    if case.name in DEFINED_IF_PEOPLE_TIE_ALL:
        assert 0 <= case.of(column, values).value() <= 1
    else:
        words = r"constant|no pair counts|undefined for each|no judgement of"
        with pytest.raises(UndefinedStatistic, match=words):
            case.of(column, values).value()


@pytest.mark.parametrize("case", [case for case in CASES if case.kind != "preferences"], ids=str)
def test_one_output(case):
    words = r"constant|no pair counts|undefined for each|no segment has two|at least 2"
    with pytest.raises(UndefinedStatistic, match=words):
        case.of(rated([[50.0]]), np.array([1.0])).value()


@pytest.mark.parametrize("case", [case for case in SEGMENT if case.kind == "ratings"], ids=str)
def test_outputs_that_no_segment_brings_together(case):
    column = rated([10.0, 50.0, 90.0], [0, 1, 2], [0, 1, 2])
    values = np.array([1.0, 2.0, 3.0])
    if case.name in CORRELATIONS and case.average == "pooled":
        assert case.of(column, values).value() == pytest.approx(1)
    else:
        with pytest.raises(UndefinedStatistic, match=r"no pair|undefined for each|no segment"):
            case.of(column, values).value()


@every_case
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_none(case, bad, rng):
    column, values = noisy(rng, 1)
    third = np.arange(len(values)) == 3
    broken = np.where(third, bad, values)
    with pytest.raises(UndefinedStatistic, match=r"metric.* 1 of .* values are NaN or infinite"):
        case.of(column, broken).value()
    if case.kind != "preferences":
        people = rated(np.where(third, bad, column.ratings), column.segment, column.system)
        with pytest.raises(UndefinedStatistic, match=r"1 of .* values are NaN or infinite"):
            case.of(people, values).value()


@every_case
def test_a_seed_is_a_result_and_blocks_change_nothing(case, monkeypatch, rng):
    column, one, two = noisy(rng)
    results = [everything(case, column, one, two, seed=seed) for seed in (0, 0, 1)]
    assert np.array_equal(results[0], results[1], equal_nan=True)
    assert not np.array_equal(results[0], results[2], equal_nan=True)
    for module, name in (
        ("measured", "BLOCK_CELLS"),
        ("accuracy", "BLOCK_CELLS"),
        ("resampling", "BLOCK"),
    ):
        monkeypatch.setattr(f"concordant.stats.{module}.{name}", 3)
    assert np.array_equal(everything(case, column, one, two), results[0], equal_nan=True)


@every_case
def test_p_is_no_smaller_than_chance_where_the_metrics_are_equally_good(case):
    rng = np.random.default_rng(2)
    p = []
    for _ in range(50):
        # Standardising by the very points that are exchanged is only fair if they are not few.
        shape = (2, 15) if case.kind == "system ratings" else (12, 5)
        column, one, two = noisy(rng, shape=shape)
        first, second = case.of(column, one), case.of(column, two)
        swapped = first.swap(second, swap_masks(case.units(column), 39, rng))
        null = swapped[0] - swapped[1]
        p.append(permutation_p(first.value() - second.value(), null[~np.isnan(null)]))
    # Counts of few pairs are often equal, which is p = 1, so only a surplus of small p is wrong.
    fine = case.name == "pearson" or (case.name in CORRELATIONS and case.average == "pooled")
    assert kstest(p, "uniform", alternative="two-sided" if fine else "greater").pvalue > 0.01


@every_case
def test_a_better_metric_is_found(case, rng):
    human = 30 * rng.normal(size=(60, 6)) + 30 * np.arange(6)
    column = rated(human)
    good, bad = (human.ravel() + rng.normal(0, noise, 360) for noise in (5, 500))
    first, second = case.of(column, good), case.of(column, bad)
    masks = swap_masks(case.units(column), 99, rng)
    one, two = first.swap(second, masks)
    assert first.value() > second.value()
    if case.level == "segment":
        assert permutation_p(first.value() - second.value(), one - two) == 0.01
