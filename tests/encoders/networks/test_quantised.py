"""Transformers of 8 bits against a slow oracle, and the same bits on any path, batch or thread."""

import numpy as np
import oracle_transformer as oracle
import pytest
from small_transformers import EPSILON, HEADS, small_weights

from concordant.encoders import _native
from concordant.encoders.networks.quantised import nearness, quantise, transformer
from concordant.models.encoder.quantised import pack

PATHS = _native.transformer_paths()
SHAPES = (
    {},  # nothing is a multiple of a register
    {"width": 64, "wide": 128},
    {"width": 128, "wide": 512, "layers": 1},
    {"distances": True},
    {"width": 2, "wide": 3, "layers": 1},
)


def drawn(rng, lengths, words=50):
    """Random tokens of texts of these lengths: words, types, places, starts."""
    count = sum(lengths)
    places = np.concatenate([np.arange(length) for length in lengths])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return (
        rng.integers(0, words, count).astype(np.int32),
        rng.integers(0, 12, count).astype(np.int32),
        places.astype(np.int32),
        starts.astype(np.int64),
    )


def built(params, path=""):
    return transformer(params, heads=HEADS, epsilon=EPSILON, path=path)


def text_of(tokens, i):
    words, types, places, starts = tokens
    here = slice(starts[i], starts[i + 1])
    return words[here], types[here], places[here], np.array([0, starts[i + 1] - starts[i]])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("sizes", SHAPES, ids=str)
def test_states_are_those_of_the_slow_oracle(sizes, path):
    rng = np.random.default_rng(5)
    params = pack(small_weights(rng, **sizes))
    tokens = drawn(rng, [1, 7, 33, 80])
    found = built(params, path).states(*tokens)
    for i in range(4):
        words, types, places, _ = text_of(tokens, i)
        expected = oracle.states(params, words, types, places, HEADS, EPSILON)
        gaps = np.abs(found[tokens[3][i] : tokens[3][i + 1]] - expected)
        # A state at the edge between two whole numbers may fall on either side.
        assert np.median(gaps) < 2e-5, sizes
        assert gaps.max() < 0.1, sizes


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
def test_every_path_gives_the_same_bits(sizes):
    rng = np.random.default_rng(6)
    params = pack(small_weights(rng, **sizes))
    tokens = drawn(rng, [1, 2, 5, 6, 7, 13, 32, 33, 64, 65, 80])
    found = [built(params, path).states(*tokens) for path in PATHS]
    assert PATHS[-1] == "plain"
    assert all(each.tobytes() == found[0].tobytes() for each in found)


def test_a_text_has_the_same_bits_alone_in_any_batch_and_with_any_threads():
    rng = np.random.default_rng(7)
    network = built(pack(small_weights(rng)))
    tokens = drawn(rng, rng.integers(1, 81, 60).tolist())
    together = network.states(*tokens)
    assert together.tobytes() == network.states(*tokens, threads=4).tobytes()
    for i in range(60):
        alone = network.states(*text_of(tokens, i))
        assert alone.tobytes() == together[tokens[3][i] : tokens[3][i + 1]].tobytes()


def test_spans_are_means_of_the_states():
    rng = np.random.default_rng(8)
    network = built(pack(small_weights(rng)))
    lengths = rng.integers(3, 81, 40)
    tokens = drawn(rng, lengths.tolist())
    bounds = np.sort(rng.integers(0, lengths[:, None, None] + 1, (40, 2, 2)), axis=2)
    bounds[0] = [[0, 1], [2, 2]]  # only the first token is read, and nothing
    bounds[1] = [[0, 0], [0, 0]]
    whole = network.states(*tokens)
    found = network.states(*tokens, bounds, threads=3)
    for i, spans in enumerate(bounds):
        for k, (begin, end) in enumerate(spans):
            states = whole[tokens[3][i] + begin : tokens[3][i] + end]
            expected = states.mean(axis=0) if len(states) else np.zeros(24)
            np.testing.assert_allclose(found[i, k], expected, rtol=0, atol=1e-5)


