import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.system_ratings import (
    VARIANTS,
    Outcomes,
    bradley_terry,
    expected_wins,
    pair_tables,
    unit_counts,
    win_counts,
)

GAMES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-1, 1), st.integers(0, 5)).filter(
        lambda game: game[0] != game[1]
    ),
    min_size=1,
    max_size=40,
)
POSITIVE_WINS = arrays(np.float64, (4, 4), elements=st.integers(1, 30).map(float)).map(
    lambda wins: wins * (1 - np.eye(4))
)
TIES = arrays(np.float64, (4, 4), elements=st.integers(0, 9).map(float)).map(
    lambda ties: np.triu(ties, 1) + np.triu(ties, 1).T
)


@given(GAMES)
def test_win_counts_against_a_loop(games):
    wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
    for first, second, outcome, _ in games:
        if outcome == 0:
            ties[first, second] += 1
            ties[second, first] += 1
        else:
            better, worse = (first, second) if outcome == 1 else (second, first)
            wins[better, worse] += 1
    counted = win_counts(Outcomes.of(*zip(*games, strict=True), n_systems=4))
    assert np.array_equal(counted.wins, wins)
    assert np.array_equal(counted.ties, ties)


@given(GAMES)
def test_who_is_named_first_does_not_matter(games):
    outcomes = Outcomes.of(*zip(*games, strict=True), n_systems=4)
    turned = Outcomes.of(*zip(*((b, a, -o, u) for a, b, o, u in games), strict=True), n_systems=4)
    assert np.array_equal(unit_counts(outcomes).toarray(), unit_counts(turned).toarray())


@given(GAMES)
def test_units_add_up(games):
    outcomes = Outcomes.of(*zip(*games, strict=True), n_systems=4)
    counts = unit_counts(outcomes)
    assert counts.shape[0] == len({unit for *_, unit in games})
    tables = pair_tables(counts.toarray().sum(axis=0), 4)
    assert np.array_equal(tables.wins, win_counts(outcomes).wins)


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
    wins = [[0, 3, 1], [1, 0, 0], [1, 0, 0]]
    ties = [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert expected_wins(wins, ties, variant=variant) == pytest.approx(expected)


@pytest.mark.parametrize("variant", VARIANTS)
@given(wins=POSITIVE_WINS, ties=TIES)
def test_laws_of_expected_wins(variant, wins, ties):
    ratings = expected_wins(wins, ties, variant=variant)
    assert np.all((ratings >= 0) & (ratings <= 1))
    order = np.array([2, 0, 3, 1])
    relabelled = expected_wins(wins[order][:, order], ties[order][:, order], variant=variant)
    assert relabelled == pytest.approx(ratings[order])
    batch = expected_wins([wins, 3 * wins], [ties, 3 * ties], variant=variant)
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
    wins = [[0, 3, 0], [1, 0, 2], [0, 2, 0]]
    assert expected_wins(wins, np.zeros((3, 3))).tolist() == [0.75, 0.375, 0.5]


def test_a_system_that_only_tied():
    wins, ties = [[0, 2, 0], [1, 0, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(UndefinedStatistic, match=r'system 2 has no judgement .*"expected-wins"'):
        expected_wins(wins, ties)
    assert expected_wins(wins, ties, variant="better-or-equal")[2] == 1.0


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (([], [], []), "no pairwise judgements"),
        (([0], [0], [1]), "system 0 is compared with itself"),
        (([0], [1], [2]), "not one of -1"),
        (([0, 1], [1], [1]), "lengths 2, 1, 1 and 2"),
        (([0.5], [1], [1]), "whole numbers"),
        (([np.nan], [1], [1]), "NaN"),
        (([-1], [1], [1]), "must be 0 to 1"),
    ],
)
def test_outcomes_refuse(games, words):
    with pytest.raises(UndefinedStatistic, match=words):
        Outcomes.of(*games)


def test_tables_refuse():
    with pytest.raises(SpecError, match=r'variant "beter" is not one of .*did you mean "better"'):
        expected_wins(np.ones((2, 2)), np.ones((2, 2)), variant="beter")
    for wins, ties, words in [
        (np.ones((2, 3)), np.ones((2, 3)), r"\(2, 3\)"),
        (np.ones((1, 1)), np.ones((1, 1)), "no opponents"),
        (-np.ones((2, 2)), np.ones((2, 2)), "negative"),
        (np.full((2, 2), np.nan), np.ones((2, 2)), "NaN"),
    ]:
        with pytest.raises(UndefinedStatistic, match=words):
            expected_wins(wins, ties)
    with pytest.raises(UndefinedStatistic, match=r"\(k, k\) is needed"):
        bradley_terry(np.ones((2, 3, 3)))
