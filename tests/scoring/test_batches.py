"""The hook for engines and data frames: the same rows, the same order, the same scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import ConcordantError, SpecError
from concordant.metrics.find import load
from concordant.scoring.conditions import condition_named
from concordant.stats.exact_sums import exact_sums, rounded

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from concordant.batches import score_batches, score_table  # noqa: E402

MT = ["a cat sat", "the dog", "", "it rains", "it rains here now"]
REF = ["the cat sat", "the dog", "nothing", "it is raining", "it rains now"]
TABLE = pa.table({"id": range(5), "mt": MT, "ref": REF, "other": [None, 1.5, 2.0, 3.0, 4.0]})


@settings(max_examples=20)
@given(sizes=st.lists(st.integers(1, 3), min_size=5, max_size=5))
def test_a_score_does_not_depend_on_its_batch(sizes):
    whole = score_table(TABLE, ["chrf", "fast"])
    starts = np.cumsum([0, *sizes])
    parts = [TABLE.slice(a, n) for a, n in zip(starts, sizes, strict=False) if a < 5]
    batches = [batch for part in parts for batch in part.to_batches()]
    scored = pa.Table.from_batches(score_batches(batches, ["chrf", "fast"]))
    assert scored.combine_chunks().equals(whole.combine_chunks())
    assert scored["id"].to_pylist() == list(range(5))


def test_scores_are_those_of_the_metric():
    scored = score_table(TABLE, "fast")
    expected = load("fast").score(MT, REF).segments.tolist()
    assert scored["fast"].to_pylist() == expected
    assert scored.schema.names == ["id", "mt", "ref", "other", "fast", "flags"]


def test_columns_by_name_and_conditions():
    table = TABLE.rename_columns(["id", "output", "gold", "other"])
    columns = {"mt": "output", "ref": ["gold"]}
    kept = score_table(table, "chrf", columns, where=["chrf > 40", "other <= 2"])
    assert kept["id"].to_pylist() == [1]
    clean = score_table(table, "chrf", columns, where=["no flags"])
    assert 2 not in clean["id"].to_pylist()


@pytest.mark.parametrize("wide", [pa.large_string(), pa.string_view()])
def test_other_kinds_of_text_and_empty_tables(wide):
    table = pa.table({"mt": pa.array(MT, wide), "ref": pa.array(REF, wide)})
    assert score_table(table, "chrf")["chrf"].equals(score_table(TABLE, "chrf")["chrf"])
    empty = score_table(table.slice(0, 0), "chrf", where=["chrf > 1"])
    assert (len(empty), empty.schema.names) == (0, ["mt", "ref", "chrf", "flags"])


@pytest.mark.parametrize(
    ("table", "arguments", "words"),
    [
        (TABLE, {"metrics": "nist"}, "depends on all references of a test set"),
        (TABLE.drop_columns(["ref"]), {}, "no column of references"),
        (TABLE, {"columns": ["mt=nothing"]}, 'has no column "nothing"'),
        (TABLE, {"where": ["chrf above 3"]}, "is not a comparison with a number, such as"),
        (TABLE, {"where": ["bleu > 3"]}, 'the column "bleu" is not one of'),
        (TABLE, {"where": ["no loops"]}, 'the flag "loops" is not one of .* did you mean "loop"'),
        (TABLE.append_column("chrf", [[1] * 5]), {}, 'already has a column "chrf"'),
        (TABLE.set_column(1, "mt", [["a", None, "b", "c", "d"]]), {}, "batches:2: has nothing in"),
        (TABLE.set_column(1, "mt", [[1, 2, 3, 4, 5]]), {}, "batches:1: has 1, not a text,"),
    ],
)
def test_what_cannot_be_scored(table, arguments, words):
    with pytest.raises(ConcordantError, match=words):
        score_table(table, **{"metrics": "chrf", **arguments})


def test_conditions_print_and_compare():
    found = condition_named("bleu(tok=intl) >= 20.5").holds([20.5, 20, None, "x", "21"])
    assert found.tolist() == [True, False, False, False, True]
    assert condition_named("a==1").holds([1, 2]).tolist() == [True, False]
    with pytest.raises(SpecError):
        condition_named("chrf >")


@settings(max_examples=50)
@given(
    values=st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), max_size=30),
    cut=st.integers(0, 30),
)
def test_sums_are_exact_in_any_parts(values, cut):
    from fractions import Fraction

    column = np.array(values, dtype=np.float64).reshape(-1, 1)
    parts = [exact_sums(column[:cut])[0], exact_sums(column[cut:])[0]]
    assert sum(parts) == exact_sums(column[::-1])[0]
    total = sum(map(Fraction, values), Fraction())
    assert Fraction(sum(parts), 2**1074) == total
    if abs(total) < 1e308:
        assert rounded(sum(parts)) == float(total)
