"""Items that show how carefully judges work: shared and repeated ones, and damaged translations.

A damaged translation has its middle half replaced by words of another segment (as in WMT's direct
assessment), so it is known to be worse in any language. On a screen of several it stands beside the
translation it was made from; alone it is scored some time after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from concordant.judging.settings import CampaignSettings

FIRST = 5  # a judge's first items are neither repeated nor damaged
SHORTEST = 4  # words, or characters where there are no words


def damaged_text(text: str, other: str, rng: np.random.Generator) -> str | None:
    """The text with its middle half replaced from another one; None where that cannot be.

    >>> import numpy as np
    >>> damaged_text("a b c d e f", "u v w x y z", np.random.default_rng(0))
    'a v w x e f'
    """
    blank = " " if " " in text.strip() else ""
    units = text.split() if blank else list(text)
    strange = other.split() if blank else list(other)
    size = len(units) // 2
    if len(units) < SHORTEST or len(strange) < 2:
        return None
    begin = (len(units) - size) // 2
    if begin > 0 and rng.random() < 0.5:
        begin -= 1
    first = int(rng.integers(max(1, len(strange) - size)))
    made = blank.join([*units[:begin], *strange[first : first + size], *units[begin + size :]])
    return made if made != text else None


def kind_of_next(done: int, settings: CampaignSettings, rng: np.random.Generator) -> str:
    """Whether the next item is plain, shared, a repeat or damaged, by the campaign's shares."""
    draw = rng.random()
    for kind, share in (("shared", settings.shared), ("repeat", settings.repeats),
                        ("damaged", settings.damaged)):  # fmt: skip
        if draw < share:
            return kind if kind == "shared" or done >= FIRST else "plain"
        draw -= share
    return "plain"
