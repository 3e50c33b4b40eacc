"""Features beside a network: the weights with which they are added to its scores.

The network has learned from everything, contrast pairs included. There, the bad translation is
nearer to the reference on purpose, and a head that reads features while it learns finds that
likeness is bad: it agrees less with people on all else. So features come last, as a weighted sum
that is fitted to rankings and ratings alone, by logistic loss and squared error with a penalty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from encoder_train import read_lessons
from scipy.optimize import minimize

from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation
from concordant.features.scaling import fit_scaling
from concordant.models.encoder.forward import BESIDE
from concordant.models.encoder.objectives import STEEPNESS
from concordant.training.judged_inputs import fit_preparation

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.features.preparation import Inputs
    from concordant.metrics.learned import Metric

    Floats = np.ndarray
    Rows = list[dict[str, Any]]

LEXICAL = (
    "ngrams(chars,1-5) ngrams(words,1-4) skipgrams(2) ter length facts "
    "tokens(compact-pieces) tokens(compact-words) sentence(compact-pieces)"
)
# What the weights are fitted on: sources, how many segments of them, their share of the cost.
FITTED_ON = {"rr13": (2400, 0.4), "rr15": (1600, 0.3), "da15": (2000, 0.1), "mqm20": (1200, 0.2)}
PENALTY = 0.003
OUT, OUT_BIAS = "head.out", "head.out_bias"


@dataclass(frozen=True)
class Judged:
    """Translations with inputs, by row: judged pairs and ratings with their weights."""

    inputs: Inputs
    better: np.ndarray
    worse: np.ndarray
    pair_weight: Floats
    rated: np.ndarray
    ratings: Floats
    rating_weight: Floats


def lessons_of(folder: Path, counts: dict[str, tuple[int, float]]) -> list[tuple[str, float, Rows]]:
    """Some lessons of each source, with the source's share."""
    found = []
    for name, (count, share) in counts.items():
        rows = read_lessons(folder, name)
        order = np.random.default_rng(11).permutation(len(rows))[:count]
        found.append((name, share, [rows[i] for i in sorted(order)]))
    return found


def texts_of(folder: Path) -> list[str]:
    """All texts by number."""
    return (folder / "texts.txt").read_text("utf-8").split("\n")


def judged(prepared: Preparation, folder: Path, sources: list[tuple[str, float, Rows]]) -> Judged:
    """The lessons of some sources, each translation against its first reference."""
    texts, place = texts_of(folder), dict[tuple[int, int], int]()
    pairs: list[tuple[int, int, float]] = []
    ratings: list[tuple[int, float, float]] = []
    for _, share, rows in sources:
        own_pairs, own_ratings = [], []
        for each in rows:
            both = [(t, each["references"][0]) for t in each["translations"]]
            at = [place.setdefault(pair, len(place)) for pair in both]
            own_pairs += [(at[b], at[w]) for b, w in each.get("pairs", ())]
            own_ratings += list(zip(at, each.get("ratings", ()), strict=False))
        total = len(own_pairs) + len(own_ratings)
        pairs += [(*pair, share / total) for pair in own_pairs]
        ratings += [(*rated, share / total) for rated in own_ratings]
    inputs = prepared.inputs([texts[t] for t, _ in place], [[texts[r]] for _, r in place])
    better, worse, pair_weight = (np.array(each) for each in zip(*pairs, strict=True))
    rated, said, rating_weight = (np.array(each) for each in zip(*ratings, strict=True))
    return Judged(inputs, better, worse, pair_weight, rated, said, rating_weight)


def fit_weights(raw: Floats, found: Judged) -> Floats:
    """A constant, the weight of the network's score, and those of the features."""
    seen = np.column_stack([np.ones(len(raw)), raw, found.inputs.features])
    gaps, rated = seen[found.better] - seen[found.worse], seen[found.rated]
    penalty = np.full(seen.shape[1], PENALTY)
    penalty[:2] = 0.0

    def cost(weights: Floats) -> tuple[float, Floats]:
        apart = STEEPNESS * (gaps @ weights)
        off = rated @ weights - found.ratings
        slope = -STEEPNESS * found.pair_weight / (1 + np.exp(np.clip(apart, -50, 50)))
        value = found.pair_weight @ np.logaddexp(0, -apart) + found.rating_weight @ off**2
        step = slope @ gaps + 2 * (found.rating_weight * off) @ rated + 2 * penalty * weights
        return float(value + penalty @ weights**2), step

    begin = np.zeros(seen.shape[1])
    begin[1] = 1.0
    result = minimize(cost, begin, jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    if not result.success:
        raise SystemExit(f"the weights of features were not found: {result.message}")
    return np.asarray(result.x)


def with_features(metric: Metric, folder: Path, features: str = LEXICAL) -> Metric:
    """The metric's network with these features beside it, fitted on FITTED_ON."""
    sources, texts = lessons_of(folder, FITTED_ON), texts_of(folder)
    references = dict.fromkeys(r for _, _, rows in sources for e in rows for r in e["references"])
    unfitted = Preparation(feature_set(features), reads_texts=True)
    fitted = fit_preparation(unfitted, [texts[each] for each in references])
    found = judged(fitted, folder, sources)
    scaling = fit_scaling(found.inputs.features, method="standard")
    scaled = replace(found.inputs, features=scaling.apply(found.inputs.features))
    found = replace(found, inputs=scaled)
    plain = replace(
        metric,
        preparation=Preparation(None, reads_texts=True),
        params={k: v for k, v in metric.params.items() if k not in {BESIDE, "calibration"}},
    )
    constant, own, *weights = fit_weights(plain.raw_scores(scaled), found)
    head = {
        OUT: (plain.params[OUT] * own).astype(np.float32),
        OUT_BIAS: (plain.params[OUT_BIAS] * own + constant).astype(np.float32),
        BESIDE: np.array(weights, dtype=np.float32),
    }
    prepared = replace(fitted, feature_scaling=scaling)
    return replace(plain, preparation=prepared, params={**plain.params, **head})
