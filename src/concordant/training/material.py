"""Judgements → what a trainer takes: inputs computed once, split by segment, scaled on training.

The three sides share no segment of a test set. Whatever is fitted (idf, projections, scaling) is
fitted on the training side alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from concordant.brief import Brief
from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Inputs, Preparation, check_anchors
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.features.tree_inputs import tree_reader_named
from concordant.judgements.detection import read_each
from concordant.judgements.judged_records import OF_SEGMENTS, kinds_of, matches, matching_patterns
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.judged_systems import judged_systems
from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations
from concordant.judgements.readers.rank_scores import with_rank_scores
from concordant.models.kinds import kind_of, trainer_of
from concordant.specs import parse_specs
from concordant.training.human_scores import HUMAN_SCORES, refuse_no_systems
from concordant.training.judged_inputs import fit_preparation, judged_inputs, scaled_inputs
from concordant.training.splitting import (
    draw_empty,
    draw_judgements,
    draw_segments,
    leave_out_seen,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.encoders.encoders import Track
    from concordant.judgements.judged_systems import JudgedSystems
    from concordant.judgements.judged_translations import Ints, Judged, JudgedTranslations
    from concordant.records import Collection
    from concordant.training.recipe import Recipe

CORPUS_OBJECTIVES = ("corpus", "joint")


@dataclass(frozen=True, repr=False)
class Material(Brief):
    """The judgements of each side; sides split from the same ones share a list of translations.

    `corpora` are the judged systems of each side, where the objective is about them.
    """

    sides: Mapping[str, JudgedTranslations]
    notes: tuple[str, ...]
    corpora: dict[str, JudgedSystems] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The texts and judgements, in twelve hexadecimal digits."""
        found = hashlib.sha256()
        for name, side in self.sides.items():
            found.update(name.encode())
            for numbers in side.numbers():
                found.update(numbers.tobytes())
            texts = side.translations, side.references, side.sources, side.places
            for row in zip(*texts, strict=True):
                found.update(repr(row).encode())
        for corpora in self.corpora.values():
            found.update(repr(corpora.names).encode() + corpora.human.tobytes())
        return found.hexdigest()[:12]

    def used(self, translations: tuple[str, ...]) -> Ints:
        """The rows of a list of translations that any side has judgements or corpora of."""
        rows = []
        for name, side in self.sides.items():
            if side.translations is translations:
                rows += [side.judged]
                rows += self.corpora[name].rows if name in self.corpora else ()
        return np.unique(np.concatenate(rows))

    @property
    def pairs(self) -> dict[str, JudgedPairs]:
        """The sides, where they are judged pairs."""
        return {name: side for name, side in self.sides.items() if isinstance(side, JudgedPairs)}

    @property
    def rated(self) -> dict[str, RatedTranslations]:
        """The sides, where they are rated translations."""
        return {
            name: side for name, side in self.sides.items() if isinstance(side, RatedTranslations)
        }


def gather(recipe: Recipe, judgements: Collection | None = None) -> Material:
    """The judgements that a recipe names (or those given), split as it says."""
    collection = _read(recipe, "data.judgements") if judgements is None else judgements
    wanted = trainer_of(recipe["model.kind"]).learns_from
    if wanted == "ratings" or (wanted == "any" and "ratings" in kinds_of(collection)):
        return _rated_material(recipe, collection)
    return _pair_material(recipe, collection)


def _rated_material(recipe: Recipe, collection: Collection) -> Material:
    """Rated translations; what is chosen by cross-validation needs no validation side."""
    if recipe["data.rank_scores"] != "none":
        collection = _with_rank_scores(recipe, collection)
    rated = _rated(recipe, _judged(recipe, collection, "ratings"))
    sides, notes = _sides(
        recipe, rated, lambda: _rated(recipe, _others(recipe, "validation.judgements", "ratings"))
    )
    _refuse_empty(rated, sides, ("training",))
    beside: dict[str, JudgedTranslations] = {**_beside(recipe)}
    if recipe["data.empty"]:
        beside["empty"] = draw_empty(sides["training"], recipe["data.empty"], recipe["seed"])
    return Material({**sides, **beside}, (*collection.notes, *rated.notes, *notes))


