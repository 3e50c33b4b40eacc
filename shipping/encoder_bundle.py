"""Make a metric of a trained encoder: weights in eight bits, calibrated scores, its record.

    python shipping/encoder_bundle.py NAME FOLDER LESSONS METRIC [DEVELOPMENT EARLIER]

A score from 0 to 100 is the share of translations of WMT16 that people rate lower. What ships has
learned from WMT16, so that only the metric of the development split, which has not, can be
calibrated on its ratings. With DEVELOPMENT, that metric's folder, the line is the one that gives
the scores of mqm21ted the same mean and deviation as there. EARLIER is a metric that was started
from the same network with the same head: what ships is the mean of both networks' weights
(Wortsman et al. 2022), which agrees better with people than either.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from encoder_train import all_texts, read_lessons, start

from concordant.encoders.networks.model_folder import require
from concordant.features.preparation import Preparation
from concordant.metrics.bundle import load, save
from concordant.metrics.learned import About, Metric
from concordant.models.encoder.quantised import pack, unpack
from concordant.models.regression.calibration import calibration

ABOUT = About(
    "learned from human ratings, a neural network of its own, for English; the default, needs no "
    "downloads",
    "learned from human ratings; 0 to 100, the share of WMT systems’ translations that people "
    "would be expected to rate lower",
    ("en",),
)
CALIBRATED_ON, ALIGNED_ON = "da16", "mqm21ted"
LEARNED_FROM = "rankings of WMT13, 15 and 16, ratings of WMT15 and 16, MQM of 2020 and 2021"


def calibrated_on(metric: Metric, lessons: Path, development: Path | None) -> np.ndarray:
    """Intercept and slope of the share of translations of WMT16 that people rate lower."""
    if development is None:
        rows = read_lessons(lessons, CALIBRATED_ON)
        raw = raw_scores(metric, lessons, rows)
        return np.asarray(calibration(raw, np.array([each["raw"][0] for each in rows])))
    known = load(development)
    both = read_lessons(lessons, ALIGNED_ON)
    wanted, found = (raw_scores(each, lessons, both) for each in (known, metric))
    line = known.params["calibration"]
    slope = line[1] * wanted.std() / found.std()
    return np.array([line[0] + line[1] * wanted.mean() - slope * found.mean(), slope])


def raw_scores(metric: Metric, lessons: Path, rows: list[dict[str, Any]]) -> np.ndarray:
    """The raw scores of all translations of some lessons, against the first reference."""
    texts = all_texts(lessons)
    pairs = [(t, each["references"][0]) for each in rows for t in each["translations"]]
    given = [texts[t] for t, _ in pairs], [[texts[r]] for _, r in pairs]
    return metric.raw_scores(metric.preparation.inputs(*given))


def digest_of(lessons: Path, plan: dict[str, Any]) -> str:
    """The plan and the lessons that it names, in twelve hexadecimal digits."""
    found = hashlib.sha256(json.dumps(plan, sort_keys=True).encode())
    for name in sorted(plan["sources"]):
        path = lessons / f"{name}.jsonl"
        if path.exists():
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def card_of(name: str, plan: dict[str, Any]) -> str:
    """The card; cards.py adds its figures."""
    depth, network, sources = len(plan["layers"]), plan["start"], ", ".join(plan["sources"])
    return f"""# {name}

A transformer for translations into English: {depth} layers, started from {network} and learned end
to end from {LEARNED_FROM},
and contrast pairs. Its weights are whole numbers of 8 bits; it needs no torch and no download.

Sources of its last stage, by their names in shipping/plans: {sources}.
What ships is the mean of these weights and of those that shipped before, whose last stage had WMT16
and MQM 2021 too.

A score is the share of WMT16's translations that people can be expected to rate lower.
"""


def network_of(name: str, folder: Path, lessons: Path) -> tuple[Metric, dict[str, Any]]:
    """The metric of a trained encoder, not calibrated yet, and its plan."""
    with require("safetensors").safe_open(folder / "weights.safetensors", "pt") as opened:
        facts = opened.metadata()
        own = {each: opened.get_tensor(each) for each in opened.keys()}  # noqa: SIM118
    plan = json.loads(facts["plan"])
    shape, weights, moved = start(plan, lessons)
    params = pack({each: np.atleast_1d(value.numpy()) for each, value in (weights | own).items()})
    options = {
        "form": shape.form, "layers": shape.layers, "heads": shape.heads,
        "epsilon": str(shape.epsilon), "first": shape.first, "between": shape.between,
        "moved": moved,
    }  # fmt: skip
    prepared = Preparation(None, reads_texts=True)
    return Metric(name, "encoder", prepared, params, options, card_of(name, plan), ABOUT), plan


def mean_of(one: Metric, other: Metric) -> Metric:
    """The first metric, with the mean of both networks' weights."""
    own, more = unpack(one.params), unpack(other.params)
    mean = {each: ((value + more[each]) / 2).astype(np.float32) for each, value in own.items()}
    return replace(one, params=pack(mean))


def main(
    name: str,
    folder: Path,
    lessons: Path,
    place: Path,
    development: Path | None = None,
    earlier: Path | None = None,
) -> None:
    """Save the metric."""
    network, plan = network_of(name, folder, lessons)
    record = {"run": digest_of(lessons, plan), "plan": json.dumps(plan, sort_keys=True)}
    if earlier is not None:
        other = load(earlier)
        network, record["earlier"] = mean_of(network, other), other.digest
    line = calibrated_on(network, lessons, development)
    save(replace(network, params={**network.params, "calibration": line}), place, training=record)


if __name__ == "__main__":
    main(sys.argv[1], *(Path(each) for each in sys.argv[2:]))
