"""The sides share no segment, and whatever is fitted has seen the training side alone."""

import numpy as np
import pytest
from small_encoders import static_folder
from small_preferences import rows, write_rows

from concordant.errors import ConcordantError, SpecError
from concordant.judgements.detection import read
from concordant.records import Collection, Preference, TestSet
from concordant.training.material import gather, prepare
from concordant.training.recipe import Recipe, change_recipe


@pytest.fixture
def judgements(tmp_path):
    return read(write_rows(tmp_path / "mine.csv", rows(40)))


def recipe(*changes, folder=None):
    base = change_recipe(Recipe(), ["inputs.features=bleu length", "test.share=0.2", *changes])
    return base if folder is None else Recipe(base.values, folder)


def places(pairs):
    return {pairs.places[i][1:] for i in [*pairs.better, *pairs.worse]}


def test_sides_share_no_segment(judgements):
    sides = gather(recipe("validation.share=0.1"), judgements).sides
    segments = {name: places(pairs) for name, pairs in sides.items()}
    assert {name: len(found) for name, found in segments.items()} == {
        "training": 28,
        "validation": 4,
        "test": 8,
    }
    assert sum(map(len, segments.values())) == len(set().union(*segments.values()))
    assert sum(map(len, sides.values())) == len(judgements.preferences)


def test_segments_of_two_language_pairs_stay_together(judgements):
    texts = judgements.testsets[0]
    others = tuple(
        TestSet("t", p, {}, texts.references, texts.translations) for p in ("a-b", "c-b")
    )
    given = tuple(
        Preference("t", pair, each.segment, each.better, each.worse)
        for each in judgements.preferences
        for pair in ("a-b", "c-b")
    )
    sides = gather(recipe(), Collection(others, preferences=given)).sides
    assert not places(sides["training"]) & (places(sides["validation"]) | places(sides["test"]))


def test_the_split_goes_by_the_seed(judgements):
    one, two, other = (gather(recipe(f"seed={s}"), judgements) for s in (1, 1, 2))
    assert one.digest == two.digest != other.digest


def test_what_changes_the_data_changes_the_digest(judgements):
    base = gather(recipe(), judgements).digest
    fewer = Collection(judgements.testsets, preferences=judgements.preferences[1:])
    twice = (Preference(**{**_fields(judgements.preferences[0]), "count": 2}),)
    counted = Collection(judgements.testsets, preferences=twice + judgements.preferences[1:])
    texts = judgements.testsets[0]
    spoken = dict.fromkeys(texts.source, "another source")
    resourced = TestSet(texts.name, texts.pair, spoken, texts.references, texts.translations)
    said = Collection((resourced,), preferences=judgements.preferences)
    digests = {gather(recipe(), each).digest for each in (fewer, counted, said)}
    assert len(digests) == 3
    assert base not in digests


def _fields(record):
    return {name: getattr(record, name) for name in record.__slots__}


def test_the_training_side_may_be_decided_by_majority(judgements):
    thrice = Collection(judgements.testsets, preferences=judgements.preferences * 3)
    all_of_them = gather(recipe(), thrice).sides
    once = gather(recipe("data.repeats=majority"), thrice).sides
    assert len(all_of_them["training"]) == 3 * len(once["training"])
    assert len(all_of_them["test"]) == len(once["test"])


def test_validation_may_be_limited(judgements):
    whole, few = (
        gather(recipe("validation.share=0.3", f"validation.pairs={n}"), judgements)
        for n in (5000, 7)
    )
    assert len(whole.sides["validation"]) == 36
    assert len(few.sides["validation"]) == 7
    assert places(few.sides["validation"]) <= places(whole.sides["validation"])
    assert len(few.sides["training"]) == len(whole.sides["training"])


def test_training_segments_may_be_limited(judgements):
    sides = gather(recipe("data.segments=5"), judgements).sides
    assert len(places(sides["training"])) == 5
    whole = gather(recipe(), judgements).sides
    assert places(sides["training"]) < places(whole["training"])
    assert places(sides["test"]) == places(whole["test"])
    again = gather(recipe("data.segments=5"), judgements).sides["training"]
    assert places(again) == places(sides["training"])


def test_only_what_is_used_is_computed(judgements):
    given = recipe("data.segments=5", "inputs.scaling=standard")
    material = gather(given, judgements)
    preparation, inputs = prepare(given, material)
    used = np.unique(
        np.concatenate([p for s in material.sides.values() for p in (s.better, s.worse)])
    )
    idle = np.setdiff1d(np.arange(len(inputs["training"].features)), used)
    assert len(idle) > 20
    nothing = preparation.feature_scaling.apply(np.zeros((1, len(preparation.columns))))
    assert (inputs["training"].features[idle] == nothing).all()
    assert (inputs["training"].features[used] != nothing).any(axis=1).all()


