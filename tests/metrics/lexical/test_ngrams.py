"""n-grams: chrF and chrF++ as sacrebleu counts and scores them, words by plain counters."""

from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import batches
from oracles_lexical import first_best, grams, sacrebleu_counts, scores, tokens, triple
from sacrebleu.metrics.chrf import CHRF

from concordant.metrics.lexical import bleu, ngrams

ORDERS = [*product(range(1, 7), (0, 1, 2)), (0, 1), (0, 2), (0, 3), (0, 4)]


def peer_and_options(char_order, word_order, beta, whitespace, lowercase):
    options = {"char_order": char_order, "word_order": word_order, "beta": beta,
               "whitespace": whitespace, "lowercase": lowercase}  # fmt: skip
    return CHRF(**options), {**options, "tokeniser": "chrf"}


def mean_f(triples):
    return CHRF(char_order=0, word_order=len(triples))._compute_f_score(list(chain(*triples)))


@pytest.mark.parametrize("orders", ORDERS, ids=str)
@given(batch=batches(), beta=st.sampled_from([1, 2, 3]), flags=st.tuples(*[st.booleans()] * 2))
@settings(max_examples=30, deadline=None)
def test_chrf_is_sacrebleus(orders, batch, beta, flags):
    peer, options = peer_and_options(*orders, beta, *flags)
    rows = ngrams.counts(*batch, **options)
    expected = sacrebleu_counts(peer, *batch)
    assert rows.tolist() == expected
    segments = [peer._compute_f_score(row) for row in expected]
    assert ngrams.chrf(rows, beta=beta) == pytest.approx(segments, abs=1e-9)
    corpus = peer._aggregate_and_compute(expected).score
    assert ngrams.chrf(rows.sum(axis=0), beta=beta) == pytest.approx(corpus, abs=1e-9)


@given(drawn=st.binary(min_size=24, max_size=24), beta=st.sampled_from([1, 2, 3]))
@settings(max_examples=200, deadline=None)
def test_chrf_of_any_counts_is_sacrebleus(drawn, beta):
    sizes = [(h % 6, r % 6, m) for h, r, m in zip(*[iter(drawn)] * 3, strict=True)]
    row = [x for h, r, m in sizes for x in (h, r, m % (min(h, r) + 1))]
    expected = CHRF(word_order=2, beta=beta)._compute_f_score(row)
    assert ngrams.chrf(np.array(row, float), beta=beta) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("tokeniser", ["13a", "intl", "char", "none"])
@given(batch=batches(), order=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_word_ngrams_are_plain_counters(tokeniser, batch, order):
    found = ngrams.counts(*batch, word_order=order, tokeniser=tokeniser)
    expected = []
    for translation, references in zip(*batch, strict=True):
        words, *others = (tokens(text, tokeniser) for text in (translation, *references))
        orders = range(1, order + 1)
        rows = [[triple(grams(words, n), grams(other, n)) for n in orders] for other in others]
        expected.append(first_best(rows, mean_f))
    flat = [counted for row in expected for counted in row]
    assert found.reshape(-1, 3).tolist() == flat
    assert ngrams.precision(found).ravel() == pytest.approx([scores(t, 1)[0] for t in flat])
    assert ngrams.recall(found).ravel() == pytest.approx([scores(t, 1)[1] for t in flat])
    for beta in ngrams.BETAS.values():
        f = ngrams.f_score(found, beta).ravel()
        assert f == pytest.approx([scores(t, beta)[2] for t in flat], abs=1e-12)


@given(batch=batches(max_references=1))
@settings(max_examples=50, deadline=None)
def test_word_ngrams_of_one_reference_are_bleus(batch):
    """The same matches by two ways through the kernel."""
    rows = ngrams.counts(*batch, word_order=4)
    assert rows[:, 2::3].tolist() == bleu.counts(*batch)[:, 2:6].tolist()


@pytest.mark.parametrize("characters", [1_022, 1_023, 1_024, 3_000, 60_000])
@pytest.mark.parametrize("first", [0x21, 0x1_0000, 0x4E00])
def test_more_characters_than_short_keys_hold(characters, first, rng):
    """1,023 characters fit a number of 64 bits; more of them, and astral ones, take 128."""
    alphabet = [chr(first + i) for i in range(characters)]
    texts = ["".join(rng.permutation(alphabet)) + alphabet[-1] * 3 for _ in range(3)]
    batch = [texts[0] + texts[1][:50]], [texts[1:]]
    peer, options = peer_and_options(6, 2, 2, whitespace=False, lowercase=False)
    assert ngrams.counts(*batch, **options).tolist() == sacrebleu_counts(peer, *batch)


def test_the_alphabet_of_a_reference_counts_as_well():
    translation, reference = "ab", "ab" + "".join(map(chr, range(0x4E00, 0x4E00 + 1_100)))
    assert ngrams.counts([translation], [[reference]], char_order=2).tolist() == [
        [2, 1_102, 2, 1, 1_101, 1]
    ]


def test_more_words_than_short_keys_hold(rng):
    words = [f"w{i}" for i in range(40_000)]
    batch = [" ".join(rng.permutation(words))], [[" ".join(rng.permutation(words))]]
    peer, options = peer_and_options(1, 2, 2, whitespace=False, lowercase=False)
    assert ngrams.counts(*batch, **options).tolist() == sacrebleu_counts(peer, *batch)


def test_any_number_of_references():
    """Only one reference is compared at a time, so there is no limit."""
    references = ["b"] * 300 + ["a"]
    assert ngrams.counts(["a"], [references], word_order=1).tolist() == [[1, 1, 1]]


def test_the_first_of_equally_good_references_counts():
    found = ngrams.counts(["a b"], [["x", "y z", "a b", "b a"]], word_order=1)
    assert found.tolist() == [[2, 2, 2]]
    assert ngrams.counts(["a"], [["x", "y z"]], word_order=1).tolist() == [[1, 1, 0]]


@pytest.mark.parametrize(
    ("orders", "message"),
    [({"char_order": 7}, "character n-grams go up to order 6"),
     ({"word_order": 5}, "word n-grams go up to order 4")],
)  # fmt: skip
def test_an_order_that_is_too_high_is_an_error(orders, message):
    with pytest.raises(ValueError, match=message):
        ngrams.counts(["a"], [["a"]], **orders)
