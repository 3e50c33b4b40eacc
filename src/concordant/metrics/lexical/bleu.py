"""BLEU (Papineni et al. 2002), by the same numbers as sacrebleu (Post 2018).

Counts of a segment: its length, the closest reference's length, and matched and all n-grams of
orders 1 to 4. A corpus is the sum of its segments' counts; both are scored by the same function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import SpecError
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.texts import check_texts, divide
from concordant.metrics.lexical.tokenisers import kernel_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from concordant.metrics.lexical.texts import Floats

    Bools = npt.NDArray[np.bool_]

ORDER = 4
COLUMNS = (
    "translation length", "reference length",
    *(f"matches {n}" for n in range(1, ORDER + 1)), *(f"total {n}" for n in range(1, ORDER + 1)),
)  # fmt: skip
# Chen and Cherry 2014, with sacrebleu's default values.
SMOOTHING = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
# sacrebleu's logarithm of zero.
LOG_OF_ZERO = -9999999999.0
COMPONENTS = (
    *(f"precision {n}" for n in range(1, ORDER + 1)),
    *COLUMNS[2:], *COLUMNS[:2], "length ratio", "brevity penalty",
)  # fmt: skip


def counts(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    tokeniser: str = "13a",
    lowercase: bool = False,
    threads: int = 1,
) -> Floats:
    """Counts of each segment, in the order of COLUMNS: (segments, 10)."""
    texts = check_texts(translations, references, lowercase=lowercase, tokeniser=tokeniser)
    return _native.bleu_counts(*texts, kernel_name(tokeniser), ORDER, threads)


def bleu(
    counts: Floats,
    *,
    smoothing: str = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Floats:
    """BLEU in [0, 100], better when higher, of counts (last axis); `effective_order` for segments.

    >>> row = counts(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> bleu(row, effective_order=True).round(2).tolist()
    [53.73]
    """
    if smoothing not in SMOOTHING:
        raise SpecError(f'smoothing "{smoothing}" is not one of {", ".join(SMOOTHING)}')
    value = SMOOTHING[smoothing] if smoothing_value is None else smoothing_value
    found, there = _precisions(counts, smoothing, value)
    nothing = ~(counts[..., 2 : 2 + ORDER] > 0).any(axis=-1)
    orders = there.sum(axis=-1) if effective_order else np.full(there.shape[:-1], ORDER)
    used = np.arange(ORDER) < orders[..., None]
    logs = np.where(found > 0, np.log(np.where(found > 0, found, 1.0)), LOG_OF_ZERO)
    mean = divide((logs * used).sum(axis=-1), orders.astype(np.float64))
    return np.where(nothing, 0.0, brevity_penalty(counts) * np.exp(mean))


def precisions(counts: Floats, smoothing: str = "exp") -> Floats:
    """The precision of each order in [0, 100], smoothed as in the score (Chen and Cherry 2014).

    >>> row = counts(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> precisions(row).round(1).tolist()
    [[83.3, 60.0, 50.0, 33.3]]
    """
    return _precisions(counts, smoothing, SMOOTHING[smoothing])[0]


def _precisions(counts: Floats, smoothing: str, value: float) -> tuple[Floats, Bools]:
    """The precisions, and which orders there are."""
    matches, totals = counts[..., 2 : 2 + ORDER].copy(), counts[..., 2 + ORDER :].copy()
    if smoothing == "add-k":
        matches[..., 1:] += value
        totals[..., 1:] += value
    # An order without n-grams ends the product, with it all orders above.
    there = np.logical_and.accumulate(totals > 0, axis=-1)
    missed = there & (matches == 0)
    found = divide(100.0 * matches, totals) * there
    if smoothing == "exp":
        halvings = 2.0 ** np.cumsum(missed, axis=-1)
        found = np.where(missed, divide(np.full_like(totals, 100.0), halvings * totals), found)
    if smoothing == "floor":
        found = np.where(missed, divide(np.full_like(totals, 100.0 * value), totals), found)
    return found, there


def brevity_penalty(counts: Floats) -> Floats:
    """BLEU's penalty in [0, 1] for translations shorter than the reference; 1 is none."""
    length, reference = counts[..., 0], counts[..., 1]
    ratio = divide(reference, length)
    short = np.where(length > 0, np.exp(np.minimum(1.0 - ratio, 0.0)), 0.0)
    return np.where(length < reference, short, 1.0)


def components(counts: Floats) -> Floats:
    """BLEU's parts as features, in the order of COMPONENTS (Guzmán et al. 2015, §6.1)."""
    matches, totals = counts[..., 2 : 2 + ORDER], counts[..., 2 + ORDER :]
    lengths = counts[..., :2]
    ratio = divide(counts[..., :1], counts[..., 1:2])
    penalty = brevity_penalty(counts)[..., None]
    return np.concatenate(
        [divide(matches, totals), matches, totals, lengths, ratio, penalty], axis=-1
    )
