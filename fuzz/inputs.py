"""Random texts and arrays for the kernels' functions: mostly right, sometimes wrong.

What each function takes stands in KERNEL_inputs.py. A function that has no row there stops the run:
whoever adds one adds a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    Keywords = dict[str, Any]
    Row = Callable[[Random, ModuleType], Keywords]

# Ranges of code points, each as likely as any other.
RANGES = (
    (0x00, 0x20), (0x21, 0x2F), (0x30, 0x39), (0x3A, 0x40), (0x61, 0x64), (0x41, 0x5A),
    (0x5B, 0x7F), (0x80, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x2000, 0x206F), (0x4E00, 0x9FFF),
    (0xD800, 0xDFFF), (0xFFF0, 0xFFFF), (0x1F600, 0x1F64F), (0x10000, 0x10FFFF),
)  # fmt: skip
PIECES = (
    " ",
    " ",
    " ",
    "\n",
    "-\n",
    "\u3000",
    "<skipped>",
    "&quot;",
    "&amp;",
    "'s",
    "1,000.5",
    "ing",
)
WRONG = (
    None,
    b"bytes",
    "text",
    1,
    -1,
    2**70,
    0.5,
    float("nan"),
    [],
    [None],
    [[None]],
    {},
    object(),
)


def arguments(row: Row, native: ModuleType, rng: Random) -> Keywords:
    """Arguments by name; one of them is wrong in every twentieth call."""
    given = row(rng, native)
    if given and rng.random() < 0.05:
        given[rng.choice(list(given))] = rng.choice(WRONG)
    return given


def piece(rng: Random) -> str:
    """A character of any kind, or a piece that means something to a tokeniser."""
    return rng.choice(PIECES) if rng.random() < 0.4 else chr(rng.randint(*rng.choice(RANGES)))


def alphabet(rng: Random) -> list[str]:
    """The pieces of some texts, few or many; what shares them shares n-grams."""
    return [piece(rng) for _ in range(rng.choice((1, 2, 5, 20, 20, 2_000)))]


def text(rng: Random, longest: int, pieces: list[str] | None = None) -> str:
    """A text of some pieces; short ones are as likely as long ones."""
    length = int((longest + 1) ** rng.random()) - 1
    return "".join(rng.choices(alphabet(rng) if pieces is None else pieces, k=length))


def random_numbers(rng: Random, size: int, below: int) -> np.ndarray:
    """Numbers from 0 up."""
    return np.array([rng.randrange(below) for _ in range(size)], dtype=np.int32)


def random_starts(rng: Random, parts: int, most: int) -> np.ndarray:
    """Where parts of up to `most` things begin; the last number is how many there are."""
    return np.cumsum([0, *(rng.randint(0, most) for _ in range(parts))])


def damaged(rng: Random, arrays: Keywords) -> Keywords:
    """The same arrays, one of them wrong in one place or cut short."""
    name = rng.choice([name for name, array in arrays.items() if isinstance(array, np.ndarray)])
    array = arrays[name].copy()
    if array.size and rng.random() < 0.7:
        array.flat[rng.randrange(array.size)] = rng.choice(_extremes(array.dtype))
        return {**arrays, name: array}
    return {**arrays, name: array[: rng.randint(0, len(array))]}


def _extremes(kind: np.dtype) -> tuple[float, ...]:
    if kind.kind == "f":
        return (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, float(np.finfo(kind).max))
    limits = np.iinfo(kind)
    return (limits.min, limits.max, 0, 1, 5)
