"""Judgements → what a trainer takes: inputs computed once, split by segment, scaled on training.

The three sides share no segment of a test set. Whatever is fitted (idf, projections, scaling) is
fitted on the training side alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Inputs, Preparation, check_anchors
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.features.tree_inputs import tree_reader_named
from concordant.judgements.detection import read_each
from concordant.judgements.rank_scores import with_rank_scores
from concordant.models.kinds import trainer_of
from concordant.specs import parse_specs
from concordant.training.judged_corpora import (
    judged_corpora,
    refuse_no_corpora,
    with_whole_systems,
)
from concordant.training.judged_inputs import judged_inputs, scaled_inputs
from concordant.training.judged_outputs import wanted
from concordant.training.judged_texts import JudgedPairs, judged_pairs
from concordant.training.rated_texts import RatedTexts, emptied, rated_texts
from concordant.training.splitting import limited, limited_segments, split, unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.embeddings.encoders import Track
    from concordant.records import Collection
    from concordant.training.judged_corpora import JudgedCorpora
    from concordant.training.judged_outputs import Ints, Judged, JudgedOutputs
    from concordant.training.recipe import Recipe

CORPUS_OBJECTIVES = ("corpus", "joint")


@dataclass(frozen=True, repr=False)
class Material(Brief):
    """The judgements of each side; sides split from the same ones share a list of outputs.

    `corpora` are the judged systems of each side, where the objective is about them.
    """

    sides: Mapping[str, JudgedOutputs]
    notes: tuple[str, ...]
    corpora: dict[str, JudgedCorpora] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The texts and judgements, in twelve hexadecimal digits."""
        found = hashlib.sha256()
        for name, side in self.sides.items():
            found.update(name.encode())
            for numbers in side.numbers():
                found.update(numbers.tobytes())
            texts = side.hypotheses, side.references, side.sources, side.places
            for row in zip(*texts, strict=True):
                found.update(repr(row).encode())
        for corpora in self.corpora.values():
            found.update(repr(corpora.names).encode() + corpora.human.tobytes())
        return found.hexdigest()[:12]

    def used(self, hypotheses: tuple[str, ...]) -> Ints:
        """The rows of a list of outputs that any side has judgements or corpora of."""
        rows = []
        for name, side in self.sides.items():
            if side.hypotheses is hypotheses:
                rows += [side.judged]
                rows += self.corpora[name].rows if name in self.corpora else ()
        return np.unique(np.concatenate(rows))

    @property
    def pairs(self) -> dict[str, JudgedPairs]:
        """The sides, where they are judged pairs."""
        return {name: side for name, side in self.sides.items() if isinstance(side, JudgedPairs)}

    @property
    def rated(self) -> dict[str, RatedTexts]:
        """The sides, where they are rated outputs."""
        return {name: side for name, side in self.sides.items() if isinstance(side, RatedTexts)}


def gather(recipe: Recipe, judgements: Collection | None = None) -> Material:
    """The judgements that a recipe names (or those given), split as it says."""
    collection = _read(recipe, "data.judgements") if judgements is None else judgements
    how = {
        "language_pairs": recipe["data.language_pairs"],
        "human": recipe["data.human"],
        "needs": [*recipe["inputs.anchors"], *(["reference"] if recipe["inputs.features"] else [])],
    }
    if trainer_of(recipe["model.kind"]).learns_from == "ratings":
        return _rated_material(recipe, collection, how)
    return _pair_material(recipe, collection, how)


def _rated_material(recipe: Recipe, collection: Collection, how: dict[str, Any]) -> Material:
    """Rated outputs; what is chosen by cross-validation needs no validation side."""
    if recipe["data.rank_scores"] != "none":
        collection = with_rank_scores(
            _of_pairs(collection, recipe["data.language_pairs"]),
            fewest=recipe["data.fewest_ranks"],
            filtered=recipe["data.rank_scores"] == "agreed",
        )
    rated = rated_texts(collection, **how)
    sides, notes = _sides(
        recipe, rated, lambda: rated_texts(_read(recipe, "validation.judgements"), **how)
    )
    _refuse_empty(rated, sides, ("training",))
    beside: dict[str, JudgedOutputs] = {**_beside(recipe, how)}
    if recipe["data.empty"]:
        beside["empty"] = emptied(sides["training"], recipe["data.empty"], recipe["seed"])
    return Material({**sides, **beside}, (*collection.notes, *rated.notes, *notes))


def _beside(recipe: Recipe, how: dict[str, Any]) -> dict[str, JudgedPairs]:
    """Judged pairs that a regression learns from beside its ratings, where a recipe names any."""
    if not recipe["data.beside"]:
        return {}
    pairs = judged_pairs(_read(recipe, "data.beside"), **how).majority()
    return {"beside": limited(pairs, recipe["data.beside_pairs"], recipe["seed"])}


def _of_pairs(collection: Collection, patterns: Sequence[str]) -> Collection:
    """The collection with the rankings and preferences of the language pairs alone."""
    rankings = tuple(each for each in collection.rankings if wanted(each, patterns))
    preferences = tuple(each for each in collection.preferences if wanted(each, patterns))
    return replace(collection, rankings=rankings, preferences=preferences)


