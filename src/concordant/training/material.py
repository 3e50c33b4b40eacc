"""Judged pairs → what a trainer takes: inputs computed once, split by segment, scaled on training.

The three sides share no segment of a test set. Whatever is fitted (idf, projections, scaling) is
fitted on the training side alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Inputs, Preparation, check_anchors
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.judgements.detection import read
from concordant.judgements.merging import merge
from concordant.judgements.splits import assign_segments
from concordant.specs import parse_specs
from concordant.training.judged_corpora import (
    judged_corpora,
    refuse_no_corpora,
    with_whole_systems,
)
from concordant.training.judged_texts import judged_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.embeddings.encoders import Track
    from concordant.records import Collection
    from concordant.training.judged_corpora import JudgedCorpora
    from concordant.training.judged_texts import Ints, JudgedPairs
    from concordant.training.recipe import Recipe

SIDES = ("training", "validation", "test")
CORPUS_OBJECTIVES = ("corpus", "joint")


@dataclass(frozen=True)
class Material:
    """Judged pairs of each side; sides split from the same judgements share a list of outputs.

    `corpora` are the judged systems of each side, where the objective is about them.
    """

    sides: dict[str, JudgedPairs]
    notes: tuple[str, ...]
    corpora: dict[str, JudgedCorpora] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The texts and judgements, in twelve hexadecimal digits."""
        found = hashlib.sha256()
        for name, pairs in self.sides.items():
            found.update(name.encode())
            for rows in (pairs.better, pairs.worse, pairs.weight):
                found.update(rows.tobytes())
            texts = pairs.hypotheses, pairs.references, pairs.sources, pairs.places
            for row in zip(*texts, strict=True):
                found.update(repr(row).encode())
        for corpora in self.corpora.values():
            found.update(repr(corpora.names).encode() + corpora.human.tobytes())
        return found.hexdigest()[:12]

    def used(self, hypotheses: tuple[str, ...]) -> Ints:
        """The rows of a list of outputs that any side has judged pairs or corpora of."""
        rows = []
        for name, pairs in self.sides.items():
            if pairs.hypotheses is hypotheses:
                rows += [pairs.better, pairs.worse]
                rows += self.corpora[name].rows if name in self.corpora else ()
        return np.unique(np.concatenate(rows))


def gather(recipe: Recipe, judgements: Collection | None = None) -> Material:
    """The judged pairs that a recipe names (or those given), split as it says."""
    others = recipe["validation.judgements"]
    if not others and not recipe["validation.share"]:
        raise SpecError(
            "nothing to choose the best epoch on: set validation.share above 0, or "
            "validation.judgements"
        )
    collection = _read(recipe, "data.judgements") if judgements is None else judgements
    how = {
        "language_pairs": recipe["data.language_pairs"],
        "minimum_gap": recipe["data.minimum_gap"],
        "kind": recipe["data.kind"],
        "human": recipe["data.human"],
        "needs": [*recipe["inputs.anchors"], *(["reference"] if recipe["inputs.features"] else [])],
        "ties": recipe["objective.ties"] == "class",
    }
    pairs = _pairs(recipe, collection, how)
    notes = [*collection.notes, *pairs.notes]
    shares = {
        "validation": 0.0 if others else recipe["validation.share"],
        "test": recipe["test.share"],
    }
    sides = _split(pairs, shares, recipe["seed"])
    sides["training"] = limited_segments(sides["training"], recipe["data.segments"], recipe["seed"])
    if others:
        whole = _pairs(recipe, _read(recipe, "validation.judgements"), how)
        sides["validation"] = _unseen(whole, pairs)
        known = len(whole) - len(sides["validation"])
        notes += whole.notes
        if known:
            notes.append(f"{known} validation pairs are of segments in data.judgements: left out")
    corpora = _corpora(recipe, sides)
    if recipe["data.repeats"] == "majority":
        sides["training"] = sides["training"].majority()
    sides["validation"] = _limited(sides["validation"], recipe["validation.pairs"], recipe["seed"])
    empty = [name for name in ("training", "validation") if not len(sides[name])]
    if empty:
        raise ConcordantError(
            f"there are no judged pairs for {empty[0]}: {len(pairs)} pairs of "
            f"{len(set(pairs.segment.tolist()))} segments are too few to split"
        )
    if corpora:
        refuse_no_corpora(corpora)
    return Material(sides, tuple(notes), corpora)


def prepare(
    recipe: Recipe, material: Material, *, threads: int = 1, track: Track | None = None
) -> tuple[Preparation, dict[str, Inputs]]:
    """The preparation fitted on the training side, and the scaled inputs of every side."""
    preparation = unfitted(recipe)
    training = material.sides["training"]
    rows = np.unique(np.concatenate([training.better, training.worse]))
    texts = [text for i in rows for text in training.references[i]]
    texts = list(dict.fromkeys(texts or [training.hypotheses[i] for i in rows]))
    fitted = {} if preparation.features is None else preparation.features.fit(texts)
    for each in preparation.vectors:
        if each.fit is not None:
            fitted[str(each.spec)] = each.fit(texts)
    preparation = replace(preparation, fitted=fitted)
    raw: dict[int, Inputs] = {}
    for pairs in material.sides.values():
        key = id(pairs.hypotheses)
        if key not in raw:
            used = material.used(pairs.hypotheses)
            raw[key] = pair_inputs(preparation, pairs, used, threads=threads, track=track)
    seen = raw[id(training.hypotheses)]
    method = recipe["inputs.scaling"]
    if preparation.columns:
        scaling = fit_scaling(seen.features[rows], method=method)
        preparation = replace(preparation, feature_scaling=scaling)
    if preparation.dimension:
        flat = seen.vectors[rows].reshape(-1, preparation.dimension)
        preparation = replace(preparation, vector_scaling=fit_scaling(flat, method=method))
    scaled = {key: scaled_inputs(preparation, inputs) for key, inputs in raw.items()}
    return preparation, {
        name: scaled[id(pairs.hypotheses)] for name, pairs in material.sides.items()
    }


