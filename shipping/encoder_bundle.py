"""Make a metric of a trained encoder: weights in eight bits, calibrated scores, its record.

    python shipping/encoder_bundle.py NAME FOLDER LESSONS HELD_OUT.npy OWN.npy METRIC

A score from 0 to 100 is the share of translations of WMT16 that people rate lower. What ships has
learned from WMT16, so the encoder of the development split, which has not, is calibrated: HELD_OUT
has its scores of da16 and mqm21ted. OWN has the scores of mqm21ted by the encoder that ships; its
line is moved so that both have the same mean and deviation there.
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
from concordant.metrics.learned import About, Metric
from concordant.models.encoder.quantised import pack
from concordant.models.regression.calibration import calibration

ABOUT = About(
    "learned from human ratings, a neural network of its own, for English; needs no downloads",
    "learned from human ratings; 0 to 100, the share of WMT systems’ translations that people "
    "would be expected to rate lower",
    ("en",),
)
CALIBRATED_ON, ALIGNED_ON = "da16", "mqm21ted"
LEARNED_FROM = "rankings of WMT13, 15 and 16, ratings of WMT15 and 16, MQM of 2020 and 2021"


def calibrated_on(lessons: Path, held_out: Path, own: Path) -> np.ndarray:
    """Intercept and slope of the share of translations of WMT16 that people rate lower."""
    rows = read_lessons(lessons, CALIBRATED_ON)
    raw = scores_of(rows, held_out)
    line = calibration(raw, np.array([each["raw"][0] for each in rows]))
    both = read_lessons(lessons, ALIGNED_ON)
    wanted, found = scores_of(both, held_out), scores_of(both, own)
    slope = line[1] * wanted.std() / found.std()
    return np.array([line[0] + line[1] * wanted.mean() - slope * found.mean(), slope])


def scores_of(rows: list[dict[str, Any]], file: Path) -> np.ndarray:
    """The scores of all translations of some lessons, against the first reference."""
    found = {(int(t), int(r)): score for t, r, score in np.load(file)}
    pairs = [(t, each["references"][0]) for each in rows for t in each["translations"]]
    return np.array([found[pair] for pair in pairs])


def digest_of(lessons: Path, plan: dict[str, Any]) -> str:
    """The plan and the lessons that it names, in twelve hexadecimal digits."""
    found = hashlib.sha256(json.dumps(plan, sort_keys=True).encode())
    for name in sorted(plan["sources"]):
        path = lessons / f"{name}.jsonl"
        if path.exists():
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def card_of(name: str, plan: dict[str, Any]) -> str:
    """The card; its figures come from the quality page."""
    depth, network, sources = len(plan["layers"]), plan["start"], ", ".join(plan["sources"])
    return f"""# {name}

A transformer for translations into English: {depth} layers, started from {network} and learned end
to end from {LEARNED_FROM},
contrast pairs, and what a larger network said of unjudged translations of 2021. Its weights are
whole numbers of 8 bits; it needs no torch and no download.

Sources of its last stage, by their names in shipping/plans: {sources}.

A score is the share of WMT16's translations that people can be expected to rate lower.
"""


def main(
    name: str, folder: Path, lessons: Path, held_out: Path, own_scores: Path, place: Path
) -> None:
    """Save the metric."""
    with require("safetensors").safe_open(folder / "weights.safetensors", "pt") as opened:
        facts = opened.metadata()
        own = {each: opened.get_tensor(each) for each in opened.keys()}  # noqa: SIM118
    plan = json.loads(facts["plan"])
    shape, weights, moved = start(plan, lessons)
    arrays = {each: np.atleast_1d(value.numpy()) for each, value in (weights | own).items()}
    params = pack(arrays) | {"calibration": calibrated_on(lessons, held_out, own_scores)}
    options = {
        "form": shape.form, "layers": shape.layers, "heads": shape.heads,
        "epsilon": str(shape.epsilon), "first": shape.first, "between": shape.between,
        "moved": moved,
    }  # fmt: skip
    prepared = Preparation(None, reads_texts=True)
    metric = Metric(name, "encoder", prepared, params, options, card_of(name, plan), ABOUT)
    record = {"run": digest_of(lessons, plan), "plan": json.dumps(plan, sort_keys=True)}
    save(metric, place, training=record)


if __name__ == "__main__":
    main(sys.argv[1], *(Path(each) for each in sys.argv[2:7]))
