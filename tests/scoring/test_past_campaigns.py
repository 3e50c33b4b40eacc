"""What past campaigns say of a difference: the table that ships, and when there is no figure."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import concordant
from concordant.errors import ConcordantError
from concordant.metrics.find import in_language, load
from concordant.scoring import past_campaigns
from concordant.scoring.comparison import compare
from concordant.scoring.comparison_options import ComparisonOptions
from concordant.scoring.past_campaigns import (
    FILE,
    INTO,
    OUT,
    core_signature,
    past_agreement,
    past_table,
    percent,
)

FIGURES = Path(__file__).parents[2] / "benchmarks" / "deltas.json"
ROWS = past_table().rows
NAMES = [f"{row.metric} {row.direction}" for row in ROWS]
NO_PARTS = ("bleu", "chrf", "chrf++", "ter", "fast", "fast-any", "base")
REVAL = ["parser-en", "glove-840b", "glove-100", "glove-50"]
FEW = ComparisonOptions(resamples=100, permutations=100)


def english(name, segments=1000, references=1, **how):
    return past_agreement(load(name), segments, references, english=True, **how)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_chances_rise_with_differences_and_lie_in_their_intervals(row):
    found = past_campaigns.PastAgreement(row, 1000, "1")
    at = [found.of(d * row.largest) for d in np.linspace(0, 1.5, 40)]
    for name in ("chance", "low", "high"):
        values = [getattr(each, name) for each in at]
        assert values == sorted(values)
    for each in at:
        assert 0.5 <= each.low <= each.chance <= each.high <= 1
    assert at[-1] == found.of(row.largest)  # nothing is extrapolated
    assert found.of(-1.0) == found.of(1.0)


def test_the_table_has_the_usual_metrics():
    both = {"bleu", "chrf", "chrf++", "ter", "meteor"}
    into = both | {"fast", "fast-any", "base", "reval"}
    assert into <= {r.metric for r in ROWS if r.direction == INTO}
    assert both <= {r.metric for r in ROWS if r.direction == OUT}


@pytest.mark.parametrize("name", NO_PARTS)
def test_the_table_is_of_the_metrics_as_they_ship(name):
    # A metric that was retrained needs a new row: python shipping/deltas.py --metric NAME
    assert english(name).row is not None


@pytest.mark.parametrize("name", ["meteor", "reval"])
def test_the_table_is_of_metrics_with_parts_too(part, name):
    for each in {"meteor": ["meteor-en"]}.get(name, REVAL):
        part(each)
    assert english(name).row is not None


def test_the_version_is_a_hash_of_the_rows():
    text = FILE.read_text(encoding="utf-8")
    lines = text.partition("[\n")[2].removesuffix("\n]}\n")
    assert past_table().version == f"1.{hashlib.sha256(lines.encode()).hexdigest()[:8]}"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nist", "none into English was scored by nist"),
        ("bleu(tok=intl)", "they were scored by bleu with other options, data or weights"),
        ("fast(scale=raw)", "they were scored by fast with other options, data or weights"),
    ],
)
def test_no_figure_for_what_was_not_measured(name, words):
    found = english(name)
    assert found.limits == f"no figure from past campaigns: {words}"
    assert (found.of(1.0).chance, found.of(1.0).short) == (None, "–")


def test_a_language_chooses_the_direction():
    metric = load("chrf")
    german = past_agreement(metric, 500, 1, english=True, language="de")
    assert (german.row.direction, german.limits) == (OUT, "")
    assert past_agreement(metric, 500, 1, english=False, language="en").row.direction == INTO
    assert past_agreement(metric, 500, 1, english=False).row.direction == OUT
    swahili = past_agreement(metric, 500, 1, english=True, language="sw")
    assert swahili.limits == 'thin data: no past campaign into "sw"'
    chinese = load(in_language("bleu", "zh"))
    assert past_agreement(chinese, 500, 1, english=False, language="zh").row is None
    assert past_agreement(load("fast"), 500, 1, english=False, language="de").missing == (
        "none out of English was scored by fast"
    )


def test_thin_data_are_called_thin():
    found = english("chrf", segments=20, references=2).of(1.0)
    assert found.thin
    assert found.words.endswith(
        "of the time (thin data: fewer than 50 segments; 2 references, past campaigns had one)"
    )
    assert not english("chrf").of(1.0).thin


def test_more_segments_make_a_difference_surer():
    assert english("bleu", 100).of(1.0).chance < english("bleu", 3000).of(1.0).chance


def test_no_chance_is_100_percent():
    assert percent(0.9999) == 99
    assert english("bleu").of(50.0).short.startswith("99 % [")


def test_the_language_of_meteor_is_not_another_metric():
    assert core_signature(load("meteor(lang=de)")).startswith("metric:meteor|version:1.5|modules:")


def test_a_comparison_tells_it_everywhere():
    references = [f"the {word} sat on the mat in house {i}" for i, word in enumerate("abcd" * 20)]
    systems = {"A": references, "B": [text.replace("mat", "rug") for text in references]}
    result = compare(systems, references, metric=["chrf", "nist"], language="en", options=FEW)
    chance = result.metrics[0].people(0, 1)
    assert f"; chance that people agree: {percent(chance.chance)} %." in result.verdict
    assert chance.short in result.facts[0]
    assert "no figure from past campaigns: none into English was scored by nist" in result.facts[1]
    first, second = result.to_dict()["pairs"]
    assert first["people_agree_low"] <= first["people_agree"] <= first["people_agree_high"]
    assert second["people_agree"] is None
    assert f"|past:{past_table().version}" in result.signature(result.metrics[0])
    assert "|past:" not in result.signature(result.metrics[1])
    assert concordant.compare(systems, references, metric="chrf", options=FEW).facts


def test_a_table_of_another_format_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "past_campaigns.json"
    other.write_text(json.dumps({"format": 99}), encoding="utf-8")
    monkeypatch.setattr(past_campaigns, "FILE", other)
    with pytest.raises(ConcordantError, match="has format 99, and this version reads 1"):
        past_table.__wrapped__()


def test_the_figures_of_years_left_out_hold():
    rows = json.loads(FIGURES.read_text(encoding="utf-8"))["rows"]
    assert {(each["metric"], each["direction"]) for each in rows} == {
        (each.metric, each.direction) for each in ROWS
    }
    for each in rows:
        assert each["log_loss"] < each["constant_log_loss"], each["metric"]
    weight = sum(each["weight_at_80"] for each in rows)
    assert 0.75 <= sum(e["right_at_80"] * e["weight_at_80"] for e in rows) / weight <= 0.85
