"""Any metric as a module of Hugging Face's `evaluate`: the configuration names the metric.

>>> metric = evaluate.load("docs/adapters/concordant_metric.py", "chrf")  # doctest: +SKIP
>>> metric.compute(predictions=["a cat"], references=["the cat"])  # doctest: +SKIP
"""

import datasets
import evaluate

import concordant

TEXTS = {"predictions": datasets.Value("string"), "references": datasets.Value("string")}


class ConcordantMetric(evaluate.Metric):
    """The system score, the segments' scores and the signature."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            features=datasets.Features(TEXTS),
            inputs_description="one prediction and one reference for each segment",
        )

    def _compute(self, predictions: list[str], references: list[str], **options: str) -> dict:
        name = None if self.config_name == "default" else self.config_name
        scores = concordant.score(predictions, references, metric=name, **options)
        return {
            "score": scores.system,
            "segments": scores.segments.tolist(),
            "signature": scores.signature,
        }
