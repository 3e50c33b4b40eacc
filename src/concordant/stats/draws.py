"""Random draws in blocks: bounded memory, and the same numbers whatever the size of a block.

A generator gives whole machine words in a fixed order, so a draw must use up whole words; then
one block of 1,000 draws and ten of 100 are the same draws. Sums are taken row by row for the same
reason: a matrix product may round differently in blocks of another size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from concordant.errors import UndefinedStatistic
from concordant.stats.resampling import bootstrap_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.stats.arrays import Bools, Floats

BLOCK_VALUES = 2**19  # values an array of a block may hold: 4 MB of doubles, which a cache can keep


def block_sizes(draws: int, values_each: int) -> Iterator[int]:
    """How many draws each block takes, if every draw needs an array of `values_each` numbers.

    >>> list(block_sizes(5, BLOCK_VALUES // 2))
    [2, 2, 1]
    """
    if draws < 1:
        raise UndefinedStatistic(f"{draws} random draws; at least 1 is needed")
    size = max(1, BLOCK_VALUES // max(1, values_each))
    for start in range(0, draws, size):
        yield min(size, draws - start)


def coins(rng: np.random.Generator, draws: int, size: int) -> Bools:
    """Fair coins, true or false with equal chance, of shape (draws, size)."""
    words = rng.integers(0, 2**64, (draws, -(-size // 64)), dtype=np.uint64).astype("<u8")
    return np.unpackbits(words.view(np.uint8), axis=-1, count=size).view(np.bool_)


def resampled_sums(
    counts: csr_array | Floats, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Sums of the rows of counts (units, k) over resamples with replacement, in blocks (block, k).

    >>> [sums.tolist() for sums in resampled_sums(np.ones((3, 1)), 2, np.random.default_rng(0))]
    [[[3.0], [3.0]]]
    """
    columns = csr_array(csr_array(counts).T)
    width, units = columns.shape
    for size in block_sizes(draws, max(units, width)):
        weights = bootstrap_weights(units, size, rng)
        yield np.ascontiguousarray((columns @ weights.T).T)
