"""The tokens of padded texts as rows of one matrix, without those of padding.

So a network computes padding only in its attention, which sees texts of one length together. No
shape may depend on what else is in a batch: a text is padded to a length that follows from its own,
and the number of rows is a multiple of `BLOCK`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from concordant.encoders.networks.batching import BUDGET, STEP
from concordant.encoders.networks.model_folder import require

Tensor = Any

BLOCK = BUDGET


@dataclass(frozen=True)
class Group:
    """Texts of a batch that are padded to one length.

    `rows` is the row of each of their places, (texts × tokens,), that of padding being the first.
    `hidden` is what attention adds, (texts, 1, 1, tokens), so that padding is not seen.
    """

    rows: Tensor
    hidden: Tensor


@dataclass(frozen=True)
class Packing:
    """Where the rows of a batch come from; those beyond its `count` tokens repeat the first.

    `tokens` is the place of each row in the padded texts, (rows,), and `attended` its place in what
    attention says of the groups, one after the other.
    """

    count: int
    tokens: Tensor
    attended: Tensor
    groups: tuple[Group, ...]

    def padded(self, rows: Tensor, shape: tuple[int, int]) -> Tensor:
        """Rows as (texts, tokens, width), zeros for padding."""
        found = rows.new_zeros(shape[0] * shape[1], rows.shape[1])
        found[self.tokens[: self.count]] = rows[: self.count]
        return found.view(*shape, -1)


def pack(mask: Tensor, *, fewest: int = 1) -> Packing:
    """The packing of a batch; `mask` is (texts, tokens), False for padding at the end of a text.

    Where a group would have fewer texts than `fewest`, its first one is repeated.
    """
    torch = require("torch")
    counts = mask.sum(1)
    starts = counts.cumsum(0) - counts
    lengths = (-(-counts // STEP) * STEP).clamp(max=mask.shape[1])
    tokens = mask.reshape(-1).nonzero()[:, 0]
    groups, attended, before = [], torch.empty_like(tokens), 0
    for length in lengths.unique().tolist():
        texts = (lengths == length).nonzero()[:, 0]
        texts = torch.cat([texts, texts[:1].expand(max(0, fewest - len(texts)))])
        seen = mask[texts, :length]
        rows = torch.where(seen, starts[texts, None] + torch.arange(length), 0).reshape(-1)
        own = seen.reshape(-1).nonzero()[:, 0]
        attended[rows[own]] = before + own
        before += len(rows)
        hidden = torch.where(seen[:, None, None, :], 0.0, torch.finfo(torch.float32).min)
        groups.append(Group(rows, hidden))
    filled = torch.arange(-(-len(tokens) // BLOCK) * BLOCK)
    filled[len(tokens) :] = 0
    return Packing(len(tokens), tokens[filled], attended[filled], tuple(groups))
