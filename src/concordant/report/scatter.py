"""A plot of points with intervals, the horizontal axis logarithmic, as SVG that stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import escape

from concordant.report.plots import round_ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 90, 16, 52
STYLE = (
    "text{font:13px sans-serif;fill:#444}.grid{stroke:#ddd}.bar{stroke:#999;stroke-width:1.5}"
    ".point{fill:#999}.front .point{fill:#1f6feb}.front .bar{stroke:#1f6feb}"
    ".front text{font-weight:bold}"
)


@dataclass(frozen=True)
class Point:
    """A point by name, the interval of its height, and whether it stands out."""

    name: str
    x: float
    y: float
    low: float
    high: float
    front: bool = False


def scatter(points: Sequence[Point], across: str, upwards: str, *, title: str) -> str:
    """The points as a picture, with a title and a description for screen readers.

    >>> picture = scatter([Point("fast", 5000, 0.3, 0.28, 0.32)], "a second", "r", title="Speed")
    >>> picture.startswith("<svg"), "fast: 5,000, 0.300" in picture
    (True, True)
    """
    low, high = min(p.low for p in points), max(p.high for p in points)
    room = 0.08 * ((high - low) or 1.0)
    low, high = low - room, high + room
    first = np.floor(np.log10(min(p.x for p in points)))
    last = np.ceil(np.log10(max(p.x for p in points)))
    last = last if last > first else first + 1

    def x(value: float) -> float:
        share = (np.log10(value) - first) / (last - first)
        return round(float(LEFT + share * (WIDTH - LEFT - RIGHT)), 1)

    def y(value: float) -> float:
        share = (value - low) / (high - low)
        return round(float(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)), 1)

    base, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [
        f'<line class="grid" x1="{LEFT}" x2="{end}" y1="{y(tick)}" y2="{y(tick)}"/>'
        f'<text text-anchor="end" x="{LEFT - 8}" y="{y(tick) + 4}">{tick:g}</text>'
        for tick in round_ticks(low, high)
    ]
    parts += [
        f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{TOP}" y2="{base}"/>'
        f'<text text-anchor="middle" x="{x(tick)}" y="{base + 18}">{tick:,.0f}</text>'
        for tick in (10.0**power for power in np.arange(first, last + 1))
    ]
    parts += [
        f'<g class="{"front" if p.front else ""}">'
        f'<line class="bar" x1="{x(p.x)}" x2="{x(p.x)}" y1="{y(p.low)}" y2="{y(p.high)}"/>'
        f'<circle class="point" cx="{x(p.x)}" cy="{y(p.y)}" r="5"/>'
        f'<text x="{x(p.x) + 9}" y="{y(p.y) + 4}">{escape(p.name)}</text></g>'
        for p in points
    ]
    middle = (LEFT + end) / 2
    parts.append(
        f'<text text-anchor="middle" x="{middle}" y="{HEIGHT - 10}">{escape(across)}</text>'
        f'<text text-anchor="middle" transform="translate(16 {base / 2}) rotate(-90)">'
        f"{escape(upwards)}</text>"
    )
    said = "; ".join(f"{p.name}: {p.x:,.0f}, {p.y:.3f}" for p in points)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(said)}</desc><style>{STYLE}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
