from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import UndefinedStatistic
from concordant.stats.quantiles import central_shares, score_quantiles, whole_quantiles
from concordant.stats.ranks import clusters, ranges_from_resamples, ranks_of

RANGES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=9).map(
    lambda pairs: [(low, low + width) for low, width in pairs]
)


def test_ranges_hold_the_true_ranks_and_clusters_the_equals(rng):
    ratings = np.array([3.0, 0.0, 0.0, 0.0, -3.0]) + rng.normal(0, 0.3, (1000, 5))
    ranges = ranges_from_resamples(ratings)
    assert ranges.tolist() == [[1, 1], [2, 4], [2, 4], [2, 4], [5, 5]]
    assert clusters(ranges) == [1, 2, 2, 2, 3]


def test_less_noise_narrows_the_ranges(rng):
    strengths = np.linspace(0.5, -0.5, 6)
    wide, narrow = (
        ranges_from_resamples(strengths + rng.normal(0, noise, (1000, 6))) for noise in (1.0, 0.1)
    )
    assert np.diff(narrow).sum() < np.diff(wide).sum()
    assert np.all(narrow[:, 0] <= narrow[:, 1])


def test_relabelling_systems_and_shuffling_resamples(rng):
    ratings = rng.normal(size=(300, 4))
    order, new = rng.permutation(300), np.array([2, 0, 3, 1])
    changed = ranges_from_resamples(ratings[order][:, new])
    assert np.array_equal(changed, ranges_from_resamples(ratings)[new])


def test_a_thousand_resamples_lose_25_ranks_at_each_end(rng):
    ratings = rng.normal(size=(1000, 30))
    ranks = np.sort(ranks_of(ratings), axis=0)
    assert np.array_equal(
        ranges_from_resamples(ratings), np.stack([ranks[25], ranks[974]], axis=-1)
    )


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.floats(0, 1))
def test_a_whole_quantile_is_the_value_nearest_to_the_interpolated_position(values, share):
    ordered = sorted(values)
    position = (len(values) - 1) * share
    below, above = int(np.floor(position)), int(np.ceil(position))
    whole = int(whole_quantiles(np.array(values), [share])[0])
    score = float(score_quantiles(np.array(values, dtype=np.float64), [share])[0])
    assert whole in (ordered[below], ordered[above])
    assert ordered[below] - 1e-9 <= score <= ordered[above] + 1e-9


@given(RANGES)
def test_clusters_are_what_no_boundary_separates(ranges):
    found = clusters(ranges)
    assert sorted(set(found)) == list(range(1, max(found) + 1))
    groups = [
        [i for i, each in enumerate(found) if each == number] for number in sorted(set(found))
    ]
    for group, following in pairwise(groups):
        assert max(ranges[i][1] for i in group) < min(ranges[i][0] for i in following)
    for group in groups:
        for cut in {ranges[i][0] for i in group}:
            above = [i for i in group if ranges[i][1] < cut]
            below = [i for i in group if ranges[i][0] >= cut]
            assert not above or len(above) + len(below) < len(group)


def test_refusals():
    with pytest.raises(UndefinedStatistic, match=r"level 95 .*such as 0\.95"):
        central_shares(95)
    with pytest.raises(UndefinedStatistic, match=r"\(systems, 2\) is needed"):
        clusters([])
