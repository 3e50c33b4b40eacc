"""Explained scores: constant and parts add up to the raw total, and the scale gives the score."""

import math

import numpy as np
import pytest
from bad_input import run, write
from small_metrics import linear_metric

from concordant.metrics.find import load
from concordant.models.kinds import kind_of
from concordant.scoring.explanations import explain_blocks, explainable, means_of, scale_of
from concordant.scoring.line_blocks import TextFiles
from concordant.scoring.scores import prepare

TEXTS = ["The cat sat on a mat.", "", "x y z " * 50, "Nothing of it at all", "It rained."]


@pytest.fixture
def files(tmp_path):
    write(tmp_path / "ref", "The cat sat on the mat.\nSome\nx y z\nno overlap here\nIt rained.\n")
    return TextFiles((str(tmp_path / "ref"),)), str(
        write(tmp_path / "out", "".join(f"{text}\n" for text in TEXTS))
    )


def explained(metric, files):
    return explain_blocks(metric, files[0].blocks(files[1]), prepare(metric, files[0]))


@pytest.mark.parametrize("name", ["fast", "fast-any", "fast(scale=raw)"])
def test_constant_and_parts_are_the_raw_total(files, name):
    metric = explainable(load(name))
    (block,) = explained(metric, files)
    assert block.parts.sum(axis=1) + block.constant == pytest.approx(block.totals, abs=1e-9)
    mean = means_of(explained(metric, files))
    assert mean.parts.sum() + mean.constant == pytest.approx(mean.total, abs=1e-9)
    assert mean.score == pytest.approx(block.scores.mean())


def test_the_scale_that_is_named_gives_the_score(files):
    metric = explainable(load("fast"))
    (block,) = explained(metric, files)
    intercept, slope = metric.params["calibration"]
    assert scale_of(metric) == (
        f"score = 100 · Φ({intercept:.6g} + {slope:.6g} · raw total), Φ the normal distribution"
    )
    deviates = intercept + slope * block.totals
    scores = [50 * math.erfc(-each / math.sqrt(2)) for each in deviates]
    assert block.scores == pytest.approx(np.array(scores))
    assert scale_of(explainable(load("fast(scale=raw)"))) == "score = raw total"


@pytest.mark.parametrize("hidden", [0, 3])
def test_a_linear_metric_with_or_without_hidden_nodes(hidden):
    metric = linear_metric(hidden)
    references = [["The cat sat on the mat."]] * len(TEXTS)
    inputs = metric.preparation.inputs(TEXTS, references)
    how = kind_of("linear").explanation
    total = how.parts(metric, inputs).sum(axis=1) + how.constant(metric)
    assert total == pytest.approx(how.total(metric, inputs), abs=1e-9)


def test_what_is_shown_adds_up(files):
    shown, name = files
    asked = ["score", "-r", shown.references[0], "-t", name, "--explain", "--format", "tsv"]
    head, row = (line.split("\t") for line in run(*asked).out.splitlines())
    found = dict(zip(head, row, strict=True))
    parts = [float(found[each]) for each in head[head.index("constant") + 1 :]]
    assert sum(parts) + float(found["constant"]) == pytest.approx(float(found["raw_total"]))
    head, first, *_ = run(*asked, "--level", "segment").out.splitlines()
    assert head == "system\tsegment\tfast\traw total\tconstant\tmoved by"
    *_, total, constant, words = first.split("\t")
    moved = [float(each.rpartition(" ")[2]) for each in words.split(", ")]
    assert sum(moved) + float(constant) == pytest.approx(float(total), abs=0.004)
