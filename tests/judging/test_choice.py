"""What is asked next: where it settles most, at random where it must, with the right weights."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from concordant.judgements.judged_set import JudgedSet
from concordant.judging.allocation import pair_doubts, pair_lacks, rating_doubts, rating_lacks
from concordant.judging.choice import blocks_of, choose
from concordant.judging.disagreement import Disagreement
from concordant.judging.quality import damaged_text
from concordant.judging.settings import CampaignSettings
from concordant.judging.simulation import Pool, pool_of, replay, simulate
from concordant.judging.tallies import PairTallies, RatingTallies
from concordant.records import Collection, Preference
from concordant.stats.system_ratings import expected_wins


def slow_lacks(wins, ties):
    """What each pair lacks of Neyman's division, term by term."""
    k = len(wins)
    share = {(i, j): (wins[i, j] + 0.5) / (wins[i, j] + wins[j, i] + 1)
             for i, j in itertools.permutations(range(k), 2)}  # fmt: skip
    scores = [sum(share[i, j] for j in range(k) if j != i) / (k - 1) for i in range(k)]
    order = sorted(range(k), key=lambda i: -scores[i])
    weight = dict.fromkeys(itertools.combinations(range(k), 2), 0.0)
    for a, b in itertools.pairwise(order):
        square = {(i, j): (((i == a) - (j == a) - (i == b) + (j == b)) / (k - 1)) ** 2
                  for i, j in weight}  # fmt: skip
        deviation = np.sqrt(sum(
            square[i, j] * share[i, j] * share[j, i] / (wins[i, j] + wins[j, i] + 1)
            for i, j in weight
        ))  # fmt: skip
        for pair in weight:
            doubt = norm.pdf((scores[a] - scores[b]) / deviation) / deviation
            weight[pair] += doubt * square[pair]
    asked = {(i, j): wins[i, j] + wins[j, i] + ties[i, j] for i, j in weight}
    part = {
        (i, j): np.sqrt(weight[i, j] * share[i, j] * share[j, i]
                        * (asked[i, j] + 1) / (wins[i, j] + wins[j, i] + 1))
        for i, j in weight
    }  # fmt: skip
    total = 1.05 * sum(asked.values()) + len(weight)
    lacks = np.zeros((k, k))
    for i, j in weight:
        lacks[i, j] = lacks[j, i] = max(0.0, part[i, j] / sum(part.values()) * total - asked[i, j])
    return lacks


def tables(k):
    return st.lists(st.integers(0, 30), min_size=k * k, max_size=k * k).map(
        lambda cells: np.array(cells, dtype=float).reshape(k, k) * (1 - np.eye(k))
    )


@given(st.integers(2, 5).flatmap(lambda k: st.tuples(tables(k), tables(k))))
def test_lacks_are_those_of_the_slow_way(table):
    wins, ties = table[0], table[1] + table[1].T
    np.testing.assert_allclose(pair_lacks(wins, ties), slow_lacks(wins, ties), atol=1e-9)


@given(tables(4))
def test_doubts_are_chances_of_disorder(wins):
    found = pair_doubts(wins)
    assert sorted([found.better[0], *found.worse]) == [0, 1, 2, 3]
    assert (found.doubt > 0).all()
    assert (found.doubt <= 0.5).all()


def test_doubt_is_the_share_of_wrong_orders():
    rng = np.random.default_rng(0)
    truth = np.array([[0, 0.6, 0.7], [0.4, 0, 0.65], [0.3, 0.35, 0]])
    wins = np.zeros((3, 3))
    for i, j in itertools.combinations(range(3), 2):
        wins[i, j] = 40 * truth[i, j]
        wins[j, i] = 40 - wins[i, j]
    drawn = rng.beta(wins + 0.5, wins.T + 0.5 + np.eye(3), size=(20_000, 3, 3))
    drawn[:, [1, 2, 2], [0, 0, 1]] = 1 - drawn[:, [0, 0, 1], [1, 2, 2]]
    drawn[:, range(3), range(3)] = 0
    scores = drawn.sum(axis=2)
    found = pair_doubts(wins)
    for one, other, doubt in zip(found.better, found.worse, found.doubt, strict=True):
        assert doubt == pytest.approx((scores[:, one] < scores[:, other]).mean(), abs=0.02)


