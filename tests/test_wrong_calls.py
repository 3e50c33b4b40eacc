"""Wrong calls of the Python API: a result or an error in words, never another exception or NaN."""

import math
import warnings
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from small_metrics import lexical_metric

import concordant
from concordant.errors import ConcordantError
from concordant.records import Collection, Rating, TestSet

TEXTS, REFERENCES = ["a small house", "it rained"], [["a small house"], ["it is raining"]]
ALONE = "\ud800 alone"
DEEP = [[[["a"]]]]
LONGEST = 2000  # characters of an error
ENDLESS: list = []
ENDLESS.append(ENDLESS)


class Odd:
    """An object that is none of the things asked for."""


# Each is wrong as nearly every argument.
WRONG = {
    "None": None, "true": True, "minus one": -1, "zero": 0, "float": 1.5, "nan": math.nan,
    "infinite": math.inf, "huge": 10**400, "int64": 2**63, "text": "text", "empty": "",
    "bytes": b"bytes", "list": [], "numbers": [1, 2], "nones": [None, None], "dict": {},
    "by key": {"a": 1}, "set": {"a", "b"}, "array": np.zeros(2), "matrix": np.zeros((2, 2)),
    "scalar": np.float64("nan"), "object array": np.array([None, "a"], dtype=object),
    "text array": np.array(["a", "b"]), "nested": DEEP, "endless": ENDLESS, "object": Odd(),
    "class": Odd, "function": len, "path": Path("nowhere"), "alone": ALONE,
    "texts with one alone": [ALONE, "b"], "bytes in a list": [b"a", b"b"],
    "mixed": ["a", 1], "tuple": ("a",), "range": range(2), "exception": ValueError("x"),
    "nul": ["a\0b", "c"], "complex": 1j,
}  # fmt: skip


def generated():
    """An iterator: it can be read once, and has no length."""
    return iter(["a", "b"])


@cache
def collection():
    ratings = tuple(
        Rating("t", "de-en", system, segment, float(segment + len(system)))
        for segment in range(1, 5)
        for system in ("a", "bb", "ccc")
    )
    texts = {s: {i: f"{s} text {i}" for i in range(1, 5)} for s in ("a", "bb", "ccc")}
    return Collection(
        (TestSet("t", "de-en", references={"r": {i: f"text {i}" for i in range(1, 5)}},
                 translations=texts),),
        ratings=ratings,
    )  # fmt: skip


@cache
def metric(name):
    return lexical_metric() if name == "small" else concordant.load(name)


def score(name, *given, **options):
    return metric(name).score(*given, **options)


def comparison(**changed):
    given = {
        "translations": {"A": TEXTS, "B": TEXTS[::-1]},
        "references": REFERENCES,
        "metric": "chrf",
    }
    given.update(changed)
    return concordant.compare(**given)


def compared_with(**options):
    return comparison(options=concordant.ComparisonOptions(**options))


def evaluation(**changed):
    given = {"metrics": "chrf", "judgements": collection(), **changed}
    return concordant.evaluate(**given)


def evaluated_with(**options):
    return evaluation(options=concordant.EvaluationOptions(**options))


def training(**changed):
    return concordant.train(**{"recipe": "lexical", "judgements": collection(), **changed})


SCORERS = ("bleu", "fast", "small")
CALLS = {
    **{
        f"{name}.score({argument})": (partial(score, name), argument)
        for name in SCORERS
        for argument in ("translations", "references", "sources", "threads", "language")
    },
    **{f"meteor.score({each})": (partial(score, "meteor"), each) for each in ("translations",)},
    **{
        f"small.prefer({each})": (lambda **given: metric("small").prefer(**given), each)
        for each in ("first", "second", "references", "sources", "threads")
    },
    **{f"compare({each})": (comparison, each) for each in (
        "translations", "references", "sources", "metric", "documents", "language", "options",
        "threads", "track")},
    **{f"ComparisonOptions({each})": (compared_with, each) for each in (
        "resamples", "permutations", "level", "seed")},
    **{f"evaluate({each})": (evaluation, each) for each in (
        "metrics", "judgements", "options", "track")},
    **{f"EvaluationOptions({each})": (evaluated_with, each) for each in (
        "level", "statistic", "average", "gap", "human", "judged", "pairs", "by_document",
        "system_scores", "drop_outliers", "baseline", "test", "lower_is_better", "resamples",
        "permutations", "confidence", "seed")},
    **{f"train({each})": (training, each) for each in (
        "recipe", "judgements", "changes", "learning_curve", "threads")},
    **{f"train(changes={each})": (
        lambda value, key=each: training(changes={key: value}), "value") for each in (
        "optimiser.rate", "seed", "model.hidden", "inputs.features", "data.language_pairs")},
    "load(name)": (concordant.load, "name"),
    "read_judgements(path)": (concordant.read_judgements, "path"),
    "read_judgements(as_format)": (
        lambda as_format: concordant.read_judgements(__file__, as_format=as_format), "as_format"),
}  # fmt: skip

BASES = {
    "score": {"translations": TEXTS, "references": REFERENCES},
    "prefer": {"first": TEXTS, "second": TEXTS, "references": REFERENCES},
}


def base_of(call):
    return next((given for kind, given in BASES.items() if f".{kind}(" in call), {})


def numbers_in(value):
    """All floats inside a result."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from value.ravel().tolist()
    elif isinstance(value, list | tuple):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, dict):
        yield from numbers_in(list(value.values()))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from numbers_in([getattr(value, each.name) for each in fields(value)])


def check(call, **given):
    """Make a call that may be wrong: it gives a result without NaN, or an error in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = call(**given)
        except ConcordantError as fault:
            result, words = None, str(fault).strip()
        else:
            words = "a result"
    assert 0 < len(words) < LONGEST
    assert not any(map(math.isnan, numbers_in(result)))


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_argument_is_an_error_in_words(call, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    function, argument = CALLS[call]
    failed = {}
    for name, value in {**WRONG, "iterator": generated()}.items():
        if argument == "track" and callable(value):
            continue  # what a function of the user's raises is the user's
        try:
            check(function, **{**base_of(call), argument: value})
        except Exception as fault:
            failed[name] = f"{type(fault).__name__}: {fault}"[:200]
    assert not failed


def test_there_are_enough_of_them():
    assert len(CALLS) * len(WRONG) > 400
