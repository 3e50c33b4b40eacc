"""The scripts behind the table of past campaigns, on small campaigns that were made up."""

import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from concordant.records import TestSet
from concordant.scoring.past_campaigns import INTO, PastRow
from concordant.stats.chance_curve import ChanceCurve, chances

sys.path.insert(0, str(Path(__file__).parents[1] / "shipping"))
from judged_tests import HUMAN, JudgedTest
from past_curves import leave_years_out, row_of
from past_differences import FIELDS, PastDifferences, differences_of

SEGMENTS = 130
WORDS = "the quick brown fox jumps over a lazy dog near some old river bank".split()


def judged_test(human):
    rng = np.random.default_rng(0)
    references = {s: " ".join(rng.permutation(WORDS)) for s in range(1, SEGMENTS + 1)}
    worse = {s: text.replace("dog", "cat") for s, text in references.items()}
    worst = {s: text.replace("o", "x") for s, text in references.items() if s > 10}
    systems = {"A": references, "B": worse, "C": worst}
    texts = TestSet("t", "de-en", {}, {"ref": references}, systems)
    k = len(systems)
    even, nothing = np.full((k, k), 0.5), np.full((k, k), np.nan)
    return JudgedTest(
        "wmt99", 1999, "de-en", tuple(systems), np.array(human), even, nothing, np.nan, texts
    )


def test_pairs_are_scored_on_what_both_translated():
    found = differences_of("chrf", judged_test([3.0, 2.0, 2.0]), 1000, 1)
    assert found["segments"].tolist() == [50, 100, 130] + [50, 100, 120] * 2
    assert (found["difference"] > 0).all()
    assert found["agreed"].tolist() == [1.0] * 6 + [0.5] * 3  # B and C tie
    assert found["weight"].sum() == pytest.approx(2.0)  # three systems
    assert found["whole"].tolist() == [0.0, 0.0, 1.0] * 3
    assert found.signature.startswith("metric:chrf|")


def test_people_may_prefer_the_other_system():
    assert differences_of("ter", judged_test([1.0, 2.0, 3.0]), 60, 1)["agreed"].max() == 0.0


def made_up(curve, year, rng, rows=3000):
    table = np.zeros((rows, len(FIELDS)))
    column = {name: i for i, name in enumerate(FIELDS)}
    table[:, column["difference"]] = rng.exponential(2.0, rows)
    table[:, column["segments"]] = 1000
    chance = chances(curve, table[:, column["difference"]], 1000)
    table[:, column["agreed"]] = rng.random(rows) < chance
    for name in ("weight", "whole", "spread"):
        table[:, column[name]] = 1.0
    table[:, column["preferred"]] = 0.1 * table[:, column["difference"]]
    table[:, column["ties"]] = 0.2
    return PastDifferences(year, f"t{year}", "de-en", "metric:m", table)


def test_years_left_out_are_foretold_by_the_others():
    rng = np.random.default_rng(0)
    tests = [made_up(ChanceCurve(1.5, 1.0, 10.0), year, rng) for year in (1, 2, 3)]
    found = leave_years_out(tests)
    figures = found.figures()
    assert figures["log_loss"] < figures["constant_log_loss"]
    assert figures["right_at_80"] == pytest.approx(0.8, abs=0.04)
    for stated, true, _ in found.reliability():
        assert true == pytest.approx(stated, abs=0.06)
    row = row_of("m", INTO, tests)
    assert {*row} == {each.name for each in fields(PastRow)}
    assert (row["preference"], row["ties"], row["comparisons"]) == (0.1, 0.2, 9000)


def test_a_year_that_differs_is_not_foretold():
    rng = np.random.default_rng(0)
    tests = [made_up(ChanceCurve(1.5, 1.0, 10.0), year, rng) for year in (1, 2, 3)]
    said = tests[2].rows[:, FIELDS.index("agreed")]
    said[:] = 1 - said
    figures = leave_years_out(tests).figures()
    assert figures["log_loss"] > figures["constant_log_loss"]


@pytest.mark.parametrize("name", ["Human-A.0", "refB", "ref-A", "Human.0"])
def test_translations_by_people_are_known_by_their_names(name):
    assert HUMAN.search(name)
    assert not HUMAN.search("LIMSI-CNRS-mosesSoulMoreFeatures")
