"""Contributions to a metric's scores, and what a metric consists of, as tables and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.metrics.lexical.measure import Measure
from concordant.models.kinds import kind_of
from concordant.report.tables import Table
from concordant.scoring.explanations import parts_of, scale_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.feature_metric import FeatureMetric
    from concordant.metrics.learned import Metric
    from concordant.metrics.lexical.texts import Floats
    from concordant.scoring.explanations import ExplainedSystem

SHOWN = 5


def moved_words(names: Sequence[str], parts: Floats) -> str:
    """The largest contributions to a score as text, and the sum of the rest.

    >>> moved_words(["a", "b", "c"], np.array([0.1, -2.0, 0.0]))
    'b -2.000, a +0.100'
    """
    order = np.argsort(-np.abs(parts), kind="stable")
    most, rest = order[:SHOWN], float(parts[order[SHOWN:]].sum())
    words = [f"{names[i]} {parts[i]:+.3f}" for i in most if parts[i]]
    return ", ".join([*words, *([f"the rest {rest:+.3f}"] if rest else [])])


def system_parts_table(
    metric: Metric,
    rows: Mapping[str, ExplainedSystem],
    signature: str,
    warnings: Sequence[str] = (),
) -> Table:
    """The mean contribution of each part (rows) to the scores of each system (columns)."""
    names = parts_of(metric)
    systems = list(rows)
    table = np.stack([each.parts for each in rows.values()], axis=-1)  # (parts, systems)
    order = np.argsort(-np.abs(table).max(axis=-1), kind="stable")
    cells = [
        ["score", *(f"{each.score:.4f}" for each in rows.values())],
        ["raw total", *(f"{each.total:+.4f}" for each in rows.values())],
        ["constant", *(f"{each.constant:+.4f}" for each in rows.values())],
        *([names[i], *(f"{value:+.4f}" for value in table[i])] for i in order),
    ]
    return Table(
        header=["part", *systems],
        cells=cells,
        records=[
            {
                "system": system,
                "score": each.score,
                "raw_total": each.total,
                "constant": each.constant,
                **dict(zip(names, each.parts.tolist(), strict=True)),
            }
            for system, each in rows.items()
        ],
        title=f"{metric.name}: mean contributions to the segments' scores",
        warnings=warnings,
        footer=[
            "raw total = constant + all parts; constant: of a translation with average features",
            f"{scale_of(metric)}, for each segment",
            signature,
        ],
        document={"metric": metric.name, "scale": scale_of(metric), "signature": signature},
    )


def weights_table(metric: Metric, training: Mapping[str, Any]) -> Table:
    """A metric's features by their effect, largest first."""
    explanation = kind_of(metric.kind).explanation
    effects = None if explanation is None else explanation.effects
    facts = _facts(metric, training)
    if effects is None:
        prepared = metric.preparation
        inputs = [*prepared.columns, *(str(each.spec) for each in prepared.vectors)] or ["texts"]
        note = f"kind {metric.kind}: no weights of single features"
        return Table(
            header=["input"],
            cells=[[name] for name in inputs],
            records=[{"input": name} for name in inputs],
            title=_title(metric),
            footer=[note, *facts],
            document=_document(metric),
        )
    found = effects(metric)
    columns = metric.preparation.columns
    weights = metric.params["weights"] if not metric.options["hidden"] else [None] * len(columns)
    order = np.argsort(-np.abs(found), kind="stable")
    total = float(np.abs(found).sum()) or 1.0
    return Table(
        header=["feature", "weight", "effect", "share"],
        cells=[
            [
                columns[i],
                "–" if weights[i] is None else f"{weights[i]:+.4f}",
                f"{found[i]:+.4f}",
                f"{abs(found[i]) / total:.1%}",
            ]
            for i in order
        ],
        records=[
            {
                "feature": columns[i],
                "weight": None if weights[i] is None else float(weights[i]),
                "effect": float(found[i]),
            }
            for i in order
        ],
        title=_title(metric),
        footer=[
            "effect: change of the score's logit per standard deviation of the feature",
            *facts,
        ],
        document=_document(metric),
    )


def options_table(metric: Measure | FeatureMetric) -> Table:
    """The options and the signature of a metric that is not learned."""
    rows = list(metric.options.items()) if isinstance(metric, Measure) else []
    signature = metric.signature(level="segment")
    return Table(
        header=["option", "value"],
        cells=rows,
        records=[{"option": name, "value": value} for name, value in rows],
        title=f"{metric.name}: {metric.title}" if isinstance(metric, Measure) else metric.name,
        text_columns=2,
        footer=[signature],
        document={"metric": metric.name, "signature": signature},
    )


def _title(metric: Metric) -> str:
    return f"{metric.name}: {kind_of(metric.kind).title}"


def _facts(metric: Metric, training: Mapping[str, Any]) -> list[str]:
    wanted = ("language_pairs", "training_pairs", "tau")
    known = {key.replace("_", " "): training[key] for key in wanted if key in training}
    words = [f"{key}: {_plain(value)}" for key, value in known.items()]
    return [*(["trained on " + "; ".join(words)] if words else []), metric.signature()]


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _document(metric: Metric) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "model": metric.kind,
        "signature": metric.signature(),
        "card": metric.card,
    }
