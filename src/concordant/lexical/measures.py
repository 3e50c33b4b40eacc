"""Measures by name: BLEU, chrF and TER as sacrebleu counts and computes them.

A measure is two steps. `counts` turns each segment into a row of numbers; `segment_scores` and
`corpus_scores` turn rows into scores. The counts of a corpus are the sum of its segments' counts,
so system scores, bootstraps and permutations never touch the text again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from concordant._version import __version__
from concordant.errors import SpecError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

BLOCK = 500


@dataclass(frozen=True)
class Measure:
    """A lexical measure; `sign` is -1 where a lower score is better."""

    name: str
    title: str
    sign: int
    for_segments: Callable[[], Any]
    for_corpora: Callable[[], Any]

    def counts(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
        """One row of counts per segment; `references` has one or more texts for each segment."""
        metric = self.for_segments()
        rows: list[list[float]] = []
        for begin in range(0, len(hypotheses), BLOCK):
            part = slice(begin, begin + BLOCK)
            streams = list(zip_longest(*references[part]))
            rows += metric._extract_corpus_statistics(hypotheses[part], streams)  # noqa: SLF001
        return np.array(rows, dtype=np.float64)

    def segment_scores(self, counts: Floats) -> Floats:
        """The sentence score of each row of counts."""
        return _scores(self.for_segments(), counts)

    def corpus_scores(self, counts: Floats) -> Floats:
        """The corpus score of each row (last axis) of summed counts."""
        return _scores(self.for_corpora(), counts)

    def signature(self, *, level: str) -> str:
        """What computed the number, in sacrebleu's style."""
        metric = self.for_segments() if level == "segment" else self.for_corpora()
        metric.num_refs = 1  # the references are the data's, not the measure's
        parts = [part for part in str(metric.get_signature()).split("|") if "nrefs:" not in part]
        return "|".join([f"metric:{self.name}", *parts, f"concordant:{__version__}"])


def _scores(metric: Any, counts: Floats) -> Floats:
    flat = counts.reshape(-1, counts.shape[-1])
    values = [metric._compute_score_from_stats(row.tolist()).score for row in flat]  # noqa: SLF001
    return np.array(values, dtype=np.float64).reshape(counts.shape[:-1])


def _bleu(*, effective_order: bool) -> Any:
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415 - slow to import

    return BLEU(effective_order=effective_order)


def _chrf(*, word_order: int) -> Any:
    from sacrebleu.metrics.chrf import CHRF  # noqa: PLC0415

    return CHRF(word_order=word_order)


def _ter() -> Any:
    from sacrebleu.metrics.ter import TER  # noqa: PLC0415

    return TER()


def _chrf_plain() -> Any:
    return _chrf(word_order=0)


def _chrf_plus() -> Any:
    return _chrf(word_order=2)


MEASURES = {
    measure.name: measure
    for measure in (
        Measure(
            "bleu",
            "BLEU (Papineni et al. 2002)",
            1,
            lambda: _bleu(effective_order=True),
            lambda: _bleu(effective_order=False),
        ),
        Measure("chrf", "chrF (Popović 2015)", 1, _chrf_plain, _chrf_plain),
        Measure("chrf++", "chrF++ (Popović 2017)", 1, _chrf_plus, _chrf_plus),
        Measure("ter", "TER (Snover et al. 2006), lower is better", -1, _ter, _ter),
    )
}


def measure_named(name: str) -> Measure:
    """The measure of that name; an unknown name is an error that lists the known ones."""
    if name not in MEASURES:
        hint = nearest(name, list(MEASURES))
        raise SpecError(f'measure "{name}" is not one of {", ".join(MEASURES)}{hint}')
    return MEASURES[name]
