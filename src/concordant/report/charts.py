"""Charts of points and lines with intervals, for pages: they fit any width without a script.

Horizontal places are shares of the width, vertical ones pixels. A chart is an image to screen
readers, with its title and numbers as a label; the same numbers stand in a table next to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from concordant.report.plots import Scale, colour, marker, scale_of

if TYPE_CHECKING:
    from collections.abc import Sequence

TOP, BOTTOM = 10, 28


@dataclass(frozen=True)
class ChartPoint:
    """A point, and the interval of its height if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """Points of one colour, joined by a line; as `dots` they are small and not joined."""

    name: str
    number: int
    points: tuple[ChartPoint, ...]
    dots: bool = False


@dataclass(frozen=True)
class ChartAxis:
    """What an axis says, its scale, and the words at its ticks where they are not the numbers."""

    title: str
    scale: Scale
    labels: tuple[str, ...] = ()

    def words(self) -> list[tuple[float, str]]:
        """The ticks and what stands there."""
        labels = self.labels or tuple(f"{tick:g}" for tick in self.scale.ticks)
        return list(zip(self.scale.ticks, labels, strict=True))


def height_scale(series: Sequence[Series], *also: float) -> Scale:
    """A scale for the heights of all points with their intervals, and for other numbers."""
    points = [point for each in series for point in each.points]
    values = [v for p in points for v in (p.y, p.low, p.high) if v is not None]
    return scale_of(min([*values, *also]), max([*values, *also]))


def ordinal_axis(title: str, labels: Sequence[str]) -> ChartAxis:
    """An axis of groups: group k stands at k."""
    ticks = tuple(map(float, range(len(labels))))
    return ChartAxis(title, Scale(-0.5, len(labels) - 0.5, ticks), tuple(labels))


def chart(
    series: Sequence[Series],
    across: ChartAxis,
    upwards: ChartAxis,
    title: str,
    *,
    height: int = 280,
    diagonal: bool = False,
) -> Markup:
    """The series as a picture; `diagonal` adds the line where both axes have the same number."""
    scale = upwards.scale

    def y(value: float) -> str:
        share = (scale.high - value) / (scale.high - scale.low)
        return f"{TOP + share * (height - TOP - BOTTOM):.1f}"

    ticks = upwards.words()
    grid = "".join(
        f'<line class="grid" x1="0" x2="100%" y1="{y(v)}" y2="{y(v)}"/>' for v, _ in ticks
    )
    below = "".join(
        f'<text x="{across.scale.place(v)}" y="{height - 8}" text-anchor="middle">'
        f"{escape(words)}</text>"
        for v, words in across.words()
    )
    low, high = across.scale.low, across.scale.high
    line = (
        f'<line class="diagonal" x1="0" x2="100%" y1="{y(low)}" y2="{y(high)}"/>'
        if diagonal
        else ""
    )
    drawn = "".join(_series(each, across.scale, y) for each in series)
    left = "".join(
        f'<text x="44" y="{float(y(v)) + 4:.1f}" text-anchor="end">{escape(words)}</text>'
        for v, words in ticks
    )
    label = escape(f"{title} {_in_words(series)}")
    return Markup(  # noqa: S704 - names are escaped, the rest are numbers
        f'<div class="chart" role="img" aria-label="{label}">'
        f'<p class="upwards">{escape(upwards.title)}</p>'
        f'<svg class="ticks" width="50" height="{height}" aria-hidden="true">{left}</svg>'
        f'<svg class="drawn" height="{height}" aria-hidden="true">{grid}{line}{drawn}'
        f'<g class="ticks">{below}</g></svg>'
        f'<p class="across">{escape(across.title)}</p></div>'
    )


def _series(series: Series, across: Scale, y: object) -> str:
    assert callable(y)  # noqa: S101 - for the type checker
    places = [(across.place(point.x), y(point.y), point) for point in series.points]
    if series.dots:
        small = "".join(f'<circle cx="{x}" cy="{where}" r="2"/>' for x, where, _ in places)
        return f'<g class="series dots {colour(series.number)}">{small}</g>'
    lines = "".join(
        f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"/>' for a, b in pairwise(places)
    )
    bars = "".join(
        f'<line class="interval" x1="{x}" x2="{x}" y1="{y(p.low)}" y2="{y(p.high)}"/>'
        for x, _, p in places
        if p.low is not None and p.high is not None
    )
    dots = "".join(
        f'<svg x="{x}" y="{where}" overflow="visible">{marker(series.number)}</svg>'
        for x, where, _ in places
    )
    return f'<g class="series {colour(series.number)}">{bars}{lines}{dots}</g>'


def _in_words(series: Sequence[Series]) -> str:
    return "; ".join(
        f"{each.name}: {each.points[0].y:.4g} to {each.points[-1].y:.4g}"
        for each in series
        if each.points and not each.dots
    )