def _pair_material(recipe: Recipe, collection: Collection, how: dict[str, Any]) -> Material:
    if not recipe["validation.judgements"] and not recipe["validation.share"]:
        raise SpecError(
            "nothing to choose the best epoch on: set validation.share above 0, or "
            "validation.judgements"
        )
    how |= {
        "minimum_gap": recipe["data.minimum_gap"],
        "kind": recipe["data.kind"],
        "ties": recipe["objective.ties"] == "class",
    }
    pairs = _pairs(recipe, collection, how)
    sides, notes = _sides(
        recipe, pairs, lambda: _pairs(recipe, _read(recipe, "validation.judgements"), how)
    )
    corpora = _corpora(recipe, sides)
    if recipe["data.repeats"] == "majority":
        sides["training"] = sides["training"].majority()
    sides["validation"] = limited(sides["validation"], recipe["validation.pairs"], recipe["seed"])
    _refuse_empty(pairs, sides, ("training", "validation"))
    if corpora:
        refuse_no_corpora(corpora)
    return Material(sides, (*collection.notes, *pairs.notes, *notes), corpora)


def _sides(
    recipe: Recipe, judged: Judged, validation: Callable[[], Judged]
) -> tuple[dict[str, Judged], list[str]]:
    """The three sides as a recipe splits them, and notes of what that left out."""
    others = recipe["validation.judgements"]
    shares = {
        "validation": 0.0 if others else recipe["validation.share"],
        "test": recipe["test.share"],
    }
    sides = split(judged, shares, recipe["seed"])
    sides["training"] = limited_segments(sides["training"], recipe["data.segments"], recipe["seed"])
    if not others:
        return sides, []
    whole = validation()
    sides["validation"] = unseen(whole, judged)
    known = len(whole) - len(sides["validation"])
    words = f"{known} validation {judged.THINGS} are of segments in data.judgements: left out"
    return sides, [*whole.notes, *([words] if known else [])]


def _refuse_empty(
    judged: JudgedOutputs, sides: Mapping[str, JudgedOutputs], needed: Sequence[str]
) -> None:
    empty = [name for name in needed if not len(sides[name])]
    if empty:
        things = "judged pairs" if isinstance(judged, JudgedPairs) else judged.THINGS
        raise ConcordantError(
            f"there are no {things} for {empty[0]}: {len(judged)} {judged.THINGS} of "
            f"{len(set(judged.segment.tolist()))} segments are too few to split"
        )


def prepare(
    recipe: Recipe, material: Material, *, threads: int = 1, track: Track | None = None
) -> tuple[Preparation, dict[str, Inputs]]:
    """The preparation fitted on the training side, and the scaled inputs of every side."""
    preparation = unfitted(recipe)
    training = material.sides["training"]
    rows = training.judged
    texts = [text for i in rows for text in training.references[i]]
    texts = list(dict.fromkeys(texts or [training.hypotheses[i] for i in rows]))
    fitted = {} if preparation.features is None else preparation.features.fit(texts)
    for each in preparation.vectors:
        if each.fit is not None:
            fitted[str(each.spec)] = each.fit(texts)
    if preparation.trees is not None:
        fitted[str(preparation.trees.spec)] = preparation.trees.fit()
    preparation = replace(preparation, fitted=fitted)
    raw: dict[int, Inputs] = {}
    for side in material.sides.values():
        key = id(side.hypotheses)
        if key not in raw:
            used = material.used(side.hypotheses)
            raw[key] = judged_inputs(preparation, side, used, threads=threads, track=track)
    seen = raw[id(training.hypotheses)]
    method = recipe["inputs.scaling"]
    if preparation.columns and method != "none":
        scaling = fit_scaling(seen.features[rows], method=method)
        preparation = replace(preparation, feature_scaling=scaling)
    if preparation.dimension and method != "none":
        flat = seen.vectors[rows].reshape(-1, preparation.dimension)
        preparation = replace(preparation, vector_scaling=fit_scaling(flat, method=method))
    scaled = {key: scaled_inputs(preparation, inputs) for key, inputs in raw.items()}
    return preparation, {name: scaled[id(side.hypotheses)] for name, side in material.sides.items()}


def unfitted(recipe: Recipe) -> Preparation:
    """The features and vectors that a recipe names, before anything is fitted."""
    features, vectors, trees = (recipe[f"inputs.{k}"] for k in ("features", "vectors", "trees"))
    if not features and not vectors and not trees:
        raise SpecError(
            "the recipe names neither inputs.features nor inputs.vectors nor inputs.trees"
        )
    return Preparation(
        feature_set(features) if features else None,
        tuple(sentence_vectors_named(spec) for spec in parse_specs(vectors)),
        check_anchors(recipe["inputs.anchors"]),
        trees=tree_reader_named(trees) if trees else None,
    )


def _read(recipe: Recipe, key: str) -> Collection:
    paths: Sequence[str] = recipe[key]
    if not paths:
        raise SpecError(f"the recipe names no judgements; set {key} or give --judgements")
    return read_each([_short(recipe.folder / path) for path in paths])


def _short(path: Path) -> Path:
    """The path from where we are, for messages that people read."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _pairs(recipe: Recipe, collection: Collection, how: dict[str, Any]) -> JudgedPairs:
    pairs = judged_pairs(collection, **how)
    return with_whole_systems(pairs, collection) if _about_corpora(recipe) else pairs


def _corpora(recipe: Recipe, sides: dict[str, JudgedPairs]) -> dict[str, JudgedCorpora]:
    """The judged systems of each side, from all of its judgements; none if nobody asks for them."""
    if not _about_corpora(recipe):
        return {}
    human = recipe["objective.systems"]
    return {name: judged_corpora(pairs, human=human) for name, pairs in sides.items()}


def _about_corpora(recipe: Recipe) -> bool:
    return recipe["objective.kind"] in CORPUS_OBJECTIVES
