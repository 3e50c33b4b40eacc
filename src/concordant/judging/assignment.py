"""What to give a judge next: a plain item, one that others had, a repeat, or a damaged one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from concordant.judging.choice import Seen, blocks_of, choose
from concordant.judging.quality import damaged_text, kind_of_next
from concordant.judging.screens import Screen, group_equal, screen_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from concordant.judging.campaign import Campaign
    from concordant.judging.disagreement import Disagreement
    from concordant.judging.tallies import PairTallies, RatingTallies

    Tallies = PairTallies | RatingTallies

TASKS = "SELECT id, judge, segment, shown, kind, weight, repeats, changed FROM tasks"
KIND_TRIES = 8


@dataclass
class JudgeState:
    """What is known of one judge: open task, last judged one, what they have seen, what is next."""

    number: int
    name: str
    state: str
    done: int = 0
    open: int | None = None
    last: int | None = None
    seen: Seen = field(default_factory=set)
    plain: list[int] = field(default_factory=list)  # judged plain tasks
    queue: list[int] = field(default_factory=list)  # the rest of the current document
    systems: tuple[int, ...] = ()
    weight: float = 1.0


class Assigner:
    """Makes the next screen of a judge; nothing is written here."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.settings = campaign.settings
        rows = campaign.connection.execute("SELECT document FROM segments ORDER BY id")
        self.blocks = blocks_of([document for (document,) in rows])
        self.block_of = {s: i for i, block in enumerate(self.blocks) for s in block}
        self.disagreement: Disagreement | None = None

    def screen(self, task: int | None) -> Screen | None:
        """A task that was given out, by its number; None if there is none."""
        row = self.campaign.connection.execute(f"{TASKS} WHERE id = ?", (task,)).fetchone()
        return None if row is None else screen_of(row)

    def follow(self, judge: JudgeState, screen: Screen) -> None:
        """Note a task that was given to a judge, and what is left of its document."""
        judge.open = screen.task
        if screen.kind != "plain":
            return
        block = self.block_of[screen.segment]
        judge.systems = self._systems_of(screen)
        judge.seen.add((block, tuple(each - 1 for each in judge.systems)))
        if not self.settings.compares:  # the same text is not scored again as another system's
            judge.seen |= {(block, (each - 1,)) for each in screen.shown[0]}
        judge.weight = screen.weight
        judge.queue = [each for each in self.blocks[block] if each > screen.segment]

    def next(
        self,
        judge: JudgeState,
        judges: Iterable[JudgeState],
        tallies: Tallies,
        rng: np.random.Generator,
    ) -> Screen | None:
        """The next screen of a judge, task 0; None if there is nothing left for them."""
        asked = "plain"
        if not judge.queue:
            asked = kind_of_next(judge.done, self.settings, rng)
        if asked == "shared":
            self._share(judge, judges, rng)
        elif asked != "plain" and len(judge.plain) > 1:
            made = self._control(judge, asked, rng)
            if made is not None:
                return made
        return self._plain(judge, tallies, rng)

    def _plain(
        self, judge: JudgeState, tallies: Tallies, rng: np.random.Generator
    ) -> Screen | None:
        while True:
            while judge.queue:
                segment = judge.queue.pop(0)
                shown = self._grouped(segment, judge.systems)
                if len(shown) >= (2 if self.settings.compares else 1):
                    order = [shown[i] for i in rng.permutation(len(shown)).tolist()]
                    return Screen(0, judge.number, segment, order, "plain", judge.weight)
            choice = choose(
                self.settings, tallies, len(self.blocks), judge.seen, rng,
                systems=len(self.campaign.systems), disagreement=self.disagreement,
                fits=self._fits,
            )  # fmt: skip
            if choice is None:
                return None
            judge.queue = list(self.blocks[choice.block])
            judge.systems, judge.weight = choice.systems, choice.weight

    def _share(
        self, judge: JudgeState, judges: Iterable[JudgeState], rng: np.random.Generator
    ) -> None:
        """Queue what another judge was given, so that their agreement is known."""
        others = [each for each in judges if each is not judge and each.plain]
        for _ in range(KIND_TRIES if others else 0):
            other = others[int(rng.integers(len(others)))]
            screen = self.screen(other.plain[int(rng.integers(len(other.plain)))])
            assert screen is not None  # noqa: S101 - it was judged
            block, systems = self.block_of[screen.segment], self._systems_of(screen)
            if (block, tuple(each - 1 for each in systems)) not in judge.seen:
                judge.queue, judge.systems = list(self.blocks[block]), systems
                judge.weight = screen.weight
                return

    def _systems_of(self, screen: Screen) -> tuple[int, ...]:
        """The systems that were chosen for a screen; of equal texts scored once, the first."""
        if self.settings.compares:
            return tuple(sorted(system for group in screen.shown for system in group))
        return (screen.shown[0][0],)

    def _control(self, judge: JudgeState, kind: str, rng: np.random.Generator) -> Screen | None:
        """A repeat of an earlier task, or a damaged one; None where there is none to be made."""
        earlier = judge.plain[: max(1, len(judge.plain) - 3)]
        for _ in range(KIND_TRIES):
            before = self.screen(earlier[int(rng.integers(len(earlier)))])
            assert before is not None  # noqa: S101 - it was judged
            order = rng.permutation(len(before.shown)).tolist()
            shown = [before.shown[i] for i in order]
            if kind == "repeat":
                return Screen(
                    0, judge.number, before.segment, shown, kind, before.weight, before.task
                )
            changed = self._damage(before, shown, rng)
            if changed is not None:
                return Screen(
                    0, judge.number, before.segment, shown, kind, 1.0, before.task, changed
                )
        return None

    def _damage(
        self, before: Screen, shown: list[list[int]], rng: np.random.Generator
    ) -> dict[str, Any] | None:
        """A damaged copy of one translation of a screen, in place of another one or of itself."""
        other = self._any_text(int(rng.integers(1, len(self.block_of) + 1)))
        *_, texts = self.campaign.texts(before.segment)
        of = int(rng.integers(len(shown)))
        place = (of + 1) % len(shown)
        text = damaged_text(texts[shown[of][0]], other, rng)
        return None if text is None else {"place": place, "of": of, "text": text}

    def _any_text(self, segment: int) -> str:
        return next(iter(self.campaign.texts(segment)[2].values()))

    def _fits(self, block: int, chosen: tuple[int, ...]) -> bool:
        systems = tuple(each + 1 for each in chosen)
        least = 2 if self.settings.compares else 1
        return any(len(self._grouped(each, systems)) >= least for each in self.blocks[block])

    def _grouped(self, segment: int, systems: tuple[int, ...]) -> list[list[int]]:
        """What would be shown of a segment: one list of systems for each text."""
        *_, texts = self.campaign.texts(segment)
        if self.settings.compares:
            return group_equal(texts, systems)
        return [[*systems, *(each for each in texts if each not in systems
                             and texts[each] == texts[systems[0]])]]  # fmt: skip
