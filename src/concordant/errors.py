"""All errors for users; each says what is wrong, what is allowed and what to do.

Everything raised on purpose derives from `ConcordantError`; the command line prints it without a
traceback and exits with 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

SHOWN_FAULTS = 20


class ConcordantError(Exception):
    """Any error caused by the input or the request, not by the program."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in one place of one file (line numbers count from 1)."""

    path: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


class DataError(ConcordantError):
    """A file that cannot be read as it is; lists every fault found, not only the first.

    >>> raise DataError.at("ranks.csv", 7, "rank 7 is not one of 1, 2, 3, 4, 5 or -1")
    Traceback (most recent call last):
    concordant.errors.DataError: ranks.csv:7: rank 7 is not one of 1, 2, 3, 4, 5 or -1
    """

    def __init__(self, faults: Sequence[Fault], *, stopped: bool = False) -> None:
        """Keep all faults; `stopped` says that reading ended at the last of them."""
        self.faults = tuple(faults)
        shown = [str(fault) for fault in self.faults[:SHOWN_FAULTS]]
        hidden = len(self.faults) - len(shown)
        if stopped:
            shown.append(f"… and more; reading stopped at {len(self.faults)} faults")
        elif hidden:
            shown.append(f"… and {hidden} more faults of {len(self.faults)}")
        super().__init__("\n".join(shown))

    @classmethod
    def at(cls, path: str | Path, line: int | None, message: str) -> DataError:
        """The error with a single fault."""
        return cls([Fault(str(path), line, message)])


class SpecError(ConcordantError):
    """A name or an option that is not known; the message lists what is."""


class BundleError(ConcordantError):
    """A saved metric that cannot be used: damaged, of a newer format, or not a metric."""


class UndefinedStatistic(ConcordantError):  # noqa: N818 - the name says what it is
    """A statistic that has no value for this input, such as a correlation with a constant."""


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint such as `; did you mean "pearson"?`, or "" if no known name is similar.

    >>> nearest("pearsn", ["pearson", "spearman"]), nearest("BLEU", ["bleu", "chrf"])
    ('; did you mean "pearson"?', '; did you mean "bleu"?')
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only needed once something failed

    by_small = {each.lower(): each for each in known}
    close = get_close_matches(name.lower(), by_small, n=1)
    return f'; did you mean "{by_small[close[0]]}"?' if close else ""


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Raise a SpecError that lists the known names unless this is one of them.

    >>> check_known("scaling", "minmax", ["min-max", "standard"])
    Traceback (most recent call last):
    concordant.errors.SpecError: scaling "minmax" is not one of min-max, standard; did you mean \
"min-max"?
    """
    names = list(known)
    if name not in names:
        hint = nearest(name, names)
        raise SpecError(f'{what} "{name}" is not one of {", ".join(names)}{hint}')
