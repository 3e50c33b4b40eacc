"""The parser's sentence vector and its projection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.cache.cache import Cache
from concordant.encoders.encoders import encode
from concordant.encoders.syntax.syntax import fit_projection, open_syntax, project
from concordant.errors import ConcordantError, SpecError

TEXTS = ["One cat sleeps.", "", "Two dogs bark!", "a", "One cat sleeps."]


def test_it_is_an_encoder(tiny_parser, tiny_pipeline, tmp_path):
    encoder = open_syntax(tiny_pipeline, name="tiny")
    found = encoder.run(TEXTS)
    assert np.array_equal(found.sentence, tiny_parser.vectors(TEXTS))
    assert found.sentence.shape == (5, encoder.dimension)
    assert (found.layers, found.pieces, encoder.depth) == ({}, None, None)
    assert encoder.run(TEXTS, sentence=False).sentence is None
    assert encoder.name == tiny_parser.name
    assert encoder.signature == f"{tiny_parser.signature}|mean"
    store = Cache(tmp_path / "entries.sqlite")
    assert np.array_equal(encode(encoder, TEXTS, store=store), found.sentence)
    store.close()


def test_it_has_no_layers(tiny_pipeline):
    with pytest.raises(SpecError, match="gives no token states"):
        open_syntax(tiny_pipeline, name="tiny").run(TEXTS, layers=[0])


def test_a_pipeline_without_states_is_refused(tmp_path, tiny_pipeline):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.load(tiny_pipeline)
    nlp.replace_listeners("tok2vec", "parser", ["model.tok2vec"])
    nlp.replace_listeners("tok2vec", "tagger", ["model.tok2vec"])
    nlp.remove_pipe("tok2vec")
    nlp.to_disk(tmp_path)
    with pytest.raises(ConcordantError, match="keeps no states of its parser"):
        open_syntax(tmp_path, name="tiny")


def test_components_are_principal_axes(rng):
    vectors = rng.normal(size=(50, 6)) @ rng.normal(size=(6, 6)) + 3
    fitted = fit_projection(vectors, 4)
    values, axes = np.linalg.eigh(np.cov(vectors.T))  # another way to the same axes
    for component, axis in zip(fitted["components"], axes.T[::-1], strict=False):
        assert abs(component @ axis) == pytest.approx(1, abs=1e-9)
        assert component[np.abs(component).argmax()] > 0
    found = project(vectors, fitted)
    assert found.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert found.var(axis=0, ddof=1) == pytest.approx(values[::-1][:4])


def test_a_full_projection_keeps_all_distances(rng):
    vectors = rng.normal(size=(20, 5))
    found = project(vectors, fit_projection(vectors, 5))
    lengths = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1)
    assert np.linalg.norm(found, axis=1) == pytest.approx(lengths)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_what_else_is_projected_does_not_matter(count, seed):
    rng = np.random.default_rng(seed)
    fitted = fit_projection(rng.normal(size=(60, 33)), 25)
    vectors = rng.normal(size=(count, 33)).astype(np.float32)
    found = project(vectors, fitted)
    for i in range(count):
        assert np.array_equal(project(vectors[i : i + 1], fitted)[0], found[i])
    assert np.array_equal(project(vectors[::-1], fitted)[::-1], found)


@pytest.mark.parametrize(
    ("vectors", "k", "words"),
    [
        (np.eye(4), 4, "4 training sentences of 4 dimensions span 3; ask for 1 to 3"),
        (np.eye(4), 0, "a projection to 0 dimensions is not possible"),
        (np.ones((9, 3)), 1, "9 training sentences of 3 dimensions span 0"),
        (np.zeros((0, 3)), 1, "0 training sentences of 3 dimensions span 0"),
        (np.arange(12.0).reshape(4, 3), 2, "span 1; ask for 1 to 1"),
        ([1.0, 2.0], 1, r"vectors must be \(texts, dimension\), not \(2,\)"),
        ([[np.nan, 1.0], [0.0, 1.0]], 1, "a vector is not finite"),
    ],
)
def test_what_cannot_be_fitted_is_told(vectors, k, words):
    with pytest.raises(ConcordantError, match=words):
        fit_projection(vectors, k)


def test_vectors_of_another_width_are_refused():
    fitted = fit_projection(np.eye(4), 2)
    with pytest.raises(ConcordantError, match=r"vectors of 4 dimensions; these are \(1, 3\)"):
        project(np.zeros((1, 3)), fitted)
    assert project(np.zeros((0, 4)), fitted).shape == (0, 2)
