"""What the rows of a paper have in common: columns, counts, decisions that must fall."""

from pathlib import Path

import numpy as np
import pytest
from small_preferences import rows, write_rows

from concordant.experiments import guzman2015, pairwise_runs
from concordant.experiments.figures import figure, mean_of, row_figures
from concordant.experiments.pairwise_runs import (
    PAIRS,
    TauRow,
    force_decisions,
    plain_counts,
    prepare_rows,
    run_rows,
    segment_counts,
    taus,
)
from concordant.features.extraction import feature_set
from concordant.judgements.detection import read
from concordant.judgements.judged_translations import JudgedPairs
from concordant.models.pairwise.forward import PairwiseShape, forward, initial, margin
from concordant.training.material import Material, gather
from concordant.training.recipe import read_recipe


def judged(languages, segments):
    """Pairs of the languages and segments given, two translations each."""
    places = tuple((lp, "t", s) for lp, s in zip(languages, segments, strict=True) for _ in "ab")
    translations = tuple(f"{i} {place}" for i, place in enumerate(places))
    first = np.arange(0, len(translations), 2)
    one = (("r",),) * len(translations)
    empty = ("",) * len(translations)
    return JudgedPairs(translations, one, empty, places, first, first + 1, np.ones(len(first)))


def test_a_tau_by_hand():
    """Two seeds: 3 of 4 and 4 of 4 of cs-en right; the other pairs one right, one tied."""
    pairs = judged([*["cs-en"] * 4, *["de-en"] * 2, *["es-en"] * 2, *["fr-en"] * 2], range(10))
    gaps = np.ones((2, 10))
    gaps[0, 0] = -1.0
    gaps[:, [5, 7, 9]] = 0.0  # a tie counts against
    found = taus(segment_counts(pairs, gaps))
    assert {name: each.value for name, each in found.items()} == {
        "cs-en": 75.0, "de-en": 0.0, "es-en": 0.0, "fr-en": 0.0,
    }  # fmt: skip
    shown = row_figures("row", found, {"average": 19.0})
    assert shown[0].low <= 75 <= shown[0].high
    assert (shown[-1].column, shown[-1].ours, shown[-1].published) == ("average", 18.75, 19.0)


def test_a_difference_of_two_rows_is_that_of_their_taus(rng):
    pairs = judged([PAIRS[i % 4] for i in range(80)], [i // 8 for i in range(80)])
    one, two = (segment_counts(pairs, rng.normal(size=(3, 80)) + 0.3) for _ in range(2))
    gap = taus(one, two)
    for name, each in taus(one).items():
        assert gap[name].value == pytest.approx(each.value - taus(two)[name].value)
    same = figure("row", "average", None, mean_of(taus(one, one).values()))
    assert (same.ours, same.low, same.high) == (0.0, 0.0, 0.0)


def test_a_decision_falls_where_both_orders_cancel_out(rng):
    """Equal texts: as often right as wrong, whichever side stands first."""
    shape = PairwiseShape(3, 2)
    params = initial(shape, rng)
    vectors = np.repeat(rng.normal(size=(50, 1, 3)), 3, axis=1)
    psi = rng.normal(size=(50, 2))
    asked = vectors, psi, psi
    assert not margin(params, shape, *asked).any()
    decided = force_decisions(forward(params, shape, *asked), margin(params, shape, *asked))
    assert decided.all()
    other = vectors.copy()
    other[:, 1] += 1.0
    there, clear = forward(params, shape, other, psi, psi), margin(params, shape, other, psi, psi)
    assert (force_decisions(there, clear) == clear).all()


@pytest.fixture
def material(tmp_path):
    judgements = read(write_rows(tmp_path / "mine.csv", rows(40)))
    return gather(read_recipe("lexical"), judgements)


def test_a_row_takes_its_own_columns(material):
    every = [TauRow("bleu ter"), TauRow("chrf bleu"), TauRow("ngrams(words,1-2)")]
    together = prepare_rows(read_recipe("guzman2015"), material, every)
    for row in every:
        alone = prepare_rows(read_recipe("guzman2015"), material, [row])
        for side in ("training", "validation", "test"):
            found, pairs = together.given(row)[side]
            expected, same = alone.given(row)[side]
            assert (found.features == expected.features).all()
            assert (pairs.better == same.better).all()


def test_rows_are_trained_and_decide(material, monkeypatch):
    monkeypatch.setattr(pairwise_runs, "CORES", 1)
    wanted = {
        "flat": TauRow("bleu ter", hidden=0),
        "own": TauRow("chrf length", hidden=0, recipe="lexical"),
    }
    found = run_rows(material, wanted)
    assert set(found) == {"flat", "own"}
    pairs = len(material.sides["test"])
    for each in found.values():
        assert each.decisions.shape == each.scores.shape == (3, pairs)
        assert (each.decisions > 0).mean() > 0.6
    # Without a hidden layer a symmetric network decides by the difference of the scores.
    assert (np.sign(found["own"].decisions) == np.sign(found["own"].scores)).all()


def test_a_feature_alone_counts_as_it_is(material, monkeypatch):
    monkeypatch.setattr(pairwise_runs, "PAIRS", ("",))
    test = material.sides["test"]
    counts = plain_counts(material, ["bleu", "ter"])
    assert set(counts) == {"bleu", "ter"}
    for spec, table in counts.items():
        scores = feature_set(spec).extract(test.translations, test.references)[:, 0]
        right = scores[test.better] > scores[test.worse]
        assert table[""].sum(axis=0).tolist() == [right.sum() - (~right).sum(), len(test)]


def test_every_row_of_the_tables_is_trained_and_has_the_papers_figures(monkeypatch, rng):
    """With decisions drawn at random instead of trained networks."""
    pairs = judged([PAIRS[i % 4] for i in range(40)], range(40))

    def decide(_, rows, *, track):
        assert track is None
        draw = lambda: rng.normal(size=(3, 40)) + 0.3  # noqa: E731
        return {name: pairwise_runs.Decided(draw(), draw()) for name in rows}

    monkeypatch.setattr(guzman2015, "read_material", lambda _: Material({"test": pairs}, ()))
    monkeypatch.setattr(guzman2015, "run_rows", decide)
    monkeypatch.setattr(guzman2015, "is_installed", lambda part: part == "glove-50")
    plain = {
        spec: segment_counts(pairs, rng.normal(size=(1, 40))) for spec in guzman2015.FOUR.split()
    }
    monkeypatch.setattr(guzman2015, "plain_counts", lambda *_: plain)
    found = {(each.row, each.column): each.published for each in guzman2015.run(Path())}
    paper = guzman2015.PAPER
    for cell in paper.cells.values():
        if cell.ours and not cell.row.startswith(("3 CC", "3 GloVe")):
            assert found[cell.row, cell.column] == (float(cell.paper) if cell.paper else None)
    assert set(found) <= set(paper.cells)
