"""All features of an encoder come from one pass; no text goes through it twice, in no run."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_encoders import CountingEncoder

from concordant.encoders.cache.cache import default_cache
from concordant.features import encoded_features, encoded_pass, sentence_vectors
from concordant.features.encoded_pass import digest
from concordant.features.extraction import feature_set

SPECS = "tokens(counting,layer=1+2) tokens(counting,layer=4)"
HYPOTHESES = [f"text {i % 7}" for i in range(20)]
REFERENCES = [[f"text {i % 5}", f"other {i // 4}"] for i in range(20)]
TEXTS = {*HYPOTHESES, *(text for given_ in REFERENCES for text in given_)}


@pytest.fixture
def encoder(monkeypatch, tmp_path):
    counting = CountingEncoder()
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(encoded_features, "encoder_named", lambda *_: counting)
    return counting


def extracted(features, **options):
    return features.extract(HYPOTHESES, REFERENCES, **options)


def test_several_features_of_an_encoder_share_one_pass(encoder):
    extracted(feature_set(SPECS))
    assert encoder.runs == 1
    assert sorted(encoder.encoded) == sorted(TEXTS)


def test_sentence_vectors_come_from_the_pass_of_the_token_features(encoder, monkeypatch):
    monkeypatch.setattr(sentence_vectors, "encoder_named", lambda *_: encoder)
    together = extracted(feature_set(f"{SPECS} sentence(counting)"))
    assert encoder.runs == 1
    default_cache().clear()
    alone = extracted(feature_set("sentence(counting)"))
    assert np.array_equal(together[:, -1:], alone)


def test_vectors_of_another_layer_come_from_that_pass_too(encoder, monkeypatch):
    pooling = CountingEncoder()
    pooling.signature = "counting@1|layer:2"
    monkeypatch.setattr(sentence_vectors, "encoder_named", lambda *_: pooling)
    together = extracted(feature_set(f"{SPECS} sentence(counting,layer=2)"))
    assert encoder.encoded == []
    assert sorted(pooling.encoded) == sorted(TEXTS)
    default_cache().clear()
    assert np.array_equal(together[:, :-1], extracted(feature_set(SPECS)))


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 8, 1000])
def test_no_text_is_encoded_twice_in_any_number_of_chunks(encoder, monkeypatch, chunk):
    whole = extracted(feature_set(SPECS))
    default_cache().clear()
    encoder.encoded.clear()
    monkeypatch.setattr(encoded_pass, "CHUNK", chunk)
    assert np.array_equal(extracted(feature_set(SPECS)), whole)
    assert sorted(encoder.encoded) == sorted(TEXTS)


@pytest.mark.usefixtures("encoder")
def test_states_are_forgotten_once_no_further_chunk_needs_them(monkeypatch):
    monkeypatch.setattr(encoded_pass, "CHUNK", 2)
    kept = []
    keep = encoded_pass._Reader._keep
    monkeypatch.setattr(
        encoded_pass._Reader, "_keep", lambda *args: (kept.append(set(args[1])), keep(*args))
    )
    extracted(feature_set(SPECS))
    assert kept[0]
    assert kept[-1] == set()


def test_a_second_run_encodes_nothing(encoder):
    first = extracted(feature_set(SPECS))
    encoder.run = lambda *_, **__: pytest.fail("it was encoded again")
    assert np.array_equal(extracted(feature_set(SPECS)), first)
    assert np.array_equal(
        feature_set(SPECS).extract(HYPOTHESES[::-1], REFERENCES[::-1]), first[::-1]
    )


@pytest.mark.usefixtures("encoder")
def test_what_was_fitted_is_hashed_once_a_feature_not_once_a_segment(monkeypatch):
    hashed = []
    digest = encoded_pass.digest
    monkeypatch.setattr(
        encoded_pass, "digest", lambda fitted: (hashed.append(1), digest(fitted))[1]
    )
    extracted(feature_set(SPECS))
    assert len(hashed) == len(SPECS.split())


def test_only_what_is_lacking_is_encoded(encoder):
    features = feature_set(SPECS)
    fitted = features.fit(["a", "b"])
    extracted(features, fitted=fitted)
    encoder.encoded.clear()
    more = features.extract([*HYPOTHESES, "new"], [*REFERENCES, ["newer"]], fitted=fitted)
    assert sorted(encoder.encoded) == ["new", "newer"]
    assert np.array_equal(more[:20], extracted(features, fitted=fitted))


def test_a_feature_that_is_lacking_is_computed_and_the_others_stay(encoder):
    fitted = feature_set(SPECS).fit(["a", "b"])
    one, both = feature_set(SPECS.split(maxsplit=1)[0]), feature_set(SPECS)
    first = extracted(one, fitted=fitted)
    found = extracted(both, fitted=fitted)
    assert np.array_equal(found[:, :26], first)
    assert np.array_equal(found[:, 26:], extracted(feature_set(SPECS.split()[1]), fitted=fitted))
    assert encoder.runs == 2


def test_what_was_fitted_otherwise_is_not_taken_from_the_cache(encoder):
    features = feature_set("tokens(counting,layer=2)")
    first, second = features.fit(["text"]), features.fit(["other", "text", "x"])
    one, other = extracted(features, fitted=first), extracted(features, fitted=second)
    assert not np.array_equal(one, other)
    assert np.array_equal(one, extracted(features, fitted=first))
    assert encoder.runs == 2


def test_a_segment_is_not_taken_for_another_with_the_same_characters(encoder):
    features = feature_set("tokens(counting,layer=2)")
    fitted = features.fit(["a"])
    shapes = [("a", ["b", "c"]), ("a", ["bc"]), ("ab", ["c"]), ("a", ["b1:c"])]
    for text, given_ in shapes:
        found = features.extract([text], [given_], fitted=fitted)
        default_cache().clear()
        assert np.array_equal(found, features.extract([text], [given_], fitted=fitted))
        features.extract(*map(list, zip(*shapes, strict=True)), fitted=fitted)
    assert encoder.runs >= 2 * len(shapes)


def test_the_best_of_several_references_counts(encoder):
    features = feature_set("tokens(counting,layer=1)")
    fitted = features.fit(["a"])
    many = features.extract(["ab"], [["cd", "ab", "xyz"]], fitted=fitted)
    assert np.array_equal(many, features.extract(["ab"], [["ab"]], fitted=fitted))
    assert encoder.encoded.count("ab") == 2


def test_an_interrupted_run_keeps_its_chunks(encoder, monkeypatch):
    monkeypatch.setattr(encoded_pass, "CHUNK", 4)
    features = feature_set("tokens(counting,layer=1)")
    fitted = features.fit(["a"])
    translations, references = [f"h{i}" for i in range(9)], [[f"r{i}"] for i in range(9)]

    def stop(chunks, _):
        yield from chunks[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        features.extract(translations, references, fitted=fitted, track=stop)
    assert len(encoder.encoded) == 8
    features.extract(translations, references, fitted=fitted)
    assert sorted(encoder.encoded) == sorted([*translations, *(r for (r,) in references)])


@settings(max_examples=30)
@given(st.lists(st.lists(st.text("ab ", max_size=3), min_size=2, max_size=4), max_size=8))
def test_chunks_cover_every_segment_once_in_order(segments):
    order = list(range(len(segments)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoded_pass, "CHUNK", 3)
        chunks = encoded_pass._chunks([tuple(each) for each in segments], order)
    assert [i for chunk in chunks for i in chunk] == order
    for chunk in chunks:
        before = {text for i in chunk[:-1] for text in segments[i]}
        assert len(before) < 3


def test_what_was_fitted_has_a_digest():
    one = {"ids": np.array([1, 2]), "idf": np.array([0.5, 1.0])}
    assert len(digest(one)) == 12
    assert digest(one) == digest(dict(reversed(one.items())))
    assert digest(one) != digest({**one, "idf": np.array([0.5, 1.5])})
