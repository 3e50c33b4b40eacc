"""TER against sacrebleu, which is the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER

from concordant.errors import ConcordantError
from concordant.metrics.lexical import ter

FEW_WORDS = ["a", "b", "c", "d", "ß", "日本", "e\u0301", "😀"]


def sacrebleu_counts(translations, references, **options):
    metric = TER(**options)
    rows = [
        metric._extract_corpus_statistics([translation], [[text] for text in texts])[0]
        for translation, texts in zip(translations, references, strict=True)
    ]
    return np.array(rows, dtype=np.float64)


def sentences(longest, words=FEW_WORDS):
    return st.lists(st.sampled_from(words), max_size=longest)


@st.composite
def shuffled_pairs(draw, longest=30):
    """A reference, and a translation made of it by moving phrases and changing words."""
    size = draw(st.integers(2, 30))
    words = [f"w{i}" for i in range(size)]
    reference = draw(sentences(longest, words))
    translation = list(reference)
    for _ in range(draw(st.integers(0, 4))):
        start, length = draw(st.integers(0, longest)), draw(st.integers(1, 12))
        phrase = translation[start : start + length]
        del translation[start : start + length]
        place = draw(st.integers(0, longest))
        translation[place:place] = phrase
    translation[: draw(st.integers(0, 2))] = draw(sentences(2, words))
    return translation, reference


def edits(translation, reference):
    row = ter.counts([" ".join(translation)], [[" ".join(reference)]], case_sensitive=True)[0]
    return tuple(row.tolist())


@given(sentences(14), sentences(14))
def test_random_words_have_sacrebleus_edits(translation, reference):
    assert edits(translation, reference) == translation_edit_rate(translation, reference)


@given(shuffled_pairs())
@settings(deadline=None, max_examples=150)
def test_shifted_phrases_have_sacrebleus_edits(pair):
    assert edits(*pair) == translation_edit_rate(*pair)


@given(st.text(max_size=30), st.lists(st.text(max_size=30), min_size=1, max_size=3))
def test_any_text_has_sacrebleus_counts(translation, references):
    expected = sacrebleu_counts([translation], [references])
    np.testing.assert_array_equal(ter.counts([translation], [references]), expected)


@pytest.mark.parametrize(
    ("n", "m", "words"),
    [(40, 35, 2), (70, 65, 80), (60, 110, 90), (110, 60, 90), (2, 300, 5), (150, 3, 9)],
)
def test_long_texts_meet_the_beam_and_the_limit_of_candidates(rng, n, m, words):
    translation = [str(i) for i in rng.integers(words, size=n)]
    reference = [str(i) for i in rng.integers(words, size=m)]
    assert edits(translation, reference) == translation_edit_rate(translation, reference)


def test_a_beam_that_hides_the_shortest_path_is_kept_to():
    tail = [f"w{i}" for i in range(60)]
    translation = [*(["x"] * 60), *tail]
    reference = [*tail, *(["y"] * 60)]
    assert edits(translation, reference) == translation_edit_rate(translation, reference)


@pytest.mark.parametrize(
    ("translation", "references", "expected"),
    [
        ("the cat sat", ["the cat sat"], [0, 3]),
        ("sat the cat", ["the cat sat"], [1, 3]),
        ("The CAT", ["the cat"], [0, 2]),
        ("", ["a b"], [2, 2]),
        ("a b", [""], [2, 0]),
        ("", [""], [0, 0]),
        ("a b c", ["a b d e", "a b c x x x x"], [2, 5.5]),
    ],
)
def test_small_cases(translation, references, expected):
    assert ter.counts([translation], [references]).tolist() == [expected]


OPTIONS = ["normalized", "no_punct", "asian_support", "case_sensitive"]


@given(
    st.text(alphabet="aB .,'s-1&amp;quot;\n\u3042\u30a2\u4e00。!", max_size=25),
    st.text(alphabet="aB .,'s-1&amp;quot;\n\u3042\u30a2\u4e00。!", max_size=25),
    st.sets(st.sampled_from(OPTIONS)),
)
def test_every_option_is_sacrebleus(translation, reference, chosen):
    options = dict.fromkeys(chosen, True)
    expected = sacrebleu_counts([translation], [[reference]], **options)
    found = ter.counts([translation], [[reference]], **options)
    np.testing.assert_array_equal(found, expected)


def test_references_are_prepared_twice_as_in_sacrebleu():
    texts = ["about..1"]
    expected = sacrebleu_counts(texts, [texts], normalized=True)
    assert expected[0, 0] > 0
    np.testing.assert_array_equal(ter.counts(texts, [texts], normalized=True), expected)


@pytest.mark.parametrize("row", [[3, 12], [5, 4.5], [2, 0], [0, 0], [0, 7]])
def test_scores_are_sacrebleus(row):
    expected = TER()._compute_score_from_stats(row).score
    assert ter.ter(np.array(row, dtype=float)) == expected


def test_scores_go_along_the_last_axis():
    counts = np.array([[[1.0, 4.0], [0.0, 2.0]], [[3.0, 3.0], [1.0, 0.0]]])
    assert ter.ter(counts).tolist() == [[25.0, 0.0], [100.0, 100.0]]


def test_threads_and_batches_do_not_show(rng):
    lines = [" ".join(str(i) for i in rng.integers(6, size=n)) for n in rng.integers(40, size=60)]
    references = [[line] for line in reversed(lines)]
    once = ter.counts(lines, references)
    np.testing.assert_array_equal(ter.counts(lines, references, threads=3), once)
    alone = [ter.counts([h], [r])[0] for h, r in zip(lines, references, strict=True)]
    np.testing.assert_array_equal(alone, once)


def test_no_segments_have_no_counts():
    assert ter.counts([], []).shape == (0, 2)


def test_long_and_odd_lines_are_ordinary():
    line = "a b " * 10_000
    other = "b a " * 10_000
    lines = [line, "x" * 100_000, "\0 \ud800 \U0010ffff", line]
    references = [[line], ["y" * 100_000], ["\ud800 \0 \U0010ffff"], [other]]
    # The last one is compared in 40 windows with too many candidates for a shift in each: one word
    # is wrong at each end.
    assert ter.counts(lines, references)[:, 0].tolist() == [0, 1, 1, 80]


def test_references_given_the_wrong_way_round_are_refused():
    with pytest.raises(ConcordantError, match="one list per translation"):
        ter.counts(["a"], ["a"])


@pytest.mark.data
def test_wmt12_outputs_have_sacrebleus_counts(data):
    folder = data / "wmt12"
    reference = (folder / "references" / "newstest2012-ref.en").read_text("utf-8").split("\n")
    translations, references = [], []
    for path in sorted((folder / "system-outputs" / "newstest2012" / "cs-en").iterdir()):
        lines = path.read_text("utf-8").split("\n")
        translations += lines[:-1:90]
        references += [[text] for text in reference[:-1:90]]
    expected = sacrebleu_counts(translations, references)
    np.testing.assert_array_equal(ter.counts(translations, references), expected)
