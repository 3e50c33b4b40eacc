"""CharacTER against its definition in plain Python, and its authors' two published examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.metrics.lexical import character

FEW_WORDS = ["a", "bb", "ccc", "dd", "e", "ß", "日本", "😀x"]
SENTENCES = st.lists(st.sampled_from(FEW_WORDS), max_size=10)


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        diagonal, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            diagonal, row[j + 1] = (
                row[j + 1],
                min(diagonal + (x != y), row[j + 1] + 1, row[j] + 1),
            )
    return row[-1]


def common_length(a, b):
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return length


def best_shift(words, reference):
    """The shift that lowers the word-level distance most; of equal ones the last when sorted."""
    found = [(0, words)]
    before = edit_distance(words, reference)
    for start in range(len(words)):
        for place in range(len(reference)):
            length = common_length(words[start:], reference[place:])
            if start == place or length == 0:
                continue
            rest = words[:start] + words[start + length :]
            shifted = rest[:place] + words[start : start + length] + rest[place:]
            found.append((before - edit_distance(shifted, reference), shifted))
    return max(found)


def shift_cost(shifted, original):
    """For every phrase that now stands further right, the mean length of its words."""
    cost, i = 0.0, 0
    while i < len(original):
        places = [] if shifted[i] == original[i] else range(i + 1, len(shifted))
        place = next((p for p in places if shifted[p] == original[i]), None)
        length = 1 if place is None else common_length(shifted[place:], original[i:])
        if place is not None:
            cost += sum(len(word) for word in original[i : i + length]) / length
        i += length
    return cost


def oracle(translation, reference):
    words = list(translation)
    gain, shifted = best_shift(words, reference)
    while gain > 0:
        words = shifted
        gain, shifted = best_shift(words, reference)
    edits = edit_distance(" ".join(words), " ".join(reference))
    return [edits, shift_cost(words, translation), len(" ".join(words))]


def row_of(translation, *references):
    texts = [" ".join(translation)], [[" ".join(words) for words in references]]
    return character.counts(*texts)[0].tolist()


@given(SENTENCES, SENTENCES)
@settings(deadline=None)
def test_random_words_have_the_oracles_counts(translation, reference):
    assert row_of(translation, reference)[:3] == pytest.approx(oracle(translation, reference))


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_shifted_phrases_have_the_oracles_counts(data):
    words = [chr(97 + i) * (i % 4 + 1) for i in range(data.draw(st.integers(3, 20)))]
    reference = data.draw(st.lists(st.sampled_from(words), max_size=16))
    translation = list(reference)
    for _ in range(data.draw(st.integers(1, 3))):
        start, place = data.draw(st.tuples(st.integers(0, 16), st.integers(0, 16)))
        phrase = translation[start : start + 4]
        del translation[start : start + 4]
        translation[place:place] = phrase
    assert row_of(translation, reference)[:3] == pytest.approx(oracle(translation, reference))


def test_long_texts_have_the_oracles_counts(rng):
    for words in (30, 200):
        translation = [f"w{i}" for i in rng.integers(words, size=80)]
        reference = [*translation[25:60], *translation[:20], "x", *translation[60:]]
        assert row_of(translation, reference)[:3] == pytest.approx(oracle(translation, reference))


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_has_the_oracles_counts(translation, reference):
    found = character.counts([translation], [[reference]])[0, :3].tolist()
    assert found == pytest.approx(oracle(translation.split(), reference.split()))


@pytest.mark.parametrize(
    ("translation", "reference", "expected"),
    [
        (
            "this week the saudis denied information published in the new york times",
            "saudi arabia denied this week information published in the american new york times",
            0.36619718309859156,
        ),
        ("this is in fact an estimate", "this is actually an estimate", 0.25925925925925924),
    ],
)
def test_the_published_examples(translation, reference, expected):
    score = character.character(character.counts([translation], [[reference]]))
    assert score.tolist() == pytest.approx([expected], abs=1e-12)


@pytest.mark.parametrize(
    ("translation", "reference", "expected"),
    [
        ("a b", "a b", 0.0),
        ("", "", 0.0),
        ("", "a b", 1.0),
        ("a b", "", 1.0),
        ("a", "a very long reference", 1.0),
        (" a \u3000 b ", "a b", 0.0),
    ],
)
def test_small_cases(translation, reference, expected):
    assert character.character(character.counts([translation], [[reference]])).tolist() == [
        expected
    ]


@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3))
def test_the_reference_with_the_lowest_rate_counts(translation, references):
    rates = [row_of(translation, reference)[3] for reference in references]
    assert row_of(translation, *references)[3] == min(rates)


def test_a_corpus_has_the_mean_of_its_segments():
    counts = character.counts(["abc", "a", "Xy"], [["abd"], [""], ["xy"]], lowercase=True)
    rates = character.character(counts)
    assert rates.tolist() == pytest.approx([1 / 3, 1.0, 0.0])
    assert float(character.character(counts.sum(axis=0))) == pytest.approx(rates.mean())


def test_threads_do_not_show(rng):
    lines = [" ".join(str(i) for i in rng.integers(20, size=n)) for n in rng.integers(40, size=60)]
    references = [[line] for line in reversed(lines)]
    once = character.counts(lines, references)
    np.testing.assert_array_equal(character.counts(lines, references, threads=3), once)
    assert character.counts([], []).shape == (0, 5)


def test_long_and_odd_lines_are_ordinary():
    line = "a b " * 6_000
    lines = [line, "x" * 100_000, "\0 \ud800 \U0010ffff"]
    references = [["b a " * 6_000], ["y" * 50_000], ["\ud800 \0 \U0010ffff"]]
    counts = character.counts(lines, references)
    # 12,000 words are compared in windows, and some begin with another word than the reference.
    assert counts[:, 0].tolist() == [32, 100_000, 0]
    assert counts[:, 3].round(6).tolist() == [0.009167, 1.0, 0.2]


@pytest.mark.data
def test_wmt12_outputs_have_the_oracles_counts(data):
    folder = data / "wmt12"
    reference = (folder / "references" / "newstest2012-ref.en").read_text("utf-8").split("\n")
    for path in sorted((folder / "system-outputs" / "newstest2012" / "cs-en").iterdir()):
        lines = path.read_text("utf-8").split("\n")[:-1:400]
        found = character.counts(lines, [[text] for text in reference[:-1:400]])
        pairs = zip(lines, reference[:-1:400], strict=True)
        expected = [oracle(translation.split(), text.split()) for translation, text in pairs]
        np.testing.assert_allclose(found[:, :3], expected, rtol=0, atol=1e-9)