def _beside(recipe: Recipe) -> dict[str, JudgedPairs]:
    """Judged pairs that a regression learns from beside its ratings, where a recipe names any."""
    if not recipe["data.beside"]:
        return {}
    pairs = _others(recipe, "data.beside").pairs(needs=_needs(recipe)).majority()
    return {"beside": draw_judgements(pairs, recipe["data.beside_pairs"], recipe["seed"])}


def _with_rank_scores(recipe: Recipe, collection: Collection) -> Collection:
    """The collection with scores from rankings and preferences of the chosen language pairs."""
    chosen = recipe["data.language_pairs"]
    return with_rank_scores(
        replace(
            collection,
            rankings=tuple(r for r in collection.rankings if matches((r.testset, r.pair), chosen)),
            preferences=tuple(
                p for p in collection.preferences if matches((p.testset, p.pair), chosen)
            ),
        ),
        fewest=recipe["data.fewest_ranks"],
        filtered=recipe["data.rank_scores"] == "agreed",
    )


def _pair_material(recipe: Recipe, collection: Collection) -> Material:
    if not recipe["validation.judgements"] and not recipe["validation.share"]:
        raise SpecError(
            "there is no validation data: set validation.share above 0, or validation.judgements"
        )
    kinds = OF_SEGMENTS if recipe["data.kind"] == "all" else (recipe["data.kind"],)
    pairs = _pairs(recipe, _judged(recipe, collection, *kinds))
    sides, notes = _sides(
        recipe, pairs, lambda: _pairs(recipe, _others(recipe, "validation.judgements", *kinds))
    )
    corpora = _corpora(recipe, sides)
    if recipe["data.repeats"] == "majority":
        sides["training"] = sides["training"].majority()
    sides["validation"] = draw_judgements(
        sides["validation"], recipe["validation.pairs"], recipe["seed"]
    )
    _refuse_empty(pairs, sides, ("training", "validation"))
    if corpora:
        refuse_no_systems(corpora)
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
    sides["training"] = draw_segments(sides["training"], recipe["data.segments"], recipe["seed"])
    if not others:
        return sides, []
    whole = validation()
    sides["validation"] = leave_out_seen(whole, judged)
    known = len(whole) - len(sides["validation"])
    words = f"{known} validation {judged.THINGS} are of segments in data.judgements: left out"
    return sides, [*whole.notes, *([words] if known else [])]


def _refuse_empty(
    judged: JudgedTranslations, sides: Mapping[str, JudgedTranslations], needed: Sequence[str]
) -> None:
    empty = [name for name in needed if not len(sides[name])]
    if empty:
        things = "judged pairs" if isinstance(judged, JudgedPairs) else judged.THINGS
        raise ConcordantError(
            f"there are no {things} for {empty[0]}: {len(judged)} {judged.THINGS} of "
            f"{len(set(judged.segment.tolist()))} segments are too few to split"
        )


