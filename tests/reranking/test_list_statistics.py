"""Counts for tuners: the rows that the scores are made of, and the example that tunes with them."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from concordant.errors import DataError
from concordant.metrics.find import load
from concordant.reranking.lists import CandidateList
from concordant.reranking.statistics import list_statistics

LISTS = [
    CandidateList(str(i), (f"the cat {i}", "a cat", "x")[: 1 + i % 3], (f"the cat {i}",))
    for i in range(9)
]


@pytest.mark.parametrize("name", ["bleu", "chrf", "fast"])
@pytest.mark.parametrize("at_once", [1, 4, 10_000])
def test_rows_add_up_to_the_systems_score(name, at_once, monkeypatch):
    monkeypatch.setattr("concordant.reranking.statistics.CANDIDATES_AT_ONCE", at_once)
    metric = load(name)
    found = list(list_statistics(LISTS, metric))
    assert [each.name for each in found] == [each.name for each in LISTS]
    total = np.sum([each.counts[-1] for each in found], axis=0)
    chosen = [each.candidates[-1] for each in LISTS]
    whole = metric.score(chosen, [list(each.references) for each in LISTS])
    assert float(metric.system_scores(total)) == pytest.approx(whole.system)
    segments = [float(metric.segment_scores(each.counts)[-1]) for each in found]
    assert segments == whole.segments.tolist()


def test_features_and_missing_references():
    each = CandidateList("1", ("a", "b"), ("a",), features=((1.0, 2.0), (3.0, 4.0)))
    (found,) = list_statistics([each], load("bleu"))
    assert found.features.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(DataError, match='list "1" has no reference, and bleu needs one'):
        list(list_statistics([CandidateList("1", ("a",))], load("bleu")))


@pytest.fixture(scope="module")
def tuner():
    path = Path(__file__).parents[2] / "examples/tune.py"
    spec = importlib.util.spec_from_file_location("tune", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_line_search_is_exact(tuner):
    rng = np.random.default_rng(3)
    lists = list(list_statistics(tuner.invented_lists(rng), tuner.METRIC))[:12]
    for _ in range(5):
        weights, direction = rng.normal(size=3), rng.normal(size=3)
        best, step = tuner.best_step(lists, weights, direction)
        assert tuner.corpus_score(lists, weights + step * direction) == pytest.approx(best)
        tried = [
            tuner.corpus_score(lists, weights + each * direction)
            for each in np.linspace(-20, 20, 400)
        ]
        assert best >= max(tried) - 1e-9


def test_tuning_helps_on_lists_it_has_not_seen(tuner, capsys):
    tuner.main()
    lines = capsys.readouterr().out.splitlines()
    for line in lines:
        before, after = (float(part) for part in line.replace(",", "").split() if "." in part)
        assert after > before + 2
