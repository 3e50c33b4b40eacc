"""Systems and translations ranked by decisions: each meets every other, nothing else matters."""

import numpy as np
import pytest
from small_metrics import HYPOTHESES, REFERENCES, lexical_metric

from concordant.errors import ConcordantError
from concordant.scoring.ranking import RoundRobin, round_robin, standings

OUTPUTS = {"A": HYPOTHESES, "B": HYPOTHESES[::-1], "C": [given[0] for given in REFERENCES]}


@pytest.fixture
def games():
    return round_robin(lexical_metric(), OUTPUTS, REFERENCES)


def drawn(chances, segments=30):
    """Games in which every segment has the same chances."""
    chance = np.tile(np.asarray(chances, dtype=float), (segments, 1, 1))
    names = tuple("ABCDEF"[: chance.shape[1]])
    return RoundRobin(names, chance, np.zeros(chance.shape[:2]))


def test_every_output_meets_every_other_as_prefer_says(games):
    metric = lexical_metric()
    assert games.systems == ("A", "B", "C")
    for i, one in enumerate(OUTPUTS):
        for j, two in enumerate(OUTPUTS):
            if i == j:
                assert not games.chance[:, i, j].any()
            else:
                expected = metric.prefer(OUTPUTS[one], OUTPUTS[two], REFERENCES)
                assert games.chance[:, i, j] == pytest.approx(expected, abs=1e-15)
    for i, name in enumerate(OUTPUTS):
        scores = metric.score(OUTPUTS[name], REFERENCES).segments
        assert games.scores[:, i].tolist() == scores.tolist()


def test_outputs_are_ranked_by_their_mean_chance(games):
    chance = games.mean_chance
    expected = games.chance.sum(axis=2) / 2
    assert chance.tolist() == expected.tolist()
    assert chance.sum(axis=1) == pytest.approx(np.full(5, 1.5))
    for row, ranks in zip(chance, games.segment_ranks, strict=True):
        assert ranks.tolist() == [1 + sum(other > each for other in row) for each in row]


def test_the_order_of_systems_does_not_matter(games):
    turned = round_robin(lexical_metric(), dict(reversed(OUTPUTS.items())), REFERENCES)
    assert turned.mean_chance[:, ::-1] == pytest.approx(games.mean_chance, abs=1e-15)
    one, two = ({each.system: each for each in standings(g)} for g in (games, turned))
    for name, found in one.items():
        assert two[name].chance == pytest.approx(found.chance)
        assert two[name].strength == pytest.approx(found.strength, abs=1e-8)


def test_identical_systems_cannot_be_told_apart():
    same = round_robin(lexical_metric(), {"A": HYPOTHESES, "B": list(HYPOTHESES)}, REFERENCES)
    assert (same.mean_chance == 0.5).all()
    assert (same.segment_ranks == 1).all()
    for row in standings(same):
        assert (row.chance, row.low, row.high, row.strength) == (0.5, 0.5, 0.5, 0.0)
        assert (row.cluster, row.best_rank, row.worst_rank) == (1, 1, 1)


def test_one_that_always_wins_is_alone_at_the_top():
    rows = standings(drawn([[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]))
    assert [row.system for row in rows] == ["A", "B", "C"]
    assert (rows[0].chance, rows[0].cluster, rows[0].worst_rank) == (1.0, 1, 1)
    assert {row.cluster for row in rows[1:]} == {2}
    assert rows[0].strength > rows[1].strength
    assert sum(row.strength for row in rows) == pytest.approx(0, abs=1e-8)


def test_strengths_are_those_of_bradley_and_terry():
    chances = 1 / (1 + np.exp(-np.subtract.outer([1.0, 0.0, -1.0], [1.0, 0.0, -1.0])))
    np.fill_diagonal(chances, 0)
    found = {row.system: row.strength for row in standings(drawn(chances, segments=2000))}
    assert [found[name] for name in "ABC"] == pytest.approx([1, 0, -1], abs=1e-2)


def test_intervals_go_by_segments_and_by_the_seed(rng):
    draws = rng.random((40, 2))
    chance = np.zeros((40, 2, 2))
    chance[:, 0, 1], chance[:, 1, 0] = draws[:, 0], 1 - draws[:, 0]
    games = RoundRobin(("A", "B"), chance, draws)
    one, again, other = (standings(games, seed=seed) for seed in (0, 0, 1))
    assert one == again != other
    for row in one:
        assert row.low < row.chance < row.high
        assert row.high - row.low == pytest.approx(4 * draws[:, 0].std() / np.sqrt(40), rel=0.15)


def test_what_cannot_be_ranked_is_told():
    metric = lexical_metric()
    with pytest.raises(ConcordantError, match="1 system cannot be ranked; give at least two"):
        round_robin(metric, {"A": HYPOTHESES}, REFERENCES)
    with pytest.raises(ConcordantError, match="B has 1 translations, but there are 5 references"):
        round_robin(metric, {"A": HYPOTHESES, "B": ["x"]}, REFERENCES)
    with pytest.raises(ConcordantError, match="there are no segments to rank"):
        round_robin(metric, {"A": [], "B": []}, [])
