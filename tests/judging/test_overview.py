"""What the organiser sees: the same figures as the commands, and how each judge works."""

import json

import numpy as np
import pytest
from small_campaigns import KEY, judge_all, small_campaign, small_texts

from concordant.cli.main import program
from concordant.errors import ConcordantError
from concordant.judging.clerk import Clerk
from concordant.judging.outlook import NEVER, _crossing, outlook
from concordant.judging.overview import Overview, answered_alike


@pytest.fixture
def judged(tmp_path):
    """A campaign with controls, judged by one who counts words and by one who ties everything."""
    path, links = small_campaign(tmp_path, small_texts(3, 60), each=40, shared=0.1, repeats=0.15,
                                 damaged=0.15)  # fmt: skip
    clerk = Clerk(path)
    judge_all(clerk, links.judges["judge 0"], "ranking")
    token = links.judges["judge 1"]
    state = clerk.ask(lambda desk: desk.task(token)).result()
    while state["task"] is not None:
        task = state["task"]
        body = {"task": task["task"], "key": KEY.format(task["task"]), "seconds": 0.4,
                "answer": {"ranks": [1] * len(task["translations"])}}  # fmt: skip
        state = clerk.ask(
            lambda desk, body=body: {**desk.judge(token, body), **desk.task(token)}
        ).result()
    count = clerk.desk.judgements
    clerk.close()
    return path, Overview(path).now(count, paused=False)


def test_the_ranking_and_agreement_are_those_of_the_commands(judged, capsys):
    path, found = judged
    program(["data", "systems", str(path), "--format", "json", "-q"], standalone_mode=False)
    table = json.loads(capsys.readouterr().out)
    assert found["ranking"] == table["records"]
    assert found["signature"] == table["signature"]
    program(["data", "agreement", str(path), "--format", "json", "-q"], standalone_mode=False)
    rows = json.loads(capsys.readouterr().out)["records"]
    assert [each["value"] for each in found["agreement"]] == [each["value"] for each in rows]
    assert all(each["n"] > 0 for each in rows)


def test_carelessness_shows(judged):
    careful, tied = judged[1]["judges"]
    assert careful["done"] == tied["done"] == 40
    assert tied["found"] == 0 < tied["damaged"]
    assert careful["repeated"] == careful["repeats"] > 0
    assert (careful["seconds"], tied["seconds"]) == (1.5, 0.4)


def test_scores_are_alike_within_ten_points():
    assert answered_alike({"score": 60}, {"score": 70}) == (1, 1)
    assert answered_alike({"score": 60}, {"score": 71}) == (0, 1)


def test_figures_are_computed_again_only_after_a_judgement(tmp_path, monkeypatch):
    path, _ = small_campaign(tmp_path)
    overview, computed = Overview(path), []
    figures = overview._figures
    monkeypatch.setattr(overview, "_figures", lambda: computed.append(1) or figures())
    for judgements in (0, 0, 1, 1):
        assert overview.now(judgements, paused=False)["why"] == "a ranking needs 10 judgements"
    assert len(computed) == 2


def test_metrics_are_ranked_by_agreement(tmp_path):
    path, links = small_campaign(tmp_path, small_texts(3, 20))
    clerk = Clerk(path)
    judge_all(clerk, links.judges["judge 0"], "ranking")
    clerk.close()
    found = Overview(path).metrics()
    values = [each["value"] for each in found["metrics"]]
    assert values == sorted(values, reverse=True)
    assert {each["metric"] for each in found["metrics"]} == {"chrf", "bleu", "ter", "fast", "base"}


def test_the_crossing_of_a_curve():
    numbers = np.array([100.0, 200, 500, 1000])
    values = (0.6 - 2 / np.sqrt(numbers))[None, :]
    assert _crossing(numbers, values, np.array([0.58])).tolist() == [10_000]
    assert _crossing(numbers, values, np.array([0.61])).tolist() == [NEVER]
    assert _crossing(numbers, values * 0 + 0.5, np.array([0.4])).tolist() == [100]


def test_an_outlook_compares_with_what_ships_on_the_same_segments(tmp_path):
    path, links = small_campaign(tmp_path, small_texts(4, 60), each=60)
    clerk = Clerk(path)
    judge_all(clerk, links.judges["judge 0"], "ranking")
    clerk.close()
    found = outlook(path)
    assert found.shipped == "base"
    assert [pairs for pairs, _ in found.points] == sorted(pairs for pairs, _ in found.points)
    assert {estimate.n for _, estimate in found.points} == {found.reached.n}
    assert "on segments left out" in found.sentence


def test_too_little_for_an_outlook_is_said(tmp_path):
    path, links = small_campaign(tmp_path, small_texts(3, 8))
    clerk = Clerk(path)
    judge_all(clerk, links.judges["judge 0"], "ranking", most=2)
    clerk.close()
    with pytest.raises(ConcordantError):
        outlook(path)
