"""Which scripts a text is written in, by Unicode's blocks: letters counted, script by script.

Blocks are coarse: a few signs inside them are no letters. Digits, punctuation and symbols that
scripts share belong to none. A whole list of texts is counted at once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

# Script → first and last code point of its blocks.
BLOCKS: dict[str, tuple[tuple[int, int], ...]] = {
    "Latin": (
        (0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2AF), (0x1E00, 0x1EFF),
        (0xFF21, 0xFF3A), (0xFF41, 0xFF5A),
    ),
    "Greek": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x52F), (0x1C80, 0x1C8F), (0xA640, 0xA69F)),
    "Armenian": ((0x531, 0x588),),
    "Hebrew": ((0x590, 0x5FF),),
    "Arabic": (
        (0x610, 0x65F), (0x66E, 0x6EF), (0x6FA, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF),
        (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),
    ),
    "Devanagari": ((0x900, 0x963), (0x970, 0x97F)),
    "Bengali": ((0x980, 0x9E3), (0x9F0, 0x9FF)),
    "Gurmukhi": ((0xA00, 0xA65), (0xA70, 0xA7F)),
    "Gujarati": ((0xA80, 0xAE5), (0xAF0, 0xAFF)),
    "Odia": ((0xB00, 0xB65), (0xB70, 0xB7F)),
    "Tamil": ((0xB80, 0xBE5),),
    "Telugu": ((0xC00, 0xC65),),
    "Kannada": ((0xC80, 0xCE5),),
    "Malayalam": ((0xD00, 0xD65), (0xD7A, 0xD7F)),
    "Sinhala": ((0xD80, 0xDF3),),
    "Thai": ((0xE00, 0xE3E), (0xE40, 0xE4E)),
    "Lao": ((0xE80, 0xECF), (0xEDC, 0xEFF)),
    "Tibetan": ((0xF40, 0xFBC),),
    "Burmese": ((0x1000, 0x103F), (0x1050, 0x108F)),
    "Georgian": ((0x10A0, 0x10FA), (0x10FC, 0x10FF), (0x1C90, 0x1CBF)),
    "Ethiopic": ((0x1200, 0x135F),),
    "Khmer": ((0x1780, 0x17D3),),
    "Mongolian": ((0x1820, 0x18AF),),
    "Hangul": ((0x1100, 0x11FF), (0x3131, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF)),
    "Kana": ((0x3041, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF),
             (0xFF66, 0xFF9F)),
    "Han": ((0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
            (0x20000, 0x323AF)),
}  # fmt: skip
SCRIPTS = tuple(BLOCKS)
HAN, KANA = SCRIPTS.index("Han"), SCRIPTS.index("Kana")


def letter_counts(texts: Sequence[str]) -> Ints:
    """How many letters of each script every text has: (texts, scripts).

    >>> counts = letter_counts(["Été 42!", "да, yes"])
    >>> counts[:, [SCRIPTS.index("Latin"), SCRIPTS.index("Cyrillic")]].tolist()
    [[3, 0], [3, 2]]
    """
    scripts = len(SCRIPTS) + 1  # the last is for what is no letter of any
    code = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    line = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    found = np.bincount(line * scripts + _script_of()[code], minlength=len(texts) * scripts)
    return found.reshape(len(texts), scripts)[:, :-1]


@cache
def _script_of() -> npt.NDArray[np.uint8]:
    table = np.full(0x110000, len(SCRIPTS), dtype=np.uint8)
    for number, blocks in enumerate(BLOCKS.values()):
        for first, last in blocks:
            table[first : last + 1] = number
    return table
