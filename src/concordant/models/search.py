"""Search for the best setting by cross-validation: successive halving, parallel, resumable.

Every setting is tried on the first fold, the better ones on three, the best on all: most settings
of a grid are clearly bad, and one fold shows it. Each trial is written to a file at once,
so an interrupted search loses at most one trial.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from concordant.encoders.encoders import Track

    Ints = npt.NDArray[np.int64]
    Setting = tuple[tuple[str, float], ...]
    Trials = dict[tuple[Setting, int], float]

# How many folds are seen by then → how many settings go on.
RACE = ((1, 12), (3, 4))


@dataclass(frozen=True)
class Found:
    """The best setting, its mean score over all folds, and how many trials it took."""

    setting: dict[str, float]
    score: float
    trials: int


def race(
    settings: Sequence[Mapping[str, float]],
    folds: int,
    score: Callable[[Mapping[str, float], int], float],
    *,
    ledger: Ledger | None = None,
    threads: int = 1,
    track: Track | None = None,
) -> Found:
    """The setting with the best mean score over the folds, of those that stay in the race.

    `score(setting, fold)` is higher when better. Of equal settings the first is taken.
    """
    going = [tuple(setting.items()) for setting in settings]
    done: Trials = {} if ledger is None else ledger.trials()
    show = track or (lambda items, _: items)
    seen = 0
    for upto, keep in (*RACE, (folds, 1)):
        wanted = [(s, f) for f in range(seen, min(upto, folds)) for s in going]
        new = [trial for trial in wanted if trial not in done]
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(score, dict(s), f) for s, f in new]
            try:
                for trial, result in zip(new, show(waiting, "searching"), strict=True):
                    done[trial] = result.result()
                    if ledger is not None:
                        ledger.add(*trial, done[trial])
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        seen = max(seen, min(upto, folds))
        means = {s: float(np.mean([done[s, f] for f in range(seen)])) for s in going}
        going = sorted(going, key=lambda s: -means[s])[:keep]  # stable: the first of equals
    return Found(dict(going[0]), means[going[0]], len(done))


def grouped_folds(group: Ints, folds: int, seed: int) -> Ints:
    """The fold of every item: groups stay whole, folds are as even as groups allow.

    >>> grouped_folds(np.array([0, 0, 1, 2]), 2, seed=1).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    """
    names, inverse, counts = np.unique(group, return_inverse=True, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-counts[order], kind="stable")]
    sizes = np.zeros(folds, dtype=np.int64)
    fold = np.empty(len(names), dtype=np.int64)
    for each in order:
        fold[each] = int(np.argmin(sizes))
        sizes[fold[each]] += counts[each]
    return fold[inverse]


@dataclass(frozen=True)
class Ledger:
    """A file of trials that were made; those of another recipe or other data do not count."""

    path: Path
    digest: str

    def trials(self) -> Trials:
        """The trials that are written down; a line cut short by an interruption is none."""
        found: Trials = {}
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except OSError:
            return found
        for line in lines:
            try:
                each = json.loads(line)
                if each["digest"] == self.digest:
                    found[tuple(map(tuple, each["setting"])), each["fold"]] = each["score"]
            except (ValueError, KeyError, TypeError):
                continue
        return found

    def add(self, setting: Setting, fold: int, score: float) -> None:
        """Write one trial down."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        record = {"digest": self.digest, "setting": setting, "fold": fold, "score": score}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(record)}\n")
