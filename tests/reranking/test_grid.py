"""Every candidate with every reference: the counts of the pairs, one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import ConcordantError
from concordant.metrics.find import load
from concordant.metrics.lexical import ngrams
from concordant.metrics.scorer import Batch
from concordant.reranking.utilities import utilities

WORDS = st.sampled_from(["a", "cat", "cats", "sat.", "höher", "猫が", "𝒳x", "\u3000", "aaaa"])
TEXT = st.lists(WORDS, max_size=8).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=12)
MANY = "".join(map(chr, range(0x4E00, 0x4E00 + 1500)))  # more characters than ten bits number


@pytest.mark.parametrize("name", ["chrf", "chrf++", "chrf(nc=3,space=yes)", "chrf++(case=lc)"])
@settings(max_examples=40)
@given(candidates=TEXTS, references=TEXTS)
def test_a_grid_has_the_counts_of_its_pairs(name, candidates, references):
    measure = load(name)
    grid = Batch.of_grid(candidates, references)
    pairs = Batch(grid.translations, grid.references)
    np.testing.assert_array_equal(measure.counts(grid), measure.counts(pairs))


@given(texts=TEXTS)
def test_candidates_may_be_their_own_references(texts):
    measure = load("chrf++")
    counts = measure.counts(Batch.of_grid(texts, texts))
    np.testing.assert_array_equal(counts, measure.counts(Batch.of_grid(texts, list(texts))))


@pytest.mark.parametrize("long", [MANY, "ab " * 18_000, "word " * 7_000])
def test_many_characters_and_long_texts(long):
    texts = [long, long[5:], "a b", ""]
    for name in ("chrf", "chrf++"):
        measure = load(name)
        grid = Batch.of_grid(texts, texts[:2])
        pairs = Batch(grid.translations, grid.references)
        np.testing.assert_array_equal(measure.counts(grid), measure.counts(pairs))


@pytest.mark.parametrize("name", ["fast", "bleu", "ter", "sentence(compact-pieces)"])
def test_any_metric_scores_a_grid_as_its_pairs(name):
    texts = ["the cat sat", "a cat sat here", "dogs bark", "the cat sat"]
    metric = load(name)
    table = utilities(metric, texts, texts[:3])
    for i, candidate in enumerate(texts):
        for j, reference in enumerate(texts[:3]):
            assert table[i, j] == metric.score([candidate], [[reference]]).segments[0]


def test_a_grid_in_blocks_is_the_same(monkeypatch):
    texts = ["the cat sat", "a cat sat here", "dogs bark", "the cat"]
    whole = utilities(load("chrf"), texts, texts)
    monkeypatch.setattr("concordant.reranking.utilities.MOST_PAIRS", 5)
    np.testing.assert_array_equal(utilities(load("chrf"), texts, texts), whole)


@settings(max_examples=40)
@given(candidates=TEXTS, references=TEXTS)
def test_the_aggregate_has_mean_counts(candidates, references):
    weights = np.full(len(references), 1 / len(references))
    counts = ngrams.aggregate_counts(
        candidates, references, weights, char_order=2, word_order=1, tokeniser="chrf"
    )

    def grams(text, n, unit):
        symbols = list("".join(text.split())) if unit == "chars" else None
        symbols = ngrams_words(text) if symbols is None else symbols
        return [tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1)]

    for row, candidate in zip(counts, candidates, strict=True):
        for place, (unit, n) in enumerate([("chars", 1), ("chars", 2), ("words", 1)]):
            own = grams(candidate, n, unit)
            others = [grams(text, n, unit) for text in references]
            matches = sum(
                min(own.count(gram), np.mean([each.count(gram) for each in others]))
                for gram in set(own)
            )
            assert row[3 * place + 1] == pytest.approx(np.mean([len(each) for each in others]))
            assert row[3 * place + 2] == pytest.approx(matches)


def ngrams_words(text):
    from concordant.metrics.lexical._native import tokenise

    return tokenise([text], "chrf")[0]


def test_one_reference_is_its_own_aggregate():
    texts = ["the cat sat", "a cat sat here", "dogs"]
    for name in ("chrf", "chrf++", "sentence(compact-pieces)"):
        metric = load(name)
        single = metric.aggregate_scores(texts, texts[:1], np.ones(1))
        assert single.tolist() == pytest.approx(utilities(metric, texts, texts[:1])[:, 0].tolist())


def test_fastchrf_has_the_same_scores():
    fastchrf = pytest.importorskip("fastchrf", reason="fastchrf is not installed")
    texts = ["the cat sat on a mat", "a cat sat here", "dogs bark", "der Hund ist höher"]
    table = np.array(fastchrf.pairwise_chrf([texts], [texts[:2]])[0])
    np.testing.assert_allclose(utilities(load("chrf"), texts, texts[:2]), table, rtol=1e-5)
    theirs = np.array(fastchrf.aggregate_chrf([texts], [texts])[0])
    ours = load("chrf").aggregate_scores(texts, texts, np.full(4, 0.25))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_what_has_no_aggregate_says_what_has():
    with pytest.raises(ConcordantError, match="ter has no aggregate of references; chrf, chrf"):
        load("ter").aggregate_scores(["a"], ["a"], np.ones(1))
