"""Concordant: learn MT metrics from human judgements, score with them, measure agreement.

The public names are imported when they are first used, so that `import concordant` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from concordant._version import __version__

if TYPE_CHECKING:
    from concordant.evaluation.evaluation import evaluate
    from concordant.evaluation.options import EvaluationOptions
    from concordant.judgements.detection import read as read_judgements
    from concordant.metrics.find import load
    from concordant.scoring.comparison import compare
    from concordant.scoring.comparison_options import ComparisonOptions
    from concordant.scoring.in_memory import score
    from concordant.training.course import train

__all__ = [
    "ComparisonOptions",
    "EvaluationOptions",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "read_judgements",
    "score",
    "train",
]

# Public name → module and the name there.
_PUBLIC = {
    "read_judgements": ("concordant.judgements.detection", "read"),
    "evaluate": ("concordant.evaluation.evaluation", "evaluate"),
    "EvaluationOptions": ("concordant.evaluation.options", "EvaluationOptions"),
    "compare": ("concordant.scoring.comparison", "compare"),
    "ComparisonOptions": ("concordant.scoring.comparison_options", "ComparisonOptions"),
    "score": ("concordant.scoring.in_memory", "score"),
    "load": ("concordant.metrics.find", "load"),
    "train": ("concordant.training.course", "train"),
}


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'concordant' has no attribute '{name}'")
    module, attribute = _PUBLIC[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
