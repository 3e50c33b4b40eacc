"""The tables of figures in docs/reproduce.md, written from the files that document the figures.

The comment `<!-- figures: PAPER TABLE -->` stands above each of them. `all` makes the table with
every row and its verdict, `counts` counts the verdicts, `reasons` lists the reasons.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from concordant.experiments.paper_tables import NOT_REACHED, VERDICTS, paper_tables, papers

if TYPE_CHECKING:
    from concordant.experiments.paper_tables import Cell, PaperTables

PAGE = "reproduce.md"
INSIDE = "of these with the paper's figure in our interval"
COUNTED = (*VERDICTS, INSIDE)
_BLOCK = re.compile(r"<!-- figures: (?P<what>[^\n]+) -->\n(?:[^\n]+\n)*")


def with_figures(text: str) -> str:
    """A page with its tables of figures written anew."""
    return _BLOCK.sub(
        lambda found: f"<!-- figures: {found['what']} -->\n{_table(found['what'])}", text
    )


def _table(what: str) -> str:
    if what == "all":
        return verdict_table()
    if what == "counts":
        return count_table()
    if what == "reasons":
        return reason_table()
    name, table = what.split()
    return figure_table(paper_tables(name), table)


def count_table() -> str:
    """How many figures of each paper are beyond, reached, not reached, and these near enough."""
    lines = []
    total: Counter[str] = Counter()
    for name in papers():
        paper = paper_tables(name)
        counts = Counter(cell.verdict() for cell in paper.judged_cells())
        counts[INSIDE] = sum(
            cell.covers_paper for cell in paper.judged_cells() if cell.verdict() == NOT_REACHED
        )
        total += counts
        lines.append([paper.title, *(str(counts[each]) for each in COUNTED)])
    lines.append(["all", *(str(total[each]) for each in COUNTED)])
    return _markdown(["paper", *COUNTED], lines)


def verdict_table() -> str:
    """Every row of every table of the papers, the paper's figure beside ours, and the verdict."""
    lines = [
        [f"{paper.title.partition(' ')[0]} {cell.table}", cell.label, cell.column,
         _number(cell.paper), _ours(cell), _verdict(cell)]
        for paper in map(paper_tables, papers())
        for cell in paper.judged_cells()
    ]  # fmt: skip
    return _markdown(["table", "row", "figure", "paper", "ours", "verdict"], lines)


def figure_table(paper: PaperTables, table: str) -> str:
    """All figures of one table: a line for what the paper prints, a line for ours."""
    rows = paper.rows(table)
    columns = list(dict.fromkeys(c.column for c in paper.cells.values() if c.table == table))
    lines = []
    for row in rows:
        cells = [paper.cells.get((row, column)) for column in columns]
        label = row.partition(" ")[2]
        for who, show in (("paper", lambda cell: _number(cell.paper)), ("ours", _ours)):
            shown = ["" if cell is None else show(cell) for cell in cells]
            if any(each not in {"", "–"} for each in shown):
                lines.append([f"{label}, {who}", *shown])
    return _markdown([table, *columns], lines)


def reason_table() -> str:
    """Why figures are not reached, how many, and where the experiment that shows it stands."""
    lines = []
    for paper in map(paper_tables, papers()):
        counts = Counter(cell.why for cell in paper.cells.values())
        for key, reason in paper.reasons.items():
            link = f"[{_page(reason.see)}]({_link(reason.see)})"
            lines.append([paper.title, _spoken(key), str(counts[key]), reason.text, link])
    return _markdown(["paper", "reason", "figures", "not reached because", "shown in"], lines)


def _verdict(cell: Cell) -> str:
    verdict = cell.verdict()
    if verdict != NOT_REACHED:
        return f"**{verdict}**"
    inside = ", within our interval" if cell.covers_paper else ""
    return f"{verdict}{inside}: [{_spoken(cell.why)}](#why-rows-are-not-reached)"


def _spoken(key: str) -> str:
    return key.replace("-", " ")


def _page(see: str) -> str:
    name = see.partition("#")[0]
    return "below" if name == PAGE else name.rpartition("/")[2].removesuffix(".md")


def _link(see: str) -> str:
    return see.removeprefix(PAGE)


def _ours(cell: Cell) -> str:
    between = f" ({_number(cell.low)} to {_number(cell.high)})" if cell.low else ""
    return _number(cell.ours) + between


def _number(text: str) -> str:
    """A number as the page shows it, with a real minus sign; a dash where there is none."""
    return text.replace("-", "−") or "–"


def _markdown(header: list[str], lines: list[list[str]]) -> str:
    rule = f"|{'---|' * len(header)}\n"
    first, *others = (f"| {' | '.join(line)} |\n" for line in (header, *lines))
    return "".join([first, rule, *others])