def test_eight_bits_stay_close_to_full_precision():
    rng = np.random.default_rng(9)
    weights = small_weights(rng, width=64, wide=256, layers=3)
    network = built(pack(weights))
    tokens = drawn(rng, [60])
    fine = {name: value.astype(np.float64) for name, value in weights.items()}
    for name in [each for each in fine if each.endswith(("seen", "attended", "wide", "narrow"))]:
        fine[f"{name}.scale"] = np.ones(1)
    fine["embeddings.words.scale"] = np.ones(50)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle, "dense", lambda p, name, x: x @ p[name].T + p[f"{name}_bias"])
        expected = oracle.states(fine, *tokens[:3], HEADS, EPSILON)
    assert np.corrcoef(network.states(*tokens).ravel(), expected.ravel())[0, 1] > 0.995


def test_numbers_of_eight_bits_are_nearest_to_the_weights():
    matrix = np.random.default_rng(10).standard_normal((20, 30)).astype(np.float32)
    numbers, scales = quantise(matrix)
    assert np.abs(numbers).max(axis=1).tolist() == [127] * 20
    assert (np.abs(numbers * scales[:, None] - matrix) <= 0.5001 * scales[:, None]).all()


@pytest.mark.parametrize("classes", [4, 32])
def test_nearness_has_the_classes_of_distances(classes):
    table = np.random.default_rng(11).standard_normal((classes, 3)).astype(np.float32)
    found = nearness(table, 300)
    for behind in range(-299, 300):
        expected = table[oracle.bucket(behind, classes)]
        assert found[:, behind + 299].tolist() == expected.tolist(), behind


def test_weights_beyond_all_bounds_are_not_hidden():
    """Infinite sums become states that are not numbers, which a metric refuses."""
    weights = small_weights(np.random.default_rng(12))
    weights["layer.0.wide"] *= np.float32(1e38)
    found = built(pack(weights)).states(*drawn(np.random.default_rng(1), [10]))
    assert not np.isfinite(found).any()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: (t[0] + 50, *t[1:]), "a token's number is outside its table"),
        (lambda t: (t[0] - 50, *t[1:]), "a token's number is outside its table"),
        (lambda t: (t[0], t[1] + 12, *t[2:]), "a token's number is outside its table"),
        (lambda t: (*t[:2], t[2] + 80, t[3]), "a token's number is outside its table"),
        (lambda t: (*t[:3], np.array([0, 0, 9])), "a text has no tokens"),
        (lambda t: (*t[:3], np.array([0, 9, 5, 9])), "a text has no tokens"),
        (lambda t: (*t[:3], np.array([0, 8])), "the starts must run from 0"),
        (lambda t: (t[0], t[1][:3], *t[2:]), "each token needs a type and a place"),
        (lambda t: (*t, np.array([[[0, 10]]])), "a span is outside its text"),
        (lambda t: (*t, np.array([[[3, 2]]])), "a span is outside its text"),
        (lambda t: (*t, np.zeros((2, 1, 2), np.int64)), "each text needs the bounds of its spans"),
    ],
)
def test_tokens_that_cannot_be_are_refused(change, words):
    rng = np.random.default_rng(13)
    network = built(pack(small_weights(rng)))
    with pytest.raises(ValueError, match=words):
        network.states(*change(drawn(rng, [9])))


def test_a_text_longer_than_the_places_is_refused():
    rng = np.random.default_rng(14)
    network = built(pack(small_weights(rng)))
    assert network.longest == 80
    words, types, _, starts = drawn(rng, [81])
    with pytest.raises(ValueError, match="more tokens than there are places"):
        network.states(words, types, np.zeros(81, np.int32), starts)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layer.0.seen", np.zeros((71, 24), np.int8)),
        ("layer.1.narrow", np.zeros((24, 39), np.int8)),
        ("layer.1.norm_bias", np.zeros(23, np.float32)),
        ("layer.0.wide.scale", np.zeros(39, np.float32)),
        ("embeddings.types", np.zeros((12, 23), np.float32)),
        ("embeddings.words.scale", np.zeros(49, np.float32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value):
    params = pack(small_weights(np.random.default_rng(15)))
    with pytest.raises(ValueError, match=r"width|scale|entry"):
        built({**params, name: value})


def test_paths_and_heads_are_checked():
    params = pack(small_weights(np.random.default_rng(16)))
    with pytest.raises(ValueError, match="this machine cannot take the path z80"):
        built(params, "z80")
    with pytest.raises(ValueError, match="heads must divide the width"):
        transformer(params, heads=5, epsilon=EPSILON)