def pair_inputs(
    preparation: Preparation,
    pairs: JudgedPairs,
    used: Ints,
    *,
    threads: int = 1,
    track: Track | None = None,
) -> Inputs:
    """The inputs of the outputs that are used, each test set by itself (NIST weighs by test set).

    Those of other outputs are 0.
    """
    wanted = np.zeros(len(pairs.hypotheses), dtype=bool)
    wanted[used] = True
    features = np.zeros((len(pairs.hypotheses), len(preparation.columns)))
    shape = (len(pairs.hypotheses), 1 + len(preparation.anchors), preparation.dimension)
    vectors = np.zeros(shape)
    for together in pairs.by_test_set().values():
        rows = [i for i in together if wanted[i]]
        if not rows:
            continue
        found = preparation.inputs(
            [pairs.hypotheses[i] for i in rows],
            [pairs.references[i] for i in rows],
            [pairs.sources[i] for i in rows],
            threads=threads,
            test_set=list(dict.fromkeys(pairs.references[i] for i in together)),
            track=track,
        )
        features[rows], vectors[rows] = found.features, found.vectors
    return Inputs(features, vectors)


def scaled_inputs(preparation: Preparation, inputs: Inputs) -> Inputs:
    """Inputs on the scale that was fitted."""
    features, vectors = inputs.features, inputs.vectors
    if preparation.feature_scaling is not None:
        features = preparation.feature_scaling.apply(features)
    if preparation.vector_scaling is not None:
        vectors = preparation.vector_scaling.apply(vectors)
    return Inputs(features, vectors)


def unfitted(recipe: Recipe) -> Preparation:
    """The features and vectors that a recipe names, before anything is fitted."""
    features, vectors = recipe["inputs.features"], recipe["inputs.vectors"]
    if not features and not vectors:
        raise SpecError("the recipe names neither inputs.features nor inputs.vectors")
    return Preparation(
        feature_set(features) if features else None,
        tuple(sentence_vectors_named(spec) for spec in parse_specs(vectors)),
        check_anchors(recipe["inputs.anchors"]),
    )


def _read(recipe: Recipe, key: str) -> Collection:
    paths: Sequence[str] = recipe[key]
    if not paths:
        raise SpecError(f"the recipe names no judgements; set {key} or give --judgements")
    return merge([read(_short(recipe.folder / path)) for path in paths])


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


def _split(pairs: JudgedPairs, shares: dict[str, float], seed: int) -> dict[str, JudgedPairs]:
    given = {name: share for name, share in shares.items() if share > 0}
    if sum(given.values()) >= 1:
        raise SpecError("validation.share and test.share leave nothing to train on")
    parts = {"training": 1 - sum(given.values()), **given}
    places = [(testset, segment) for _, testset, segment in pairs.places]
    sides = assign_segments(places, parts, seed=seed)
    of_output = np.array([sides[place] for place in places])
    of_pair = of_output[pairs.better]
    return {
        name: replace(
            pairs.take(np.flatnonzero(of_pair == name)), own=np.flatnonzero(of_output == name)
        )
        for name in SIDES
    }


def _unseen(others: JudgedPairs, pairs: JudgedPairs) -> JudgedPairs:
    """Those of other judgements that share no segment, by its texts, with the pairs."""

    def texts(side: JudgedPairs, row: int) -> tuple[tuple[str, ...], str]:
        return side.references[row], "" if side.references[row] else side.sources[row]

    known = {texts(pairs, row) for row in range(len(pairs.places))} - {((), "")}
    new = np.array([texts(others, row) not in known for row in range(len(others.places))])
    rows = np.flatnonzero(new[others.better])
    if not len(rows):
        raise ConcordantError(
            "every segment of validation.judgements is in data.judgements too; name others, or "
            "leave it out and a share is kept for validation"
        )
    return replace(others.take(rows), own=np.flatnonzero(new))


def limited_segments(pairs: JudgedPairs, most: int, seed: int) -> JudgedPairs:
    """The pairs of at most so many segments, drawn by the seed."""
    segments = np.unique(pairs.segment)
    if len(segments) <= most:
        return pairs
    kept = np.random.default_rng(seed).choice(segments, most, replace=False)
    rows = np.flatnonzero(np.isin(pairs.segment, kept))
    places = {pairs.places[i][1:] for i in pairs.better[rows]}
    own = np.flatnonzero([place[1:] in places for place in pairs.places])
    return replace(pairs.take(rows), own=own)


def _limited(pairs: JudgedPairs, most: int, seed: int) -> JudgedPairs:
    if len(pairs) <= most:
        return pairs
    rows: Ints = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return pairs.take(np.sort(rows))
