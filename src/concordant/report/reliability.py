"""A reliability diagram as SVG: how often people agreed, against the chance that was stated.

A file of its own, with its colours inside, for pages that have no style sheet of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # The mean stated chance of a range, how often it came true, and the weight behind it.
    Bins = Sequence[tuple[float, float, float]]

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 430, 60, 40, 54
SIDE = HEIGHT - TOP - BOTTOM
LOW = 0.5
COLOURS = ("#1b6ca8", "#c2571a")
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#444}.t{font-weight:600}"
    ".g{stroke:#8884;stroke-width:1}.d{stroke:#888;stroke-dasharray:4 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}}"
)


def reliability_diagram(series: Mapping[str, Bins], title: str) -> Markup:
    """Stated chances from 50 to 100 % against what came true; the diagonal is perfect.

    >>> "50 %" in reliability_diagram({"all": [(0.55, 0.6, 10.0)]}, "Reliability")
    True
    """
    parts = [_grid(), f'<text class="t" x="{LEFT}" y="22">{escape(title)}</text>']
    heaviest = max(weight for bins in series.values() for _, _, weight in bins)
    for i, (name, bins) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        line = " ".join(f"{_x(stated):.1f},{_y(true):.1f}" for stated, true, _ in bins)
        dots = "".join(
            f'<circle cx="{_x(stated):.1f}" cy="{_y(true):.1f}" '
            f'r="{2 + 5 * (weight / heaviest) ** 0.5:.1f}" fill="{colour}">'
            f"<title>stated {stated:.0%}, true {true:.0%}</title></circle>"
            for stated, true, weight in bins
        )
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>{dots}')
        y = TOP + 14 + 20 * i
        parts.append(
            f'<circle cx="{LEFT + SIDE + 22}" cy="{y - 4}" r="5" fill="{colour}"/>'
            f'<text x="{LEFT + SIDE + 34}" y="{y}">{escape(name)}</text>'
        )
    words = "; ".join(
        f"{name}: " + ", ".join(f"{stated:.0%} came true {true:.0%}" for stated, true, _ in bins)
        for name, bins in series.items()
    )
    return Markup(  # noqa: S704 - names are escaped, the rest are numbers
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc><style>{STYLE}</style>"
        f"{''.join(parts)}</svg>\n"
    )


def _grid() -> str:
    lines = []
    for tick in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        x, y, words = _x(tick), _y(tick), f"{tick:.0%}".replace("%", " %")
        lines.append(
            f'<path class="g" d="M{x:.1f} {TOP}V{TOP + SIDE}M{LEFT} {y:.1f}H{LEFT + SIDE}"/>'
            f'<text text-anchor="middle" x="{x:.1f}" y="{TOP + SIDE + 18}">{words}</text>'
            f'<text text-anchor="end" x="{LEFT - 8}" y="{y + 4:.1f}">{words}</text>'
        )
    return (
        "".join(lines)
        + f'<path class="d" d="M{LEFT} {TOP + SIDE}L{LEFT + SIDE} {TOP}"/>'
        + f'<text text-anchor="middle" x="{LEFT + SIDE / 2}" y="{HEIGHT - 12}">stated chance</text>'
        + f'<text text-anchor="middle" transform="rotate(-90 14 {TOP + SIDE / 2})" x="14" '
        + f'y="{TOP + SIDE / 2}">people agreed</text>'
    )


def _x(share: float) -> float:
    return LEFT + (share - LOW) / (1 - LOW) * SIDE


def _y(share: float) -> float:
    return TOP + SIDE - (max(share, LOW) - LOW) / (1 - LOW) * SIDE