def test_validation_may_be_other_judgements(tmp_path):
    every = rows(40)
    write_rows(tmp_path / "train.csv", every[:90])
    write_rows(tmp_path / "more.csv", every[84:])
    named = ['data.judgements=["train.csv"]', 'validation.judgements=["more.csv"]']
    found = gather(recipe(*named, folder=tmp_path))
    assert found.notes[-1] == "6 validation pairs are of segments in data.judgements: left out"
    assert len(found.sides["validation"]) == 30
    seen = {found.sides["training"].references[i] for i in found.sides["training"].better}
    kept = {found.sides["validation"].references[i] for i in found.sides["validation"].better}
    assert not seen & kept
    assert len(found.sides["training"]) + len(found.sides["test"]) == 90
    named[1] = 'validation.judgements=["train.csv"]'
    with pytest.raises(ConcordantError, match=r"every segment of validation\.judgements is in"):
        gather(recipe(*named, folder=tmp_path))


def test_too_little_or_nothing_is_told(judgements, tmp_path):
    few = read(write_rows(tmp_path / "few.csv", rows(4)))
    with pytest.raises(ConcordantError, match="no judged pairs for validation: 12 pairs of 4 segm"):
        gather(recipe(), few)
    with pytest.raises(SpecError, match="1 segments are too few for 3 sides"):
        gather(recipe(), read(write_rows(tmp_path / "one.csv", rows(1))))
    with pytest.raises(SpecError, match=r"set validation\.share above 0, or validation\.judgem"):
        gather(recipe("validation.share=0"), judgements)
    with pytest.raises(SpecError, match="leave nothing to train on"):
        gather(recipe("validation.share=0.8"), judgements)
    with pytest.raises(SpecError, match=r"names no judgements; set data\.judgements or give --ju"):
        gather(recipe())


def test_scaling_has_seen_the_training_side_alone(judgements):
    material = gather(recipe(), judgements)
    preparation, inputs = prepare(recipe(), material)
    side = material.sides["training"]
    used = np.unique(np.concatenate([side.better, side.worse]))
    values = inputs["training"].features
    assert values[used].min(axis=0) == pytest.approx(-np.ones(3))
    assert values[used].max(axis=0) == pytest.approx(np.ones(3))
    raw = preparation.features.extract(
        side.translations, side.references, test_set=list(dict.fromkeys(side.references))
    )
    assert preparation.feature_scaling.apply(raw) == pytest.approx(values)


@pytest.fixture
def static(tmp_path, rng, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    return static_folder(tmp_path / "static", rng)


def test_what_is_fitted_has_seen_the_training_side_alone(judgements, static):
    how = recipe(f"inputs.features=tokens({static})", f"inputs.vectors=sentence({static})")
    material = gather(how, judgements)
    preparation, inputs = prepare(how, material)
    training = material.sides["training"]
    texts = list(dict.fromkeys(training.references[i][0] for i in np.unique(
        np.concatenate([training.better, training.worse]))))  # fmt: skip
    assert len(texts) == 28
    fitted = preparation.features.fit(texts)
    for spec, arrays in fitted.items():
        for name, value in arrays.items():
            assert np.array_equal(preparation.fitted[spec][name], value)
    rows_used = np.unique(np.concatenate([training.better, training.worse]))
    vectors = inputs["training"].vectors[rows_used].reshape(-1, preparation.dimension)
    assert np.abs(vectors).max() == pytest.approx(1)


def test_test_sets_are_computed_apart(judgements):
    """NIST weighs words by the references of the test set, so neighbours must not change it."""
    texts = judgements.testsets[0]
    sets = tuple(TestSet(n, "", {}, texts.references, texts.translations) for n in ("t", "u"))
    given = tuple(
        Preference("t" if each.segment <= 20 else "u", "", each.segment, each.better, each.worse)
        for each in judgements.preferences
    )
    how = recipe("inputs.features=nist")
    both = gather(how, Collection(sets, preferences=given))
    preparation, inputs = prepare(how, both)
    side = both.sides["training"]
    rows_of_t = side.by_test_set()["", "t"]
    raw = preparation.features.extract(
        [side.translations[i] for i in rows_of_t],
        [side.references[i] for i in rows_of_t],
        test_set=list(dict.fromkeys(side.references[i] for i in rows_of_t)),
    )
    scaled = preparation.feature_scaling.apply(raw)
    assert inputs["training"].features[rows_of_t] == pytest.approx(scaled)


def test_inputs_must_be_named(judgements):
    empty = change_recipe(Recipe(), [])
    with pytest.raises(SpecError, match=r"neither inputs\.features nor inputs\.vectors"):
        prepare(empty, gather(empty, judgements))
