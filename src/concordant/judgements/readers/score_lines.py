"""A metric's scores, one per line: line i belongs to the i-th judged translation.

The file's name is the metric's: `METEOR-ex`, `BEER.scores.gz`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.readers.fields import build_each, is_number, number
from concordant.judgements.readers.formats import Format, Head
from concordant.records import Collection, ScoreLines

if TYPE_CHECKING:
    from pathlib import Path

# Line-aligned judgements look the same inside; only their name tells that people gave the numbers.
_JUDGEMENTS = re.compile(r"DAseg\.|\.human\.")


def looks_like(head: Head) -> str | None:
    """Why this is a file of scores, one per line, or None."""
    if not head.lines or _JUDGEMENTS.search(head.name):
        return None
    lines = head.lines if head.lines[-1] else head.lines[:-1]
    numbers = sum(is_number(line) for line in lines)
    if 2 * numbers > len(lines):  # the reader names the lines that are not
        return "its lines hold one number each"
    return None


def read(path: Path) -> Collection:
    """The scores of a file in the order of its lines."""
    lines = enumerate(read_nonempty_lines(path), start=1)
    values = build_each(path, lines, lambda _, text: number(text, "score"))
    scores = ScoreLines(metric_of(path), tuple(values), file=str(path))
    return Collection(score_lines=(scores,))


def metric_of(path: Path) -> str:
    """The metric that a file of scores is named for.

    >>> from pathlib import Path
    >>> metric_of(Path("scores/METEOR-ex.scores.gz")), metric_of(Path("ROUGE-1"))
    ('METEOR-ex', 'ROUGE-1')
    """
    name = path.name.removesuffix(".gz")
    for suffix in (".txt", ".scores", ".score"):
        name = name.removesuffix(suffix)
    return name


FORMAT = Format(
    name="score-lines",
    title="scores of a metric, one per line",
    example="0.3154",
    looks_like=looks_like,
    read=read,
)
