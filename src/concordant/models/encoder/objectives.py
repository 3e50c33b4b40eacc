"""What an encoder learns by: squared error on ratings, logistic loss on pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.encoders.networks.model_folder import require

if TYPE_CHECKING:
    from concordant.models.encoder.lessons import Chunk

    Tensor = Any

STEEPNESS = 2.0  # of the logistic loss, for a difference of one standard deviation of ratings


def loss(scores: Tensor, chunk: Chunk) -> Tensor:
    """The weighted sum of the losses of a chunk's ratings and pairs; 0 is best."""
    torch = require("torch")
    wanted, weight = torch.from_numpy(chunk.ratings), torch.from_numpy(chunk.rating_weight)
    squared = (weight * (scores - wanted) ** 2).sum()
    better, worse = torch.from_numpy(chunk.better), torch.from_numpy(chunk.worse)
    apart = STEEPNESS * (scores[better] - scores[worse])
    return (
        squared + (torch.from_numpy(chunk.pair_weight) * torch.nn.functional.softplus(-apart)).sum()
    )
