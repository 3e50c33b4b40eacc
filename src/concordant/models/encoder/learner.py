"""A network that learns: its weights, Adam's averages, and one step of training.

All that learns is one vector, so that the optimiser is a few lines and a checkpoint three arrays.
Where the processor multiplies in bfloat16, products are taken in it; the vector, its averages, the
head and the losses stay in fp32.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.model_folder import require
from concordant.errors import ConcordantError
from concordant.models.encoder.network import (
    apart_scores,
    joint_scores,
    joint_sequences,
    single_sequences,
)
from concordant.models.encoder.objectives import loss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.models.encoder.lessons import Chunk
    from concordant.models.encoder.network import NetworkShape, Text
    from concordant.models.encoder.pair_features import PairFeatures

    Tensor = Any
    Rows = Sequence[int] | np.ndarray

BETAS, TINY = (0.9, 0.98), 1e-6
STEEPEST = 1.0  # gradients are scaled down to this norm
DECAY = 0.01  # of matrices, at the full rate (Loshchilov and Hutter 2019)


@dataclass(frozen=True)
class Schedule:
    """Rates over the steps: up over `warm_up`, level, then in a line to 0 from `decay_from` on."""

    steps: int
    warm_up: int
    decay_from: int
    network: float
    head: float

    def factor(self, step: int) -> float:
        """The part of the full rate at a step.

        >>> Schedule(100, 10, 50, 1e-4, 1e-3).factor(75)
        0.5
        """
        rise = min(1.0, (step + 1) / max(self.warm_up, 1))
        fall = (self.steps - step) / max(self.steps - self.decay_from, 1)
        return rise * min(1.0, max(fall, 0.0))


@dataclass
class Learner:
    """A network, the texts that it reads by number, and what of it learns (`names`).

    `flat`, `first` and `second` are the weights that learn and Adam's averages of their gradients.
    `features` are what the head reads of pairs of texts beside the network's states.
    """

    shape: NetworkShape
    texts: Sequence[Text]
    fixed: dict[str, Tensor]
    sizes: Mapping[str, Any]
    flat: Tensor
    product: Any
    features: PairFeatures | None = None
    first: Tensor = field(init=False)
    second: Tensor = field(init=False)
    step: int = 0

    def __post_init__(self) -> None:
        """Averages begin at 0."""
        torch = require("torch")
        self.first, self.second = torch.zeros_like(self.flat), torch.zeros_like(self.flat)

    @property
    def learning(self) -> dict[str, Tensor]:
        """The weights that learn, as views of the vector."""
        sizes = [int(np.prod(size)) for size in self.sizes.values()]
        parts = self.flat.split(sizes)
        named = zip(self.sizes.items(), parts, strict=True)
        return {name: part.view(size) for (name, size), part in named}

    def weights(self, learning: Mapping[str, Tensor] | None = None) -> dict[str, Tensor]:
        """All weights, as the forward pass takes them."""
        own = self.learning if learning is None else learning
        return self.fixed | {name: _cast(name, v, self.product) for name, v in own.items()}

    def scores(self, translations: Rows, references: Rows, weights: Mapping[str, Tensor]) -> Tensor:
        """Scores of translations, each against one reference, by the numbers of the texts."""
        torch, texts = require("torch"), self.texts
        beside = None
        if self.features is not None:
            beside = torch.from_numpy(self.features.rows(translations, references))
        if self.shape.form == "joint":
            both = [texts[i] for i in translations], [texts[i] for i in references]
            return joint_scores(self.shape, weights, joint_sequences(self.shape, *both), beside)
        once, place = np.unique([translations, references], return_inverse=True)
        given = single_sequences(self.shape, [texts[i] for i in once])
        rows = torch.from_numpy(place.reshape(2, -1))
        return apart_scores(self.shape, weights, given, rows[0], rows[1], beside)

    def learn(self, chunks: Sequence[Chunk], schedule: Schedule) -> float:
        """Take one step; the mean loss of a translation."""
        torch = require("torch")
        count = max(sum(len(chunk.translations) for chunk in chunks), 1)
        slope, total = torch.zeros_like(self.flat), 0.0
        for chunk in chunks:
            leaves = {n: v.detach().requires_grad_() for n, v in self.learning.items()}
            scores = self.scores(chunk.translations, chunk.references, self.weights(leaves))
            found = loss(scores, chunk)
            parts = torch.autograd.grad(found / count, list(leaves.values()), allow_unused=True)
            filled = [
                torch.zeros_like(leaf) if part is None else part
                for leaf, part in zip(leaves.values(), parts, strict=True)
            ]
            slope += torch.cat([part.reshape(-1) for part in filled])
            total += float(found.detach())
        self._descend(slope, schedule)
        self.step += 1
        return total / count

    def _descend(self, slope: Tensor, schedule: Schedule) -> None:
        """One step of Adam on the vector."""
        torch = require("torch")
        norm = float(slope.double().norm())
        if not np.isfinite(norm):
            raise ConcordantError(
                f"training diverged in step {self.step + 1}: a gradient is not finite; set a "
                "smaller optimiser.rate"
            )
        slope *= min(1.0, STEEPEST / max(norm, 1e-12))
        times, factor = self.step + 1, schedule.factor(self.step)
        self.first.mul_(BETAS[0]).add_(slope, alpha=1 - BETAS[0])
        self.second.mul_(BETAS[1]).addcmul_(slope, slope, value=1 - BETAS[1])
        change = (self.second / (1 - BETAS[1] ** times)).sqrt_().add_(TINY)
        torch.div(self.first, change, out=change)
        sizes = [int(np.prod(size)) for size in self.sizes.values()]
        parts = zip(self.sizes.items(), self.flat.split(sizes), change.split(sizes), strict=True)
        for (name, size), own, step in parts:
            rate = factor * (schedule.head if name.startswith("head.") else schedule.network)
            own.mul_(1 - (rate * DECAY if len(size) > 1 else 0.0))
            own.sub_(step, alpha=rate / (1 - BETAS[0] ** times))


def new_learner(
    shape: NetworkShape,
    weights: Mapping[str, Tensor],
    names: Sequence[str],
    texts: Sequence[Text],
    features: PairFeatures | None = None,
) -> Learner:
    """A learner of which the named weights learn; all others stay as they are."""
    torch = require("torch")
    product = torch.bfloat16 if has_bfloat16() else torch.float32
    chosen = sorted(names)
    fixed = {n: _cast(n, v, product) for n, v in weights.items() if n not in set(chosen)}
    flat = torch.cat([weights[name].float().reshape(-1) for name in chosen])
    sizes = {name: tuple(weights[name].shape) for name in chosen}
    return Learner(shape, texts, fixed, sizes, flat, product, features)


def _cast(name: str, value: Tensor, product: Any) -> Tensor:
    """A weight as products take it; what reads the last states stays in fp32."""
    return value if name.startswith(("head.", "match.")) else value.to(product)


def has_bfloat16() -> bool:
    """Whether this processor multiplies matrices in bfloat16; CONCORDANT_FP32=1 says no."""
    if os.environ.get("CONCORDANT_FP32"):
        return False
    try:
        return "avx512_bf16" in Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False
