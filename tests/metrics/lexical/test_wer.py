"""WER and PER against the plain definitions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.metrics.lexical import wer

SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "ß", "😀"]), max_size=12)


def oracle_errors(translation, reference):
    """(errors, −substitutions, insertions, deletions) of the smallest such tuple, cell by cell."""
    table = {(0, 0): (0, 0, 0, 0)}
    for i in range(len(translation) + 1):
        for j in range(len(reference) + 1):
            ways = [table[i, j]] if i == j == 0 else []
            if i and j:
                e, s, n, d = table[i - 1, j - 1]
                wrong = translation[i - 1] != reference[j - 1]
                ways.append((e + wrong, s - wrong, n, d))
            if i:
                e, s, n, d = table[i - 1, j]
                ways.append((e + 1, s, n + 1, d))
            if j:
                e, s, n, d = table[i, j - 1]
                ways.append((e + 1, s, n, d + 1))
            table[i, j] = min(ways)
    return table[len(translation), len(reference)]


def row_of(counts, translation, *references):
    return counts([" ".join(translation)], [[" ".join(words) for words in references]])[0].tolist()


@given(SENTENCES, SENTENCES)
def test_wer_counts_are_the_definitions(translation, reference):
    _, substitutions, insertions, deletions = oracle_errors(translation, reference)
    expected = [-substitutions, insertions, deletions, len(reference)]
    assert row_of(wer.counts, translation, reference) == expected


@given(SENTENCES, SENTENCES)
def test_per_counts_are_the_definitions(translation, reference):
    matches = (Counter(translation) & Counter(reference)).total()
    errors = max(len(translation), len(reference)) - matches
    expected = [errors, matches, len(translation), len(reference)]
    assert row_of(wer.per_counts, translation, reference) == expected


@given(SENTENCES, SENTENCES)
def test_per_is_never_above_wer(translation, reference):
    texts = [" ".join(translation)], [[" ".join(reference)]]
    assert wer.per(wer.per_counts(*texts))[0] <= wer.wer(wer.counts(*texts))[0]


@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=4))
@pytest.mark.parametrize(
    ("counts", "rate"), [(wer.counts, wer.wer), (wer.per_counts, wer.per)], ids=["wer", "per"]
)
def test_the_reference_with_the_lowest_rate_counts(counts, rate, translation, references):
    rows = [row_of(counts, translation, reference) for reference in references]
    lowest = int(np.argmin(rate(np.array(rows))))
    assert row_of(counts, translation, *references) == rows[lowest]


@pytest.mark.parametrize(
    ("translation", "reference", "words", "bags"),
    [
        ("a b c", "a b c", 0.0, 0.0),
        ("c b a", "a b c", 200 / 3, 0.0),
        ("a b c d", "a b", 100.0, 100.0),
        ("a b c d e", "x", 500.0, 500.0),
        ("", "a b", 100.0, 100.0),
        ("a", "", 100.0, 100.0),
        ("", "", 0.0, 0.0),
        ("A", "a", 100.0, 100.0),
    ],
)
def test_small_cases(translation, reference, words, bags):
    texts = [translation], [[reference]]
    assert wer.wer(wer.counts(*texts)).tolist() == pytest.approx([words])
    assert wer.per(wer.per_counts(*texts)).tolist() == pytest.approx([bags])


def test_case_can_be_left_out_of_account():
    assert wer.wer(wer.counts(["A b"], [["a B"]], lowercase=True)).tolist() == [0.0]
    assert wer.per(wer.per_counts(["A b"], [["B a"]], lowercase=True)).tolist() == [0.0]


def test_a_corpus_is_the_sum_of_its_segments():
    counts = wer.counts(["a b", "c"], [["a x"], ["c d e f"]])
    assert float(wer.wer(counts.sum(axis=0))) == pytest.approx(100 * 4 / 6)


@pytest.mark.parametrize("counts", [wer.counts, wer.per_counts], ids=["wer", "per"])
def test_threads_do_not_show(counts, rng):
    lines = [" ".join(str(i) for i in rng.integers(6, size=n)) for n in rng.integers(40, size=60)]
    references = [[line] for line in reversed(lines)]
    once = counts(lines, references)
    np.testing.assert_array_equal(counts(lines, references, threads=3), once)
    assert counts([], []).shape == (0, 4)


def test_long_lines_are_ordinary():
    line = "a b " * 4_000
    counts = wer.counts([line, "x" * 100_000], [["b " + line], ["\0"]])
    assert counts.tolist() == [[0, 0, 1, 8_001], [1, 0, 0, 1]]
