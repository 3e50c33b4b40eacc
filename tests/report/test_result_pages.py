"""The pages of evaluations and trainings have the tables' figures, and a browser shows them."""

import re

import numpy as np
import pytest
from bad_input import run
from browsers import axe_source, findings, open_browser, opened
from small_comparison import EXAMPLES, FACTS

from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.report.evaluation_page import evaluation_page
from concordant.report.training_page import training_page
from concordant.stats.binned import binned
from concordant.training.course import train

FEW = {"resamples": 100, "permutations": 100}


@pytest.fixture(scope="module")
def evaluated():
    return evaluate(["chrf", "bleu"], EXAMPLES, EvaluationOptions(**FEW), keep_points=True)


@pytest.fixture(scope="module")
def trained():
    changes = {"data.kind": "preferences"}
    return train("lexical", EXAMPLES, changes=changes, learning_curve=True)


def test_the_page_of_an_evaluation_has_every_figure(evaluated):
    text = evaluation_page(evaluated, FACTS)
    for row in evaluated.rows:
        for each in row.estimates.values():
            assert f"{each.value:.3f}" in text
            assert f"{each.low:.3f} to {each.high:.3f}" in text
        assert row.signature in text
    assert text.count('class="chart"') == 2
    assert "<script>document" not in text
    assert text == evaluation_page(evaluated, FACTS)
    assert "bleu agrees most with people in examples de-en" in text


def test_points_are_scores_beside_ratings(evaluated):
    assert [(each.metric, each.pairs) for each in evaluated.points] == [
        ("chrf", False), ("bleu", False)
    ]  # fmt: skip
    chrf = evaluated.points[0]
    found = evaluated.rows[0].estimates["examples de-en"].value
    assert np.corrcoef(chrf.scores, chrf.human)[0, 1] == pytest.approx(found)


def test_points_of_pairs_are_agreements():
    asked = EvaluationOptions(judged="preferences", statistic="tau-wmt12", **FEW)
    found = evaluate("chrf", EXAMPLES, asked, keep_points=True)
    (points,) = found.points
    assert points.pairs
    assert set(points.human) <= {0.0, 0.5, 1.0}
    assert "share of pairs in agreement" in evaluation_page(found)
    assert evaluate("chrf", EXAMPLES, asked).points == ()


def test_systems_are_points_at_their_level():
    asked = EvaluationOptions(level="system", **FEW)
    (points,) = evaluate("chrf", EXAMPLES, asked, keep_points=True).points
    assert len(points.scores) == len(points.human) == 4


def test_the_page_of_a_training_has_its_figures(trained):
    text = training_page(trained, FACTS)
    for each in trained.trained.reached.estimates.values():
        assert f"{each.value:.4f}".replace("-", "−") in text
    assert len(trained.curve) == 4
    assert text.count('class="chart"') == 3  # learning curve, reliability, epochs
    assert trained.metric.signature() in text
    assert text == training_page(trained, FACTS)


def test_bins_hold_every_value_once_and_shares_stay_shares(rng):
    said, true = rng.random(500), (rng.random(500) < 0.9).astype(float)
    found = binned(said, true, shares=True)
    assert sum(each.count for each in found) == 500
    assert all(0 <= each.low <= each.true <= each.high <= 1 for each in found)
    assert np.average([e.true for e in found], weights=[e.count for e in found]) == pytest.approx(
        true.mean()
    )
    assert len(binned(np.zeros(5), np.ones(5))) == 1
    alone = binned(np.arange(3.0), np.arange(3.0), 3)[0]
    assert (alone.low, alone.high) == (alone.true, alone.true)


def test_a_browser_shows_both_without_trouble(evaluated, trained, tmp_path):
    pages = {"evaluation": evaluation_page(evaluated, FACTS), "training": training_page(trained)}
    axe = axe_source(tmp_path)
    with open_browser() as browser:
        for name, text in pages.items():
            path = tmp_path / f"{name}.html"
            path.write_text(text, encoding="utf-8")
            for width, scheme in ((1400, "light"), (400, "dark")):
                with opened(browser, path, width=width, scheme=scheme) as shown:
                    size = "document.documentElement.scrollWidth - innerWidth"
                    assert shown.evaluate(size) <= 0
                    assert findings(shown, axe) == []


def test_the_language_pairs_are_chosen(tmp_path):
    folder = tmp_path / "ratings"
    folder.mkdir()
    rows = (EXAMPLES / "ratings.csv").read_text(encoding="utf-8")
    for pair in ("de-en", "fr-en"):
        (folder / f"x.{pair}.csv").write_text(rows.replace("de-en", pair), encoding="utf-8")
    scores = tmp_path / "scores.txt"
    scores.write_text("".join(f"{i % 17}\n" for i in range(480)), encoding="utf-8")
    asked = EvaluationOptions(**FEW)
    found = evaluate(str(scores), folder, asked, keep_points=True)
    path = tmp_path / "two.html"
    path.write_text(evaluation_page(found), encoding="utf-8")
    with open_browser() as browser, opened(browser, path) as shown:
        assert shown.locator(".by-choice:visible").count() == 1
        shown.locator("#choice label").nth(1).click()
        assert shown.locator(".by-choice:visible").get_attribute("data-choice") == "1"


def test_the_commands_write_pages(tmp_path):
    place = tmp_path / "page.html"
    asked = ["evaluate", "-m", "chrf", "-j", EXAMPLES, "--resamples", 100, "--html", place]
    answer = run(*asked, "--title", "<Our> page")
    assert answer.code == 0
    assert f"report written to {place}" in answer.err
    text = place.read_text(encoding="utf-8")
    assert "<title>&lt;Our&gt; page</title>" in text
    assert re.search(r"<dd>\d{4}-\d\d-\d\d</dd>", text)
    answer = run(*asked, "--statistic", "pearson,spearman")
    assert (answer.code, "--html shows one statistic" in answer.err) == (2, True)
    answer = run("evaluate", "-m", "chrf", "-j", EXAMPLES, "--title", "no page")
    assert (answer.code, "add --html FILE" in answer.err) == (2, True)
    learned = run(
        "train", "--recipe", "lexical", "--judgements", EXAMPLES, "--set", "data.kind=preferences",
        "-o", tmp_path / "metric", "--html", place,
    )  # fmt: skip
    assert learned.code == 0
    assert "Training of lexical" in place.read_text(encoding="utf-8")


def test_the_day_of_a_build_can_be_set(monkeypatch):
    from concordant.cli.pages import day

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert day() == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", day())
