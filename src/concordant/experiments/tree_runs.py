"""Tree-LSTMs trained on scores from rankings, and their scores of whole test sets.

Scores come from the rankings of WMT13, WMT15 and WMT16 into English, of which WMT13's are put
together from judged pairs but for fr-en; tested are WMT12 and WMT14, of which nothing is trained
on. A twelfth of the segments is for validation, another one is left aside as the paper's test set.

A row of the paper is one network; here there are four of each, which differ in their seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from concordant.evaluation.judged_scorer import JudgedScorer
from concordant.features.preparation import Preparation
from concordant.features.tree_inputs import tree_reader_named
from concordant.judgements.detection import read
from concordant.judgements.judged_columns import texts_of, with_whole_systems
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.merging import merge
from concordant.judgements.readers.rank_scores import rank_scores
from concordant.judgements.readers.screens import with_ties
from concordant.judgements.splits import assign_segments
from concordant.metrics.score_files import given_scores
from concordant.models.tree_lstm.fitting import TreeSide, train_trees
from concordant.models.tree_lstm.forward import TreeShape
from concordant.models.tree_lstm.kind import tree_scores
from concordant.training.recipe import read_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.features.tree_inputs import TreeInputs
    from concordant.judgements.judged_columns import Column, Floats
    from concordant.judgements.judged_translations import RatedTranslations
    from concordant.judgements.readers.rank_scores import Limit, RankScores
    from concordant.records import Collection, Rating

    Params = dict[str, np.ndarray]

YEARS = ("wmt13", "wmt15", "wmt16")
SICK = ("SICK_train.txt", "SICK_trial.txt")
SHARES = {"training": 10.0, "validation": 1.0, "test": 1.0}
SEED = 1  # of the split
SEEDS = (1, 2, 3, 4)  # of the networks of one setting
# Name → whether translations are chosen by variance, how often they are ranked, and SICK beside.
SETS = {
    "L": (True, 4, False),
    "LNF": (False, 4, False),
    "L+Sick": (True, 4, True),
    "XL+Sick": (True, 3, True),
}


@dataclass(frozen=True)
class Setting:
    """One row of the paper's tables: what it is trained on, and the network."""

    data: str
    hidden: int
    memory: int
    structure: str = "tree"


@dataclass(frozen=True)
class Ranked:
    """All scores from rankings beside SICK's ratings, the trees of their texts, and the sets.

    `rows` has for each set and side the rows of `rated`.
    """

    scores: RankScores
    limits: dict[int, Limit]
    rated: RatedTranslations
    inputs: TreeInputs
    preparation: Preparation
    rows: dict[str, dict[str, np.ndarray]]

    def sides(self, setting: Setting) -> tuple[TreeSide, TreeSide]:
        """What a setting is trained and validated on."""
        training, validation = (
            TreeSide.of(
                self.inputs,
                replace(self.rated, rows=self.rows[setting.data][name]),
                structure=setting.structure,
            )
            for name in ("training", "validation")
        )
        return training, validation


@dataclass(frozen=True)
class Scored:
    """A network's numbers for the translations of each column, by the column's name."""

    name: str
    values: dict[str, Floats] = field(default_factory=dict)

    def judged(self, columns: Sequence[Column]) -> JudgedScorer:
        """The numbers as a metric of these columns."""
        given = {column.places: self.values[column.name] for column in columns}
        return JudgedScorer(given_scores(self.name, given))


def read_ranked(data: Path, *, track: Track | None = None) -> Ranked:
    """Everything that the settings are trained on."""
    collection = merge([_into_english(read(data / year)) for year in YEARS])
    sick = [read(data / "similarity" / name) for name in SICK]
    scores = rank_scores(collection)
    limits = scores.limits()
    every = scores.ratings(fewest=3)
    more = [rating for each in sick for rating in each.ratings]
    texts = (*collection.testsets, *(each for given in sick for each in given.testsets))
    together = replace(
        collection, testsets=texts, rankings=(), preferences=(), ratings=(*every, *more)
    )
    rated = JudgedSet.of(together, "ratings").rated()
    reader = tree_reader_named(read_recipe("reval")["inputs.trees"])
    preparation = Preparation(None, fitted={str(reader.spec): reader.fit()}, trees=reader)
    inputs = preparation.tree_inputs(rated.translations, rated.references, track=track)
    assert inputs is not None  # noqa: S101 - the preparation has a reader
    rows = {
        name: _sides(rated, scores.ratings(fewest=few, limits=limits if kept else None), with_sick)
        for name, (kept, few, with_sick) in SETS.items()
    }
    # The paper's sets have one development and one test set, those of L.
    for name in SETS:
        own = "L+Sick" if name.endswith("Sick") else "L"
        rows[name] |= {side: rows[own][side] for side in ("validation", "test")}
    return Ranked(scores, limits, rated, inputs, preparation, rows)


