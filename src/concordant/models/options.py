"""What each kind of model keeps besides its weights, and which values are possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.errors import SpecError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 1_000_000  # nodes of a layer; far more than any model has


@dataclass(frozen=True)
class Option:
    """A whole number from `least` up, or one of the values `allowed`."""

    least: int = 0
    allowed: tuple[str | bool, ...] = ()
    optional: bool = False

    def fault(self, value: object) -> str:
        """What is wrong with a value, in words; "" if nothing."""
        if self.allowed:
            fits = any(type(value) is type(each) and value == each for each in self.allowed)
            return "" if fits else f"must be one of {', '.join(map(show_value, self.allowed))}"
        fits = type(value) is int and self.least <= value <= MOST
        return "" if fits else f"must be a whole number from {self.least} to {MOST:,}"


SWITCH = Option(allowed=(False, True))


def check_values(kind: str, known: Mapping[str, Option], options: Mapping[str, Any]) -> None:
    """Raise unless the options are those that a kind of model knows, with possible values."""
    for name, value in options.items():
        if name not in known:
            raise SpecError(
                f'a {kind} model has no option "{name}"; it has {", ".join(known)}'
                f"{nearest(name, list(known))}"
            )
        if fault := known[name].fault(value):
            raise SpecError(f"{name} = {show_value(value)} {fault}")
    missing = [name for name, each in known.items() if name not in options and not each.optional]
    if missing:
        raise SpecError(f"a {kind} model needs the option {missing[0]}")


def show_value(value: object) -> str:
    """A value as in metric.toml, cut short where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
