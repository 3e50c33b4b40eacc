"""The experiments by name, and where the data for them lies."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, SpecError, nearest

if TYPE_CHECKING:
    from concordant.experiments.figures import Experiment

# Name → the module of this folder that defines it as EXPERIMENT.
EXPERIMENTS = {
    "wmt12-baselines": "wmt12_baselines",
    "wmt15-correlations": "wmt15_correlations",
    "wmt15-human-scores": "wmt15_human_scores",
    "da16-peers": "da16_peers",
    "guzman2015-metrics": "guzman2015_metrics",
    "guzman2015": "guzman2015",
    "stanojevic2017": "stanojevic2017",
    "shimanaka2018": "shimanaka2018",
    "gupta2015": "gupta2015",
    "tai2015": "tai2015",
}
VARIABLE = "CONCORDANT_DATA"


def experiment_named(name: str) -> Experiment:
    """The experiment of that name; an unknown name is an error that lists the known ones."""
    if name not in EXPERIMENTS:
        known = list(EXPERIMENTS)
        raise SpecError(
            f'experiment "{name}" is not one of {", ".join(known)}{nearest(name, known)}'
        )
    module = import_module(f"concordant.experiments.{EXPERIMENTS[name]}")
    experiment: Experiment = module.EXPERIMENT
    return experiment


def data_folder(given: str | None, experiment: Experiment) -> Path:
    """The folder of WMT data, given or named by CONCORDANT_DATA, with all that is needed in it."""
    named = given if given is not None else os.environ.get(VARIABLE)
    if named is None:
        raise ConcordantError(f"no folder of WMT data; give --data DIR or set {VARIABLE}")
    folder = Path(named)
    missing = [need for need in experiment.needs if not (folder / need).exists()]
    if missing:
        raise ConcordantError(
            f"{folder} has no {', '.join(missing)}, which {experiment.name} needs"
        )
    return folder
