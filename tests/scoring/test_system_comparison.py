"""Systems compared: scores as `score` gives them, in whatever company, and told in words."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from bad_input import run, write
from small_metrics import vector_metric

import concordant
from concordant.errors import ConcordantError
from concordant.metrics.bundle import save
from concordant.metrics.find import load
from concordant.report.comparison import (
    comparison_document,
    comparison_tables,
    pair_records,
    pairs_table,
)
from concordant.report.page import page
from concordant.scoring.comparison import compare
from concordant.scoring.comparison_options import ComparisonOptions
from concordant.scoring.past_campaigns import percent
from concordant.scoring.verdict import verdict

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
SYSTEMS = ("alder", "birch", "cedar", "dogwood")
TEXTS = [f"sentence {i} of a small test set" for i in range(30)]
FEW = ComparisonOptions(resamples=300, permutations=300)


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


OUTPUTS = {name: lines(f"systems/{name}.txt") for name in SYSTEMS}
REFERENCES = [[text] for text in lines("reference-1.txt")]
DOCUMENTS = lines("documents.txt")


@pytest.mark.parametrize("name", ["chrf", "bleu", "ter", "nist"])
def test_scores_are_those_of_score(name):
    result = compare(OUTPUTS, REFERENCES, metric=name, options=FEW).metrics[0]
    measure = load(name)
    for i, texts in enumerate(OUTPUTS.values()):
        alone = measure.score(texts, REFERENCES)
        standing = result.contest.standings[i]
        assert result.shown(standing.score) == pytest.approx(alone.system, abs=1e-9)
        assert standing.low < standing.score < standing.high
        assert result.shown(1.0) * result.segments[i] == pytest.approx(alone.segments)
    assert [SYSTEMS[i] for i in result.order] == list(SYSTEMS)


def test_a_metric_says_the_same_beside_others():
    alone = compare(OUTPUTS, REFERENCES, metric="ter", options=FEW)
    among = compare(OUTPUTS, REFERENCES, metric=["chrf", "ter"], options=FEW)
    assert alone.metrics[0].contest == among.metrics[1].contest
    assert len(among.agreements) == 1
    agreement = among.agreements[0]
    assert (agreement.same_order, agreement.pairs) == (6, 6)
    pooled = [each.segments.ravel() for each in among.metrics]
    assert agreement.translations.value == pytest.approx(np.corrcoef(*pooled)[0, 1])
    assert agreement.translations.low < agreement.translations.value < agreement.translations.high


def test_pairs_stand_with_the_better_first():
    result = compare(dict(reversed(OUTPUTS.items())), REFERENCES, metric="ter", options=FEW)
    metric = result.metrics[0]
    records = pair_records(result, metric)
    assert len(records) == 6
    for record in records:
        assert SYSTEMS.index(record["better"]) < SYSTEMS.index(record["worse"])
        assert record["low"] <= record["difference"] <= record["high"]
        assert record["ahead"] > 0.5
        assert record["wins"] + record["losses"] + record["ties"] == 60
        assert record["wins"] > record["losses"]
    a, b = result.systems.index("alder"), result.systems.index("birch")
    wins, losses, ties = metric.outcomes(a, b)
    assert metric.outcomes(b, a) == (losses, wins, ties)
    gaps = np.abs(metric.segments[a] - metric.segments[b])
    assert [gaps[i] for i in metric.most_different(a, b, 5)] == sorted(gaps)[::-1][:5]


def test_documents_are_drawn_as_a_whole():
    plain = compare(OUTPUTS, REFERENCES, metric="chrf", options=FEW)
    drawn = compare(OUTPUTS, REFERENCES, metric="chrf", documents=DOCUMENTS, options=FEW)
    assert drawn.documents == len(set(DOCUMENTS)) == 10
    assert drawn.metrics[0].contest.units == 10
    assert plain.metrics[0].contest.units == 60
    assert "unit:documents" in drawn.signature(drawn.metrics[0])
    for one, other in zip(
        plain.metrics[0].contest.standings, drawn.metrics[0].contest.standings, strict=True
    ):
        assert one.score == pytest.approx(other.score)


def test_verdicts():
    sure = {"good": ["a b c d e f"] * 30, "bad": ["a b x y"] * 30}
    references = [["a b c d e f"]] * 30
    result = compare(sure, references, metric="chrf", options=FEW)
    chance = percent(result.metrics[0].people(0, 1).chance)
    assert verdict(result) == (
        f"good is significantly better than bad by chrf; chance that people agree: {chance} % "
        "(thin data)."
    )
    assert re.fullmatch(
        r"chrf \+85\.63 \(good over bad\): statistically significant \(p < 0\.\d{3}\); in past "
        r"campaigns people agreed with a difference like this 9\d % \[\d\d, 99\] of the time "
        r"\(thin data: fewer than 50 segments\)\.",
        *result.facts,
    )
    three = {**sure, "worse": ["x y z"] * 30}
    words = verdict(compare(three, references, metric="nist", options=FEW))
    assert words == "good is significantly better than the other 2 systems by nist."
    twins = {"one": sure["bad"], "two": sure["bad"], "three": sure["bad"]}
    words = verdict(compare(twins, references, metric="chrf", options=FEW))
    assert words == (
        "one, two and three have the same score by chrf; it cannot tell which is better."
    )
    rng = np.random.default_rng(0)
    noise = {
        name: [" ".join(rng.choice(list("abcdefxyz"), 6)) for _ in range(30)] for name in "pqrstu"
    }
    result = compare(noise, references, metric=["chrf", "ter"], options=FEW)
    words = verdict(result)
    assert "but not significantly better than 5 others; chance that people agree: " in words
    assert "agrees on the best" in result.facts[-1] or "puts" in result.facts[-1]


def test_other_metrics_in_the_verdict():
    translations = {"far": ["b a"] * 30, "near": ["a c"] * 30}
    metrics = ["wer", "per"]  # whatever the order, far has every word
    result = compare(translations, [["a b"]] * 30, metric=metrics, options=FEW)
    assert [each.partition(":")[0] for each in result.facts] == [
        "wer -50.00 (near over far)", "per -50.00 (far over near)", "But per puts far first.",
    ]  # fmt: skip
    twins = {"one": ["a b"] * 30, "two": ["a b"] * 30}
    result = compare(twins, [["a b c"]] * 30, metric=["chrf", "ter"], options=FEW)
    assert result.verdict.endswith("it cannot tell which is better.")
    assert result.facts == (
        "chrf: two and one have the same score.", "ter: two and one have the same score.",
        "ter agrees on that.",
    )  # fmt: skip


def test_a_metric_may_be_loaded_already(tmp_path):
    two = {name: OUTPUTS[name] for name in ("alder", "birch")}
    fast = concordant.load("fast")
    named = compare(two, REFERENCES, metric=["fast", "chrf"], options=FEW)
    loaded = compare(two, REFERENCES, metric=[fast, concordant.load("chrf"), fast], options=FEW)
    assert [each.contest for each in named.metrics] == [each.contest for each in loaded.metrics]
    assert compare(two, REFERENCES, metric=fast, options=FEW).metrics[0].name == "fast"
    save(fast, tmp_path / "mine")
    with pytest.raises(ConcordantError, match="two metrics are called fast"):
        compare(two, REFERENCES, metric=["fast", str(tmp_path / "mine")], options=FEW)


def test_a_language_chooses_the_metric_in_python_too():
    german = {"same": lines("source.txt"), "other": lines("source.txt")[::-1]}
    references = [[text] for text in lines("source.txt")]
    default = compare(german, references, language="de", options=FEW)
    assert [each.name for each in default.metrics] == ["fast-any"]
    (said,) = default.warnings
    assert said.startswith("fast-any scores here, since the language given is")
    result = compare(german, references, metric="fast", language="de", options=FEW)
    assert [each.name for each in result.metrics] == ["fast"]
    assert result.warnings[0].startswith('fast is made for English, but the language given is "de"')
    assert verdict(result) == (
        "No verdict: fast is not reliable on these texts (see the warnings)."
    )
    assert result.warnings[0] in html.unescape(page(result))
    assert comparison_document(result, segments=0)["warnings"] == list(result.warnings)


def test_a_p_value_at_its_floor_is_a_bound():
    translations = {
        name: [f"{text} {'x ' * i}" for text in TEXTS] for i, name in enumerate("abcdef")
    }
    result = compare(translations, [[text] for text in TEXTS], metric="chrf")
    records = pair_records(result, result.metrics[0])
    assert all(each["p_bootstrap_at_floor"] for each in records)
    found = {each["p_bootstrap_holm"] for each in records}
    assert sorted(found) == pytest.approx([15 / 1001])
    cells = pairs_table(result, result.metrics[0]).cells
    assert {row[4] for row in cells} == {"< 0.0150"}
    assert "p: &lt; 0.0150 (bootstrap)" in page(result)
    near = compare({"a": TEXTS, "b": TEXTS}, [[text] for text in TEXTS], metric="chrf")
    assert pairs_table(near, near.metrics[0]).cells[0][4:] == ["1.0000"] * 2 + [
        "0", "0", "30", "equal", "50 % [50, 50]",
    ]  # fmt: skip


def test_several_metrics_are_told_apart_in_titles():
    two = {name: OUTPUTS[name] for name in ("alder", "birch")}
    result = compare(two, REFERENCES, metric=["chrf", "ter"], options=FEW)
    titles = [table.title for table in comparison_tables(result, segments=0)]
    assert "2 systems on 60 segments, by chrf" in titles
    assert "2 systems on 60 segments, by ter" in titles
    assert len(titles) == len(set(titles))


def test_the_same_outputs_twice_say_nothing_of_what_can_be_shown():
    two = {name: OUTPUTS[name] for name in ("alder", "birch")}
    alone = compare(two, REFERENCES, metric="chrf", options=FEW)
    among = compare({**two, "again": OUTPUTS["alder"]}, REFERENCES, metric="chrf", options=FEW)
    assert among.metrics[0].detectable == pytest.approx(alone.metrics[0].detectable)
    twins = {"one": OUTPUTS["alder"], "two": OUTPUTS["alder"]}
    same = compare(twins, REFERENCES, metric="chrf", options=FEW)
    assert same.metrics[0].detectable is None
    assert comparison_document(same, segments=3)["detectable"] == {"chrf": None}
    tables = comparison_tables(same, segments=3)
    assert [table.title for table in tables] == ["2 systems on 60 segments", "pairs by chrf"]
    assert not any("80 % power" in line for table in tables for line in table.footer)
    assert "80 % power" in page(alone)
    assert "80 % power" not in page(same)
    assert "+0.00" not in page(same)


def test_draws_are_enough_for_the_number_of_pairs():
    assert ComparisonOptions().settled(2).resamples == 1000
    assert (
        ComparisonOptions().settled(12).resamples == 3000
    )  # 66 pairs: 1000 could not show p < 0.05
    with pytest.raises(ConcordantError, match=r"1000 resamples are too few .* at least 1320 are"):
        ComparisonOptions(resamples=1000).settled(12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"translations": {"A": ["x", "y"]}}, "1 system cannot be compared; give at least two"),
        (
            {"translations": {"A": ["x", "y"], "B": ["x"]}},
            "B: 1 translations, but references for 2",
        ),
        ({"references": [1, 2]}, r"A: references must be one list per translation"),
        ({"references": [["x", "y"]]}, "one list per reference file, transpose them"),
        ({"translations": {"A": ["x"], "B": ["x"]}, "references": [["x"]]}, "1 segment is too few"),
        ({"sources": ["x"]}, "1 sources for 2 segments"),
        ({"documents": ["x"]}, "1 documents for 2 segments"),
        ({"documents": ["x", "x"]}, "all segments are in one document"),
        ({"metric": "chrff"}, 'did you mean "chrf"'),
    ],
)
def test_what_cannot_be_compared(change, words):
    given = {"translations": {"A": ["x", "y"], "B": ["x", "z"]}, "references": [["x"], ["y"]]}
    given.update(change)
    with pytest.raises(ConcordantError, match=words):
        concordant.compare(given.pop("translations"), given.pop("references"), **given)


def test_a_metric_that_needs_sources(tmp_path):
    metric = vector_metric("small-static", anchors=("reference", "source"))
    save(metric, tmp_path / "metric")
    translations = {"A": ["the house", "a street"], "B": ["the old", "a new"]}
    references = [["the house"], ["a new street"]]
    with pytest.raises(ConcordantError, match=r"needs the source; give the sources too \(-s\)"):
        compare(translations, references, metric=str(tmp_path / "metric"))
    result = compare(translations, references, ["das Haus", "die"], metric=str(tmp_path / "metric"))
    expected = metric.score(translations["A"], references, ["das Haus", "die"]).segments
    assert result.metrics[0].segments[0] == pytest.approx(expected)


FILES = [EXAMPLES / "systems" / f"{name}.txt" for name in SYSTEMS]
ASKED = ["compare", "-r", EXAMPLES / "reference-1.txt", *FILES, "--resamples", 200,
         "--permutations", 200]  # fmt: skip


def test_the_command_in_every_form(tmp_path):
    shown = run(*ASKED, "-m", "chrf", "-m", "ter", "--documents", EXAMPLES / "documents.txt")
    assert shown.code == 0
    assert shown.out.startswith("alder ")
    for words in ("all metrics", "4 systems on 60 segments of 10 documents", "pairs by ter",
                  "agreement of the metrics", "where alder and birch differ most"):  # fmt: skip
        assert words in shown.out
    whole = json.loads(run(*ASKED, "-m", "chrf", "-m", "ter", "--format", "json").out)
    result = compare(OUTPUTS, REFERENCES, metric=["chrf", "ter"], threads=2,
                     options=ComparisonOptions(resamples=200, permutations=200))  # fmt: skip
    assert whole == json.loads(json.dumps(comparison_document(result, segments=3)))
    assert [each["system"] for each in whole["ranking"]] == [*SYSTEMS, *SYSTEMS]
    assert len(whole["pairs"]) == 12
    rows = [json.loads(line) for line in run(*ASKED, "--format", "jsonl").out.splitlines()]
    assert {row["table"] for row in rows} == {"ranking", "pairs", "segments"}
    blocks = run(*ASKED, "--format", "tsv", "--segments", 0).out.split("\n\n")
    assert [block.split("\t")[0] for block in blocks] == ["table", "table"]
    page = tmp_path / "report.html"
    assert f"note: report written to {page}" in run(*ASKED, "--html", page).err
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (["--html", "."], 1, "is a folder; name a file"),
        (["--html", "no/such/x.html"], 1, "no/such; create it first"),
        (["--html", FILES[0]], 1, "alder.txt is one of the inputs; name another file to write to"),
        (["--html", FILES[0] / "x.html"], 1, "alder.txt"),
        (["--documents", FILES[0].parent], 1, "is a folder; name a file in it"),
        ([FILES[0]], 2, "the same translation file is given twice"),
        (["-"], 2, "compare cannot read standard input"),
        (["--resamples", 100], 1, "100 resamples are too few to test 4 systems"),
    ],
)
def test_wrong_use_of_the_command(more, code, words):
    answer = run(*ASKED[: 3 + len(FILES)], *more)
    assert answer.code == code
    assert words in answer.err


def test_files_of_another_length(tmp_path):
    short = write(tmp_path / "short", "one\ntwo\n")
    message = run("compare", "-r", EXAMPLES / "reference-1.txt", FILES[0], short).complaint
    assert "short: has 2 lines; all files must have the same number" in message
    message = run(*ASKED, "--documents", short).complaint
    assert "short: has 2 lines" in message
