"""BLEU: sacrebleu's counts exactly, and its scores."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import batches
from oracles_lexical import sacrebleu_counts
from sacrebleu.metrics.bleu import BLEU

from concordant.errors import SpecError
from concordant.metrics.lexical import bleu

SACREBLEU_TOKENISERS = ("13a", "intl", "char", "none", "zh")
SMOOTHINGS = [
    *product(bleu.SMOOTHING, [None]), ("floor", 0.01), ("floor", 0.0), ("add-k", 0.5), ("add-k", 0),
]  # fmt: skip


@pytest.mark.parametrize("tokeniser", SACREBLEU_TOKENISERS)
@given(batch=batches(), lowercase=st.booleans())
@settings(max_examples=150, deadline=None)
def test_counts_are_sacrebleus(tokeniser, batch, lowercase):
    peer = BLEU(tokenize=tokeniser, lowercase=lowercase)
    found = bleu.counts(*batch, tokeniser=tokeniser, lowercase=lowercase)
    assert found.tolist() == sacrebleu_counts(peer, *batch)


@given(batch=batches(), smoothing=st.sampled_from(SMOOTHINGS), effective_order=st.booleans())
@settings(max_examples=300, deadline=None)
def test_scores_are_sacrebleus(batch, smoothing, effective_order):
    smoothing, value = smoothing
    options = {"smoothing": smoothing, "smoothing_value": value, "effective_order": effective_order}
    peer = BLEU(smooth_method=smoothing, smooth_value=value, effective_order=effective_order)
    rows = bleu.counts(*batch)
    expected = [peer.sentence_score(h, r).score for h, r in zip(*batch, strict=True)]
    assert bleu.bleu(rows, **options) == pytest.approx(expected, abs=1e-9)
    corpus = peer._aggregate_and_compute(sacrebleu_counts(peer, *batch)).score
    assert bleu.bleu(rows.sum(axis=0), **options) == pytest.approx(corpus, abs=1e-9)


@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
@pytest.mark.parametrize("effective_order", [False, True])
@given(lengths=st.tuples(st.integers(0, 12), st.integers(0, 12)), part=st.binary(min_size=4))
@settings(max_examples=50, deadline=None)
def test_scores_of_any_counts_are_sacrebleus(smoothing, value, effective_order, lengths, part):
    totals = [max(lengths[0] - n, 0) for n in range(4)]
    matches = [part[n] % (total + 1) for n, total in enumerate(totals)]
    peer = BLEU.compute_bleu(
        list(matches), list(totals), *lengths,
        smooth_method=smoothing, smooth_value=value, effective_order=effective_order,
    )  # fmt: skip
    row = np.array([*lengths, *matches, *totals], dtype=np.float64)
    found = bleu.bleu(
        row, smoothing=smoothing, smoothing_value=value, effective_order=effective_order
    )
    assert found == pytest.approx(peer.score, abs=1e-9)
    assert bleu.brevity_penalty(row) == pytest.approx(peer.bp, abs=1e-12)


def test_scoring_changes_no_counts():
    rows = bleu.counts(["a b c"], [["a c"]])
    kept = rows.copy()
    for smoothing in bleu.SMOOTHING:
        bleu.bleu(rows, smoothing=smoothing)
    assert (rows == kept).all()


def test_components_are_the_parts_of_the_score():
    parts = bleu.components(bleu.counts(["the cat sat", ""], [["the cat sat down"], ["a"]]))
    named = dict(zip(bleu.COMPONENTS, parts[0].tolist(), strict=True))
    assert [named[f"precision {n}"] for n in (1, 2, 3, 4)] == [1.0, 1.0, 1.0, 0.0]
    assert [named[f"matches {n}"] for n in (1, 2, 3, 4)] == [3, 2, 1, 0]
    assert [named[f"total {n}"] for n in (1, 2, 3, 4)] == [3, 2, 1, 0]
    assert named["translation length"] == 3
    assert named["reference length"] == 4
    assert named["length ratio"] == 0.75
    assert named["brevity penalty"] == pytest.approx(np.exp(1 - 4 / 3))
    assert np.isfinite(parts).all()


@pytest.mark.parametrize(("words", "references"), [(40_000, 1), (32_767, 1), (32_768, 2), (50, 20)])
def test_more_words_or_references_than_short_keys_hold(words, references, rng):
    """32,767 words and 15 references fit a number of 64 bits; the rest takes the longer way."""
    vocabulary = [f"w{i}" for i in range(words)]
    texts = [" ".join(rng.permutation(vocabulary)) for _ in range(references + 1)]
    repeated = f"{texts[0]} {' '.join(vocabulary[:100])} {texts[1]}"
    batch = [repeated], [texts[1:]]
    assert bleu.counts(*batch).tolist() == sacrebleu_counts(BLEU(), *batch)


@pytest.mark.parametrize("references", [14, 15, 16, 17, 254, 255])
def test_many_references(references, rng):
    letters = list("abcdefgh")
    texts = [" ".join(rng.choice(letters, size=20)) for _ in range(references + 1)]
    batch = [texts[0]], [texts[1:]]
    assert bleu.counts(*batch).tolist() == sacrebleu_counts(BLEU(), *batch)


def test_too_many_references_is_an_error():
    with pytest.raises(ValueError, match="more than 255 references"):
        bleu.counts(["a"], [["a"] * 256])


def test_an_unknown_smoothing_is_named_with_the_known_ones():
    with pytest.raises(SpecError, match='smoothing "half" is not one of none, floor, add-k, exp'):
        bleu.bleu(np.zeros((1, 10)), smoothing="half")


def test_an_unknown_tokeniser_is_named_with_the_known_ones():
    with pytest.raises(SpecError, match='tokeniser "13" is not one of'):
        bleu.counts(["a"], [["a"]], tokeniser="13")
