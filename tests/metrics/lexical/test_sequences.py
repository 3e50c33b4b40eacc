"""Skip-bigrams and longest common subsequences against plain Python."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import batches, spelled
from oracles_lexical import common_subsequence, first_best, skip_grams, tokens, triple

from concordant.metrics.lexical import ngrams

few_words = st.binary(max_size=200).map(lambda drawn: spelled(["a ", "b ", "c ", "d "], drawn))


def f1(counted):
    translation, reference, shared = counted
    return 2 * shared / (translation + reference) if translation + reference else 0.0


def skip_counts(translation, references, skip, tokeniser="13a"):
    bags = [skip_grams(tokens(text, tokeniser), skip) for text in (translation, *references)]
    sizes = [sum(bag.values()) for bag in bags]
    rows = [
        [sizes[0], size, triple(bags[0], bag)[2]]
        for size, bag in zip(sizes[1:], bags[1:], strict=True)
    ]
    return first_best(rows, f1)


def lcs_counts(translation, references, tokeniser="13a"):
    words, *others = (tokens(text, tokeniser) for text in (translation, *references))
    rows = [[len(words), len(other), common_subsequence(words, other)] for other in others]
    return first_best(rows, f1)


@pytest.mark.parametrize("skip", [0, 1, 2, 5, None])
@given(batch=batches(), tokeniser=st.sampled_from(["13a", "char", "none"]))
@settings(max_examples=100, deadline=None)
def test_skip_bigrams(skip, batch, tokeniser):
    expected = [skip_counts(h, r, skip, tokeniser) for h, r in zip(*batch, strict=True)]
    assert ngrams.skip_counts(*batch, skip=skip, tokeniser=tokeniser).tolist() == expected


@pytest.mark.parametrize("skip", [0, 1, 2, 100, None])
@given(translation=few_words, reference=few_words)
@settings(max_examples=40, deadline=None)
def test_skip_bigrams_of_repeated_words(skip, translation, reference):
    expected = skip_counts(translation, [reference], skip)
    assert ngrams.skip_counts([translation], [[reference]], skip=skip).tolist() == [expected]


@given(batch=batches(), tokeniser=st.sampled_from(["13a", "char", "none"]))
@settings(max_examples=200, deadline=None)
def test_common_subsequences(batch, tokeniser):
    expected = [lcs_counts(h, r, tokeniser) for h, r in zip(*batch, strict=True)]
    assert ngrams.lcs_counts(*batch, tokeniser=tokeniser).tolist() == expected


@pytest.mark.parametrize("words", [2, 20, 300])
@pytest.mark.parametrize("sizes", [(63, 64), (64, 65), (128, 200), (500, 300), (700, 700)])
def test_common_subsequences_over_many_blocks(words, sizes, rng):
    texts = [" ".join(map(str, rng.integers(words, size=size))) for size in sizes]
    assert ngrams.lcs_counts([texts[0]], [[texts[1]]]).tolist() == [lcs_counts(texts[0], texts[1:])]


def test_skips_beyond_the_text_are_any_skip():
    batch = ["a b c a b"], [["b a c b"]]
    for skip in (3, 10, 2**62):
        assert (ngrams.skip_counts(*batch, skip=skip) == ngrams.skip_counts(*batch)).all()


def test_very_many_different_words(rng):
    """Pairs within a short reach are counted whole at any length, and nothing takes much memory."""
    words = [f"w{i}" for i in range(50_000)]
    line = " ".join(words)
    assert ngrams.skip_counts([line], [[line]], skip=2).tolist() == [[149_994] * 3]
    part, reversed_part = " ".join(words[:15_000]), " ".join(reversed(words[:15_000]))
    pairs = 15_000 * 14_999 / 2
    assert ngrams.skip_counts([part], [[reversed_part]]).tolist() == [[pairs, pairs, 0]]
    found = ngrams.lcs_counts([line, part, part], [[line], [part], [reversed_part]])
    assert found[:, 2].tolist() == [50_000, 15_000, 1]
    shuffled = " ".join(rng.permutation(words[:15_000]))
    swapped = ngrams.lcs_counts([shuffled], [[part]])[0, 2]
    assert ngrams.lcs_counts([part], [[shuffled]])[0, 2] == swapped


def test_pairs_at_any_distance_of_a_very_long_line_are_those_of_its_windows():
    half = 70_000
    line = "a " * half + "b " * half
    windows = -(-2 * half // 512)
    ends = [2 * half * i // windows for i in range(windows + 1)]
    pairs = sum((end - begin) * (end - begin - 1) / 2 for begin, end in pairwise(ends))
    assert ngrams.skip_counts([line], [[line]]).tolist() == [[pairs, pairs, pairs]]
