"""Learned metrics and features in an evaluation: decisions for pairs, scores of translations."""

import numpy as np
import pytest
from small_metrics import lexical_metric, vector_metric

from concordant.errors import ConcordantError, SpecError
from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.judged_scorer import JudgedScorer, judged_scorers
from concordant.evaluation.options import EvaluationOptions
from concordant.features.extraction import feature_set
from concordant.features.registry import feature_named
from concordant.judgements.judged_set import JudgedSet
from concordant.metrics.bundle import save
from concordant.metrics.feature_metric import FeatureMetric
from concordant.records import Collection, Preference, Rating, TestSet

OUTPUTS = {
    "A": {1: "the old house", 2: "a street", 3: "the end"},
    "B": {1: "old house", 2: "a new street", 3: "end"},
    "C": {1: "houses", 2: "new", 3: "the end"},
}
REFERENCES = {"reference": {1: "the old house", 2: "a new street", 3: "the end"}}
SOURCE = {1: "house", 2: "street", 3: "end"}
TEXTS = TestSet("t", "de-en", SOURCE, REFERENCES, OUTPUTS)
JUDGED = [("A", "B", 1), ("B", "C", 1), ("B", "A", 2), ("A", "C", 2), ("A", "B", 3), ("C", "A", 3)]


def collected(texts=TEXTS):
    preferences = tuple(Preference("t", "de-en", s, b, w) for b, w, s in JUDGED)
    return Collection((texts,), preferences=preferences)


def column(texts=TEXTS, kind="preferences"):
    given = collected(texts)
    if kind == "system ratings":
        ratings = tuple(Rating("t", "de-en", s, None, float(i)) for i, s in enumerate("ABC"))
        given = Collection((texts,), ratings=ratings)
    return JudgedSet.of(given, kind).columns()[0]


def test_a_metric_is_asked_for_each_judged_pair():
    metric, place = lexical_metric(), column()
    decide = JudgedScorer(metric).decisions(place)
    expected = [
        metric.prefer([OUTPUTS[b][s]], [OUTPUTS[w][s]], [[REFERENCES["reference"][s]]])[0] - 0.5
        for b, w, s in JUDGED
    ]
    assert decide(place.pairs) == pytest.approx(expected, abs=1e-15)
    assert decide(place.pairs)[-1] == 0.0  # two equal texts: a tie to the last bit


def test_tau_goes_by_decisions_and_not_by_scores(tmp_path):
    """A network whose decisions are turned against its scores shows which of them were asked."""
    metric = vector_metric("small-static", features="", seed=4)
    scorer, place = JudgedScorer(metric), column()
    margins = scorer.decisions(place)(place.pairs)
    scores = scorer.scores(place)
    by_scores = np.sign(scores[place.pairs.better] - scores[place.pairs.worse])
    assert (np.sign(margins) != by_scores).any()
    save(metric, tmp_path / "metric")
    found = evaluate(
        [str(tmp_path / "metric")], collected(), EvaluationOptions(statistic="tau-wmt12")
    )
    expected = np.where(margins > 0, 1, -1).mean()
    assert value_of(found) == pytest.approx(expected)


def value_of(found):
    """The only number of an evaluation of one metric on one column."""
    (row,) = found.rows
    return row.estimates["t de-en"].value


def test_scores_are_of_outputs_and_systems():
    metric, place = lexical_metric(), column()
    scorer = JudgedScorer(metric)
    translations = [OUTPUTS[each.system][each.segment] for each in place.places]
    references = [[REFERENCES["reference"][each.segment]] for each in place.places]
    expected = metric.score(translations, references).segments
    assert scorer.scores(place).tolist() == expected.tolist()
    whole = column(kind="system ratings")
    means = [
        metric.score(list(OUTPUTS[s].values()), [[r] for r in REFERENCES["reference"].values()])
        for s in "ABC"
    ]
    assert JudgedScorer(metric).scores(whole) == pytest.approx([each.system for each in means])
    tally = scorer.tally(place)
    a = [v for v, each in zip(expected, place.places, strict=True) if each.system == "A"]
    assert tally.compute(tally.counts.sum(axis=0))[0] == pytest.approx(np.mean(a))


def test_counts_are_computed_once(monkeypatch):
    scorer, place = JudgedScorer(lexical_metric()), column()
    first = scorer.scores(place)
    monkeypatch.setattr(type(scorer.metric), "counts", None)
    assert scorer.scores(place).tolist() == first.tolist()


def test_a_metric_of_sources_needs_no_references(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    metric = vector_metric("small-static", anchors=("source",), features="")
    bare = TestSet("t", "de-en", SOURCE, {}, OUTPUTS)
    for place in (column(bare), column(bare, "system ratings")):
        found = JudgedScorer(metric).scores(place)
        assert len(found) == len(place.places)
        assert JudgedScorer(metric).scores(column(kind=place.kind)).tolist() == found.tolist()
    with pytest.raises(ConcordantError, match="small needs translations; t de-en has no texts"):
        JudgedScorer(metric).scores(JudgedSet.of(Collection(
            preferences=collected().preferences), "preferences").columns()[0])  # fmt: skip
    sourceless = column(TestSet("t", "de-en", {1: "house"}, REFERENCES, OUTPUTS))
    with pytest.raises(SpecError, match="needs the source; t de-en has none for segment 2"):
        JudgedScorer(metric).scores(sourceless)


def test_missing_references_are_told():
    place = column(TestSet("t", "de-en", SOURCE, {}, OUTPUTS))
    with pytest.raises(
        ConcordantError, match=r"small needs translations and references; .* no referenc"
    ):
        JudgedScorer(lexical_metric()).scores(place)
    part = column(TestSet("t", "de-en", SOURCE, {"reference": {1: "x"}}, OUTPUTS))
    with pytest.raises(ConcordantError, match="2 judged segments have no reference"):
        JudgedScorer(lexical_metric()).scores(part)


def test_a_bundle_is_a_metric_by_its_path(tmp_path):
    save(lexical_metric(), tmp_path / "metric")
    (scorer,) = judged_scorers(str(tmp_path / "metric"), [])
    assert scorer.name == "small"
    assert scorer.signature("segment") == lexical_metric().signature()


def test_a_feature_stands_by_its_main_column():
    place = column()
    translations = [OUTPUTS[each.system][each.segment] for each in place.places]
    references = [[REFERENCES["reference"][each.segment]] for each in place.places]
    scorer = JudgedScorer(FeatureMetric(feature_named("chrf")))
    expected = feature_set("chrf").extract(translations, references)[:, 0]
    assert scorer.scores(place).tolist() == expected.tolist()
    assert scorer.decisions(place) is None
    assert scorer.name == "chrf"
    assert scorer.signature("segment").startswith("metric:chrf|")
    with pytest.raises(SpecError, match="is several features, not a metric; train one with them"):
        FeatureMetric(feature_named("ngrams(chars,1-2)"))
