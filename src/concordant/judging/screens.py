"""What stands on a judge's screen: translations, each of one system or of several that agree."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.judging.campaign import Campaign


@dataclass(frozen=True)
class Screen:
    """A row of the table of tasks; `shown` has the systems (from 1) of each translation."""

    task: int
    judge: int
    segment: int
    shown: list[list[int]]
    kind: str
    weight: float
    repeats: int | None = None
    changed: dict[str, Any] | None = None


def screen_of(row: Sequence[Any]) -> Screen:
    """A task from its row."""
    task, judge, segment, shown, kind, weight, repeats, changed = row
    of_places = json.loads(shown)
    what = None if changed is None else json.loads(changed)
    return Screen(task, judge, segment, of_places, kind, weight, repeats, what)


def group_equal(texts: Mapping[int, str], systems: Sequence[int]) -> list[list[int]]:
    """Systems with the same text together, in the order in which they first come.

    >>> group_equal({1: "a", 2: "b", 3: "a"}, [1, 2, 3])
    [[1, 3], [2]]
    """
    groups: dict[str, list[int]] = {}
    for system in systems:
        groups.setdefault(texts[system], []).append(system)
    return list(groups.values())


def task_texts(campaign: Campaign, screen: Screen) -> list[str]:
    """The translations on a screen, the damaged one among them."""
    *_, texts = campaign.texts(screen.segment)
    found = [texts[systems[0]] for systems in screen.shown]
    if screen.changed is not None:
        found[screen.changed["place"]] = screen.changed["text"]
    return found
