"""Small plots that fit any width: intervals on an axis, and histograms.

Every horizontal place is a share of the width, so that the same picture serves a phone and a wide
screen without a script. The style sheet colours the classes s0 … s7, for light and dark mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup, escape

if TYPE_CHECKING:
    from concordant.stats.arrays import Ints

COLOURS = 8
MARKERS = ("circle", "square", "diamond", "triangle")
ROOM = 0.06  # of the scale on both sides, so that markers are not cut off
HEIGHT = 22
CORNERS = {
    "square": ((-4.2, -4.2), (4.2, -4.2), (4.2, 4.2), (-4.2, 4.2)),
    "diamond": ((0, -5.6), (5.6, 0), (0, 5.6), (-5.6, 0)),
    "triangle": ((0, -5.4), (5.4, 4.4), (-5.4, 4.4)),
}


@dataclass(frozen=True)
class Scale:
    """The numbers at both ends of an axis, and the ticks between them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> str:
        """Where a number stands, as a share of the width."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"


def scale_of(low: float, high: float, *, room: float = ROOM, wanted: int = 4) -> Scale:
    """A scale that holds two numbers, with round ticks.

    >>> scale_of(10.0, 50.0, room=0.0).ticks
    (10.0, 20.0, 30.0, 40.0, 50.0)
    """
    size = (high - low) or abs(high) or 1.0
    low, high = low - room * size, (high if high > low else low + size) + room * size
    return Scale(low, high, tuple(round_ticks(low, high, wanted)))


def colour(number: int) -> str:
    """The class that gives a system its colour in the style sheet."""
    return f"s{number % COLOURS}"


def marker(number: int) -> str:
    """A system's marker around 0, 0; shapes differ, since colours repeat and not all see them."""
    shape = MARKERS[(number + number // COLOURS) % len(MARKERS)]
    if shape == "circle":
        return '<circle r="4.8"/>'
    return f'<polygon points="{" ".join(f"{x},{y}" for x, y in CORNERS[shape])}"/>'


def key(number: int) -> Markup:
    """A system's colour and marker, for a name."""
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="key {colour(number)}" viewBox="-7 -7 14 14" width="14" height="14" '
        f'aria-hidden="true">{marker(number)}</svg>'
    )


def dot_and_line(
    value: float, low: float | None, high: float | None, scale: Scale, number: int
) -> Markup:
    """A number and its interval on a scale, with light lines at the ticks."""
    middle = HEIGHT / 2
    grid = "".join(
        f'<line class="grid" x1="{scale.place(tick)}" x2="{scale.place(tick)}" y1="0" '
        f'y2="{HEIGHT}"/>'
        for tick in scale.ticks
    )
    line = ""
    if low is not None and high is not None:
        line = (
            f'<line class="interval" x1="{scale.place(low)}" x2="{scale.place(high)}" '
            f'y1="{middle}" y2="{middle}"/>'
        )
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="dot {colour(number)}" height="{HEIGHT}" aria-hidden="true">{grid}{line}'
        f'<svg x="{scale.place(value)}" y="{middle}" overflow="visible">{marker(number)}</svg>'
        "</svg>"
    )


def axis(scale: Scale) -> Markup:
    """The ticks of a scale with their numbers."""
    ticks = "".join(
        f'<text x="{scale.place(tick)}" y="13" text-anchor="middle">{escape(f"{tick:g}")}</text>'
        for tick in scale.ticks
    )
    return Markup(f'<svg class="ticks" height="18" aria-hidden="true">{ticks}</svg>')  # noqa: S704 - numbers only


def histogram(counts: Ints, tallest: int, median: float, scale: Scale, number: int) -> Markup:
    """The bars of a histogram on a scale, with a line at the median."""
    bars = "".join(
        f'<rect x="{k + 0.06:.2f}" width="0.88" y="{100 - 100 * n / tallest:.1f}" '
        f'height="{100 * n / tallest:.1f}"/>'
        for k, n in enumerate(counts.tolist())
        if n
    )
    place = scale.place(median)
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="bars {colour(number)}" height="52" aria-hidden="true">'
        f'<svg viewBox="0 0 {len(counts)} 100" preserveAspectRatio="none" width="100%" '
        f'height="100%">{bars}</svg>'
        f'<line class="median" x1="{place}" x2="{place}" y1="0" y2="100%"/></svg>'
    )


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