def test_columns(data: Path, year: str, pairs: Sequence[str]) -> list[Column]:
    """The judgements of a year, with all translations of the judged systems.

    Ties that a file of pairs has left out are put back: they count in people's scores of systems.
    """
    collection = read(data / year)
    kind = "preferences" if collection.preferences else "rankings"
    collection = replace(collection, preferences=tuple(with_ties(collection.preferences)))
    return [
        with_whole_systems(each)
        for each in JudgedSet.of(collection, kind, language_pairs=pairs).columns()
    ]


def column_inputs(
    preparation: Preparation, columns: Sequence[Column], *, track: Track | None = None
) -> dict[str, TreeInputs]:
    """The trees of all translations of each column."""
    found = {}
    for column in columns:
        inputs = preparation.tree_inputs(*texts_of(column, "reval"), track=track)
        assert inputs is not None  # noqa: S101 - the preparation has a reader
        found[column.name] = inputs
    return found


def train_setting(setting: Setting, sides: tuple[TreeSide, TreeSide]) -> list[Params]:
    """A setting's networks, one for each seed, trained and validated on two sides."""
    recipe = read_recipe("reval").with_values(
        model__hidden=setting.hidden,
        model__memory=setting.memory,
        model__structure=setting.structure,
    )
    networks, _ = train_trees(recipe, _shape(setting, sides[0].table), *sides, seeds=SEEDS)
    return networks


def score_setting(
    name: str, setting: Setting, networks: Sequence[Params], tests: dict[str, TreeInputs]
) -> list[Scored]:
    """The scores of each of a setting's networks in every column."""
    found = []
    for seed, params in zip(SEEDS, networks, strict=True):
        values = {
            column: tree_scores(params, _shape(setting, inputs.table), setting.structure, inputs)
            for column, inputs in tests.items()
        }
        found.append(Scored(f"{name}, network {seed}", values))
    return found


def _shape(setting: Setting, table: np.ndarray) -> TreeShape:
    return TreeShape(table.shape[1], setting.memory, setting.hidden)


def mean_scored(name: str, networks: Sequence[Scored]) -> Scored:
    """The mean of several networks' scores, translation by translation."""
    columns = networks[0].values
    values = {each: np.mean([one.values[each] for one in networks], axis=0) for each in columns}
    return Scored(name, values)


def mix(
    name: str, short: Scored, long: Scored, tests: dict[str, TreeInputs], *, length: int
) -> Scored:
    """One network's scores where the reference has up to so many words, another's above."""
    values = {}
    for column, inputs in tests.items():
        words = np.zeros(len(inputs), dtype=np.int64)
        words[inputs.output] = inputs.trees.sizes[inputs.reference]
        values[column] = np.where(words > length, long.values[column], short.values[column])
    return Scored(name, values)


def _into_english(collection: Collection) -> Collection:
    return replace(
        collection,
        testsets=tuple(each for each in collection.testsets if each.pair.endswith("-en")),
        rankings=tuple(each for each in collection.rankings if each.pair.endswith("-en")),
        preferences=tuple(each for each in collection.preferences if each.pair.endswith("-en")),
        ratings=(),
    )


def _sides(
    rated: RatedTranslations, chosen: Sequence[Rating], with_sick: bool
) -> dict[str, np.ndarray]:
    """The rows of each side: translations by segment, SICK as its makers split it."""
    wanted = {(each.pair, each.testset, each.segment, each.system) for each in chosen}
    places = [(testset, segment) for _, testset, segment in rated.places]
    ranked = [place for place in places if not place[0].startswith("SICK")]
    of_segment = assign_segments(ranked, SHARES, seed=SEED)
    rows: dict[str, list[int]] = {side: [] for side in SHARES}
    for i, (place, system) in enumerate(zip(rated.places, rated.systems, strict=True)):
        if (*place, system) in wanted:
            rows[of_segment[place[1:]]].append(i)
        elif with_sick and place[1].startswith("SICK"):
            rows["training" if "train" in place[1] else "validation"].append(i)
    return {side: np.array(found, dtype=np.int64) for side, found in rows.items()}
