"""What the commands that write a page share: its options, its place, its date."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import click

from concordant.cli.output import notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from concordant.output_files import OutputPlace

HTML = click.option("--html", metavar="FILE", help="Also write a self-contained HTML page.")
TITLE = click.option("--title", metavar="TEXT", help="Title of the HTML page.")


def page_place(html: str | None, title: str | None, read: Iterable[str]) -> OutputPlace | None:
    """Where to write the page; None if none is asked for. `read` are the files of the command."""
    from concordant.output_files import output_place

    if html is None:
        if title is not None:
            raise click.UsageError("--title is the title of the HTML page; add --html FILE")
        return None
    return output_place(html, read)


def write_page(place: OutputPlace, text: str, *, quiet: bool) -> None:
    """Write a page and say where it is."""
    from concordant.output_files import write_whole

    write_whole(place, text)
    notes([f"report written to {place.asked}"], quiet=quiet)


def day() -> str:
    """Today in UTC, or the day of SOURCE_DATE_EPOCH, with which builds are reproduced."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.now(timezone.utc)
    if given.isascii() and given.isdigit() and len(given) < 12:
        now = datetime.fromtimestamp(int(given), timezone.utc)
    return now.strftime("%Y-%m-%d")
