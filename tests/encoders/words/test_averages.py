"""Averages equal a slow sum over words, whatever the batch; what was fitted is explicit."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_vectors import WORDS, small_vectors

from concordant.encoders import _native
from concordant.encoders.words.averages import ARRAYS, POOLS, average, fit_average, open_words
from concordant.errors import ConcordantError, SpecError

FIT = ["the cat sat on the mat .", "the well-known mat", "a cat , a dog", "", "the do n't"]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    return small_vectors(tmp_path_factory.mktemp("vectors"))


@pytest.fixture(scope="module")
def fitted(vectors):
    return {pool: fit_average(vectors, FIT, pool) for pool in POOLS}


def tokens_of(vectors, text):
    return [token for token in vectors.tokens(text) if token in WORDS]


def weight_of(vectors, word, pool):
    tokens = [vectors.tokens(text) for text in FIT]
    if pool == "idf":
        return np.log((len(FIT) + 1) / (sum(word in each for each in tokens) + 1))
    if pool == "sif":
        count = sum(each.count(word) for each in tokens)
        return 1e-3 / (1e-3 + count / sum(map(len, tokens)))
    return 1.0


def slow_average(vectors, text, pool):
    tokens = tokens_of(vectors, text)
    weights = [weight_of(vectors, token, pool) for token in tokens]
    total = len(tokens) if pool == "sif" else sum(weights)
    rows = [vectors.vectors[WORDS.index(token)].astype(float) for token in tokens]
    summed = sum((w * row for w, row in zip(weights, rows, strict=True)), np.zeros(4))
    return summed / total if total else summed


def slow_sif(vectors, text):
    fit = np.array([slow_average(vectors, each, "sif") for each in FIT])
    direction = np.linalg.svd(fit)[2][0]
    mean = slow_average(vectors, text, "sif")
    return mean - direction * (direction @ mean)


texts = st.lists(
    st.lists(st.sampled_from([*WORDS, "dog", "X-y"]), max_size=12).map(" ".join), max_size=6
)


@given(texts=texts)
@example(["", "dog", "the", "... dog --"])
@settings(max_examples=60)
@pytest.mark.parametrize("pool", POOLS)
def test_averages_are_those_of_the_definition(vectors, fitted, pool, texts):
    found = average(vectors, texts, pool, fitted[pool])
    slow = slow_sif if pool == "sif" else lambda v, text: slow_average(v, text, pool)
    expected = np.array([slow(vectors, text) for text in texts]).reshape(len(texts), 4)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("pool", POOLS)
def test_a_text_gets_the_same_bits_in_every_company(tmp_path, pool):
    vectors = small_vectors(tmp_path, dimension=37)
    fit = fit_average(vectors, FIT, pool)
    texts = [" ".join(WORDS[i:j]) for i in range(20) for j in range(i, 25, 3)]
    together = average(vectors, texts, pool, fit)
    alone = np.concatenate([average(vectors, [text], pool, fit) for text in texts])
    assert together.tobytes() == alone.tobytes()
    assert together.tobytes() == average(vectors, texts, pool, fit, threads=3).tobytes()


@pytest.mark.parametrize("pool", POOLS)
def test_texts_without_known_words_are_zeros(vectors, fitted, pool):
    found = average(vectors, ["", "dog cow", "   "], pool, fitted[pool])
    assert found.tolist() == np.zeros((3, 4)).tolist()


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("texts", [[], [""], ["dog"], ["the"]])
def test_any_texts_can_be_fitted(vectors, pool, texts):
    fit = fit_average(vectors, texts, pool)
    assert tuple(fit) == ARRAYS[pool]
    assert np.isfinite(average(vectors, ["the cat dog"], pool, fit)).all()


def test_idf_by_example(vectors, fitted):
    idf = fitted["idf"]
    weights = dict(zip(idf["ids"].tolist(), idf["weights"].tolist(), strict=True))
    assert weights[WORDS.index("the")] == pytest.approx(np.log(6 / 4))
    assert weights[WORDS.index("cat")] == pytest.approx(np.log(6 / 3))
    assert idf["other"].tolist() == pytest.approx([np.log(6)])
    assert len(weights) == len({t for text in FIT for t in tokens_of(vectors, text)})


def test_what_sif_takes_out_is_gone(vectors, fitted):
    component = fitted["sif"]["component"]
    assert np.linalg.norm(component) == pytest.approx(1)
    assert np.abs(average(vectors, FIT, "sif", fitted["sif"]) @ component).max() < 1e-6


def test_a_pool_that_needs_fitting_says_so(vectors, fitted):
    with pytest.raises(
        ConcordantError, match='"sif" lacks ids, weights, other, component: it has to'
    ):
        average(vectors, ["a"], "sif")
    with pytest.raises(
        SpecError, match='pool "men" is not one of mean, idf, sif; did you mean "mean"'
    ):
        fit_average(vectors, ["a"], "men")
    wrong = {**fitted["sif"], "component": np.ones(3)}
    with pytest.raises(
        ConcordantError, match=r"component is float64 \(3,\), where float32 or float64 \(4,\) is"
    ):
        average(vectors, ["a"], "sif", wrong)


def test_the_encoder_gives_means_states_and_pieces(vectors):
    encoder = open_words(vectors.folder, name="small")
    texts = ["the dog", "", "cat dog cow"]
    found = encoder.run(texts, layers=[0], threads=2)
    np.testing.assert_array_equal(found.sentence, average(vectors, texts))
    assert found.pieces.values.tolist() == [0, -1, 1, -1, -2]
    states = found.layers[0]
    assert states.starts.tolist() == [0, 2, 2, 5]
    expected = [vectors.vectors[0], np.zeros(4), vectors.vectors[1], np.zeros(4), np.zeros(4)]
    np.testing.assert_array_equal(states.values, expected)
    assert (encoder.name, encoder.dimension, encoder.depth) == (vectors.name, 4, 0)
    assert encoder.signature == f"{vectors.signature}|pool:mean|tokens:1"


def test_the_encoder_gives_only_what_is_asked_for(vectors):
    encoder = open_words(vectors.folder, name="small")
    found = encoder.run(["the"], sentence=False)
    assert found.sentence is None
    assert found.layers == {}
    with pytest.raises(SpecError, match="has only layer 0, not 2"):
        encoder.run(["the"], layers=[0, 2])


@pytest.mark.parametrize(
    ("rows", "starts", "weights", "message"),
    [
        ([0], [], None, "starts is empty"),
        ([0], [0, 2], None, "starts do not fit the rows"),
        ([0, 1], [0, 2, 1, 2], None, "starts do not fit the rows"),
        ([0], [0, 1], [1.0, 2.0], "weights are not given for each row"),
        ([3], [0, 1], None, "a row is outside the table"),
    ],
)
def test_the_kernel_refuses_arrays_that_do_not_fit(rows, starts, weights, message):
    arrays = (np.array(rows, np.int32), np.array(starts, np.int64))
    given_weights = None if weights is None else np.array(weights)
    with pytest.raises(ValueError, match=message):
        _native.row_sums(np.ones((3, 2), np.float32), *arrays, given_weights, 2)
