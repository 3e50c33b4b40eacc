import numpy as np
import pytest

from concordant.errors import UndefinedStatistic
from concordant.stats.supersampling import compare_on_hybrids, difference_interval, hybrid_scores


def metrics(rng, noise=(1.0, 1.0), shape=(6, 40)):
    human = rng.normal(size=shape)
    return *(human + rng.normal(0, sd, shape) for sd in noise), human


def test_a_hybrid_takes_every_segment_from_one_of_two_systems():
    # Digits tell where a segment came from: system s scores 10^s on each of its segments.
    scores = np.repeat(10.0 ** np.arange(4), 3).reshape(4, 3)
    (means,) = hybrid_scores([scores], rng=np.random.default_rng(0), n_hybrids=500)
    taken = [f"{round(3 * mean):04d}" for mean in means]
    assert all(sum(map(int, digits)) == 3 for digits in taken)
    assert all(sum(digit != "0" for digit in digits) <= 2 for digits in taken)
    sources = {tuple(i for i in range(4) if digits[i] != "0") for digits in taken}
    assert sum(len(source) == 2 for source in sources) == 6


def test_all_matrices_see_the_same_hybrids(rng):
    _, _, human = metrics(rng)
    first, second = hybrid_scores([human, 2 * human + 1], rng=rng, n_hybrids=100)
    assert second == pytest.approx(2 * first + 1)


def test_hybrids_have_the_mean_of_their_systems_and_chance_is_fair(rng):
    scores = np.array([[0.0] * 50, [1.0] * 50])
    (means,) = hybrid_scores([scores], rng=rng, n_hybrids=4000)
    assert means.mean() == pytest.approx(0.5, abs=0.005)
    assert means.std() == pytest.approx(0.5 / np.sqrt(50), rel=0.05)


@pytest.mark.parametrize("block", [1, 1000, 10**7])
def test_the_size_of_a_block_does_not_matter(block, monkeypatch, rng):
    matrices = metrics(rng)
    plain = hybrid_scores(matrices, rng=np.random.default_rng(2), n_hybrids=200)
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", block)
    again = hybrid_scores(matrices, rng=np.random.default_rng(2), n_hybrids=200)
    assert np.array_equal(plain, again)


def test_the_better_metric_is_found_and_swapping_flips_the_sign(rng):
    x, y, human = metrics(rng, (0.5, 2.0))
    one = compare_on_hybrids(x, y, human, rng=np.random.default_rng(1))
    other = compare_on_hybrids(y, x, human, rng=np.random.default_rng(1))
    assert one.difference == -other.difference > 0
    assert one.test.t == -other.test.t
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert 0 < one.low < one.difference < one.high
    assert one.test.p_two_sided < 0.001


def test_affine_maps_do_not_matter(rng):
    x, y, human = metrics(rng)
    one = compare_on_hybrids(x, y, human, rng=np.random.default_rng(1), n_hybrids=500)
    other = compare_on_hybrids(2 * x, y - 5, human / 3, rng=np.random.default_rng(1), n_hybrids=500)
    assert other.difference == pytest.approx(one.difference)
    assert other.test.p_two_sided == pytest.approx(one.test.p_two_sided)


def test_the_same_metric_twice(rng):
    x, _, human = metrics(rng)
    for copy in (x, 3 * x + 1):
        result = compare_on_hybrids(x, copy, human, rng=rng, n_hybrids=1000)
        assert result.test.p_two_sided == 1.0
        assert result.low <= 0 <= result.high


def test_the_interval_of_a_published_example():
    # Zou (2007), overlapping dependent correlations: 95 % from -0.093 to 0.517.
    low, high = difference_interval(0.396, 0.179, 0.088, 66)
    assert (low, high) == pytest.approx((-0.093, 0.517), abs=0.0005)


def test_the_interval_covers_as_often_as_it_says(rng):
    covered = 0
    for _ in range(300):
        human = rng.normal(size=40)
        x, y = human + rng.normal(size=40), human + 2 * rng.normal(size=40)
        r = np.corrcoef([x, y, human])
        low, high = difference_interval(r[0, 2], r[1, 2], r[0, 1], 40, level=0.9)
        covered += low <= 1 / np.sqrt(2) - 1 / np.sqrt(5) <= high
    assert covered / 300 == pytest.approx(0.9, abs=0.05)


def test_where_people_scored_all_the_mask_says_nothing(rng):
    matrices = metrics(rng)
    plain = hybrid_scores(matrices, rng=np.random.default_rng(2), n_hybrids=200)
    masked = hybrid_scores(
        matrices, rng=np.random.default_rng(2), n_hybrids=200, judged=np.ones((6, 40))
    )
    assert masked == pytest.approx(plain)


def test_a_hybrid_is_the_mean_of_what_people_scored(rng):
    """Each segment scored for one system: of two systems a hybrid takes about half of their own."""
    owner = rng.integers(3, size=90)
    judged = owner == np.arange(3)[:, None]
    scores = np.where(judged, 1.0 + np.arange(3)[:, None], 1e6)  # what is not judged never counts
    counted, taken = hybrid_scores(
        [scores, np.where(judged, 0.0, 1e6)], rng=rng, n_hybrids=500, judged=judged
    )
    assert not taken.any()
    assert np.all((counted >= 1) & (counted <= 3))
    assert counted.mean() == pytest.approx(2, abs=0.1)


def test_hybrids_without_a_score_are_left_out(rng):
    judged = np.zeros((3, 9), dtype=bool)
    judged[np.arange(9) % 3, np.arange(9)] = True  # three segments each: one hybrid in 64 has none
    x, y, human = metrics(rng, shape=(3, 9))
    found = compare_on_hybrids(x, y, human, rng=rng, n_hybrids=2000, judged=judged)
    assert 1900 < found.n_hybrids < 2000


def test_too_few_scores_for_hybrids_are_told(rng):
    judged = np.zeros((3, 4))
    judged[0, 0] = 1
    with pytest.raises(UndefinedStatistic, match="hybrids have no translation that people"):
        hybrid_scores([np.ones((3, 4))], rng=rng, n_hybrids=50, judged=judged)
    with pytest.raises(UndefinedStatistic, match=r"judged has shape \(2, 4\)"):
        hybrid_scores([np.ones((3, 4))], rng=rng, n_hybrids=50, judged=judged[:2])


def test_refusals(rng):
    x, y, human = metrics(rng)
    cases = [
        ((x, y, human[:, :-1]), r"\(6, 40\), \(6, 40\), \(6, 39\)"),
        ((x[:1], y[:1], human[:1]), "at least 2 systems"),
        ((x, np.where(y > 0, np.nan, y), human), "NaN"),
        ((x, np.ones_like(y), human), "constant"),
    ]
    for matrices, words in cases:
        with pytest.raises(UndefinedStatistic, match=words):
            compare_on_hybrids(*matrices, rng=rng, n_hybrids=50)
    with pytest.raises(UndefinedStatistic, match="at least 4"):
        compare_on_hybrids(x, y, human, rng=rng, n_hybrids=3)
    with pytest.raises(UndefinedStatistic, match="0 random draws"):
        hybrid_scores([x], rng=rng, n_hybrids=0)
