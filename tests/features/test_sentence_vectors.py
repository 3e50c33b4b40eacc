"""Sentence vectors by name: an encoder's own, averages of word vectors, the parser's."""

import numpy as np
import pytest
from small_encoders import TEXTS, static_folder

from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.words import averages
from concordant.encoders.words.words import open_vectors, write_mapped
from concordant.errors import SpecError
from concordant.features import sentence_vectors
from concordant.features.feature import Context
from concordant.features.sentence_vectors import VECTOR_KINDS, sentence_vectors_named

TRAINING = ["the old house", "a house", "the new street is old", "the end ."]


class SmallSyntax:
    """What the parser would be: three numbers of each text."""

    name, signature, dimension, depth = "parser-en", "parser-en|small", 3, None

    def run(self, texts, **_):
        from concordant.encoders.encoders import Encoded

        rows = [[len(text), text.count("e"), text.count(" ") ** 2] for text in texts]
        return Encoded(np.array(rows, dtype=np.float32).reshape(-1, 3), {}, None)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def words(tmp_path, rng):
    folder = tmp_path / "words"
    write_mapped(folder, "the house is old a new street . end".split(), rng.normal(size=(9, 4)))
    return folder


def test_an_encoders_own_vectors(tmp_path, rng):
    folder = static_folder(tmp_path / "static", rng)
    found = sentence_vectors_named(f"sentence({folder})")
    encoder = encoder_named(str(folder))
    assert (found.dimension, found.signature, found.fit) == (6, encoder.signature, None)
    assert str(found.spec) == f"sentence({folder})"
    assert np.array_equal(found.vectors(TEXTS, Context()), encoder.run(TEXTS).sentence)


@pytest.mark.parametrize("pool", ["mean", "idf", "sif"])
def test_averages_of_words_are_fitted_on_training_texts(words, pool):
    found = sentence_vectors_named(f"vectors({words},pool={pool})")
    table = open_vectors(words)
    assert found.dimension == 4
    assert found.signature == f"{table.signature}|pool:{pool}"
    assert (found.fit is None) == (pool == "mean")
    fitted = averages.fit_average(table, TRAINING, pool=pool)
    if found.fit is not None:
        learned = found.fit(TRAINING)
        assert set(learned) == set(averages.ARRAYS[pool])
        assert all(np.array_equal(learned[key], fitted[key]) for key in fitted)
    for threads in (1, 2):
        rows = found.vectors(TEXTS, Context(threads, fitted))
        assert np.array_equal(rows, averages.average(table, TEXTS, pool=pool, fitted=fitted))
    alone = np.concatenate([found.vectors([text], Context(1, fitted)) for text in TEXTS])
    assert np.array_equal(rows, alone)


def test_what_was_not_fitted_is_fitted_on_the_texts_themselves(words):
    found = sentence_vectors_named(f"vectors({words},pool=idf)")
    assert np.array_equal(
        found.vectors(TEXTS, Context()), found.vectors(TEXTS, Context(1, found.fit(TEXTS)))
    )
    assert not np.array_equal(
        found.vectors(TEXTS, Context()), found.vectors(TEXTS, Context(1, found.fit(TRAINING)))
    )


def test_the_parsers_vectors_are_reduced_as_fitted(monkeypatch):
    monkeypatch.setattr(sentence_vectors, "encoder_named", lambda *_: SmallSyntax())
    found = sentence_vectors_named("syntax(2)")
    assert (found.dimension, found.signature) == (2, "parser-en|small|dimensions:2")
    fitted = found.fit(TRAINING)
    assert fitted["components"].shape == (2, 3)
    rows = found.vectors(TEXTS, Context(1, fitted))
    states = SmallSyntax().run(TEXTS).sentence
    assert rows == pytest.approx((states - fitted["mean"]) @ fitted["components"].T, abs=1e-4)
    assert rows.dtype == np.float32
    alone = np.concatenate([found.vectors([text], Context(1, fitted)) for text in TEXTS])
    assert np.array_equal(rows, alone)
    assert found.vectors(TEXTS, Context()).shape == (len(TEXTS), 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sentences(minilm)", 'sentence vectors "sentences" is not one of .* mean "sentence"'),
        ("sentence()", r"sentence takes one name; as in sentence\(minilm\)"),
        ("vectors(a,b)", r"vectors takes one name; as in vectors\(glove-50\)"),
        ("vectors(a,pool=sum)", r"pool=sum is not one of mean, idf, sif"),
        ("vectors(a,layer=3)", 'vectors has no option "layer"; it has pool'),
        ("syntax(many)", '"many" is not a number of dimensions'),
        ("syntax(0)", '"0" is not a number of dimensions'),
    ],
)
def test_what_cannot_be_parsed_is_explained(text, words):
    with pytest.raises(SpecError, match=words):
        sentence_vectors_named(text)


def test_the_pools_are_those_of_the_averages():
    assert set(sentence_vectors.POOLS) == set(averages.POOLS)
    assert set(VECTOR_KINDS) == {"sentence", "vectors", "syntax"}
