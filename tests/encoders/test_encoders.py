"""`encode` gives what an encoder's own run gives, each text once, and from the cache thereafter."""

import contextlib

import numpy as np
import pytest
from small_encoders import TEXTS, CountingEncoder, bert_folder, static_folder

from concordant.encoders.cache.cache_store import Cache
from concordant.encoders.encoders import encode
from concordant.encoders.pieces.static_pieces import load_static
from concordant.errors import SpecError

ODD = ["a\0b", "\ud800", "", "b"]


@pytest.fixture
def store(tmp_path):
    with contextlib.closing(Cache(tmp_path / "entries.sqlite")) as opened:
        yield opened


def test_a_text_is_encoded_once_and_then_never_again(store):
    encoder = CountingEncoder()
    texts = [*TEXTS, *ODD, *TEXTS]
    found = encode(encoder, texts, store=store)
    assert sorted(encoder.encoded) == sorted(set(texts))
    assert np.array_equal(found, CountingEncoder().run(texts).sentence)
    again = encode(encoder, texts[::-1], store=store)
    assert len(encoder.encoded) == len(set(texts))
    assert np.array_equal(again, found[::-1])
    assert found.dtype == again.dtype == np.float32
    assert found.flags.writeable


def test_what_an_encoder_says_does_not_depend_on_what_the_cache_had(store):
    encoder = CountingEncoder()
    encode(encoder, ["b", "c"], store=store)
    mixed = encode(encoder, ["a", "b", "a", "c", "d"], store=store)
    assert np.array_equal(mixed, CountingEncoder().run(["a", "b", "a", "c", "d"]).sentence)
    assert sorted(encoder.encoded) == ["a", "b", "c", "d"]


def test_another_signature_is_another_encoder(store):
    first, second = CountingEncoder(), CountingEncoder()
    second.signature = "counting@2"
    for encoder in (first, second):
        encode(encoder, ["a"], store=store)
        assert encoder.encoded == ["a"]


def test_a_transformer_is_encoded_to_the_same_bits(tmp_path, store):
    pytest.importorskip("transformers")
    from concordant.encoders.networks.transformer import TransformerEncoder

    encoder = TransformerEncoder(bert_folder(tmp_path / "bert"), name="tiny")
    whole = encoder.run(TEXTS).sentence
    for texts, rows in ((TEXTS[:2], slice(0, 2)), (TEXTS, slice(None)), ([], slice(0, 0))):
        for threads in (1, 2):
            found = encode(encoder, texts, threads=threads, store=store)
            assert np.array_equal(found, whole[rows])
    fresh = TransformerEncoder(bert_folder(tmp_path / "bert"), name="tiny")
    fresh.run = lambda *_, **__: pytest.fail("it was encoded again")
    assert np.array_equal(encode(fresh, TEXTS, store=store), whole)


def test_asked_for_nothing_an_encoder_gives_the_tokens_alone(tmp_path):
    pytest.importorskip("transformers")
    from concordant.encoders.networks.transformer import TransformerEncoder

    encoder = TransformerEncoder(bert_folder(tmp_path / "bert"), name="tiny")
    states = encoder.run(TEXTS, layers=(1,))
    alone = encoder.run(TEXTS, sentence=False)
    assert (alone.sentence, alone.layers) == (None, {})
    assert alone.pieces.values.tolist() == states.pieces.values.tolist()
    assert alone.pieces.starts.tolist() == states.layers[1].starts.tolist()


def test_static_vectors_are_not_kept_on_disk(tmp_path, store, rng):
    encoder = load_static(static_folder(tmp_path / "static", rng), name="static")
    found = encode(encoder, TEXTS, store=store)
    assert np.array_equal(found, encoder.run(TEXTS).sentence)
    assert store.summary().entries == 0


def test_token_states_are_those_of_a_run():
    encoder = CountingEncoder()
    found = encoder.run(TEXTS, sentence=False, layers=[0, 3]).layers
    assert list(found) == [0, 3]
    for i, text in enumerate(TEXTS):
        assert np.array_equal(found[3][i], encoder.state(text) ** 3)


def test_layers_that_there_are_not_are_refused(tmp_path, rng):
    with pytest.raises(SpecError, match="counting has layers 0 to 4, not 5"):
        CountingEncoder().run(["a"], layers=[4, 5])
    with pytest.raises(SpecError, match="counting has layers 0 to 4, not -1"):
        CountingEncoder().check_layers([-1])
    whole = CountingEncoder()
    whole.depth = None
    with pytest.raises(SpecError, match="counting gives no token states, only vectors of whole"):
        whole.check_layers([0])
    static = load_static(static_folder(tmp_path / "static", rng), name="static")
    with pytest.raises(SpecError, match="static has only layer 0, not 1"):
        static.run(["a"], layers=[1])
