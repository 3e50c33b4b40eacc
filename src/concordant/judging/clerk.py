"""The one thread that works at the desk: requests in, answers out when they are on the disk.

What waits is written in one transaction and synced once, so a hundred judges cost few syncs. If
the disk refuses, nobody in that transaction is told that anything was saved.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from concordant.judging.campaign import Campaign
from concordant.judging.desk import Desk, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Work = Callable[[Desk], Any]

MOST_AT_ONCE = 64
LOCKED = (
    "Not saved: another program has locked the campaign's file. Your answer is kept in this page, "
    "which tries again by itself. The organiser should close what else has the file open."
)
FULL = (
    "Not saved: the disk is full or fails. Your answer is kept in this page, which tries again by "
    "itself. The organiser should free some space on the disk of the campaign."
)


class Clerk:
    """Owns an open campaign; `ask` may be called from any thread."""

    def __init__(self, path: str | Path) -> None:
        self.campaign = Campaign(path)
        try:
            self.desk = Desk(self.campaign)
        except BaseException:
            self.campaign.close()
            raise
        self._stale = False  # whether the desk knows less, or more, than the file
        self._waiting: queue.Queue[tuple[Work, Future[Any]] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="clerk", daemon=True)
        self._thread.start()

    def ask(self, work: Work) -> Future[Any]:
        """Have something done at the desk; its result comes when it is on the disk."""
        answer: Future[Any] = Future()
        self._waiting.put((work, answer))
        return answer

    def close(self) -> None:
        """Finish what waits, and close the campaign."""
        self._waiting.put(None)
        self._thread.join()
        self.campaign.close()

    def _run(self) -> None:
        going = True
        while going:
            batch = [self._waiting.get()]
            while len(batch) < MOST_AT_ONCE and not self._waiting.empty():
                batch.append(self._waiting.get())
            going = None not in batch
            self._do([each for each in batch if each is not None])

    def _do(self, batch: list[tuple[Work, Future[Any]]]) -> None:
        """Do everything in one transaction, then tell everyone."""
        results: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            if self._stale:
                self._recover()
            self.campaign.connection.execute("BEGIN IMMEDIATE")
            for work, answer in batch:
                try:
                    results.append((answer, work(self.desk), None))
                except Refused as refusal:  # before anything was written
                    results.append((answer, None, refusal))
            self.campaign.connection.execute("COMMIT")
        except BaseException as fault:
            known = isinstance(fault, sqlite3.Error)
            failure = Refused(503, _words(fault)) if known else fault
            results = [(answer, None, failure) for _, answer in batch]
            self._stale = True
        for answer, value, refused in results:
            if refused is None:
                answer.set_result(value)
            else:
                answer.set_exception(refused)

    def _recover(self) -> None:
        """Back to what is on the disk."""
        if self.campaign.connection.in_transaction:
            self.campaign.connection.execute("ROLLBACK")
        self.desk.reload()
        self._stale = False


def _words(fault: BaseException) -> str:
    return LOCKED if "locked" in str(fault) or "busy" in str(fault) else FULL
