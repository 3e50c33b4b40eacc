#!/usr/bin/env python3
"""Kill the server of a campaign at random moments under load: nothing acknowledged may be lost.

    python fuzz/judging_kills.py [--kills 50] [--seed 0]

Judges send judgements over loopback as fast as they are answered. The server is ended with SIGKILL
after a random time and started again; a judge sends what was not acknowledged again, with the same
key. After each kill every acknowledged judgement must be in the file, once, with its answer; and
the file must be whole.
"""

from __future__ import annotations

import argparse
import http.client
import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from concordant.judging.campaign import Links, create_campaign
from concordant.judging.settings import CampaignSettings
from concordant.scoring.tables.system_texts import SystemTexts

JUDGES, SEGMENTS, SYSTEMS = 6, 500, 5
MOST_SECONDS = 60


class Wrong(Exception):  # noqa: N818 - what a check found
    """An acknowledged judgement that is not in the file as it was given."""


@dataclass
class Judge:
    """A judge who goes on after every kill; `acknowledged` has key and answer of each thanks."""

    token: str
    rng: Random
    acknowledged: dict[str, str] = field(default_factory=dict)
    pending: dict[str, object] | None = None

    def work(self, port: int, stop: threading.Event) -> None:
        """Judge until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            while not stop.is_set():
                self._judge(connection)
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()

    def _judge(self, connection: http.client.HTTPConnection) -> None:
        if self.pending is None:
            task = self._ask(connection, "GET", "/api/task")["task"]
            if task is None:
                return
            places = len(task["translations"])
            ranks = [self.rng.randint(1, places) for _ in range(places)]
            self.pending = {
                "task": task["task"], "key": f"{self.rng.getrandbits(100):030x}",
                "answer": {"ranks": ranks}, "seconds": 1.0,
            }  # fmt: skip
        answer = self._ask(connection, "POST", "/api/judgement", self.pending)
        assert answer["saved"]
        key, given = str(self.pending["key"]), json.dumps(self.pending["answer"])
        self.acknowledged[key] = given
        self.pending = None

    def _ask(
        self, connection: http.client.HTTPConnection, method: str, path: str,
        body: dict[str, object] | None = None,
    ) -> dict[str, object]:  # fmt: skip
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        content = json.loads(response.read())
        if response.status != 200:
            raise Wrong(f"{path} was answered {response.status}: {content}")
        found: dict[str, object] = content
        return found


def main() -> None:
    """Kill as often as asked; stop at the first loss."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50, help="how many (default: 50)")
    parser.add_argument("--seed", type=int, default=0, help="other moments (default: 0)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept, judged = kill_often(Path(folder), options.kills, options.seed)
    print(f"{options.kills} kills, seed {options.seed}: {kept} judgements acknowledged, all kept; "
          f"{judged} in the file, none twice")  # fmt: skip


def kill_often(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill the server many times; how many judgements were acknowledged, and are in the file."""
    rng = Random(seed)
    path, links = new_campaign(folder)
    judges = [Judge(token, Random(f"{seed}-{name}")) for name, token in links.judges.items()]
    for _ in range(kills):
        kill_once(path, judges, rng.uniform(0.0, 1.5))
        check(path, judges)
    rows = judgements(path)
    return sum(len(each.acknowledged) for each in judges), len(rows)


def new_campaign(folder: Path) -> tuple[Path, Links]:
    """A campaign of invented texts that no judge comes to the end of."""
    texts = SystemTexts(
        {f"system-{s}": [f"text {i} of {s}" for i in range(SEGMENTS)] for s in range(SYSTEMS)},
        [[] for _ in range(SEGMENTS)], [f"source {i}" for i in range(SEGMENTS)], None,
    )  # fmt: skip
    settings = CampaignSettings("ranking", each=10**6, policy="uncertainty")
    path = folder / "campaign.db"
    return path, create_campaign(path, texts, settings, [f"judge {i}" for i in range(JUDGES)])


def kill_once(path: Path, judges: list[Judge], seconds: float) -> None:
    """Serve, have everyone judge, and end the server with SIGKILL after some seconds of that."""
    server = subprocess.Popen(
        [sys.executable, "-m", "concordant", "judge", "resume", str(path), "--port", "0"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    said = server.stderr.readline()
    if "serving" not in said:
        raise Wrong(f"the server did not start: {said}{server.stderr.read()}")
    port = int(said.split(";")[0].rpartition(":")[2])
    stop = threading.Event()
    threads = [threading.Thread(target=each.work, args=(port, stop)) for each in judges]
    for each in threads:
        each.start()
    time.sleep(seconds)
    server.send_signal(signal.SIGKILL)
    server.communicate(timeout=MOST_SECONDS)
    stop.set()
    for each in threads:
        each.join(MOST_SECONDS)


def check(path: Path, judges: list[Judge]) -> None:
    """Everything acknowledged is there once, as it was given."""
    rows = judgements(path)
    written = dict(rows)
    if len(written) != len(rows):
        raise Wrong("a key was written twice")
    for judge in judges:
        for key, answer in judge.acknowledged.items():
            if written.get(key) != answer:
                raise Wrong(f"{key} was acknowledged as {answer} and is {written.get(key)}")


def judgements(path: Path) -> list[tuple[str, str]]:
    """Key and answer of every judgement in the file, which must be whole."""
    with closing(sqlite3.connect(path)) as connection:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        if state != "ok":
            raise Wrong(f"the file is damaged: {state}")
        return connection.execute("SELECT key, answer FROM judgements").fetchall()


if __name__ == "__main__":
    main()