def test_ratings_go_to_neighbours_that_are_close_and_little_known():
    counts = np.array([20.0, 20.0, 20.0, 5.0])
    means = np.array([80.0, 60.0, 59.0, 20.0])
    lacks = rating_lacks(counts, counts * means, counts * (means**2 + 100))
    assert lacks[1] > lacks[0]
    assert lacks[2] > lacks[0]
    assert rating_doubts(counts, counts * means, counts * (means**2 + 100)).doubt.argmax() == 1


def test_tallies_can_be_taken_back():
    tallies = PairTallies(3)
    tallies.add([[1], [2, 3]], {"ranks": [1, 2]}, 2.0)
    assert tallies.wins.tolist() == [[0, 2, 2], [0, 0, 0], [0, 0, 0]]
    assert tallies.ties[1, 2] == tallies.ties[2, 1] == 2
    tallies.add([[1], [2, 3]], {"ranks": [1, 2]}, 2.0, -1)
    assert not tallies.wins.any()
    assert not tallies.ties.any()


def test_who_has_no_rating_comes_first():
    tallies = RatingTallies(3)
    for _ in range(2):
        tallies.add([[1, 3]], {"score": 50}, 1.0)
    assert tallies.lacks().tolist() == [0, 1, 0]


def settings(**how):
    return CampaignSettings(**{"protocol": "pairs", "policy": "random", **how})


def test_nothing_is_asked_twice_and_everything_is_asked(rng):
    seen = set()
    while (found := choose(settings(), PairTallies(3), 5, seen, rng, systems=3)) is not None:
        key = (found.block, tuple(each - 1 for each in found.systems))
        assert key not in seen
        seen.add(key)
    assert len(seen) == 5 * 3


def test_new_segments_come_before_known_ones(rng):
    seen = set()
    for _ in range(20):
        found = choose(settings(), PairTallies(4), 20, seen, rng, systems=4)
        seen.add((found.block, tuple(each - 1 for each in found.systems)))
    assert len({block for block, _ in seen}) >= 18


def test_uncertainty_asks_for_the_systems_that_are_close(rng):
    tallies = PairTallies(4)
    tallies.wins[:] = [[0, 50, 95, 95], [50, 0, 95, 95], [5, 5, 0, 90], [5, 5, 10, 0]]
    asked = [
        choose(settings(policy="uncertainty", random_share=0.1), tallies, 1000, set(), rng,
               systems=4).systems
        for _ in range(300)
    ]  # fmt: skip
    assert sum(each == (1, 2) for each in asked) > 150
    assert len(set(asked)) > 1


def test_weights_make_estimates_unbiased(rng):
    """With the policy both, a weighted mean over segments is that of segments at random."""
    blocks = np.arange(50)
    worth = rng.random(50) ** 4
    scores = np.stack([np.zeros((50, 2)), np.stack([worth, np.zeros(50)], axis=1)])
    value = worth + rng.random(50)  # what a judge would say: it hangs together with the choice
    how = settings(policy="both", random_share=0.2)
    found = [
        choose(how, PairTallies(2), 50, set(), rng, systems=2,
               disagreement=Disagreement(blocks, scores))
        for _ in range(20_000)
    ]  # fmt: skip
    values = np.array([value[each.block] for each in found])
    weights = np.array([each.weight for each in found])
    assert weights.max() <= 1 / 0.2 + 1e-9
    assert np.average(values, weights=weights) == pytest.approx(value.mean(), abs=0.02)
    assert values.mean() > value.mean() + 0.1  # without weights it is another


