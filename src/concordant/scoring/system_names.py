"""What systems are called, from the names of their files."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Endings that say what a file is and not whose; any other may be part of a system's name.
PACKED = (".gz", ".xz", ".bz2", ".zst")
ENDINGS = (".txt", ".text", ".out", ".hyp", ".trans", ".mt", ".tok", ".detok", ".plain",
           ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")  # fmt: skip


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each file: its own without a text ending; with its folder where names are equal.

    >>> system_names(["out/Online-A.txt", "out/Online-Y.txt.gz"])
    ['Online-A', 'Online-Y']
    >>> system_names(["1/x.txt", "2/x.txt"]), system_names(["x.tok", "x.detok"])
    (['1/x', '2/x'], ['x.tok', 'x.detok'])
    >>> system_names(["wmt12.de-en.onlineA", "jhu-nmt.5151"])
    ['wmt12.de-en.onlineA', 'jhu-nmt.5151']
    """
    parts = [PurePath(path).parts for path in paths]
    for depth in range(1, max(map(len, parts)) + 1):
        whole = ["/".join(each[-depth:]) for each in parts]
        for names in (list(map(_stem, whole)), whole):
            if len(set(names)) == len(names):
                return names
    return list(paths)


def _stem(name: str) -> str:
    """The name without `.gz` and without one text ending; a name that is only endings stays."""
    packed = next((each for each in PACKED if name.lower().endswith(each)), "")
    stem = name[: len(name) - len(packed)]
    ending = next((each for each in ENDINGS if stem.lower().endswith(each)), "")
    stem = stem[: len(stem) - len(ending)]
    return stem if stem and not stem.endswith("/") else name
