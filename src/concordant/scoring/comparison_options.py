"""How a comparison of systems is tested: numbers of draws, the level, the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from concordant.arguments import draws as draw_count
from concordant.arguments import share, whole_number
from concordant.errors import ConcordantError

RESAMPLES, PERMUTATIONS, LEVEL = 1000, 10_000, 0.95  # the fewest draws, and more for many pairs


@dataclass(frozen=True)
class ComparisonOptions:
    """How a comparison is tested; all of it is part of the signature.

    A number of draws that is None is chosen by the number of pairs: the smallest
    possible p-value is 1 / (draws + 1), and Holm multiplies it by the number of pairs.
    """

    resamples: int | None = None
    permutations: int | None = None
    level: float = LEVEL
    seed: int = 0

    @property
    def alpha(self) -> float:
        """The p-value below which a difference is significant."""
        return 1.0 - self.level

    def settled(self, systems: int) -> ComparisonOptions:
        """The same with all numbers of draws set; too few for any significance are an error.

        >>> ComparisonOptions().settled(4).resamples, ComparisonOptions().settled(12).resamples
        (1000, 3000)
        """
        share(self.level, "level")
        whole_number(self.seed, "seed", 0)
        needed = ceil(systems * (systems - 1) / 2 / self.alpha - 1e-9)
        auto = ceil(2 * needed / 1000) * 1000
        for what, draws in (("resamples", self.resamples), ("permutations", self.permutations)):
            if draws is not None and draw_count(draws, what) < needed:
                raise ConcordantError(
                    f"{draws} {what} are too few to test {systems} systems; at least "
                    f"{needed} are needed"
                )
        return replace(
            self,
            resamples=max(RESAMPLES, auto) if self.resamples is None else self.resamples,
            permutations=max(PERMUTATIONS, auto)
            if self.permutations is None
            else self.permutations,
        )
