"""What a model sees of texts: features and vectors on the scale of training, in any order."""

from dataclasses import replace

import numpy as np
import pytest
from small_encoders import static_folder

from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.words.words import write_mapped
from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation, check_anchors
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named

HYPOTHESES = ["the house is old", "a new street", "", "the house is old"]
REFERENCES = [["the old house"], ["a new street", "new streets"], ["the end"], ["houses", "a", "a"]]
SOURCES = ["the street", "a house", "is", "old"]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def static(tmp_path, rng):
    return static_folder(tmp_path / "static", rng)


@pytest.fixture
def words(tmp_path, rng):
    write_mapped(tmp_path / "words", "the house is old a new".split(), rng.normal(size=(6, 3)))
    return tmp_path / "words"


def prepared(static, words, anchors=("reference", "source")):
    vectors = (
        sentence_vectors_named(f"sentence({static})"),
        sentence_vectors_named(f"vectors({words},pool=sif)"),
    )
    features = feature_set(f"length tokens({static})")
    texts = [text for given in REFERENCES for text in given]
    fitted = {**features.fit(texts), str(vectors[1].spec): vectors[1].fit(texts)}
    return Preparation(features, vectors, anchors, fitted)


def test_features_and_vectors_stand_side_by_side(static, words):
    preparation = prepared(static, words)
    found = preparation.inputs(HYPOTHESES, REFERENCES, SOURCES)
    assert preparation.dimension == 6 + 3
    assert preparation.columns == preparation.features.columns
    assert found.features.shape == (4, 2 + 13)
    assert found.vectors.shape == (4, 3, 9)
    plain = preparation.features.extract(HYPOTHESES, REFERENCES, fitted=preparation.fitted)
    assert np.array_equal(found.features, plain)
    encoder = encoder_named(str(static))
    for place, texts in ((0, HYPOTHESES), (2, SOURCES)):
        assert np.array_equal(found.vectors[:, place, :6], encoder.run(texts).sentence)


def test_vectors_of_several_references_are_averaged(static, words):
    found = prepared(static, words).inputs(HYPOTHESES, REFERENCES, SOURCES)
    encoder = encoder_named(str(static))
    for row, given in zip(found.vectors[:, 1, :6], REFERENCES, strict=True):
        assert row == pytest.approx(encoder.run(given).sentence.mean(axis=0), abs=1e-6)


def test_scaling_is_that_of_training(static, words):
    preparation = prepared(static, words)
    raw = preparation.inputs(HYPOTHESES, REFERENCES, SOURCES)
    scaled = replace(
        preparation,
        feature_scaling=fit_scaling(raw.features),
        vector_scaling=fit_scaling(raw.vectors.reshape(-1, 9), method="standard"),
    ).inputs(HYPOTHESES, REFERENCES, SOURCES)
    assert np.abs(scaled.features).max() == pytest.approx(1)
    assert scaled.vectors.reshape(-1, 9).mean(axis=0) == pytest.approx(np.zeros(9), abs=1e-9)
    assert scaled.vectors.reshape(-1, 9).std(axis=0) == pytest.approx(np.ones(9))


def test_neighbours_order_and_threads_change_no_bit(static, words):
    preparation = prepared(static, words)
    whole = preparation.inputs(HYPOTHESES, REFERENCES, SOURCES)
    order = [2, 0, 3, 1]
    turned = preparation.inputs(
        *([texts[i] for i in order] for texts in (HYPOTHESES, REFERENCES, SOURCES)), threads=2
    )
    alone = [
        preparation.inputs([h], [r], [s])
        for h, r, s in zip(HYPOTHESES, REFERENCES, SOURCES, strict=True)
    ]
    for name in ("features", "vectors"):
        values = getattr(whole, name)
        assert getattr(turned, name).tobytes() == values[order].tobytes()
        assert np.concatenate([getattr(each, name) for each in alone]).tobytes() == values.tobytes()


def test_either_features_or_vectors_may_be_left_out(static, words):
    only = Preparation(None, prepared(static, words).vectors[:1]).inputs(HYPOTHESES, REFERENCES)
    assert only.features.shape == (4, 0)
    assert only.vectors.shape == (4, 2, 6)
    only = Preparation(feature_set("length")).inputs(HYPOTHESES, REFERENCES)
    assert only.features.shape == (4, 2)
    assert only.vectors.shape == (4, 2, 0)
    assert Preparation(feature_set("length")).columns == ("length words", "length chars")


def test_without_references_an_output_is_compared_with_its_source(static, words):
    preparation = Preparation(None, prepared(static, words).vectors[:1], ("source",))
    found = preparation.inputs(HYPOTHESES, [[]] * 4, SOURCES)
    assert np.array_equal(found.vectors[:, 1], encoder_named(str(static)).run(SOURCES).sentence)


def test_what_is_missing_is_told(static, words):
    preparation = prepared(static, words)
    with pytest.raises(ConcordantError, match="needs the source; give the source texts"):
        preparation.inputs(HYPOTHESES, REFERENCES)
    with pytest.raises(ConcordantError, match="4 translations, but 3 sources"):
        preparation.inputs(HYPOTHESES, REFERENCES, SOURCES[:3])
    vectors = Preparation(None, preparation.vectors[:1])
    with pytest.raises(ConcordantError, match="translation 2 has no reference"):
        vectors.inputs(HYPOTHESES, [["a"], [], ["b"], ["c"]])
    with pytest.raises(ConcordantError, match="4 translations, but references for 1"):
        vectors.inputs(HYPOTHESES, [["a"]])
    unfitted = replace(preparation, fitted={})
    with pytest.raises(ConcordantError, match=r"pool=sif\) must be fitted on training texts first"):
        unfitted.inputs(HYPOTHESES, REFERENCES, SOURCES)


def test_anchors_are_checked():
    assert check_anchors(["source", "reference"]) == ("source", "reference")
    for wrong in (["sauce"], ["source", "source"]):
        with pytest.raises(SpecError, match="are not some of reference, source"):
            check_anchors(wrong)
