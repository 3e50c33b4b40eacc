"""Warnings beside a score: what a metric is made for, and results that say nothing."""

import pytest

import concordant
from concordant.metrics.lexical.meteor import meteor
from concordant.metrics.lexical.meteor.data import Resources
from concordant.metrics.scope import Scope, scope_warnings
from concordant.metrics.signs import Signs, foreign_warnings, language_warnings, signs_of

ENGLISH = Scope(("en",))


@pytest.mark.parametrize(
    ("text", "english", "spaced"),
    [
        ("The house is by the river, and it is small.", True, True),
        ("我们今天去公园散步", False, False),
        ("我们 今天 去 公园 散步", False, True),
        ("天气很好。", False, False),
        ("天气 很 好 。", False, True),
        ("ฉัน ไป โรงเรียน ทุก วัน กับ เพื่อน", False, True),
        ("昨日は新しい本を買いました", False, False),
        ("ฉันไปโรงเรียนทุกวันกับเพื่อน", False, False),
        ("나는 매일 학교에 간다", False, True),
        ("Он не был в доме", False, True),
        ("", True, True),
    ],
)
def test_what_texts_show(text, english, spaced):
    found = signs_of([[text]])
    assert (found.english, found.spaced) == (english, spaced)


def test_the_language_given_decides_else_the_texts():
    russian = Signs(english=False)
    assert scope_warnings("m", ENGLISH, russian, "en") == ()
    assert '"ru"' in scope_warnings("m", ENGLISH, Signs(), "ru")[0]
    assert "do not look English" in scope_warnings("m", ENGLISH, russian)[0]
    assert "the references look Russian" in scope_warnings("m", ENGLISH, Signs("ru"))[0]
    assert scope_warnings("m", Scope(("hr",)), Signs("bs")) == ()  # too close to be told apart
    assert scope_warnings("m", Scope(("en", "ru")), russian) == ()
    assert scope_warnings("m", Scope(), russian, "ru") == ()


@pytest.mark.parametrize("name", ["bleu", "nist", "ter", "wer", "per", "rouge-l", "rouge-s"])
def test_measures_of_words_name_what_helps_where_there_are_no_spaces(name):
    texts = ["我们今天去公园散步", "他昨天买了一本新书"]
    found = concordant.load(name).score(texts, [[text] for text in texts]).warnings
    instead = found[0].rpartition("Use ")[2].rstrip(".").partition(" for Chinese")[0]
    helped = concordant.load(instead).score(texts, [[text] for text in texts])
    assert not any("spaces" in words for words in helped.warnings)


def test_meteor_says_which_matches_it_lacks():
    words = meteor.lacking(resources=Resources())
    assert words == (
        "meteor used exact and stem matches only; the data for synonym and paraphrase matches "
        "is not installed, so its scores differ from full METEOR's. Install its data: concordant "
        "resources install meteor-en."
    )
    assert meteor.lacking(modules=["exact"], resources=Resources()) == ""


def test_meteor_without_its_data_warns_beside_the_score(monkeypatch):
    monkeypatch.setattr(meteor, "load_resources", Resources)
    scores = concordant.load("meteor").score(["the cats"], [["the cat"]])
    assert "modules:exact+stem|" in scores.signature
    assert "meteor used exact and stem matches only" in scores.warnings[0]
    assert "meteor used" in repr(scores)


def test_meteor_for_english_warns_on_russian():
    found = concordant.load("meteor").score(["Он не был"], [["Он не был в доме"]]).warnings
    assert "meteor is made for English, but the references look Russian" in found[0]


@pytest.mark.parametrize("name", ["fast", "chrf"])
def test_a_constant_score_and_empty_translations_are_told(name):
    found = concordant.load(name).score([""] * 10, [["The house is small."]] * 10).warnings
    assert any("gives all 10 segments the same score" in words for words in found)
    assert "all 10 translations are empty." in found


GERMAN = [
    "Das Haus steht am Ufer des Flusses.",
    "Er kam zu spät zu der Sitzung.",
    "Es regnet heute.",
]


def test_lines_in_another_language_are_named():
    lines = [*GERMAN * 20, "Он не в первый раз опоздал на встречу с ней."]
    seen = signs_of([[line] for line in lines])
    assert (seen.language, seen.others) == ("de", ((61, "ru"),))
    assert language_warnings(seen) == (
        "1 of 61 segments has a reference that does not look German: line 61 (Russian).",
    )
    assert language_warnings(seen, "de") == language_warnings(seen)
    assert "but the references look German" in language_warnings(seen, "fr")[0]
    assert signs_of([[line] for line in GERMAN]).others == ()


def test_one_line_in_a_thousand_is_no_mixture():
    assert language_warnings(Signs("de", others=((7, "ru"),), lines=1000)) == ()
    assert foreign_warnings([7], 1, 1000) == ()
    assert foreign_warnings([7], 1, 100) == (
        "1 of 100 translations is in another language or script: line 7.",
    )
