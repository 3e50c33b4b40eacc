import csv
import gzip

import numpy as np
import oracles_true_skill as oracle
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from concordant.errors import UndefinedStatistic
from concordant.stats import _native
from concordant.stats.system_ratings import bradley_terry, expected_wins
from concordant.stats.true_skill import true_skill

# Xbox's settings: the published results of a first game between two new players.
XBOX = {"sigma": 25 / 3, "beta": 25 / 6, "draw_rate": 0.1}
WON, TIED = ([[0, 1], [0, 0]], [[0, 0], [0, 0]]), ([[0, 0], [0, 0]], [[0, 1], [1, 0]])


def moments(gap, low, high):
    """Mean and variance of N(gap, 1) cut to (low, high), by integration."""
    mass = quad(lambda x: norm.pdf(x, gap), low, high)[0]
    mean = quad(lambda x: x * norm.pdf(x, gap), low, high)[0] / mass
    return mean, quad(lambda x: (x - mean) ** 2 * norm.pdf(x, gap), low, high)[0] / mass


@given(st.floats(-3, 3), st.floats(0.05, 2))
def test_the_oracles_updates_are_moments_of_cut_normals(gap, margin):
    for update, (low, high) in (
        (oracle.won, (margin, max(gap, margin) + 12)),
        (oracle.drawn, (-margin, margin)),
    ):
        shift, shrink = update(gap, margin)
        mean, variance = moments(gap, low, high)
        assert shift == pytest.approx(mean - gap, abs=1e-6)
        assert shrink == pytest.approx(1 - variance, abs=1e-6)


@st.composite
def tables(draw):
    """Wins and ties of two to five systems, each judged against some other."""
    k = draw(st.integers(2, 5))
    counts = st.integers(0, 4)
    wins = np.array(draw(st.lists(counts, min_size=k * k, max_size=k * k)), float).reshape(k, k)
    ties = np.array(draw(st.lists(counts, min_size=k * k, max_size=k * k)), float).reshape(k, k)
    ties = np.triu(ties, 1)
    ties += ties.T
    np.fill_diagonal(wins, 0.0)
    for i in range(k):  # everyone has met its neighbour
        wins[i, (i + 1) % k] += 1
    return wins, ties


@given(tables(), st.sampled_from([0.01, 0.5, 4.0]))
@settings(deadline=None)
def test_games_as_they_are_expected(table, noise):
    """Against a plain loop over everything that a game might be.

    The system with the largest variance plays next. Where two variances are equal but for rounding,
    either may: such a table, which a change in the last digits of sigma shows, is left out.
    """
    wins, ties = table
    found = _native.true_skill(wins, ties, 40, 0.5, noise, 0.45 * noise)
    expected, *moved = (
        np.array(oracle.play(wins.tolist(), ties.tolist(), 40, 0.5 + step, noise, 0.45 * noise))
        for step in (0.0, 1e-14, -1e-14, 3e-15, 1e-13)
    )
    assume(all(each == pytest.approx(expected, rel=1e-7, abs=1e-10) for each in moved))
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_games_that_are_really_drawn_tend_to_the_same(rng):
    wins = [[0, 40, 70, 60], [35, 0, 30, 80], [20, 30, 0, 50], [10, 15, 45, 0]]
    ties = [[0, 20, 5, 0], [20, 0, 0, 9], [5, 0, 0, 30], [0, 9, 30, 0]]
    noise = 0.5 * 500 / 40
    margin = 0.3186 * np.sqrt(2) * noise

    def draw(possible):
        chances = np.array([each[0] for each in possible])
        return possible[rng.choice(len(possible), p=chances / chances.sum())]

    runs = [oracle.play(wins, ties, 500, 0.5, noise, margin, draw)[0] for _ in range(40)]
    error = np.std(runs, axis=0) / np.sqrt(len(runs))
    expected = _native.true_skill(
        np.array(wins, float), np.array(ties, float), 500, 0.5, noise, margin
    )
    assert np.all(np.abs(np.mean(runs, axis=0) - expected[0]) < 4 * error + 0.01)


@given(tables(), st.sampled_from([1e-9, 1e-4, 1e6]), st.sampled_from([1e-3, 0.5, 1e3]))
@settings(deadline=None)
def test_abilities_are_finite_whatever_the_noise(table, beta, sigma):
    found = true_skill(*table, beta=beta, sigma=sigma)
    assert np.all(np.isfinite(found.mean))
    assert np.all((found.deviation >= 0) & (found.deviation <= sigma * (1 + 1e-12)))


