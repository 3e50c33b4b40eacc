"""NIST against nltk's definition, written slowly, and the laws it keeps."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import ConcordantError, SpecError
from concordant.metrics.lexical import nist as measure
from concordant.metrics.lexical.nist import COLUMNS, ORDER, counts, length_penalty, nist, weights

LINES = st.lists(st.sampled_from("abcde"), max_size=9).map(" ".join)
SEGMENTS = st.lists(
    st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=6
)

# Our sentences; the scores below are nltk 3.10.4's, corpus_nist on the words between spaces; those
# of segments with the weights of all three.
HYPOTHESES = [
    "the ministers of both countries met in the old town on Monday evening",
    "rain fell on the town for three days and the river rose",
    "nobody of the farmers has sold the land by the river",
]
REFERENCES = [
    ["ministers from both countries met in the old town on Monday", "on Monday the ministers met"],
    ["it rained on the town for three days , and the river rose", "the river rose after the rain"],
    ["none of the farmers sold their land by the river", "no farmer sold the land by the river"],
]


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def slow_weights(references):
    found = Counter()
    for words in (line.split() for lines in references for line in lines):
        found[()] += len(words)
        for n in range(1, ORDER + 1):
            found.update(ngrams(words, n))
    # Not log2, which may differ in the last bit, and that bit may decide between references.
    return {gram: math.log(found[gram[:-1]] / found[gram]) / math.log(2) for gram in found if gram}


def slow_row(translation, references, information):
    """Every order chooses among (information, total, length of the reference) as nltk does."""
    words, chosen = translation.split(), []
    for n in range(1, ORDER + 1):
        own, candidates = ngrams(words, n), []
        for reference in references:
            shared = own & ngrams(reference.split(), n)
            numerator = 0.0
            for gram, count in shared.items():  # one by one: sum() adds otherwise in Python 3.12
                numerator += information.get(gram, 0.0) * count
            candidates.append((numerator, float(own.total()), float(len(reference.split()))))
        chosen.append(max(candidates))
    numerators, totals, lengths = zip(*chosen, strict=True)
    return [*numerators, *totals, sum(lengths), float(ORDER * len(words))]


def slow_nist(row):
    numerators, totals, (reference, length) = row[:ORDER], row[ORDER : 2 * ORDER], row[2 * ORDER :]
    precision = sum(a / b for a, b in zip(numerators, totals, strict=True) if b > 0)
    ratio = length / reference if reference > 0 else 1.0
    if 0 < ratio < 1:
        return precision * math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)
    return precision * min(ratio, 1.0)


def unzipped(segments):
    return [translation for translation, _ in segments], [given for _, given in segments]


@given(SEGMENTS)
def test_counts_and_scores_are_nltks(segments):
    translations, references = unzipped(segments)
    table = weights(references, tokeniser="none")
    rows = counts(translations, references, weights=table, tokeniser="none")
    information = slow_weights(references)
    slow = np.array([slow_row(h, r, information) for h, r in segments])
    assert rows.shape == (len(segments), len(COLUMNS))
    np.testing.assert_allclose(rows, slow, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(nist(rows), [slow_nist(row) for row in slow], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(nist(rows.sum(axis=0)), slow_nist(slow.sum(axis=0)), atol=1e-9)


@given(SEGMENTS, SEGMENTS)
def test_ngrams_that_the_weights_do_not_know_weigh_nothing(segments, others):
    translations, references = unzipped(segments)
    _, known = unzipped(others)
    table = weights(known, tokeniser="none")
    rows = counts(translations, references, weights=table, tokeniser="none")
    information = slow_weights(known)
    slow = np.array([slow_row(h, r, information) for h, r in segments])
    np.testing.assert_allclose(rows, slow, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("references", "corpus", "segments"),
    [
        (
            REFERENCES,
            4.177219862326627,
            [4.2131881098922594, 4.479619173013466, 3.671613568680279],
        ),
        (
            [lines[:1] for lines in REFERENCES],
            3.9438085746958116,
            [3.9411376220828735, 4.191778418485618, 3.5512807589981987],
        ),
    ],
    ids=["two references", "one reference"],
)
def test_golden_scores(references, corpus, segments):
    rows = counts(HYPOTHESES, references, tokeniser="none")
    assert nist(rows.sum(axis=0)) == pytest.approx(corpus, abs=1e-9)
    assert nist(rows) == pytest.approx(segments, abs=1e-9)


def test_weights_by_hand():
    # "a" is 2 of 4 words, "b" and "c" 1 of 4; "a" is followed by "b" once and by "c" once.
    table = weights([["a b"], ["a c"]], tokeniser="none")
    row = counts(["a b"], [["a b"]], weights=table, tokeniser="none")[0]
    assert row.tolist() == [1 + 2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 10, 10]


def test_outputs_of_many_systems_may_be_given_together():
    alone = counts(HYPOTHESES, REFERENCES)
    again = counts([*HYPOTHESES, "another", "yet another"], [*REFERENCES, *[REFERENCES[0]] * 2])
    assert np.array_equal(again[:3], alone)


def test_each_segment_of_a_test_set_counts_even_where_its_reference_repeats():
    lines = [["yes"], ["yes"], ["no"], ["perhaps"]]
    translations = ["yes", "yes", "no", "perhaps"]
    as_test_set = counts(translations, lines, weights=weights(lines))[:, 0]
    as_different_lists = counts(translations, lines)[:, 0]
    assert as_test_set.tolist() == [1, 1, 2, 2]
    assert as_different_lists == pytest.approx([math.log2(3)] * 4)


@given(LINES, LINES, st.lists(st.lists(LINES, min_size=1, max_size=2), max_size=4))
def test_nothing_as_long_beats_the_reference_itself(translation, reference, others):
    """A shorter output may: dropping a word of little information raises the mean of the rest."""
    table = weights([[reference], *others], tokeniser="none")
    rows = counts([translation, reference], [[reference]] * 2, weights=table, tokeniser="none")
    assert (rows[0, :ORDER] <= rows[1, :ORDER] + 1e-12).all()
    if len(translation.split()) >= len(reference.split()):
        assert nist(rows)[0] <= nist(rows)[1] + 1e-12


@given(SEGMENTS)
def test_range(segments):
    rows = counts(*unzipped(segments), tokeniser="none")
    assert (rows >= 0).all()
    assert (nist(rows) >= 0).all()
    assert ((length_penalty(rows) >= 0) & (length_penalty(rows) <= 1)).all()


@pytest.mark.parametrize(
    ("translation", "references"),
    [("", ["a b"]), ("a b", [""]), ("", [""]), ("a", ["b"]), (" \t", ["", " "])],
)
def test_nothing_shared_is_zero(translation, references):
    assert nist(counts([translation], [references])).tolist() == [0.0]


def test_no_segments():
    rows = counts([], [])
    assert rows.shape == (0, len(COLUMNS))
    assert nist(rows.sum(axis=0)) == 0.0


def test_penalty():
    lengths = np.array([[3.0, 2.0], [2.0, 3.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    rows = np.hstack([np.zeros((6, 10)), lengths])
    assert length_penalty(rows) == pytest.approx([0.5, 1, 1, 0, 1, 0])


def test_scores_keep_every_axis_but_the_last(rng):
    rows = counts(HYPOTHESES, REFERENCES)
    samples = rows[rng.integers(3, size=(4, 5, 3))].sum(axis=2)
    assert nist(samples).shape == (4, 5)
    assert nist(samples)[1, 2] == nist(samples[1, 2])


@settings(max_examples=20)
@given(SEGMENTS, st.integers(2, 5))
def test_threads_and_batches_change_nothing(segments, threads):
    translations, references = unzipped(segments * 7)
    table = weights(references)
    rows = counts(translations, references, weights=table)
    assert np.array_equal(rows, counts(translations, references, weights=table, threads=threads))
    halves = [
        counts(translations[part], references[part], weights=table)
        for part in (slice(None, 5), slice(5, None))
    ]
    assert np.array_equal(rows, np.vstack(halves))


@pytest.mark.parametrize(
    "line",
    [
        "a" * 100_000,
        "a " * 50_000,
        " ".join(map(str, range(20_000))),
        "\0 \0\0 \ud800 \U0001f600 e\u0301 \u200b",
    ],
    ids=["one word", "one word repeated", "many words", "strange characters"],
)
def test_long_and_strange_lines(line):
    others = ["a b", "1 2 3"]
    rows = counts([line, *others], [[line, "a"], ["a b"], ["1 2"]], tokeniser="none")
    words = line.split()
    assert rows[0, ORDER:].tolist() == [
        *(max(len(words) - n, 0) for n in range(ORDER)), 5 * len(words), 5 * len(words),
    ]  # fmt: skip
    information = slow_weights([[line, "a"], ["a b"], ["1 2"]])
    slow = slow_row(line, [line], information)
    assert rows[0, :ORDER] == pytest.approx(slow[:ORDER], rel=1e-9, abs=1e-9)
    assert np.array_equal(rows[1:], counts(
        others, [["a b"], ["1 2"]], tokeniser="none",
        weights=weights([[line, "a"], ["a b"], ["1 2"]], tokeniser="none"),
    ))  # fmt: skip


def test_weights_outlive_their_texts():
    table = weights([["w" * length + " end"] for length in range(1, 60)], tokeniser="none")
    row = counts(["w" * 40], [["w" * 40]], weights=table, tokeniser="none")[0]
    assert row[0] == pytest.approx(math.log2(2 * 59))


def test_lowercase_and_tokeniser_reach_both_sides():
    rows = counts(["The Cat."], [["the cat ."]], lowercase=True)
    assert rows[0, 5] == 3
    assert rows[0, 0] == pytest.approx(3 * math.log2(3))
    table = weights([["The Cat."]], lowercase=True)
    assert np.array_equal(rows, counts(["THE CAT."], [["The cat."]], weights=table, lowercase=True))


def test_weights_read_in_another_way_are_refused():
    table = weights(REFERENCES, tokeniser="intl")
    with pytest.raises(SpecError, match='made with tokeniser "intl" and lowercase=False') as caught:
        counts(HYPOTHESES, REFERENCES, weights=table, lowercase=True)
    assert 'tokeniser "13a" and lowercase=True was requested' in str(caught.value)


@pytest.mark.parametrize("call", [weights, lambda lists: counts(["a", "b"], lists)])
def test_a_segment_without_reference_is_refused(call):
    with pytest.raises(ConcordantError, match="translation 2 has no reference"):
        call([["a"], []])


def test_columns_name_what_they_hold():
    row = dict(zip(measure.COLUMNS, counts(["a b"], [["a b c"]])[0].tolist(), strict=True))
    assert row["total 1"] == 2
    assert row["information 1"] == pytest.approx(2 * math.log2(3))
    assert (row["reference lengths"], row["translation lengths"]) == (15, 10)
