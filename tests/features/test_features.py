"""Feature specs print and parse, name every column, and extract what the measures compute."""

import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.lexical_features import LEXICAL_KINDS
from concordant.features.registry import BEER_FEATURES, feature_named
from concordant.features.scaling import constant_columns, fit_scaling
from concordant.metrics.lexical.measures import MEASURES, measure_named
from concordant.metrics.scorer import Batch

HYPOTHESES = ["the cat sat on the mat .", "a dog", "", "it rained 1,000 times"]
REFERENCES = [["the cat sat on a mat ."], ["a dog barked", "the dog"], ["nothing"], ["rain fell"]]
PLAIN = [name for name in MEASURES if name != "meteor"]
SPECS = ["bleucomp", "ngrams(chars,1-5)", "ngrams(words,2-4)", "skipgrams(2)", "skipgrams(inf)",
         "length", *PLAIN, "bleu(tok=intl,case=lc)"]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_prints_as_it_parses_and_names_its_columns(spec):
    feature = feature_named(spec)
    assert str(feature.spec) == spec
    values = feature_set(spec).extract(HYPOTHESES, REFERENCES)
    assert values.shape == (4, len(feature.columns))
    assert np.isfinite(values).all()


def test_every_kind_is_tried_here():
    assert {feature_named(spec).spec.name for spec in SPECS} >= {*LEXICAL_KINDS, *PLAIN}


@pytest.mark.parametrize("name", PLAIN)
def test_a_measure_is_a_feature_that_is_better_when_higher(name):
    measure = measure_named(name)
    batch = Batch(HYPOTHESES, REFERENCES)
    counts = measure.counts(batch, prepared=measure.prepare(REFERENCES))
    values = feature_set(name).extract(HYPOTHESES, REFERENCES)
    assert values[:, 0].tolist() == (measure.sign * measure.segment_scores(counts)).tolist()


def test_the_features_of_stanojevic_and_simaan():
    features = feature_set(BEER_FEATURES)
    assert len(features.columns) == 5 * 5 + 4 * 5 + 2 * 5 + 2
    assert len(set(features.columns)) == len(features.columns)
    values = features.extract(["a b c"], [["a b c"]])
    assert values[0, features.columns.index("ngrams(chars,3) F2")] == 1.0
    assert values[0, features.columns.index("length words")] == 0.0


@given(st.lists(st.text("ab ", max_size=12), min_size=1, max_size=6), st.integers(1, 3))
def test_threads_and_batches_do_not_matter(texts, threads):
    features = feature_set(BEER_FEATURES)
    references = [["a b a"]] * len(texts)
    whole = features.extract(texts, references, threads=threads)
    one_by_one = np.concatenate([features.extract([t], [["a b a"]]) for t in texts])
    assert whole.tolist() == one_by_one.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("blue", 'feature "blue" is not one of .* did you mean "bleu"'),
        ("ngrams(chars)", r"ngrams takes chars or words, orders such as 1-5, as in ngrams\(chars"),
        ("ngrams(signs,1-2)", '"signs" is not one of chars, words'),
        ("ngrams(words,1-5)", 'orders "1-5" are not within 1-4'),
        ("ngrams(chars,0-2)", 'orders "0-2" are not within 1-6'),
        ("skipgrams(far)", '"far" is neither a number nor inf'),
        ("length(2)", "length takes no arguments"),
        ("bleu(tok=13)", 'bleu: tok=13 is not one of 13a, .*; did you mean "13a"'),
        ("bleu(token=13a)", 'bleu has no option "token"; it has .* did you mean "tok"'),
        ("bleu bleu", "columns are given twice: bleu"),
        ("", "no features; name some"),
    ],
)
def test_what_cannot_be_parsed_is_explained(text, words):
    with pytest.raises(SpecError, match=words):
        feature_set(text)


@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2), min_size=2, max_size=8))
@example([[0.0, 0.0], [0.0, 5e-324]])  # a range whose half is 0
def test_min_max_puts_the_training_data_in_minus_1_to_1(rows):
    values = np.array(rows)
    scaled = fit_scaling(values).apply(values)
    assert np.abs(scaled).max() <= 1 + 1e-9


def test_scaling_is_fitted_on_training_data_only():
    scaling = fit_scaling(np.array([[0.0, 1.0], [10.0, 1.0]]), method="standard")
    assert scaling.apply(np.array([[20.0, 5.0]])).tolist() == [[3.0, 0.0]]
    assert constant_columns(scaling, ["a", "b"]) == ["b"]


def test_what_cannot_be_scaled_is_refused():
    with pytest.raises(SpecError, match='scaling "minmax" is not one of min-max, standard'):
        fit_scaling(np.ones((2, 1)), method="minmax")
    with pytest.raises(ConcordantError, match="1 feature values are NaN or infinite"):
        fit_scaling(np.array([[np.nan], [1.0]]))
    with pytest.raises(ConcordantError, match="3 columns, but the scaling was fitted on 2"):
        fit_scaling(np.eye(2)).apply(np.ones((1, 3)))


def test_a_hundred_thousand_features_are_refused_at_once():
    begin = time.process_time()
    with pytest.raises(SpecError, match="more than the 1,000 names that are allowed"):
        feature_set(" ".join(f"skipgrams({i})" for i in range(100_000)))
    assert time.process_time() - begin < 5


def test_many_features_are_looked_through_once():
    specs = " ".join(f"skipgrams({i})" for i in range(1_000))
    begin = time.process_time()
    assert len(feature_set(specs).columns) == 5_000
    with pytest.raises(SpecError, match=r"columns are given twice: skipgrams\(7\) F0.5"):
        feature_set(specs.replace("skipgrams(8)", "skipgrams(7)"))
    assert time.process_time() - begin < 5


def test_a_skip_beyond_all_texts_is_as_good_as_any():
    beyond, any_skip = (feature_set(f"skipgrams({reach})") for reach in ("9" * 30, "inf"))
    texts = ["a b c d"], [["a c b e"]]
    assert beyond.extract(*texts).tolist() == any_skip.extract(*texts).tolist()
