"""Entities in judged texts: read as characters where many lines have some."""

import numpy as np
import pytest

from concordant.errors import SpecError
from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.judgements.entities import HOW, MANY, has_entities, read_entities
from concordant.records import Collection, Rating, TestSet

LINES = 40


def collection(escaped, *, reference="he said “rain”, and & left"):
    """Two systems; in so many lines one of them wrote the reference with entities."""
    plain = dict.fromkeys(range(1, LINES + 1), reference)
    markup = reference.replace("&", "&amp;").replace("“", "&#8220;").replace("”", "&rdquo;")
    noisy = {i: markup if i <= escaped else line for i, line in plain.items()}
    texts = TestSet("t", "de-en", references={"r": plain},
                    translations={"good": plain, "noisy": noisy})  # fmt: skip
    rng = np.random.default_rng(3)
    ratings = tuple(
        Rating("t", "de-en", system, i, float(rng.normal()))
        for system in ("good", "noisy")
        for i in plain
    )
    return Collection((texts,), ratings=ratings)


def noisy_lines(read):
    return list(read.testsets[0].translations["noisy"].values())


@pytest.mark.parametrize(
    ("escaped", "how", "read"),
    [
        (int(MANY * LINES), "auto", True),
        (int(MANY * LINES) - 1, "auto", False),
        (1, "characters", True),
        (LINES, "text", False),
        (0, "characters", False),
    ],
)
def test_when_entities_are_read(escaped, how, read):
    given = collection(escaped)
    found = read_entities(given, how)
    assert (found is not given) == read
    assert any(map(has_entities, noisy_lines(found))) == (escaped > 0 and not read)
    if read:
        assert noisy_lines(found) == list(given.testsets[0].references["r"].values())
        assert (
            "t de-en: entities such as &quot; are read as characters; noisy has some"
            in (found.notes[-1])
        )


def test_references_that_are_escaped_are_read_too():
    given = collection(0, reference="&quot;rain&quot;, he said")
    read = read_entities(given)
    assert set(read.testsets[0].references["r"].values()) == {'"rain", he said'}
    assert set(noisy_lines(read)) == {'"rain", he said'}


def test_what_is_read_once_is_not_read_again():
    given = collection(LINES, reference="&amp;amp; stays")
    once = read_entities(given, "characters")
    assert set(noisy_lines(once)) <= {"&amp; stays", "&amp;amp; stays"}


def test_another_way_is_an_error_that_lists_what_is_known():
    with pytest.raises(SpecError, match='entities "html" is not one of auto, characters, text'):
        read_entities(collection(0), "html")
    assert list(HOW) == ["auto", "characters", "text"]


def test_an_evaluation_says_in_its_signature_what_it_read():
    given = collection(20)
    results = {
        how: evaluate("chrf", given, EvaluationOptions(entities=how, resamples=10)) for how in HOW
    }
    for how, result in results.items():
        assert ("|entities:characters|" in result.signature) == (how != "text")
        assert any("entities such as" in note for note in result.notes) == (how != "text")
    figures = {how: result.rows[0].estimates["t de-en"] for how, result in results.items()}
    assert figures["auto"] is None  # all texts are the reference: chrF is constant
    assert figures["text"].value is not None


def test_texts_without_entities_are_the_same_in_every_way():
    given = collection(0)
    signatures = {
        evaluate("chrf", given, EvaluationOptions(entities=how, resamples=10)).signature
        for how in HOW
    }
    assert len(signatures) == 1
    assert "entities" not in signatures.pop()


def test_plain_scores_keep_sacrebleus_numbers():
    """`score` reads entities as they are written; a flag says so."""
    from concordant import score

    line, reference = "&quot;rain&quot;, he said", '"rain", he said'
    scores = score([line], [[reference]], metric="bleu")
    assert scores.flags == (("entities",),)
