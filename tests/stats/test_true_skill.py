import csv
import gzip
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from concordant.errors import UndefinedStatistic
from concordant.stats.system_ratings import Outcomes, bradley_terry, expected_wins, win_counts
from concordant.stats.true_skill import _drawn, _won, true_skill

# Xbox's settings: the published results of a first game between two new players.
XBOX = {"sigma": 25 / 3, "beta": 25 / 6, "draw_rate": 0.1}


def moments(gap, low, high):
    """Mean and variance of N(gap, 1) cut to (low, high), by integration."""
    mass = quad(lambda x: norm.pdf(x, gap), low, high)[0]
    mean = quad(lambda x: x * norm.pdf(x, gap), low, high)[0] / mass
    return mean, quad(lambda x: (x - mean) ** 2 * norm.pdf(x, gap), low, high)[0] / mass


@given(st.floats(-3, 3), st.floats(0.05, 2))
def test_updates_are_moments_of_cut_normals(gap, margin):
    for update, (low, high) in (
        (_won, (margin, max(gap, margin) + 12)),
        (_drawn, (-margin, margin)),
    ):
        shift, shrink = update(gap, margin)
        mean, variance = moments(gap, low, high)
        assert shift == pytest.approx(mean - gap, abs=1e-6)
        assert shrink == pytest.approx(1 - variance, abs=1e-6)


@pytest.mark.parametrize("gap", [-60.0, -39.0, 39.0, 60.0])
def test_updates_far_in_the_tails_stay_finite(gap):
    for shift, shrink in (_won(gap, 0.1), _drawn(gap, 0.1)):
        assert math.isfinite(shift)
        assert 0 <= shrink <= 1
    assert _drawn(gap, 0.1)[0] == -_drawn(-gap, 0.1)[0]


def test_a_first_win_and_a_first_draw(rng):
    won = true_skill(Outcomes.of([0], [1], [1]), rng=rng, **XBOX)
    assert won.mean + 25 == pytest.approx([29.396, 20.604], abs=0.003)
    assert won.deviation == pytest.approx([7.171, 7.171], abs=0.003)
    drawn = true_skill(Outcomes.of([0], [1], [0]), rng=rng, **XBOX)
    assert drawn.mean == pytest.approx([0, 0], abs=1e-12)
    assert drawn.deviation == pytest.approx([6.458, 6.458], abs=0.003)


def test_mirrored_judgements_mirror_the_abilities(rng):
    first, second = rng.integers(0, 3, 200), rng.integers(3, 6, 200)
    outcome = rng.integers(-1, 2, 200)
    one = true_skill(Outcomes.of(first, second, outcome), rng=np.random.default_rng(1))
    other = true_skill(Outcomes.of(first, second, -outcome), rng=np.random.default_rng(1))
    assert one.mean == pytest.approx(-other.mean, abs=1e-12)
    assert one.deviation == pytest.approx(other.deviation)
    assert np.all(one.deviation < 0.5)


def test_abilities_order_systems_as_their_strengths(rng):
    strengths = np.linspace(1, -1, 6)
    first, second = rng.integers(0, 6, 6000), rng.integers(1, 6, 6000)
    second = (first + second) % 6
    better = rng.random(6000) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    games = Outcomes.of(first, second, np.where(better, 1, -1))
    abilities = true_skill(games, rng=rng, n_orders=2)
    assert np.all(np.diff(abilities.mean) < 0)
    fitted = bradley_terry(*win_counts(games))
    assert np.corrcoef(abilities.mean, fitted)[0, 1] > 0.99


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_orders": 0}, "at least 1"),
        ({"sigma": 0.0}, "above 0"),
        ({"beta": -1.0}, "above 0"),
        ({"draw_rate": 1.0}, r"\[0, 1\)"),
        ({"draw_rate": 0.0}, "there are ties"),
    ],
)
def test_refusals(options, words, rng):
    with pytest.raises(UndefinedStatistic, match=words):
        true_skill(Outcomes.of([0, 1], [1, 0], [0, 1]), rng=rng, **options)


@pytest.mark.data
@pytest.mark.parametrize("pair", ["cs-en", "de-en", "fi-en", "en-de"])
def test_the_human_scores_that_wmt15_published(pair, data, rng):
    with gzip.open(data / "wmt15" / f"wmt15.{pair}.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = sorted({row[key] for row in rows for key in ("system1Id", "system2Id")})
    number = {name: i for i, name in enumerate(names)}
    games = Outcomes.of(
        [number[row["system1Id"]] for row in rows],
        [number[row["system2Id"]] for row in rows],
        np.sign([int(row["system2rank"]) - int(row["system1rank"]) for row in rows]),
    )
    table = data / "wmt15" / "system-level" / f"hum-sys.{pair}.scores.csv"
    fields = [line.split() for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    human = {f"newstest2015.{f[3]}.{pair}": float(f[5]) for f in fields if len(f) == 6}
    published = [human[name] for name in names]
    abilities = true_skill(games, rng=rng, n_orders=2).mean
    assert np.corrcoef(abilities, published)[0, 1] > 0.998
    assert abilities == pytest.approx(published, abs=0.1)
    wins, ties = win_counts(games)
    assert np.corrcoef(expected_wins(wins, ties), published)[0, 1] > 0.98
    assert np.corrcoef(bradley_terry(wins, ties), published)[0, 1] > 0.998
