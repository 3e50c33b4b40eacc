"""The package in Python: one manner of arguments, results that become other things, pickles."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import concordant
from concordant.errors import ConcordantError
from concordant.resources.places import MissingPart

TEXTS = ["the cat sat", "it rains", "a dög barks"]
REFERENCES = ["the cat sat down", "it is raining", "a dög is barking"]
SYSTEMS = {"A": TEXTS, "B": ["cats sit", "rain", "dogs"]}
METRICS = ["bleu", "chrf", "ter", "nist", "meteor", "rouge-l", "fast", "fast-any", "tokens(potion)",
           "base", "fast(scale=raw)", "reval"]  # fmt: skip


def columns(values):
    """The same texts in all the manners that people have them."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    return {
        "list": values,
        "tuple": tuple(values),
        "array": np.array(values),
        "objects": np.array(values, dtype=object),
        "generator": (each for each in values),
        "pandas": pandas.Series(values, index=range(7, 7 + len(values))),
        "polars": polars.Series(values),
        "arrow": arrow.array(values),
        "chunks": arrow.chunked_array([values[:1], values[1:]]),
        "values": dict(enumerate(values)).values(),
    }


KINDS = ["list", "tuple", "array", "objects", "generator", "pandas", "polars", "arrow", "chunks"]


@pytest.mark.parametrize("kind", [*KINDS, "values"])
def test_texts_come_in_any_kind_of_column(kind):
    expected = concordant.load("chrf").score(TEXTS, [[each] for each in REFERENCES])
    found = concordant.score(columns(TEXTS)[kind], columns(REFERENCES)[kind], metric="chrf")
    assert found.segments.tolist() == expected.segments.tolist()
    assert (found.system, found.signature) == (expected.system, expected.signature)
    systems = {name: columns(each)[kind] for name, each in SYSTEMS.items()}
    groups = columns(["x", "y", "z"])[kind]
    compared = concordant.compare(
        systems, columns(REFERENCES)[kind], metric="chrf", documents=groups
    )
    assert compared.metrics[0].segments[0].tolist() == expected.segments.tolist()


@pytest.mark.parametrize("several", [
    [["a b", "c"], ["d"]],
    (("a b", "c"), ("d",)),
    [np.array(["a b", "c"]), ["d"]],
    (each for each in [["a b", "c"], ["d"]]),
])  # fmt: skip
def test_several_references_come_as_lists(several):
    expected = concordant.score(["a b c", "d e"], [["a b", "c"], ["d"]], metric="chrf")
    found = concordant.score(["a b c", "d e"], several, metric="chrf")
    assert found.segments.tolist() == expected.segments.tolist()


def test_an_array_of_references_has_a_row_for_each_translation():
    table = np.array([["a b", "c"], ["d", "e"]])
    found = concordant.score(["a b c", "d e"], table, metric="chrf")
    assert found.signature.startswith("nrefs:2|")


@pytest.mark.parametrize(("translations", "references", "message"), [
    ("text", ["text"], "translations must be a list, not str"),
    (["a"], "a", "references must be a list, not str"),
    (["a"], {"a": "b"}, "references must be a list, not dict"),
    (["a", "b"], ["a", None], "translation 2 has no reference"),
    (["a", "b"], ["a", float("nan")], "translation 2 has no reference"),
    (["a", None], ["a", "b"], "every text must be a string, but one is NoneType"),
    (["a"], None, "references must be a list, not NoneType"),
    (["a", "b"], ["a"], "2 translations, but references for 1"),
])  # fmt: skip
def test_wrong_texts_are_told(translations, references, message):
    with pytest.raises(ConcordantError, match=message):
        concordant.score(translations, references, metric="chrf")


def test_a_data_frame_is_no_column():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ConcordantError, match="must be a list of texts, not an array of 2 axes"):
        concordant.score(pandas.DataFrame({"mt": TEXTS}), REFERENCES, metric="chrf")


def test_score_takes_one_metric():
    with pytest.raises(ConcordantError, match="score takes one metric; compare takes several"):
        concordant.score(TEXTS, REFERENCES, metric=["bleu", "chrf"])


@pytest.mark.parametrize("language", [None, "de"])
def test_the_default_metric_is_that_of_the_language(language):
    scores = concordant.score(TEXTS, REFERENCES, language=language)
    name = "base" if language is None else "fast-any"
    assert f"|metric:{name}|" in scores.signature


@pytest.mark.parametrize("name", METRICS)
def test_metrics_pickle_and_copy(name):
    try:
        metric = concordant.load(name)
    except MissingPart as fault:
        pytest.skip(str(fault))
    expected = metric.score(TEXTS, REFERENCES, TEXTS)
    for again in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        found = again.score(TEXTS, REFERENCES, TEXTS)
        assert found.segments.tolist() == expected.segments.tolist()
        assert found.signature == expected.signature
        assert again.name == name
    assert len(repr(metric)) < 500


def results():
    evaluated = concordant.evaluate(["bleu", "chrf"], "examples")
    return {
        "score": concordant.score(TEXTS, REFERENCES, metric="chrf"),
        "compare": concordant.compare(SYSTEMS, REFERENCES, metric=["chrf", "ter"]),
        "evaluate": evaluated,
    }


@pytest.mark.parametrize("name", ["score", "compare", "evaluate"])
def test_results_become_other_things(name):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = results()[name]
    rows = result.records()
    assert rows == result.to_dict()["records"]
    assert isinstance(result.to_pandas(), pandas.DataFrame)
    assert isinstance(result.to_polars(), polars.DataFrame)
    assert result.to_pandas().to_dict("records") == rows
    assert result.to_polars().to_dicts() == rows
    assert result._repr_html_().count("<tr>") == 1 + min(len(rows), 20)
    assert len(repr(result)) < 500
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict() == copy.deepcopy(result).to_dict()


def test_a_comparison_says_its_verdict():
    result = concordant.compare(SYSTEMS, REFERENCES, metric="chrf")
    assert result.verdict.startswith("A ")
    assert result.verdict in result._repr_html_()
    (pair,) = result.to_dict()["pairs"]
    assert (pair["better"], pair["worse"]) == ("A", "B")


def test_html_is_escaped():
    result = concordant.compare({"<b>": TEXTS, "B": SYSTEMS["B"]}, REFERENCES, metric="chrf")
    assert "<b>" not in result._repr_html_()
    assert "&lt;b&gt;" in result._repr_html_()


def test_a_missing_library_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ConcordantError, match="polars is not installed; pip install polars"):
        results()["score"].to_polars()


def test_dir_lists_what_is_public_and_documented():
    assert set(dir(concordant)) == set(concordant.__all__)
    for name in set(dir(concordant)) - {"__version__"}:
        assert getattr(concordant, name).__doc__, name


def test_the_package_runs_as_a_module():
    run = subprocess.run(
        [sys.executable, "-m", "concordant", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == f"concordant, version {concordant.__version__}\n"
