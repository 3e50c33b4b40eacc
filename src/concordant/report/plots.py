"""Plots as hand-written SVG: small, sharp, and coloured by the page's style sheet.

Each has a title and a description for screen readers; the same numbers are in a table
next to it. The style sheet colours the classes s0 … s7, for light and dark mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup, escape

from concordant.stats.quantiles import whole_quantiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.stats.arrays import Floats, Ints

COLOURS = 8
WIDTH = 720
BINS = 30
LEFT, RIGHT = 150, 20
LONGEST_LABEL = 16  # letters that fit into LEFT, capitals too
MARKERS = ("circle", "square", "diamond", "triangle")


@dataclass(frozen=True)
class LengthGroup:
    """Segments of similar length: their number, each system's mean and half its interval."""

    label: str
    count: int
    means: list[float]
    halves: list[float]


def colour(system: int) -> str:
    """The class that gives a system its colour in the page's style sheet."""
    return f"s{system % COLOURS}"


def interval_bar(value: float, low: float, high: float, ends: tuple[float, float]) -> Markup:
    """A score and its interval between the ends of a common scale."""
    width, height = 220, 18
    begin, end = ends
    scale = (width - 12) / ((end - begin) or 1.0)

    def x(number: float) -> str:
        return f"{6 + (number - begin) * scale:.1f}"

    middle = height / 2
    return _svg(
        width,
        height,
        f'<line x1="{x(low)}" x2="{x(high)}" y1="{middle}" y2="{middle}" class="interval"/>'
        f'<circle cx="{x(value)}" cy="{middle}" r="4.5" class="point"/>',
        hidden=True,
    )


def distributions(
    systems: Sequence[str], scores: Floats, colours: Sequence[int], title: str
) -> Markup:
    """A histogram of each system's segment scores, on a common scale."""
    low, high = float(scores.min()), float(scores.max())
    high = high if high > low else low + 1.0
    row, top, bottom = 68, 6, 34
    height = top + row * len(systems) + bottom
    scale = (WIDTH - LEFT - RIGHT) / (high - low)
    counts = [np.histogram(each, bins=BINS, range=(low, high))[0] for each in scores]
    tallest = max(int(each.max()) for each in counts)
    parts = []
    step = (WIDTH - LEFT - RIGHT) / BINS
    for i, (name, found, own) in enumerate(zip(systems, counts, scores, strict=True)):
        base = top + row * (i + 1) - 6
        parts.append(_label(name, LEFT - 10, base - 14))
        bars = "".join(
            f'<rect x="{LEFT + k * step + 0.5:.1f}" width="{step - 1:.1f}" '
            f'y="{base - (row - 12) * n / tallest:.1f}" height="{(row - 12) * n / tallest:.1f}"/>'
            for k, n in enumerate(found.tolist())
            if n
        )
        middle = LEFT + (float(np.median(own)) - low) * scale
        parts.append(
            f'<g class="bars {colour(colours[i])}">{bars}</g>'
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{base}" y2="{base}"/>'
            f'<line class="median" x1="{middle:.1f}" x2="{middle:.1f}" y1="{base + 4}" '
            f'y2="{base - row + 14}"/>'
        )
    parts.append(_ticks(low, high, scale, height - bottom + 12))
    medians = ", ".join(
        f"{name} {float(np.median(own)):.2f}" for name, own in zip(systems, scores, strict=True)
    )
    return _svg(WIDTH, height, "".join(parts), title, f"Medians: {medians}.")


