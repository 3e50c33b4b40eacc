"""A metric with the update and compute of torchmetrics: the score of all batches as one system.

The state is a sum of counts, so it costs no memory for the texts and is summed over processes.
"""

from collections.abc import Sequence

import torch
import torchmetrics

import concordant
from concordant.metrics.batch import Batch
from concordant.metrics.scorer import sum_rows


class RunningMetric(torchmetrics.Metric):
    """The system score of a metric such as `bleu` or `fast` (not of nist, see `needs.test_set`)."""

    def __init__(self, name: str = "base") -> None:
        super().__init__()
        self.metric = concordant.load(name)
        width = self.metric.counts(Batch.of([""], [""])).shape[1]
        self.add_state("counts", torch.zeros(width, dtype=torch.float64), dist_reduce_fx="sum")

    def update(self, translations: Sequence[str], references: Sequence[str]) -> None:
        """Count the translations of a batch."""
        rows = self.metric.counts(Batch.of(translations, references))
        self.counts += torch.from_numpy(sum_rows(rows))

    def compute(self) -> float:
        """The system score of all that was counted."""
        return float(self.metric.system_scores(self.counts.numpy(force=True)))
