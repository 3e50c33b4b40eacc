"""Small campaigns that tests make, judge and read again."""

import threading
from pathlib import Path

from concordant.judging.campaign import Links, create_campaign
from concordant.judging.clerk import Clerk
from concordant.judging.server import Address, CampaignServer, bind
from concordant.judging.settings import CampaignSettings
from concordant.scoring.tables.system_texts import SystemTexts

KEY = "key-{:014d}"


def small_texts(systems: int = 3, segments: int = 8, *, documents: bool = False) -> SystemTexts:
    """Texts in which system 0 is perfect and each further one drops one more word."""
    words = "one two three four five six seven eight nine ten".split()
    whole = [[f"{words[i % 10]}{i}", *words] for i in range(segments)]
    return SystemTexts(
        {
            f"system-{s}": [" ".join(line[: len(line) - s]) for line in whole]
            for s in range(systems)
        },
        [[" ".join(line)] for line in whole],
        [f"Quelle {i}" for i in range(segments)],
        [f"document {i // 4}" for i in range(segments)] if documents else None,
    )


def small_campaign(
    folder: Path, texts: SystemTexts | None = None, *, judges: int = 2, **how: object
) -> tuple[Path, Links]:
    """A new campaign in a folder, with every setting as asked and little quality control."""
    asked = {"protocol": "ranking", "pair": "de-en", "shared": 0.0, "repeats": 0.0, "damaged": 0.0,
             "policy": "random", **how}  # fmt: skip
    names = [f"judge {i}" for i in range(judges)]
    path = folder / "campaign.db"
    settings = CampaignSettings(**asked)
    return path, create_campaign(path, texts or small_texts(), settings, names)


def answer_to(task: dict, protocol: str) -> dict:
    """What a judge who counts words would answer."""
    lengths = [len(text.split()) for text in task["translations"]]
    if protocol in {"ranking", "pairs"}:
        order = sorted(set(lengths), reverse=True)
        return {"ranks": [order.index(each) + 1 for each in lengths]}
    score = max(0, min(100, 10 * lengths[0] - 10))
    if protocol == "direct":
        return {"score": score}
    errors = [{"start": 0, "end": 3, "severity": "minor"}] if score < 95 else []
    return {"score": score, "errors": errors}


def judge_all(clerk: Clerk, token: str, protocol: str, most: int = 10_000) -> list[dict]:
    """Have one judge answer everything that they are given; the tasks in order."""
    tasks = []
    state = clerk.ask(lambda desk: desk.task(token)).result()
    while state["task"] is not None and len(tasks) < most:
        task = state["task"]
        tasks.append(task)
        body = {"task": task["task"], "key": KEY.format(task["task"]),
                "answer": answer_to(task, protocol), "seconds": 1.5}  # fmt: skip
        state = clerk.ask(
            lambda desk, body=body: {**desk.judge(token, body), **desk.task(token)}
        ).result()
    return tasks


class Served:
    """A campaign served by a thread of this process."""

    def __init__(self, path: Path) -> None:
        self.listening, self.address = bind(Address(port=0))
        self.server = CampaignServer(path, self.address)
        self.thread = threading.Thread(target=self.server.run, args=(self.listening,))
        self.thread.start()

    def stop(self) -> None:
        self.server.stop()
        self.thread.join()
        self.listening.close()