def by_length(
    systems: Sequence[str], groups: Sequence[LengthGroup], colours: Sequence[int], title: str
) -> Markup:
    """Mean scores of short to long segments, one line per system, with intervals."""
    height, left, top, bottom = 300, 60, 14, 50
    low = min(m - h for g in groups for m, h in zip(g.means, g.halves, strict=True))
    high = max(m + h for g in groups for m, h in zip(g.means, g.halves, strict=True))
    high = high if high > low else low + 1.0
    scale = (height - top - bottom) / (high - low)
    column = (WIDTH - left - RIGHT) / len(groups)

    def x(group: int, system: int) -> float:
        return left + column * (group + 0.5) + (system - (len(systems) - 1) / 2) * 7

    def y(value: float) -> float:
        return top + (high - value) * scale

    parts = [
        f'<path class="grid" d="M{left} {y(tick):.1f}H{WIDTH - RIGHT}"/>'
        f'<text class="tick" text-anchor="end" x="{left - 8}" y="{y(tick) + 4:.1f}">{tick:g}</text>'
        for tick in round_ticks(low, high)
    ]
    parts += [
        f'<text class="tick" text-anchor="middle" x="{left + column * (k + 0.5):.1f}" '
        f'y="{height - bottom + 20}">{escape(group.label)}</text>'
        f'<text class="tick faint" text-anchor="middle" x="{left + column * (k + 0.5):.1f}" '
        f'y="{height - bottom + 36}">{group.count:,} segments</text>'
        for k, group in enumerate(groups)
    ]
    for i in range(len(systems)):
        points = [(x(k, i), y(g.means[i]), g.halves[i] * scale) for k, g in enumerate(groups)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in points)
        drawn = "".join(
            f'<line x1="{a:.1f}" x2="{a:.1f}" y1="{b - h:.1f}" y2="{b + h:.1f}"/>'
            + _marker(a, b, colours[i])
            for a, b, h in points
        )
        parts.append(
            f'<g class="series {colour(colours[i])}"><polyline points="{line}"/>{drawn}</g>'
        )
    ends = f"from {groups[0].label} to {groups[-1].label} words"
    words = "; ".join(
        f"{name} {groups[0].means[i]:.2f} to {groups[-1].means[i]:.2f}"
        for i, name in enumerate(systems)
    )
    return _svg(WIDTH, height, "".join(parts), title, f"Mean scores {ends}: {words}.")


def key(system: int) -> Markup:
    """A system's colour and marker, for a legend."""
    return _svg(
        18, 14,
        f'<g class="series {colour(system)}">'
        f'{_marker(9, 7, system)}</g>',
        hidden=True,
    )  # fmt: skip


def length_groups(lengths: Ints, scores: Floats, most: int = 6) -> list[LengthGroup]:
    """Segments in groups of about equal size by length; `halves` are 1.96 standard errors."""
    edges = np.unique(whole_quantiles(lengths, np.linspace(0, 1, most + 1).tolist()))
    if len(edges) == 1:
        edges = np.append(edges, edges[0])
    groups = []
    for k in range(len(edges) - 1):
        begin = int(edges[k]) + (k > 0)
        rows = (lengths >= begin) & (lengths <= edges[k + 1])
        if not rows.any():
            continue
        own = scores[:, rows]
        spread = own.std(axis=1, ddof=1) if own.shape[1] > 1 else np.zeros(len(own))
        label = f"{begin}–{int(edges[k + 1])}" if begin < edges[k + 1] else str(begin)
        half = 1.96 * spread / np.sqrt(own.shape[1])
        means = own.mean(axis=1).tolist()
        groups.append(LengthGroup(label, int(rows.sum()), means, half.tolist()))
    return groups


def round_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers in a range, for the ticks of an axis.

    >>> round_ticks(3.0, 98.0)
    [20.0, 40.0, 60.0, 80.0]
    """
    raw = (high - low) / wanted
    size = 10.0 ** np.floor(np.log10(raw))
    step = float(size * min((m for m in (1, 2, 5, 10) if m * size >= 0.999 * raw), default=10))
    first = np.ceil(low / step)
    count = int(np.floor(high / step) - first) + 1
    return [round(float((first + k) * step), 10) for k in range(count)]


def _ticks(low: float, high: float, scale: float, y: float) -> str:
    return "".join(
        f'<text class="tick" text-anchor="middle" x="{LEFT + (tick - low) * scale:.1f}" '
        f'y="{y:.1f}">{tick:g}</text>'
        for tick in round_ticks(low, high)
    )


def _label(text: str, x: float, y: float) -> str:
    short = text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"
    whole = f"<title>{escape(text)}</title>" if short != text else ""
    return f'<text class="name" text-anchor="end" x="{x}" y="{y}">{whole}{escape(short)}</text>'


def _marker(x: float, y: float, system: int) -> str:
    """A system's marker; shapes differ, since colours repeat and not everyone can see them."""
    shape = MARKERS[(system + system // COLOURS) % len(MARKERS)]
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    if shape == "square":
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    corners = {
        "diamond": ((0, -5), (5, 0), (0, 5), (-5, 0)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
    }
    points = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners[shape])
    return f'<polygon points="{points}"/>'


def _svg(
    width: float,
    height: float,
    inside: str,
    title: str = "",
    description: str = "",
    *,
    hidden: bool = False,
) -> Markup:
    box = f'viewBox="0 0 {width} {height}"'
    if hidden:
        size = f'width="{width}" height="{height}"'
        return Markup(f'<svg {box} {size} aria-hidden="true" focusable="false">{inside}</svg>')  # noqa: S704 - names are escaped, the rest are numbers
    words = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    label = escape(f"{title} {description}")
    return Markup(f'<svg {box} class="plot" role="img" aria-label="{label}">{words}{inside}</svg>')  # noqa: S704 - as above
