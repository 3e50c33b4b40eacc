"""One run of `concordant score`: which systems by which metrics, and how to go through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.cli.output import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.line_blocks import TextFiles


@dataclass(frozen=True)
class ScoreRun:
    """What both levels of scoring share; `systems` are files of translations by their names.

    `chosen` are the warnings on the choice of the default metric.
    """

    files: TextFiles
    systems: Mapping[str, str]
    metrics: Sequence[Scorer]
    lines: int | None
    quiet: bool
    form: str
    how: dict[str, Any]
    chosen: Sequence[str] = ()

    def scored(self, name: str, skip: int = 0, beside: Sequence[str] = ()) -> Iterator[Any]:
        """The scored blocks of a system; `beside` are the names of those that come next."""
        from concordant.scoring.line_blocks import can_be_read_again
        from concordant.scoring.scores import score_file

        again = [self.systems[each] for each in beside if can_be_read_again(self.systems[each])]
        blocks = score_file(
            self.systems[name], self.files, self.metrics, skip=skip, beside=again, **self.how
        )
        total = None if self.lines is None else self.lines - skip
        return progress(blocks, lambda block: len(block.flags), total, name, quiet=self.quiet)
