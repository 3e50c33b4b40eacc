"""A metric: scores and preferences that neither neighbours nor order change, and a signature."""

from dataclasses import replace

import numpy as np
import pytest
from small_metrics import HYPOTHESES, REFERENCES, SOURCES, lexical_metric, vector_metric

from concordant.errors import ConcordantError
from concordant.models.pairwise import kind

OTHERS = HYPOTHESES[1:] + HYPOTHESES[:1]


@pytest.fixture(params=["lexical", "flat", "symmetric", "with source", "source only"])
def metric(request, tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "static"
    return {
        "lexical": lambda: lexical_metric(features="bleu chrf ter ngrams(chars,1-2) length"),
        "flat": lambda: vector_metric(folder, hidden=0),
        "symmetric": lambda: vector_metric(folder, symmetric=True),
        "with source": lambda: vector_metric(folder, anchors=("reference", "source")),
        "source only": lambda: vector_metric(folder, anchors=("source",), features=""),
    }[request.param]()


def test_scores_are_in_range_and_their_mean_is_the_systems(metric):
    scores = metric.score(HYPOTHESES, REFERENCES, SOURCES)
    assert scores.segments.shape == (5,)
    assert np.all((scores.segments > 0) & (scores.segments < 1))
    assert scores.system == scores.segments.mean()
    assert scores.signature == scores.segment_signature == f"nrefs:var|{metric.signature()}"
    with pytest.raises(ConcordantError, match="there are no translations to score; give at least"):
        metric.score([], [], [])
    with pytest.raises(ConcordantError, match="there are no translations to score; give at least"):
        metric.prefer([], [], [], [])


def test_preferences_are_probabilities_of_one_order_or_the_other(metric):
    there = metric.prefer(HYPOTHESES, OTHERS, REFERENCES, SOURCES)
    back = metric.prefer(OTHERS, HYPOTHESES, REFERENCES, SOURCES)
    assert np.all((there > 0) & (there < 1))
    assert there + back == pytest.approx(np.ones(5), abs=1e-15)
    assert (metric.prefer(HYPOTHESES, HYPOTHESES, REFERENCES, SOURCES) == 0.5).all()


def test_neighbours_and_threads_change_no_bit(metric):
    whole = metric.prefer(HYPOTHESES, OTHERS, REFERENCES, SOURCES, threads=2)
    scores = metric.score(HYPOTHESES, REFERENCES, SOURCES).segments
    for i in range(5):
        part = slice(i, i + 1)
        given = REFERENCES[part], SOURCES[part]
        assert metric.prefer(HYPOTHESES[part], OTHERS[part], *given)[0] == whole[i]
        assert metric.score(HYPOTHESES[part], *given).segments[0] == scores[i]


def test_margins_are_preferences_around_zero(metric):
    inputs = [metric.preparation.inputs(t, REFERENCES, SOURCES) for t in (HYPOTHESES, OTHERS)]
    margins = metric.margins_of_inputs(*inputs)
    assert (metric.margins_of_inputs(*reversed(inputs)) == -margins).all()
    assert (metric.prefer(HYPOTHESES, OTHERS, REFERENCES, SOURCES) == 0.5 + margins).all()


def test_what_does_not_fit_together_is_told():
    metric = lexical_metric()
    with pytest.raises(ConcordantError, match="2 first translations, 1 second ones"):
        metric.prefer(["a", "b"], ["a"], [["a"], ["b"]])
    with pytest.raises(ConcordantError, match="1 translations, but references for 2"):
        metric.prefer(["a"], ["a"], [["a"], ["b"]])
    with pytest.raises(ConcordantError, match="1 translations, but 2 sources"):
        metric.prefer(["a"], ["a"], [["a"]], ["x", "y"])
    with pytest.raises(ConcordantError, match="translation 1 has no reference"):
        metric.score(["a"], [[]])


def test_a_model_without_a_margin_compares_scores(monkeypatch):
    plain = replace(kind.KIND, margin=None)
    monkeypatch.setattr(kind, "KIND", plain)
    metric = lexical_metric()
    found = metric.prefer(HYPOTHESES, OTHERS, REFERENCES)
    scores = [metric.score(each, REFERENCES).segments for each in (HYPOTHESES, OTHERS)]
    assert found.tolist() == (0.5 + 0.5 * np.sign(scores[0] - scores[1])).tolist()


def test_the_signature_names_weights_and_parts(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    one, two, other = (lexical_metric(seed=seed) for seed in (0, 0, 1))
    assert one.signature() == two.signature() != other.signature()
    assert f"sha256:{one.digest}" in one.signature()
    assert one.signature().startswith("metric:small|model:pairwise|sha256:")
    assert "parts:" not in one.signature()
    assert "|parts:" in vector_metric(tmp_path / "static").signature()


def test_the_digest_sees_scaling_too():
    wider = lexical_metric(features="bleu length")
    scaling = wider.preparation.feature_scaling
    before = wider.digest
    scaling.centre[0] += 1e-9
    assert wider.digest != before
