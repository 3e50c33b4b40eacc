"""The `repr` of everything that users hold is a few lines at most."""

import numpy as np
import pytest
from small_metrics import lexical_metric

import concordant
from concordant.brief import Brief
from concordant.records import Collection, Preference, Rating, ScoreLines, ScoreTable, TestSet
from concordant.scoring.ranking import RoundRobin
from concordant.training.recipe import read_recipe

LONGEST = 500
TEXTS = [f"this is text number {i} of them all" for i in range(200)]
REFERENCES = [[f"this is the text number {i} of all"] for i in range(200)]


def held():
    """What users hold, by name."""
    compared = concordant.compare(
        {f"system {i}": TEXTS[i:] + TEXTS[:i] for i in range(12)},
        REFERENCES,
        metric=["chrf", "bleu"],
    )
    ratings = tuple(
        Rating("set", "de-en", f"system {s}", i, float(i % 7 + s))
        for i in range(1, 100)
        for s in range(3)
    )
    numbered = dict(enumerate(TEXTS, 1))
    collection = Collection(
        (TestSet("set", "de-en", references={"ref": numbered},
                 translations={f"system {s}": numbered for s in range(3)}),),
        preferences=tuple(Preference("s", "de-en", i, "a", "b") for i in range(200)),
        ratings=ratings,
        notes=tuple(TEXTS),
    )  # fmt: skip
    fast = concordant.load("fast")
    yield from (fast, fast.preparation, fast.preparation.features, *fast.preparation.vectors)
    yield from (each for each in fast.preparation.features.features)
    encodings = (each.encoding for each in fast.preparation.features.features)
    yield from (each.encoder for each in encodings if each is not None)
    yield fast.preparation.inputs(TEXTS, REFERENCES)
    yield from (fast.score(TEXTS, REFERENCES), concordant.load("bleu"), lexical_metric())
    yield from (concordant.load("bleu").score(TEXTS, REFERENCES), compared, *compared.metrics)
    yield from (compared.metrics[0].contest, compared.metrics[0].contest.pairs[0], collection)
    yield from (*collection.testsets, ScoreLines("m", (0.5,) * 1000), ScoreTable("m", {}))
    evaluated = concordant.evaluate(["chrf", "bleu"], collection)
    yield from (evaluated, *evaluated.rows, *evaluated.comparisons, read_recipe("lexical"))
    yield RoundRobin(("a", "b"), np.zeros((100, 2, 2)), np.zeros((100, 2)))
    yield from (concordant.ComparisonOptions(), concordant.EvaluationOptions())


def test_every_repr_is_short():
    long = {type(each).__name__: len(repr(each)) for each in held() if len(repr(each)) >= LONGEST}
    assert not long


def test_a_repr_shows_the_warnings():
    scores = concordant.load("bleu").score(
        ["我们今天去公园散步"] * 200, [["他昨天买了一本新书"]] * 200
    )
    assert "splits on spaces" in repr(scores)


@pytest.mark.parametrize("kind", Brief.__subclasses__(), ids=lambda kind: kind.__name__)
def test_the_short_repr_is_not_overruled(kind):
    assert kind.__repr__ is Brief.__repr__