def test_a_first_win_and_a_first_draw():
    won = true_skill(*WON, **XBOX)
    assert won.mean + 25 == pytest.approx([29.396, 20.604], abs=0.003)
    assert won.deviation == pytest.approx([7.171, 7.171], abs=0.003)
    drawn = true_skill(*TIED, **XBOX)
    assert drawn.mean == pytest.approx([0, 0], abs=1e-12)
    assert drawn.deviation == pytest.approx([6.458, 6.458], abs=0.003)


@given(tables())
@settings(deadline=None)
def test_mirrored_judgements_mirror_the_abilities(table):
    wins, ties = table
    one, other = true_skill(wins, ties), true_skill(wins.T, ties)
    assert one.mean == pytest.approx(-other.mean, abs=1e-12)
    assert one.deviation == pytest.approx(other.deviation)


def test_how_often_two_met_does_not_count():
    """Of every opponent 0 and 1 win the same share; 0 met the weakest ten times as often."""
    shares = np.array([[0, 0.5, 0.6, 0.7], [0.5, 0, 0.6, 0.7], [0.4, 0.4, 0, 0.6],
                       [0.3, 0.3, 0.4, 0]])  # fmt: skip
    games = np.full((4, 4), 1000.0)
    games[0, 3] = games[3, 0] = 10_000.0
    mean = true_skill(shares * games, np.zeros((4, 4))).mean
    assert mean[0] == pytest.approx(mean[1], abs=0.001)
    assert mean[1] - mean[2] > 0.5


def test_abilities_order_systems_as_their_strengths():
    strengths = np.linspace(1, -1, 6)
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    np.fill_diagonal(chance, 0)
    abilities = true_skill(400 * chance, np.zeros((6, 6)))
    assert np.all(np.diff(abilities.mean) < 0)
    assert np.corrcoef(abilities.mean, strengths)[0, 1] > 0.98
    assert abilities.mean.sum() == pytest.approx(0, abs=0.01)
    assert np.all(abilities.deviation < 0.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sigma": 0.0}, "above 0"),
        ({"beta": -1.0}, "above 0"),
        ({"draw_rate": 1.0}, r"\[0, 1\)"),
        ({"draw_rate": 0.0}, "there are ties"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(UndefinedStatistic, match=words):
        true_skill(*TIED, **options)


def test_a_system_that_met_nobody_is_refused():
    wins = np.zeros((3, 3))
    wins[0, 1] = 1
    with pytest.raises(UndefinedStatistic, match="system 2 was compared with no other"):
        true_skill(wins, np.zeros((3, 3)))


@pytest.mark.data
@pytest.mark.parametrize(
    ("pair", "off"), [("de-en", 0.01), ("fi-en", 0.01), ("cs-en", 0.025), ("en-de", 0.025)]
)
def test_the_human_scores_that_wmt15_published(pair, off, data):
    """The official scores themselves, not only their order; they were printed to 0.001."""
    with gzip.open(data / "wmt15" / f"wmt15.{pair}.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = sorted({row[key] for row in rows for key in ("system1Id", "system2Id")})
    number = {name: i for i, name in enumerate(names)}
    wins, ties = np.zeros((2, len(names), len(names)))
    for row in rows:
        place = number[row["system1Id"]], number[row["system2Id"]]
        rank, other = int(row["system1rank"]), int(row["system2rank"])
        if rank == other:
            ties[place] += 1
            ties[place[::-1]] += 1
        else:
            wins[place if rank < other else place[::-1]] += 1
    table = data / "wmt15" / "system-level" / f"hum-sys.{pair}.scores.csv"
    fields = [line.split() for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    human = {f"newstest2015.{f[3]}.{pair}": float(f[5]) for f in fields if len(f) == 6}
    published = [human[name] for name in names]
    abilities = true_skill(wins, ties).mean
    assert np.corrcoef(abilities, published)[0, 1] > 0.9995
    assert abilities == pytest.approx(published, abs=off)
    assert np.corrcoef(expected_wins(wins, ties), published)[0, 1] > 0.98
    assert np.corrcoef(bradley_terry(wins, ties), published)[0, 1] > 0.998
