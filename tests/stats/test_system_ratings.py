import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.errors import UndefinedStatistic
from concordant.stats.system_ratings import VARIANTS, bradley_terry, expected_wins

POSITIVE_WINS = arrays(np.float64, (4, 4), elements=st.integers(1, 30).map(float)).map(
    lambda wins: wins * (1 - np.eye(4))
)
TIES = arrays(np.float64, (4, 4), elements=st.integers(0, 9).map(float)).map(
    lambda ties: np.triu(ties, 1) + np.triu(ties, 1).T
)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # Wins 0>1 3:1, 0>2 1:1; ties 0=1 twice, 1=2 once.
        ("expected-wins", [0.625, 0.25, 0.5]),
        ("better", [4 / 6, 1 / 4, 1 / 2]),
        ("better-or-equal", [6 / 8, 4 / 7, 2 / 3]),
        ("strictly-better", [4 / 8, 1 / 7, 1 / 3]),
    ],
)
def test_variants_by_hand(variant, expected):
    wins = np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]])
    ties = np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    assert expected_wins(wins, ties, variant=variant) == pytest.approx(expected)


@pytest.mark.parametrize("variant", VARIANTS)
@given(wins=POSITIVE_WINS, ties=TIES)
def test_laws_of_expected_wins(variant, wins, ties):
    ratings = expected_wins(wins, ties, variant=variant)
    assert np.all((ratings >= 0) & (ratings <= 1))
    order = np.array([2, 0, 3, 1])
    relabelled = expected_wins(wins[order][:, order], ties[order][:, order], variant=variant)
    assert relabelled == pytest.approx(ratings[order])
    tables = np.stack([wins, 3 * wins]), np.stack([ties, 3 * ties])
    batch = expected_wins(*tables, variant=variant)
    assert batch == pytest.approx(np.stack([ratings, ratings]))


@given(wins=POSITIVE_WINS, ties=TIES)
def test_bradley_terry_expects_the_points_that_were_won(wins, ties):
    strengths = bradley_terry(wins, ties, prior=0)
    points = wins + ties / 2
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    expected = ((points + points.T) * chance).sum(axis=1)
    assert points.sum(axis=1) == pytest.approx(expected, rel=1e-6)
    assert strengths.mean() == pytest.approx(0, abs=1e-9)
    order = np.array([3, 1, 0, 2])
    relabelled = bradley_terry(wins[order][:, order], ties[order][:, order], prior=0)
    assert relabelled == pytest.approx(strengths[order], abs=1e-6)


def test_bradley_terry_finds_the_strengths_that_made_the_wins():
    true = np.array([1.0, 0.2, -0.3, -0.9])
    wins = 1e6 / (1 + np.exp(true[None, :] - true[:, None])) * (1 - np.eye(4))
    assert bradley_terry(wins) == pytest.approx(true, abs=1e-5)


def test_bradley_terry_where_a_system_never_lost():
    never_lost = [[0, 5, 5], [0, 0, 3], [0, 2, 0]]
    strengths = bradley_terry(never_lost)
    assert np.isfinite(strengths).all()
    assert strengths[0] > strengths[1] > strengths[2]
    with pytest.raises(UndefinedStatistic, match=r"2 groups.*prior above 0"):
        bradley_terry(never_lost, prior=0)
    never_met = np.zeros((4, 4))
    never_met[0, 1] = never_met[1, 0] = never_met[2, 3] = never_met[3, 2] = 5
    with pytest.raises(UndefinedStatistic, match="2 groups"):
        bradley_terry(never_met, prior=0)
    assert bradley_terry(never_met) == pytest.approx(0, abs=1e-8)


def test_bradley_terry_says_when_it_has_not_settled():
    with pytest.raises(UndefinedStatistic, match="did not converge in 1 steps"):
        bradley_terry([[0, 5, 1], [1, 0, 5], [4, 2, 0]], max_iterations=1)


def test_an_opponent_never_met_is_left_out():
    wins = np.array([[0, 3, 0], [1, 0, 2], [0, 2, 0]])
    assert expected_wins(wins, np.zeros((3, 3))).tolist() == [0.75, 0.375, 0.5]


def test_a_system_that_only_tied():
    wins = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0]])
    ties = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    assert np.isnan(expected_wins(wins, ties)).tolist() == [False, False, True]
    assert expected_wins(wins, ties, variant="better-or-equal")[2] == 1.0


def test_tables_refuse():
    for wins, ties, words in [
        (np.ones((2, 3)), np.ones((2, 3)), r"\(2, 3\)"),
        (np.ones((1, 1)), np.ones((1, 1)), "no opponents"),
        (-np.ones((2, 2)), np.ones((2, 2)), "negative"),
        (np.full((2, 2), np.nan), np.ones((2, 2)), "NaN"),
    ]:
        with pytest.raises(UndefinedStatistic, match=words):
            bradley_terry(wins, ties)
    with pytest.raises(UndefinedStatistic, match=r"both must be \(k, k\)"):
        bradley_terry(np.ones((2, 3, 3)))
