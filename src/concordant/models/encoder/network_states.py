"""A metric's network, prepared for the kernel, and what a head reads of texts.

A state depends on its own sequence alone, so texts may be read in any groups.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import sum_groups
from concordant.encoders.networks.quantised import WORDS, transformer
from concordant.encoders.ragged import Ragged
from concordant.models.encoder.quantised import merge_adapters
from concordant.models.encoder.sequences import Marks, cut_windows, join_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from concordant.encoders._native import Transformer
    from concordant.models.encoder.sequences import CutTexts, Ints
    from concordant.models.kind import Fitted

    States = npt.NDArray[np.float32]

TOGETHER = 40_000  # tokens of sequences whose states are kept at a time: 60 MB of 384 numbers
REMEMBERED = 60_000  # tokens of texts whose states are kept for the next call
KEPT = 4  # networks that stay prepared


@dataclass
class Network:
    """A network that is prepared, and the states of texts that it read last (form apart)."""

    words: np.ndarray
    kernel: Transformer
    marks: Marks
    remembered: dict[bytes, States] = field(default_factory=dict)

    def joint_states(self, cut: CutTexts, pairs: Ints, threads: int) -> States:
        """First mark's state and both texts' mean states, (pairs, 3 · width).

        `pairs` are texts by number. A pair that is read in windows has the mean of them.
        """
        parts = cut_windows(cut.lengths[pairs], self.kernel.longest)
        found = []
        for first, end in cut_groups(parts.size.sum(axis=1) + 3, TOGETHER):
            given = join_tokens(cut, pairs, parts.take(slice(first, end)), self.marks)
            states = self.kernel.states(
                given.words, given.types, given.places, given.starts, given.spans, threads
            )
            found.append(states.reshape(len(states), -1))
        return _means(np.concatenate(found), parts.of)

    def text_states(self, cut: CutTexts, texts: Ints, threads: int) -> Ragged:
        """The states of the pieces of some texts, without marks."""
        keys = [_key(cut, text) for text in texts.tolist()]
        missing = np.array([i for i, key in enumerate(keys) if key not in self.remembered], int)
        known = self.remembered
        if len(missing):
            read = self._read(cut, texts[missing], threads)
            known = known | {keys[i]: read[j] for j, i in enumerate(missing.tolist())}
        states = [known[key] for key in keys]
        self._remember(dict(zip(keys, states, strict=True)))
        starts = np.concatenate([[0], np.cumsum([len(each) for each in states])])
        return Ragged(np.concatenate(states), starts.astype(np.int64))

    def _read(self, cut: CutTexts, texts: Ints, threads: int) -> Ragged:
        parts = cut_windows(cut.lengths[texts][:, None], self.kernel.longest)
        given = join_tokens(cut, texts[:, None], parts, self.marks)
        states = self.kernel.states(
            given.words, given.types, given.places, given.starts, None, threads
        )
        inside = np.ones(len(states), dtype=bool)
        inside[given.starts[:-1]] = inside[given.starts[1:] - 1] = False
        starts = np.concatenate([[0], np.cumsum(cut.lengths[texts])])
        return Ragged(states[inside], starts)

    def _remember(self, states: dict[bytes, States]) -> None:
        """Keep as many of these states as there is room for, each a copy of its own."""
        room = REMEMBERED - sum(len(each) for each in self.remembered.values())
        if room < sum(len(each) for key, each in states.items() if key not in self.remembered):
            self.remembered, room = {}, REMEMBERED
        for key, each in states.items():
            if key not in self.remembered and len(each) <= room:
                self.remembered[key] = each.copy()
                room -= len(each)


def network_of(metric: Fitted) -> Network:
    """The network of a metric, prepared once; the last few are kept."""
    words = metric.params[WORDS]
    for known in _PREPARED:
        if known.words is words:
            return known
    options = metric.options
    kernel = transformer(
        merge_adapters(metric.params),
        heads=int(options["heads"]),
        epsilon=float(options["epsilon"]),
    )
    marks = Marks(int(options["first"]), int(options["between"]), int(options["moved"]))
    made = Network(words, kernel, marks)
    _PREPARED.append(made)
    del _PREPARED[:-KEPT]
    return made


_PREPARED: list[Network] = []


def cut_groups(sizes: Ints, most: int) -> Iterator[tuple[int, int]]:
    """Runs of neighbours whose sizes come to about `most`: (first, end).

    >>> list(cut_groups(np.array([3, 3, 3, 9, 1]), 6))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    number = (np.cumsum(sizes) - 1) // most
    bounds = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(sizes)]
    return pairwise(bounds)


def _means(values: States, of: Ints) -> States:
    """The mean of each run of neighbouring rows."""
    first = np.flatnonzero(np.diff(of, prepend=-1))
    if len(first) == len(of):
        return values
    counts = np.diff(first, append=len(of))
    return np.asarray(sum_groups(values, first) / counts[:, None].astype(np.float32))


def _key(cut: CutTexts, text: int) -> bytes:
    """What a text's states follow from."""
    begin, end = cut.ids.starts[text], cut.ids.starts[text + 1]
    return bytes(cut.ids.values[begin:end].tobytes() + b"|" + cut.surfaces[begin:end].tobytes())
