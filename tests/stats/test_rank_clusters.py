from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import UndefinedStatistic
from concordant.stats.rank_clusters import clusters, rank_ranges, ranks_of
from concordant.stats.system_ratings import Outcomes, expected_wins

RANGES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=9).map(
    lambda pairs: [(low, low + width) for low, width in pairs]
)


def games(rng, strengths, n, units):
    k = len(strengths)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    gap = np.array(strengths)[first] - np.array(strengths)[second] + rng.normal(size=n)
    outcome = np.where(np.abs(gap) < 0.3, 0, np.sign(gap))
    return Outcomes.of(first, second, outcome, rng.integers(0, units, n))


def test_ranges_hold_the_true_ranks_and_clusters_the_equals(rng):
    outcomes = games(rng, [3.0, 0.0, 0.0, 0.0, -3.0], 3000, 300)
    ranges = rank_ranges(outcomes, rng=rng)
    assert ranges[0].tolist() == [1, 1]
    assert ranges[4].tolist() == [5, 5]
    assert clusters(ranges) == [[0], [1, 2, 3], [4]]


def test_more_judgements_narrow_the_ranges(rng):
    strengths = np.linspace(0.5, -0.5, 6)
    few = rank_ranges(games(rng, strengths, 300, 100), rng=rng)
    many = rank_ranges(games(rng, strengths, 20_000, 5000), rng=rng)
    assert np.diff(many).sum() < np.diff(few).sum()
    assert np.all(many[:, 0] <= many[:, 1])


def test_a_unit_is_drawn_as_a_whole(rng):
    # A judgement repeated a hundred times in its unit carries no more certainty than one.
    once = games(rng, [0.3, 0.0, -0.3], 60, 60)
    columns = (once.first, once.second, once.outcome, once.unit)
    repeated = Outcomes.of(*(np.repeat(column, 100) for column in columns))
    one = rank_ranges(once, rng=np.random.default_rng(1))
    other = rank_ranges(repeated, rng=np.random.default_rng(1))
    assert np.array_equal(one, other)


def test_relabelling_systems_and_shuffling_judgements(rng):
    outcomes = games(rng, [0.5, 0.2, 0.0, -0.4], 800, 50)
    plain = rank_ranges(outcomes, rng=np.random.default_rng(1))
    order, new = rng.permutation(800), np.array([2, 0, 3, 1])
    columns = (new[outcomes.first], new[outcomes.second], outcomes.outcome, outcomes.unit)
    changed = Outcomes.of(*(column[order] for column in columns))
    assert np.array_equal(rank_ranges(changed, rng=np.random.default_rng(1))[new], plain)


def test_the_size_of_a_block_does_not_matter(monkeypatch, rng):
    outcomes = games(rng, [0.2, 0.1, 0.0], 300, 40)
    plain = rank_ranges(outcomes, rng=np.random.default_rng(1))
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", 700)
    assert np.array_equal(rank_ranges(outcomes, rng=np.random.default_rng(1)), plain)


def test_a_thousand_resamples_lose_25_ranks_at_each_end(rng):
    outcomes = games(rng, [0.0, 0.0, 0.0], 90, 30)
    drawn = []

    def rate(wins, ties):
        drawn.append(ranks_of(expected_wins(wins, ties)))
        return expected_wins(wins, ties)

    ranges = rank_ranges(outcomes, rng=rng, rate=rate)
    ranks = np.sort(np.concatenate(drawn), axis=0)
    assert np.array_equal(ranges, np.stack([ranks[25], ranks[974]], axis=-1))


@given(RANGES)
def test_clusters_are_what_no_boundary_separates(ranges):
    groups = clusters(ranges)
    assert sorted(system for group in groups for system in group) == list(range(len(ranges)))
    for group, following in pairwise(groups):
        assert max(ranges[i][1] for i in group) < min(ranges[i][0] for i in following)
    for group in groups:
        for cut in {ranges[i][0] for i in group}:
            above = [i for i in group if ranges[i][1] < cut]
            below = [i for i in group if ranges[i][0] >= cut]
            assert not above or len(above) + len(below) < len(group)


def test_refusals(rng):
    one_unit = Outcomes.of([0, 1], [1, 0], [1, 1], [5, 5])
    with pytest.raises(UndefinedStatistic, match="1 unit cannot be resampled"):
        rank_ranges(one_unit, rng=rng)
    with pytest.raises(UndefinedStatistic, match=r"level 95 .*such as 0\.95"):
        rank_ranges(Outcomes.of([0, 1], [1, 0], [1, 1]), rng=rng, level=95)
    all_ties = Outcomes.of([0, 1, 0], [1, 0, 1], [0, 0, 0])
    with pytest.raises(UndefinedStatistic, match="no judgement that counts"):
        rank_ranges(all_ties, rng=rng)
    rate = partial(expected_wins, variant="better-or-equal")
    assert rank_ranges(all_ties, rng=rng, rate=rate).tolist() == [[1, 1], [1, 1]]
    with pytest.raises(UndefinedStatistic, match=r"\(systems, 2\) is needed"):
        clusters([])