@pytest.fixture(scope="module")
def column():
    """A campaign of four systems, two of them close, 60 segments of unequal difficulty."""
    rng = np.random.default_rng(1)
    strength = np.array([1.2, 0.25, 0.0, -1.0])
    records = []
    for segment in range(1, 61):
        scale = rng.gamma(2.0, 0.5)
        for i, j in itertools.combinations(range(4), 2):
            for _ in range(5):
                first = rng.random() < 1 / (1 + np.exp(-scale * (strength[i] - strength[j])))
                better, worse = (i, j) if first else (j, i)
                records.append(Preference("t", "de-en", segment, f"s{better}", f"s{worse}"))
    return JudgedSet.of(Collection(preferences=tuple(records)), "preferences").columns()[0]


def test_a_pool_has_all_judgements_and_the_ranking(column):
    pool = pool_of(column, metrics=None)
    assert len(pool.outcome) == 60 * 6 * 5
    assert pool.scores.argsort().tolist() == [3, 2, 1, 0]
    assert pool.apart[0, 3]


def test_scores_of_a_replay_are_unbiased_with_weights(column):
    pool = pool_of(column, metrics=None)
    rng = np.random.default_rng(2)
    # Segments that are judged one way are chosen more often: without weights that would show.
    skewed = replace(pool, worth=np.where(pool.outcome > 0, 5.0, 1.0))
    for policy in ("random", "uncertainty", "both"):
        runs = np.array([replay(skewed, policy, np.array([600]), rng)[0] for _ in range(200)])
        error = runs.std(axis=0) / np.sqrt(len(runs))
        assert (np.abs(runs.mean(axis=0) - pool.scores) < 4 * error + 2e-3).all(), policy


def test_a_replay_counts_every_judgement(column):
    pool = pool_of(column, metrics=None)
    goals = np.array([10, 50, 60_000])
    scores = replay(pool, "random", goals, np.random.default_rng(0))
    assert scores[-1] == pytest.approx(pool.scores, abs=0.02)


def test_uncertainty_needs_fewer_judgements():
    """Eight systems, of which only two are close: most pairs need not be asked often."""
    strength = np.array([3.0, 2.0, 1.0, 0.1, -0.1, -1.0, -2.0, -3.0])
    one, other = np.triu_indices(8, 1)
    chance = 1 / (1 + np.exp(strength[other] - strength[one]))
    pair = np.repeat(np.arange(28), 400)
    outcome = np.where(np.tile(np.arange(400) / 400, 28) < chance[pair], 1, -1)
    apart = ~np.eye(8, dtype=bool)
    pool = Pool(one, other, pair, outcome, np.ones(len(pair)), -np.arange(8.0), apart)
    goals = np.arange(200, 2001, 100)
    wrong = {}
    for policy in ("random", "uncertainty"):
        rngs = [np.random.default_rng([7, number]) for number in range(60)]
        runs = np.array([replay(pool, policy, goals, each) for each in rngs])
        wrong[policy] = (runs.argsort(axis=-1)[..., ::-1] != np.arange(8)).any(axis=-1).mean(axis=0)
    assert wrong["uncertainty"].sum() < 0.85 * wrong["random"].sum()


def test_simulations_repeat_to_the_last_number(column):
    first = simulate(column, ["random", "uncertainty"], replays=20, seed=0)
    assert simulate(column, ["uncertainty"], replays=20, seed=0) == first[2:]
    assert [each.share for each in first[:2]] == [1.0, 1.0]


def test_a_name_that_returns_is_another_document():
    assert blocks_of(["a", "b", "a"]) == [range(1, 2), range(2, 3), range(3, 4)]


@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 99))
def test_damage_changes_a_text_or_there_is_none(text, other, seed):
    found = damaged_text(text, other, np.random.default_rng(seed))
    assert found is None or found != text


def test_expected_wins_do_not_hang_on_which_pairs_are_asked():
    wins = np.array([[0, 60.0, 70], [40, 0, 55], [30, 45, 0]])
    often = wins * np.array([[0, 9, 1], [9, 0, 3], [1, 3, 0]])
    none = np.zeros((3, 3))
    np.testing.assert_allclose(expected_wins(wins, none), expected_wins(often, none))
