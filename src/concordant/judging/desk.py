"""Where tasks are given out and judgements come in: the campaign's file and what is known from it.

Only one thread works at the desk (`clerk`). Everything in memory follows from the file, so that
after a failure, or a kill, `reload` puts it right.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.judgements.campaign_schema import LAST_JUDGEMENTS
from concordant.judging.answers import AnswerError, checked_answer, checked_seconds
from concordant.judging.assignment import TASKS, Assigner, JudgeState
from concordant.judging.campaign import now, token_hash
from concordant.judging.screens import screen_of, task_texts
from concordant.judging.tallies import PairTallies, RatingTallies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.judging.campaign import Campaign
    from concordant.judging.screens import Screen

SHORTEST_KEY, LONGEST_KEY = 16, 64


class Refused(Exception):  # noqa: N818 - a refusal, not a fault
    """A request that cannot be met; `status` as in HTTP, the words are for the page."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Desk:
    """The tasks and judgements of an open campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.settings = campaign.settings
        self.assigner = Assigner(campaign)
        self.reload()

    def reload(self) -> None:
        """Learn everything from the file."""
        kind = PairTallies if self.settings.compares else RatingTallies
        self.tallies: PairTallies | RatingTallies = kind(len(self.campaign.systems))
        self.judges: dict[int, JudgeState] = {}
        self.tokens: dict[bytes, int] = {}
        for number, name, token, state in self.campaign.judges():
            self.judges[number] = JudgeState(number, name, state)
            self.tokens[token] = number
        self.organiser = bytes.fromhex(self.campaign.value("organiser"))
        self.paused = bool(self.campaign.value("paused"))
        execute = self.campaign.connection.execute
        for row in execute(f"{TASKS} ORDER BY id"):
            screen = screen_of(row)
            self.assigner.follow(self.judges[screen.judge], screen)
        self.judgements = 0
        for task, judge, _, shown, kind_, weight, _, _, answer, *_ in execute(LAST_JUDGEMENTS):
            at = self.judges[judge]
            at.done += 1
            at.last = task
            if at.open == task:
                at.open = None
            self._count(kind_, json.loads(shown), json.loads(answer), weight, 1)
            if kind_ == "plain":
                at.plain.append(task)
            self.judgements += 1

    def judge_of(self, token: str) -> JudgeState:
        """The judge with this token."""
        number = self.tokens.get(token_hash(token))
        if number is None:
            raise Refused(401, "This link is not known here. Ask the organiser for a new one.")
        judge = self.judges[number]
        if judge.state != "active":
            raise Refused(403, "The organiser has closed this link. Your judgements are kept.")
        return judge

    def task(self, token: str) -> dict[str, Any]:
        """What the judge's page shows now: the open task, or a new one, or why there is none."""
        judge = self.judge_of(token)
        answer: dict[str, Any] = {"campaign": self._campaign(), "progress": self._progress(judge)}
        if judge.open is None and self.paused:
            return {**answer, "task": None, "why": "paused"}
        if judge.open is None and (judge.done >= self.settings.each or not self._give(judge)):
            return {**answer, "task": None, "why": "finished"}
        return {**answer, "task": self._show(judge.open, judge)}

    def previous(self, token: str) -> dict[str, Any]:
        """The judge's last judgement, to be corrected."""
        judge = self.judge_of(token)
        if judge.last is None:
            raise Refused(404, "There is nothing to go back to yet.")
        row = self.campaign.connection.execute(
            "SELECT answer FROM judgements WHERE task = ? ORDER BY id DESC LIMIT 1", (judge.last,)
        )
        shown = {**self._show(judge.last, judge), "answer": json.loads(row.fetchone()[0])}
        return {
            "campaign": self._campaign(), "progress": self._progress(judge), "task": shown
        }  # fmt: skip

    def judge(self, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Write a judgement; the same one twice is written once."""
        judge = self.judge_of(token)
        if set(body) != {"task", "key", "answer", "seconds"}:
            raise Refused(422, "A judgement has task, key, answer and seconds.")
        number, key = body["task"], body["key"]
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 2**62:
            raise Refused(422, "The number of a task is a whole number.")
        if not isinstance(key, str) or not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
            raise Refused(422, f"A key has {SHORTEST_KEY} to {LONGEST_KEY} characters.")
        screen = self.assigner.screen(number)
        if screen is None or screen.judge != judge.number:
            raise Refused(404, "You have no task of that number.")
        try:
            texts = task_texts(self.campaign, screen)
            answer = checked_answer(self.settings.protocol, texts, body["answer"])
            seconds = checked_seconds(body["seconds"])
        except AnswerError as fault:
            raise Refused(422, f"This answer cannot be taken: {fault}.") from None
        execute = self.campaign.connection.execute
        written = execute("SELECT task, answer FROM judgements WHERE key = ?", (key,)).fetchone()
        if written is not None:
            if written != (number, answer):
                raise Refused(409, "This key was used for another judgement.")
            return {"saved": True, "again": True}
        if number not in {judge.open, judge.last}:
            raise Refused(409, "Only the last judgement can be changed.")
        self._write(judge, screen, (key, answer, seconds))
        return {"saved": True, "again": False}

    def _write(self, judge: JudgeState, screen: Screen, given: tuple[str, str, float]) -> None:
        execute = self.campaign.connection.execute
        before = execute(
            "SELECT answer FROM judgements WHERE task = ? ORDER BY id DESC LIMIT 1", (screen.task,)
        ).fetchone()
        execute(
            "INSERT INTO judgements (task, key, answer, seconds, at) VALUES (?, ?, ?, ?, ?)",
            (screen.task, *given, now()),
        )
        self._count(screen.kind, screen.shown, json.loads(given[1]), screen.weight, 1)
        if before is not None:
            self._count(screen.kind, screen.shown, json.loads(before[0]), screen.weight, -1)
            return
        judge.done += 1
        judge.open, judge.last = None, screen.task
        self.judgements += 1
        if screen.kind == "plain":
            judge.plain.append(screen.task)

    def _give(self, judge: JudgeState) -> bool:
        """Give the judge a new task; False if there is nothing left for them."""
        (last,) = self.campaign.connection.execute("SELECT MAX(id) FROM tasks").fetchone()
        rng = np.random.default_rng([self.settings.seed, last or 0])
        screen = self.assigner.next(judge, self.judges.values(), self.tallies, rng)
        if screen is None:
            return False
        cursor = self.campaign.connection.execute(
            "INSERT INTO tasks (judge, segment, shown, kind, weight, repeats, changed, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                judge.number, screen.segment, json.dumps(screen.shown), screen.kind, screen.weight,
                screen.repeats, json.dumps(screen.changed) if screen.changed else None, now(),
            ),
        )  # fmt: skip
        assert cursor.lastrowid is not None  # noqa: S101 - after an INSERT
        self.assigner.follow(judge, replace(screen, task=cursor.lastrowid))
        return True

    def _count(
        self, kind: str, shown: list[list[int]], answer: Mapping[str, Any], weight: float, sign: int
    ) -> None:
        if kind != "damaged":
            self.tallies.add(shown, answer, weight, sign)

    def _show(self, task: int | None, judge: JudgeState) -> dict[str, Any]:
        """A task as the page shows it; nothing in it says which system, or that it is a control."""
        screen = self.assigner.screen(task)
        assert screen is not None  # noqa: S101 - tasks are never deleted
        source, references, _ = self.campaign.texts(screen.segment)
        context = self.settings.context
        block = self.assigner.blocks[self.assigner.block_of[screen.segment]]
        plain = screen.kind == "plain"
        before = [each for each in block if each < screen.segment][-3:] if plain else []
        return {
            "task": screen.task,
            "source": source if context != "reference" else None,
            "references": references if context != "source" else [],
            "translations": task_texts(self.campaign, screen),
            "before": [self.campaign.texts(each)[0] or "" for each in before]
            if context != "reference" else [],
            "place": [screen.segment - block.start + 1, len(block)] if plain and len(block) > 1
            else None,
            "correctable": judge.last is not None and judge.last != task,
        }  # fmt: skip

    def _campaign(self) -> dict[str, Any]:
        return {
            "title": self.settings.title,
            "protocol": self.settings.protocol,
            "pair": self.settings.pair,
        }

    def _progress(self, judge: JudgeState) -> dict[str, Any]:
        return {"judge": judge.name, "done": judge.done, "each": self.settings.each}
