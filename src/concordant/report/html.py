"""One self-contained HTML page: a template, our styles and scripts inside it, and data as JSON.

The page's Content-Security-Policy allows its own style sheet and script by their hashes, and no
request at all. The template escapes all texts; the data stand in an element that browsers do not
run, with `<` escaped, so that no text can end it.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant._version import __version__
from concordant.safe_text import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"

Values = dict[str, Any]  # what a template reads, by name


@dataclass(frozen=True)
class PageFacts:
    """What a page says of itself that the results do not know; all of it may be missing."""

    title: str = ""
    test_set: str = ""
    languages: str = ""
    date: str = ""


def render(
    template: str,
    values: Mapping[str, Any],
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
) -> str:
    """The page of a template with its values, style sheets, scripts and data.

    The scripts are joined to one, in which all see the same names; the data are there as `data`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - slow

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = "".join(map(_own_file, styles))
    script = f'"use strict";\n(() => {{\n{"".join(map(_own_file, scripts))}}})();\n'
    return environment.get_template(template).render(
        **values,
        version=__version__,
        style=_markup(style),
        style_hash=content_hash(style),
        script=_markup(script),
        script_hash=content_hash(script),
        data=_markup(embedded_json({} if data is None else data)),
    )


def content_hash(text: str) -> str:
    """The hash by which the Content-Security-Policy allows one style sheet or script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def embedded_json(value: Mapping[str, Any]) -> str:
    r"""The value as compact JSON that no text in it can turn into markup.

    >>> print(embedded_json({"text": "</script>"}))
    {"text":"\u003c/script>"}
    """
    return json_text(value, compact=True).replace("<", "\\u003c")


def _own_file(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _markup(text: str) -> Markup:
    """Text of ours that is embedded unchanged."""
    from markupsafe import Markup  # noqa: PLC0415 - slow

    return Markup(text)  # noqa: S704 - our own files, and JSON without <
