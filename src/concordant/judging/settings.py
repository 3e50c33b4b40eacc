"""How a campaign is run: what is asked, how much, of whom, and chosen by what."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from concordant.errors import SpecError, check_known
from concordant.judgements.campaign_schema import COMPARING, PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

POLICIES = {
    "random": "systems and segments at random",
    "uncertainty": "systems whose order is least certain, segments at random",
    "both": "systems whose order is least certain, segments on which metrics disagree",
}
CONTEXTS = ("source", "reference", "both")
MOST_SHOWN = 5
SHIPPED_ENGLISH, SHIPPED_OTHER = "base", "fast-any"  # what a metric of one's own has to beat


@dataclass(frozen=True)
class CampaignSettings:
    """The settings of a campaign; they never change once it has begun.

    `shown` translations stand on a screen of the protocol ranking. A judge is given `each`
    judgements. Shares of them are items that another judge has judged (`shared`), that they have
    judged themselves (`repeats`), or that are damaged. `random_share` of all choices are made at
    random, whatever the policy. `context` is what judges see beside the translations.
    """

    protocol: str
    testset: str = ""
    pair: str = ""
    title: str = "Judge translations"
    policy: str = "both"
    random_share: float = 0.1
    shown: int = MOST_SHOWN
    each: int = 100
    shared: float = 0.1
    repeats: float = 0.05
    damaged: float = 0.05
    context: str = "source"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no campaign can be run with."""
        check_known("protocol", self.protocol, PROTOCOLS)
        check_known("policy", self.policy, POLICIES)
        check_known("context", self.context, CONTEXTS)
        if not 2 <= self.shown <= MOST_SHOWN:
            raise SpecError(f"{self.shown} translations on a screen; 2 to {MOST_SHOWN} are allowed")
        if self.each < 1:
            raise SpecError(f"{self.each} judgements for each judge; at least 1 is needed")
        for name in ("random_share", "shared", "repeats", "damaged"):
            if not 0 <= getattr(self, name) <= 1:
                raise SpecError(f"{name} {getattr(self, name):g} is not a share from 0 to 1")
        if self.shared + self.repeats + self.damaged > 0.5:
            raise SpecError("shared, repeats and damaged are more than half of all; ask for less")
        if self.policy != "random" and self.random_share == 0:
            raise SpecError("random_share 0 leaves estimates without a base; 0.1 is the default")

    @property
    def compares(self) -> bool:
        """Whether several translations stand on a screen."""
        return self.protocol in COMPARING

    @property
    def places(self) -> int:
        """How many systems are chosen for a screen."""
        return {"ranking": self.shown, "pairs": 2}.get(self.protocol, 1)

    def to_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> CampaignSettings:
        """The settings among the values of a campaign's table."""
        return cls(**{each.name: values[each.name] for each in fields(cls)})
