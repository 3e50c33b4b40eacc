"""Which scored rows are kept: `chrf > 40`, `length_ratio <= 2`, `no flags`, `no source-copy`."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import SpecError, check_known
from concordant.metrics.flags.flags import FLAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

OPERATORS = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
FLAGS_COLUMN = "flags"  # as the new columns are called
_COMPARISON = re.compile(r"(?P<name>.+?)\s*(?P<sign>>=|<=|!=|==|>|<|=)\s*(?P<number>[^<>=!]+)")
_NO_FLAG = re.compile(r"no\s+(?P<flag>\S+)")


@dataclass(frozen=True)
class Condition:
    """A column compared with a number, or a flag that a row must not have ("" means any)."""

    text: str
    column: str = FLAGS_COLUMN
    sign: str = ""
    number: float = 0.0
    flag: str = ""

    def holds(self, values: Sequence[Any]) -> npt.NDArray[np.bool_]:
        """Where it holds; never where a value is missing or is not a number.

        >>> condition_named("chrf > 40").holds([41.0, 40.0, None]).tolist()
        [True, False, False]
        >>> condition_named("no source-copy").holds(["", "source-copy", "digits"]).tolist()
        [True, False, True]
        """
        if not self.sign:
            found = (str(each or "").split() for each in values)
            return np.array([self.flag not in each if self.flag else not each for each in found])
        numbers = np.array([_number(each) for each in values], dtype=np.float64)  # NaN for None
        compared = OPERATORS[self.sign](numbers, self.number)
        return np.asarray(compared & ~np.isnan(numbers))


def condition_named(text: str) -> Condition:
    """The condition that a text spells; an error says what is allowed.

    >>> condition_named("bleu(tok=intl) >= 20").column
    'bleu(tok=intl)'
    """
    if found := _NO_FLAG.fullmatch(text.strip()):
        flag = found["flag"]
        if flag == FLAGS_COLUMN:
            return Condition(text.strip())
        check_known(f'--where "{text}": the flag', flag, FLAGS)
        return Condition(text.strip(), flag=flag)
    comparison = _COMPARISON.fullmatch(text.strip())
    number = None if comparison is None else _number(comparison["number"])
    if comparison is None or number is None:
        raise SpecError(
            f'--where "{text}" is not a comparison with a number, such as "chrf > 40", nor '
            '"no flags" or "no FLAG"'
        )
    sign = comparison["sign"].replace("==", "=")
    return Condition(text.strip(), comparison["name"], sign, number)


def check_columns(conditions: Sequence[Condition], there: Sequence[str]) -> None:
    """Raise if a condition names a column that there is not."""
    for each in conditions:
        check_known(f'--where "{each.text}": the column', each.column, there)


def _number(value: Any) -> float | None:
    """A number, also one that a csv spells; None for anything else."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
