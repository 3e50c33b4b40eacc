"""Train the metrics of many languages: fast-any and qe.

    python shipping/multilingual.py [--folder FOLDER] [--without PAIR] [NAME…]

CONCORDANT_DATA names the judgements. Nothing is learned from WMT16, from mqm22, nor from the tenth
of segments that judged_rows.py holds out: benchmarks/languages.py measures the metrics on these.
--without leaves language pairs out, as in si-en. The same data, recipe and seed give the same
bundle on one machine.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from judged_rows import is_held_out, ranked_pairs, rated_rows, rated_translations
from wrong_translations import wrong_pairs

from concordant.metrics.bundle import load, save, write_about
from concordant.metrics.learned import About
from concordant.training.card import card_text
from concordant.training.material import Material, prepare
from concordant.training.recipe import read_recipe
from concordant.training.splitting import draw_empty, draw_judgements
from concordant.training.training import Plan, train_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.training.recipe import Recipe
    from concordant.training.training import Trained

METRICS = Path(__file__).parent.parent / "src" / "concordant" / "metrics" / "shipped"
OUT_OF_ENGLISH = (
    *("mqm20/en-de", "mqm21/en-de", "mqm21/en-ru"),
    *(f"dax{year}/en-{code}" for year in (18, 19, 20, 21) for code in ("cs", "de", "ru", "zh")),
    *("da21x/en-ru", "da21x/bn-hi", "da21x/hi-bn", "da21x/xh-zu", "da21x/zu-xh"),
    *(f"indicmqm/en-{code}" for code in ("gu", "hi", "ml", "mr", "ta")),
)
MLQEPE = tuple(
    f"mlqepe/{pair}" for pair in ("en-de", "en-zh", "et-en", "ne-en", "ro-en", "ru-en", "si-en")
)
WITH_SOURCE = (
    *MLQEPE,
    *("qe24pe/en-hi", "qe24pe/en-ta", "mqm20/en-de", "mqm20/zh-en"),
    *("mqm21/en-de", "mqm21/zh-en", "mqm21/en-ru", "da21x/en-ru", "da21x/bn-hi", "da21x/hi-bn"),
)
MOST_WITH_SOURCE = 3000
RANKED = ("wmt12", "wmt15")
SCALE = (
    "learned from human ratings; 0 to 100, the share of WMT systems’ translations that people "
    "would be expected to rate lower"
)

IN_TABLE = (  # the languages of compact-any
    *("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"),
)


@dataclass(frozen=True)
class Lessons:
    """What a metric learns from, and what it says of itself."""

    about: About
    rated: Sequence[str]
    most: int
    references: bool = True


METRICS_OF = {
    "fast-any": Lessons(
        About("learned from human judgements of many languages; needs no downloads", SCALE),
        OUT_OF_ENGLISH,
        1500,
    ),
    "qe": Lessons(
        About(
            "learned from human ratings, without a reference, from the source alone",
            SCALE,
            IN_TABLE,
        ),
        WITH_SOURCE,
        MOST_WITH_SOURCE,
        references=False,
    ),
}


def material_of(name: str, recipe: Recipe, data: Path, without: str = "") -> Material:
    """The judgements that a metric learns from; `without` leaves a language pair out."""
    lessons, seed = METRICS_OF[name], recipe["seed"]
    rows = rated_rows(data, lessons.rated, lessons.most)
    rows = [row for row in rows if row.place[0] != without and not is_held_out(row)]
    rated = rated_translations(rows, references=lessons.references)
    if lessons.references:
        pairs = ranked_pairs(data, RANKED, "en-*")
        kept = [pair != without for pair in pairs.language_pair]
        pairs = pairs.take(np.flatnonzero(kept))
        beside = draw_judgements(pairs, recipe["data.beside_pairs"], seed)
    else:
        beside = wrong_pairs(rated, seed)
    empty = draw_empty(rated, recipe["data.empty"], seed)
    sides = {"training": rated, "validation": rated.take(np.array([], dtype=np.int64)),
             "test": rated.take(np.array([], dtype=np.int64))}  # fmt: skip
    return Material({**sides, "beside": beside, "empty": empty}, ())


def learn(name: str, data: Path, without: str = "") -> tuple[Plan, Trained]:
    """Train one metric; `without` leaves a language pair out."""
    recipe = read_recipe(name)
    material = material_of(name, recipe, data, without)
    planned = Plan(recipe, material, *prepare(recipe, material))
    print(*planned.lines(), sep="\n", file=sys.stderr)
    return planned, train_metric(planned)


def train(name: str, data: Path, folder: Path, without: str = "") -> None:
    """Train one metric and keep it in a folder."""
    planned, trained = learn(name, data, without)
    print(trained.held_out, *trained.reached.estimates.values(), file=sys.stderr)
    metric = replace(trained.metric, card=card_text(planned, trained))
    save(metric, folder, training=trained.record)
    write_about(folder, METRICS_OF[name].about)
    load(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(METRICS_OF), metavar="NAME")
    parser.add_argument("--folder", type=Path, default=METRICS)
    parser.add_argument("--without", default="", metavar="PAIR")
    asked = parser.parse_args()
    for each in asked.names:
        train(each, Path(os.environ["CONCORDANT_DATA"]), asked.folder / each, asked.without)
