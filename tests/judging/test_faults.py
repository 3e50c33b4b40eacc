"""What goes wrong around a campaign: kills, a full disk, a locked file, a clock set back."""

import runpy
import sqlite3
import sys
import threading
from pathlib import Path

import pytest
from small_campaigns import KEY, answer_to, judge_all, small_campaign, small_texts

from concordant.judgements.detection import read
from concordant.judging import campaign as campaign_module
from concordant.judging import desk as desk_module
from concordant.judging.clerk import Clerk
from concordant.judging.desk import Refused

KILLS = Path(__file__).parents[2] / "fuzz" / "judging_kills.py"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_three_kills_lose_and_double_nothing(tmp_path):
    pytest.importorskip("uvicorn", reason="the extra judge is not installed")
    acknowledged, written = runpy.run_path(str(KILLS))["kill_often"](tmp_path, 3, 0)
    assert acknowledged <= written


def judge_one(clerk, token):
    """One judgement of a pair; a refusal is raised."""
    task = clerk.ask(lambda desk: desk.task(token)).result()["task"]
    body = {"task": task["task"], "key": KEY.format(task["task"]),
            "answer": answer_to(task, "pairs"), "seconds": 1}  # fmt: skip
    assert clerk.ask(lambda desk: desk.judge(token, body)).result()["saved"]


def judge_until_refused(clerk, token):
    """How many judgements were acknowledged until one was refused, and that refusal."""
    for saved in range(1000):
        try:
            judge_one(clerk, token)
        except Refused as refusal:
            return saved, refusal
    raise AssertionError("nothing was refused")


def test_a_full_disk_is_said_and_nothing_is_acknowledged(tmp_path):
    path, links = small_campaign(tmp_path, small_texts(2, 200), protocol="pairs", each=200)
    token = links.judges["judge 0"]
    clerk = Clerk(path)
    judge_all(clerk, token, "pairs", most=3)
    pages = clerk.campaign.connection.execute("PRAGMA page_count").fetchone()[0]
    clerk.campaign.connection.execute(f"PRAGMA max_page_count = {pages}")
    saved, refusal = judge_until_refused(clerk, token)
    assert refusal.status == 503
    assert "the disk is full or fails" in str(refusal)
    assert len(read(path).preferences) == 3 + saved
    clerk.campaign.connection.execute("PRAGMA max_page_count = 1000000")
    judge_one(clerk, token)  # there is space again: it goes on
    clerk.close()
    assert len(read(path).preferences) == 3 + saved + 1


def test_a_locked_file_is_said_and_the_judgement_goes_through_later(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign_module, "PATIENCE", 0.05)
    path, links = small_campaign(tmp_path, protocol="pairs")
    token = links.judges["judge 0"]
    clerk = Clerk(path)
    task = clerk.ask(lambda desk: desk.task(token)).result()["task"]
    body = {"task": task["task"], "key": "k" * 20, "answer": {"ranks": [1, 2]}, "seconds": 1}
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Refused, match="another program has locked") as refusal:
        clerk.ask(lambda desk: desk.judge(token, body)).result()
    assert refusal.value.status == 503
    assert not read(path).preferences
    other.execute("ROLLBACK")
    other.close()
    assert clerk.ask(lambda desk: desk.judge(token, body)).result() == {
        "saved": True,
        "again": False,
    }
    clerk.close()
    assert len(read(path).preferences) == 1


def test_nothing_hangs_on_the_clock(tmp_path, monkeypatch):
    path, links = small_campaign(tmp_path, protocol="direct")
    token = links.judges["judge 0"]
    clerk = Clerk(path)
    times = iter(range(3000, 0, -1))
    monkeypatch.setattr(desk_module, "now", lambda: f"{next(times)}-01-01T00:00:00")
    (task,) = judge_all(clerk, token, "direct", most=1)
    body = {"task": task["task"], "key": "k" * 20, "answer": {"score": 3}, "seconds": 1}
    clerk.ask(lambda desk: desk.judge(token, body)).result()
    judge_all(clerk, token, "direct", most=2)
    clerk.close()
    found = read(path).ratings
    assert [each.score for each in found][:1] == [3.0]
    assert len(found) == 3


def test_a_restart_goes_on_where_everyone_was(tmp_path):
    texts = small_texts(3, 12, documents=True)
    path, links = small_campaign(tmp_path, texts, protocol="ranking", policy="uncertainty")
    token = links.judges["judge 1"]
    clerk = Clerk(path)
    done = judge_all(clerk, token, "ranking", most=5)
    open_task = clerk.ask(lambda desk: desk.task(token)).result()
    wins = clerk.desk.tallies.wins.copy()
    clerk.close()
    clerk = Clerk(path)
    again = clerk.ask(lambda desk: desk.task(token)).result()
    assert again == open_task
    assert again["progress"]["done"] == 5
    assert again["task"]["place"] == [2, 4]
    assert (clerk.desk.tallies.wins == wins).all()
    rest = judge_all(clerk, token, "ranking")
    clerk.close()
    assert len(done) + len(rest) == 12


def test_what_fails_in_one_request_does_not_stop_the_others(tmp_path):
    path, links = small_campaign(tmp_path, protocol="pairs")
    clerk = Clerk(path)
    began = threading.Event()
    release = threading.Event()
    clerk.ask(lambda _: (began.set(), release.wait()))
    began.wait()
    refused = clerk.ask(lambda desk: desk.task("nobody"))
    given = clerk.ask(lambda desk: desk.task(links.judges["judge 0"]))
    release.set()
    with pytest.raises(Refused, match="not known here"):
        refused.result()
    assert given.result()["task"] is not None
    clerk.close()
