"""A table of results in four formats: terminal, tsv, json and jsonl.

The terminal format may be terse; the other three have every number with its name, in full
precision. Missing values are empty (tsv) or null (json).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from concordant.safe_text import json_text, printable, printable_line, tsv_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rich.console import Console

Row = TypeVar("Row")

NOT_A_TERMINAL_WIDTH = 10_000
MARK = "!"  # beside a name with a warning


@dataclass(frozen=True)
class Table:
    """What is shown (`header`, `cells`, `title`, `footer`) and what is written (`records`).

    `warnings` are always shown: below the table, in json, and on stderr with tsv and jsonl.
    """

    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Any]]
    title: str = ""
    footer: Sequence[str] = ()
    text_columns: int = 1
    document: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()


def columns_of(
    rows: Iterable[Row], columns: Mapping[str, Callable[[Row], str]]
) -> tuple[list[str], list[list[str]]]:
    """The header and the cells of a table, from what each column shows of a row.

    >>> columns_of(["a", "bc"], {"text": str, "length": lambda row: str(len(row))})
    (['text', 'length'], [['a', '1'], ['bc', '2']])
    """
    return list(columns), [[show(row) for show in columns.values()] for row in rows]


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    """A confidence interval as text; a dash where there is none.

    >>> interval(0.25, 0.5), interval(None, None)
    ('[0.250, 0.500]', '–')
    """
    return "–" if low is None or high is None else f"[{low:.{digits}f}, {high:.{digits}f}]"


def rank_words(best: int | None, worst: int | None) -> str:
    """A range of ranks: `2`, or `2–4`; a dash where there is none."""
    if best is None:
        return "–"
    return str(best) if best == worst else f"{best}–{worst}"


def marked_name(name: str, sign: int = 1, warnings: Sequence[str] | None = None) -> str:
    """A metric's name as a heading: with an arrow if lower is better, a mark if it has warnings.

    >>> marked_name("ter", -1), marked_name("bleu", 1, ["bleu …"])
    ('ter ↓', 'bleu !')
    """
    return f"{name}{' ↓' if sign < 0 else ''}{f' {MARK}' if warnings else ''}"


def terminal(table: Table) -> str:
    """The table for a terminal; columns that do not fit go into further blocks below."""
    from rich.console import Console  # noqa: PLC0415 - slow to import

    console = Console()
    seen = console.is_terminal
    table = _printable(table)
    if not seen:
        console = Console(width=NOT_A_TERMINAL_WIDTH)
    with console.capture() as capture:
        _words(console, table.title, "bold")
        for block in _blocks(table, console.width):
            console.print(_draw(table, block))
        for line in table.warnings:
            _words(console, f"{MARK} warning: {line}", "bold yellow")
        for line in table.footer:
            _words(console, line, "dim")
    drawn = capture.get()
    return drawn if seen else "\n".join(line.rstrip() for line in drawn.split("\n"))


def tsv(table: Table) -> str:
    """The records as tab-separated values with a header; texts are escaped by `tsv_field`."""
    names = list(dict.fromkeys(name for record in table.records for name in record))
    rows: list[list[object]] = [[*names]]
    rows += [[record.get(name) for name in names] for record in table.records]
    return "".join("\t".join(map(_field, row)) + "\n" for row in rows)


def as_json(table: Table) -> str:
    """One JSON object: the document's own fields, and the records."""
    warnings = {"warnings": list(table.warnings)} if table.warnings else {}
    whole = {**warnings, **table.document, "records": list(table.records)}
    return json_text(whole, indent=2) + "\n"


def jsonl(table: Table) -> str:
    """One JSON object per record."""
    return "".join(json_text(each) + "\n" for each in table.records)


FORMATS: dict[str, Callable[[Table], str]] = {
    "table": terminal,
    "tsv": tsv,
    "json": as_json,
    "jsonl": jsonl,
}


def _field(value: object) -> str:
    """A value as a tsv field: texts are escaped, numbers in full precision."""
    if isinstance(value, bool | int | float):
        return repr(value)
    if value is None:
        return ""
    return tsv_field(json_text(value) if isinstance(value, list | tuple) else str(value))


def _printable(table: Table) -> Table:
    """The table with its shown texts made safe for a terminal."""
    return replace(
        table,
        header=[*map(printable, table.header)],
        cells=[[*map(printable, row)] for row in table.cells],
        title=printable(table.title),
        footer=[*map(printable, table.footer)],
        warnings=[*map(printable_line, table.warnings)],
    )


def _blocks(table: Table, width: int) -> list[list[int]]:
    """Groups of columns that fit side by side; every block repeats the text columns."""
    rows = [table.header, *table.cells]
    need = [max(len(line) for row in rows for line in row[i].split("\n")) + 3 for i in _all(table)]
    fixed = list(_all(table))[: table.text_columns]
    blocks: list[list[int]] = [[]]
    room = width - sum(need[i] for i in fixed)
    left = room
    for i in list(_all(table))[table.text_columns :]:
        if need[i] > left and blocks[-1]:
            blocks.append([])
            left = room
        blocks[-1].append(i)
        left -= need[i]
    return [fixed + block for block in blocks]


def _all(table: Table) -> range:
    return range(len(table.header))


def _draw(table: Table, columns: Sequence[int]) -> Any:
    from rich import box  # noqa: PLC0415
    from rich.table import Table as Drawn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False)
    for i in columns:
        side: Literal["left", "right"] = "left" if i < table.text_columns else "right"
        drawn.add_column(Text(table.header[i]), justify=side, no_wrap=i >= table.text_columns)
    for row in table.cells:
        drawn.add_row(*(Text(row[i]) for i in columns))
    return drawn


def _words(console: Console, text: str, style: str) -> None:
    if text:
        console.print(text, markup=False, highlight=False, style=style, soft_wrap=True)
