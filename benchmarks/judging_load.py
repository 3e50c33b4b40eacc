#!/usr/bin/env python3
"""A hundred judges at a steady pace over loopback: how long answers take, and whether one is lost.

    python benchmarks/judging_load.py [--judges 100] [--seconds 300] [--pace 2]

Each judge sends a judgement every `--pace` seconds, at a time of their own; the server runs in a
process of its own. Also measured is how long a campaign of 100,000 items takes until it is served.
Times are of the wall clock; how busy the machine was is printed beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np

from concordant.judging.campaign import Links, create_campaign
from concordant.judging.settings import CampaignSettings
from concordant.scoring.tables.system_texts import SystemTexts

ITEMS = 100_000
WORDS = "the a cat dog sat ran on under mat big small house door window green".split()


def main() -> None:
    """Start the large campaign, then have everyone judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--judges", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two judgements")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.db"
        links = large_campaign(path, options.judges)
        server, port = started(path)
        try:
            times, sent = asyncio.run(judge_all(links, port, options.seconds, options.pace))
            processor = server_seconds(server)
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)
        with closing(sqlite3.connect(path)) as connection:
            (kept,) = connection.execute("SELECT COUNT(*) FROM judgements").fetchone()
    median, late, worst = (1000 * float(each) for each in np.quantile(times, [0.5, 0.99, 1.0]))
    print(f"{options.judges} judges, a judgement in {options.pace:g} s each, {options.seconds:g} s")
    print(f"{len(times):,} judgements: median {median:.0f} ms, 99th percentile {late:.0f} ms, "
          f"longest {worst:.0f} ms")  # fmt: skip
    print(f"acknowledged {sent:,}, in the file {kept:,}; processor time of the server "
          f"{1000 * processor / max(1, len(times)):.1f} ms for each")  # fmt: skip
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def large_campaign(path: Path, judges: int) -> Links:
    """A campaign of 100,000 segments with two systems; prints how long it takes to be made."""
    rng = Random(0)
    lines = [" ".join(rng.choices(WORDS, k=18)) for _ in range(ITEMS)]
    texts = SystemTexts(
        {"one": lines, "two": [f"{line} end" for line in lines]}, [[] for _ in lines], lines, None
    )
    settings = CampaignSettings("pairs", each=10**6, policy="uncertainty")
    begun, used = time.perf_counter(), time.process_time()
    links = create_campaign(path, texts, settings, [f"judge {i}" for i in range(judges)])
    print(f"{ITEMS:,} items: file made in {time.perf_counter() - begun:.1f} s "
          f"({time.process_time() - used:.1f} s of processor time)")  # fmt: skip
    return links


def started(path: Path) -> tuple[subprocess.Popen[str], int]:
    """A server in a process of its own, once it has answered; prints how long that took."""
    begun = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "concordant", "judge", "resume", str(path), "--port", "0"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    port = int(server.stderr.readline().split(";")[0].rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/")
    connection.getresponse().read()
    connection.close()
    print(f"{ITEMS:,} items: served after {time.perf_counter() - begun:.1f} s "
          f"({server_seconds(server):.1f} s of processor time)")  # fmt: skip
    return server, port


def server_seconds(server: subprocess.Popen[str]) -> float:
    """The processor time that the server has used."""
    fields = Path(f"/proc/{server.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def judge_all(
    links: Links, port: int, seconds: float, pace: float
) -> tuple[list[float], int]:
    """All judges at once; how long each judgement took, and how many were acknowledged."""
    begun = time.perf_counter()
    judges = [
        judge(token, port, begun + pace * i / len(links.judges), seconds, pace)
        for i, token in enumerate(links.judges.values())
    ]
    times = [each for one in await asyncio.gather(*judges) for each in one]
    return times, len(times)


async def judge(token: str, port: int, begin: float, seconds: float, pace: float) -> list[float]:
    """One judge, who sends a judgement at every beat; the times of those acknowledged."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    state = await ask(reader, writer, token, "GET", "/api/task")
    rng, times, beat = Random(token), [], begin
    while beat < begin + seconds:
        await asyncio.sleep(max(0.0, beat - time.perf_counter()))
        task = state["task"]
        ranks = rng.choice([[1, 2], [2, 1], [1, 1]])
        key = f"{rng.getrandbits(100):030x}"
        body = {"task": task["task"], "key": key, "answer": {"ranks": ranks}, "seconds": pace}
        sent = time.perf_counter()
        state = await ask(reader, writer, token, "POST", "/api/judgement", body)
        assert state["saved"]
        times.append(time.perf_counter() - sent)
        beat += pace
    writer.close()
    return times


async def ask(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    token: str,
    method: str,
    path: str,
    body: dict[str, object] | None = None,
) -> dict[str, object]:
    """One request on a connection that stays open."""
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    )
    writer.write(head.encode() + content)
    status = (await reader.readline()).split()[1]
    length = 0
    while (line := (await reader.readline()).strip()) != b"":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    answer: dict[str, object] = json.loads(await reader.readexactly(length))
    if status != b"200":
        raise RuntimeError(f"{path} was answered {status.decode()}: {answer}")
    return answer


if __name__ == "__main__":
    main()
