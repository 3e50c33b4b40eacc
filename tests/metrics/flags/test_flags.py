"""Flags: what is suspicious is found, what is sound is left alone, each segment by itself."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_metrics import HYPOTHESES, REFERENCES, lexical_metric

from concordant.metrics.flags.flags import FLAGS, flag_table, flags, repeats
from concordant.metrics.flags.scripts import BLOCKS, SCRIPTS
from concordant.metrics.flags.text_traits import text_traits
from concordant.metrics.lexical.measures import measure_named

ENGLISH = "It was not the first time that he had been late for the meeting with her."
GERMAN = "Es war nicht das erste Mal, dass er zu spät zu der Sitzung mit ihr kam."
RUSSIAN = "Он не в первый раз опоздал на встречу с ней."
JAPANESE = "彼が彼女との会議に遅れたのは、これが初めてではありませんでした。"
CHINESE = "这不是他第一次在与她的会议上迟到了而且他也没有道歉或者说明理由。"


def of(output, *references, source=None, language=None):
    sources = None if source is None else [source]
    return flags([output], [list(references)], sources, language=language)[0]


@pytest.mark.parametrize(
    ("output", "references", "source", "expected"),
    [
        (ENGLISH, [ENGLISH], GERMAN, ()),
        ("", [ENGLISH], GERMAN, ("empty-output",)),
        (" \u00a0\t", [ENGLISH], None, ("empty-output",)),
        (ENGLISH, [""], None, ("empty-reference",)),
        (ENGLISH, [ENGLISH, " "], None, ("empty-reference",)),
        ("", [""], "", ("empty-output", "empty-reference")),
        (GERMAN, [ENGLISH], GERMAN, ("source-copy",)),
        (GERMAN.upper(), [ENGLISH], f" {GERMAN} ", ("source-copy",)),
        ("2,000 – 3,000", ["2,000 - 3,000"], "2,000 – 3,000", ()),
        ("Angela Merkel", ["Angela Merkel"], "Angela Merkel", ()),
        (RUSSIAN, [ENGLISH], None, ("wrong-script",)),
        (ENGLISH, [RUSSIAN], None, ("wrong-script",)),
        ("ΟΚ", [RUSSIAN], None, ("too-short",)),
        (GERMAN, [ENGLISH], None, ("wrong-language",)),
        (ENGLISH, [GERMAN], None, ("wrong-language",)),
        (GERMAN, [ENGLISH, GERMAN], None, ()),
        (CHINESE, [JAPANESE], None, ("wrong-language",)),
        (JAPANESE, [CHINESE], None, ("wrong-language",)),
        ("Passerby chodkyně zalarmovala policii mobilem", ["A passer-by called the police"],
         "Kolemjdoucí chodkyně zalarmovala policii mobilem", ("wrong-language",)),
        (f"{ENGLISH} {ENGLISH} {ENGLISH}", [ENGLISH], None, ("too-long",)),
        ("It was not.", [ENGLISH], None, ("too-short",)),
        ("Because of the weather", ["Rain"], None, ()),
        ("he was " * 4 + "late for the meeting, and not by a little", [ENGLISH], None, ("loop",)),
        ("ha ha ha ha ha ha", ["ha ha ha ha ha"], None, ()),
        ("- - - - - - - - -", ["- - -"], None, ()),
        ("好" * 30, [CHINESE], None, ("loop",)),
        ("a b c " * 700, [ENGLISH], None, ("too-long", "very-long", "loop")),
        (CHINESE * 70, [CHINESE], None, ("too-long", "very-long")),
        ("&quot;Rain&quot;, he said", ['"Rain", he said'], None, ("entities",)),
        ("Rain &amp; snow", ["Rain &amp; snow"], None, ("entities",)),
        ("R&D; fish &chips;", ["R&D; fish and chips"], None, ()),
    ],
)  # fmt: skip
def test_each_flag(output, references, source, expected):
    assert of(output, *references, source=source) == expected


def test_a_known_language_does_without_the_references_words():
    assert of(GERMAN, "Late for meetings again, Peter Miller?") == ()
    assert of(GERMAN, "Late for meetings again, Peter Miller?", language="en") == (
        "wrong-language",
    )
    assert of(ENGLISH, "Late for meetings again, Peter Miller?", language="en") == ()
    assert of(GERMAN, ENGLISH, language="xx") == ("wrong-language",)  # not in the table: as without


texts = st.text(max_size=40) | st.sampled_from([ENGLISH, GERMAN, RUSSIAN, CHINESE, "ab " * 50, ""])


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3), texts), max_size=8))
def test_a_segment_is_judged_by_itself(rows):
    whole = flags([o for o, _, _ in rows], [r for _, r, _ in rows], [s for _, _, s in rows])
    assert whole == [flags([o], [r], [s])[0] for o, r, s in rows]
    assert all(name in FLAGS for found in whole for name in found)


@given(st.lists(texts, max_size=5))
def test_letters_are_counted_as_one_by_one(lines):
    found = text_traits(lines).letters
    for row, line in zip(found, lines, strict=True):
        for script, count in zip(SCRIPTS, row, strict=True):
            inside = [any(a <= ord(c) <= b for a, b in BLOCKS[script]) for c in line]
            assert count == sum(inside)


@given(st.lists(texts, max_size=5))
def test_words_are_counted_as_one_by_one(lines):
    found = text_traits(lines)
    assert found.length.tolist() == [len(line.strip()) for line in lines]
    words = [line.lower().split() for line in lines]
    assert found.words.tolist() == [len(each) for each in words]


@given(st.lists(st.sampled_from(["a", "B", "b"]), max_size=40))
def test_words_that_repeat_are_seen(words):
    assert text_traits([" ".join(words)]).repeated.tolist() == [repeats([*map(str.lower, words)])]


@given(st.lists(st.sampled_from("ab"), max_size=14))
def test_repeats_as_an_obvious_search_finds_them(units):
    slow = any(
        units[i : i + p] * 4 == units[i : i + 4 * p]
        for p in range(1, 9)
        for i in range(len(units) - 4 * p + 1)
    )
    assert repeats(units) == slow


def test_blocks_do_not_overlap():
    spans = sorted(span for spans in BLOCKS.values() for span in spans)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(spans))


def test_a_metric_may_do_without_references():
    expected = [(), ("empty-output",), ("source-copy",)]
    translations, sources = ["a house", "", "Haus"], ["ein Haus", "x", "Haus"]
    assert flags(translations, [], sources) == expected
    assert flags(translations, [[], [], []], sources) == expected
    assert flags(translations, [["a house"], [], ["house"]], sources) == expected


def test_no_segments_have_no_flags():
    assert flag_table([], []).shape == (0, len(FLAGS))
    assert flags([], []) == []


def test_scores_carry_their_flags():
    expected = ((), (), ("empty-output",), (), ())
    assert lexical_metric().score(HYPOTHESES, REFERENCES).flags == expected
    assert measure_named("chrf").score(HYPOTHESES, REFERENCES).flags == expected
    long = [" ".join(["word"] * 2500)]
    scores = lexical_metric().score(long, [["word"]])
    assert np.isfinite(scores.segments).all()
    assert scores.flags == (("too-long", "very-long", "loop"),)


def test_flags_wait_until_they_are_read(monkeypatch):
    def complain(*_, **__):
        raise AssertionError("flags were computed")

    monkeypatch.setattr("concordant.metrics.scorer.flags", complain)
    for metric in (measure_named("chrf"), lexical_metric()):
        scores = metric.score(HYPOTHESES, REFERENCES)
        assert scores.warnings is not None
        with pytest.raises(AssertionError, match="flags were computed"):
            _ = scores.flags


def test_flags_are_of_the_texts_that_were_scored():
    translations, references = ["", "a house"], [["no"], ["a house"]]
    scores = measure_named("chrf").score(translations, references)
    translations[1], references[1][0] = "", ""
    assert scores.flags == (("empty-output",), ())


@given(st.text(max_size=4))
def test_a_translation_is_empty_where_it_is_all_white_space(text):
    assert ("empty-output" in flags([text], [["a"]])[0]) == (not text.strip())
