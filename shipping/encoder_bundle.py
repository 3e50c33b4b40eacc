"""Make a metric of a trained encoder: weights in eight bits, calibrated scores, its record.

    python shipping/encoder_bundle.py NAME FOLDER LESSONS SCORES.npy METRIC

SCORES has the encoder's scores of da16, on which its scores are calibrated: 0 to 100 is the share
of translations that people rate lower.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from encoder_train import read_lessons, start

from concordant.encoders.networks.model_folder import require
from concordant.features.preparation import Preparation
from concordant.metrics.bundle import save
from concordant.metrics.learned import Metric
from concordant.models.encoder.quantised import pack
from concordant.models.regression.calibration import calibration

CALIBRATED_ON = "da16"


def calibrated_on(lessons: Path, scores: Path) -> np.ndarray:
    """Intercept and slope of the share of translations of WMT16 that people rate lower."""
    found = {(int(t), int(r)): score for t, r, score in np.load(scores)}
    rows = read_lessons(lessons, CALIBRATED_ON)
    pairs = [(each["translations"][0], each["references"][0]) for each in rows]
    raw = np.array([found[pair] for pair in pairs])
    return calibration(raw, np.array([each["raw"][0] for each in rows]))


def digest_of(lessons: Path, plan: dict[str, Any]) -> str:
    """The plan and the lessons that it names, in twelve hexadecimal digits."""
    found = hashlib.sha256(json.dumps(plan, sort_keys=True).encode())
    for name in sorted(plan["sources"]):
        path = lessons / f"{name}.jsonl"
        if path.exists():
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def main(name: str, folder: Path, lessons: Path, scores: Path, place: Path) -> None:
    """Save the metric."""
    with require("safetensors").safe_open(folder / "weights.safetensors", "pt") as opened:
        facts = opened.metadata()
        own = {each: opened.get_tensor(each) for each in opened.keys()}  # noqa: SIM118
    plan = json.loads(facts["plan"])
    shape, weights, moved = start(plan, lessons)
    arrays = {each: np.atleast_1d(value.numpy()) for each, value in (weights | own).items()}
    params = pack(arrays) | {"calibration": calibrated_on(lessons, scores)}
    options = {
        "form": shape.form, "layers": shape.layers, "heads": shape.heads,
        "epsilon": str(shape.epsilon), "first": shape.first, "between": shape.between,
        "moved": moved,
    }  # fmt: skip
    metric = Metric(name, "encoder", Preparation(None, reads_texts=True), params, options)
    record = {"run": digest_of(lessons, plan), "plan": json.dumps(plan, sort_keys=True)}
    save(metric, place, training=record)


if __name__ == "__main__":
    main(sys.argv[1], *(Path(each) for each in sys.argv[2:6]))