def prepare(
    recipe: Recipe,
    material: Material,
    *,
    start: Preparation | None = None,
    threads: int = 1,
    track: Track | None = None,
) -> tuple[Preparation, dict[str, Inputs]]:
    """The preparation fitted on the training side, and the scaled inputs of every side.

    `start` is the preparation of the metric that training starts from: it stays as it is.
    """
    training = material.sides["training"]
    rows = training.judged
    texts = [text for i in rows for text in training.references[i]]
    texts = list(dict.fromkeys(texts or [training.translations[i] for i in rows]))
    unfitted = unfitted_preparation(recipe)
    preparation = fit_preparation(unfitted, texts) if start is None else start
    raw: dict[int, Inputs] = {}
    for side in material.sides.values():
        key = id(side.translations)
        if key not in raw:
            used = material.used(side.translations)
            raw[key] = judged_inputs(preparation, side, used, threads=threads, track=track)
    seen = raw[id(training.translations)]
    if start is not None:
        return start, {name: raw[id(side.translations)] for name, side in material.sides.items()}
    method = recipe["inputs.scaling"]
    if preparation.columns and method != "none":
        scaling = fit_scaling(seen.features[rows], method=method)
        preparation = replace(preparation, feature_scaling=scaling)
    if preparation.dimension and method != "none":
        flat = seen.vectors[rows].reshape(-1, preparation.dimension)
        preparation = replace(preparation, vector_scaling=fit_scaling(flat, method=method))
    scaled = {key: scaled_inputs(preparation, inputs) for key, inputs in raw.items()}
    return preparation, {
        name: scaled[id(side.translations)] for name, side in material.sides.items()
    }


def unfitted_preparation(recipe: Recipe) -> Preparation:
    """The features and vectors that a recipe names, before anything is fitted."""
    features, vectors, trees = (recipe[f"inputs.{k}"] for k in ("features", "vectors", "trees"))
    reads_texts = kind_of(recipe["model.kind"]).reads_texts
    if not features and not vectors and not trees and not reads_texts:
        raise SpecError(
            "the recipe names neither inputs.features nor inputs.vectors nor inputs.trees"
        )
    return Preparation(
        feature_set(features) if features else None,
        tuple(sentence_vectors_named(spec) for spec in parse_specs(vectors)),
        check_anchors(recipe["inputs.anchors"]),
        trees=tree_reader_named(trees) if trees else None,
        reads_texts=reads_texts,
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


def _judged(recipe: Recipe, collection: Collection, *kinds: str) -> JudgedSet:
    """The judgements that a recipe chooses."""
    if kinds == ("ratings",) and "ratings" not in (present := kinds_of(collection)):
        instead = f", there are {' and '.join(present)}: take a recipe for those" if present else ""
        raise SpecError(f"this model learns from ratings of segments, but there are none{instead}")
    patterns, human = recipe["data.language_pairs"], recipe["data.human"] or None
    return JudgedSet.of(collection, *kinds, language_pairs=patterns, human=human)


def _others(recipe: Recipe, key: str, *kinds: str) -> JudgedSet:
    """Other judgements that a recipe names; they may lack some of its language pairs, not all."""
    collection = _read(recipe, key)
    patterns = recipe["data.language_pairs"]
    found = matching_patterns(collection, patterns) or patterns
    return _judged(recipe.with_values(data__language_pairs=found), collection, *kinds)


def _needs(recipe: Recipe) -> list[str]:
    """What each segment must have."""
    anchors = recipe["inputs.anchors"]
    compared = recipe["inputs.features"] and "source" not in anchors
    return [*anchors, *(["reference"] if compared else [])]


def _rated(recipe: Recipe, judged: JudgedSet) -> RatedTranslations:
    return judged.rated(needs=_needs(recipe))


def _pairs(recipe: Recipe, judged: JudgedSet) -> JudgedPairs:
    return judged.pairs(
        minimum_gap=recipe["data.minimum_gap"],
        needs=_needs(recipe),
        ties=recipe["objective.ties"] == "class",
        whole_systems=_about_corpora(recipe),
    )


def _corpora(recipe: Recipe, sides: dict[str, JudgedPairs]) -> dict[str, JudgedSystems]:
    """The judged systems of each side, from all of its judgements; none if nobody asks for them."""
    if not _about_corpora(recipe):
        return {}
    score = HUMAN_SCORES[recipe["objective.systems"]]
    return {name: judged_systems(pairs, score) for name, pairs in sides.items()}


def _about_corpora(recipe: Recipe) -> bool:
    return recipe["objective.kind"] in CORPUS_OBJECTIVES
