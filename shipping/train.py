"""Train the metrics that ship in the package, from the WMT data that CONCORDANT_DATA names.

`base` is made by encoders.py, `fast-any` and `qe` by multilingual.py.

    python shipping/train.py [NAME…]

The same data, recipe and seed give the same bundle, bit for bit (on one machine; another processor
may round otherwise). The training data is named in each bundle's record and card.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from concordant.metrics.bundle import load, write_about
from concordant.training.course import run_course
from concordant.training.recipe import Recipe, read_recipe

METRICS = Path(__file__).parent.parent / "src" / "concordant" / "metrics" / "shipped"
# Metric → its recipe, the data of its judgements, and those it has beside them. WMT12 and WMT14
# are for tests alone.
SOURCES = {
    "fast": ("fast", {"data.judgements": ["da15", "da16"], "data.beside": ["wmt13"]}),
    "pair": (
        "pairwise",
        {
            "data.judgements": ["wmt13"],
            "data.language_pairs": ["*-en"],
            "data.segments": 300,
            "validation.pairs": 2000,
            "test.share": 0.0,
        },
    ),
    "reval": (
        "reval",
        {
            "data.judgements": [
                *("wmt13", "wmt15", "wmt16"),
                *("similarity/SICK_train.txt", "similarity/SICK_trial.txt"),
            ],
            "data.fewest_ranks": 3,
            "test.share": 0.0,
        },
    ),
}
FOLDERS = ("data.judgements", "data.beside")  # keys whose values are folders of the data


def recipe_of(name: str, data: Path) -> Recipe:
    """The recipe of a metric, with its judgements in a folder of WMT data."""
    recipe_name, sources = SOURCES[name]
    values = {
        key: [str(data / each) for each in value] if key in FOLDERS else value
        for key, value in sources.items()
    }
    changed = {key.replace(".", "__"): value for key, value in values.items()}
    return read_recipe(recipe_name).with_values(name=name, **changed)


def train(name: str, data: Path, folder: Path) -> None:
    """Train one metric and keep it in a folder, with what it says of itself as before."""
    about = load(folder).about
    run_course(
        recipe_of(name, data),
        folder,
        threads=os.cpu_count() or 1,
        say=lambda lines: print(*lines, sep="\n", file=sys.stderr),
    )
    write_about(folder, about)


if __name__ == "__main__":
    for each in sys.argv[1:] or list(SOURCES):
        train(each, Path(os.environ["CONCORDANT_DATA"]), METRICS / each)
