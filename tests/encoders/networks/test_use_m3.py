import json
import sys
from pathlib import Path

import numpy as np
import pytest

from concordant.encoders.networks.use_m3 import UseEncoder, _assemble, forward
from concordant.errors import ConcordantError, DataError, SpecError

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "use_m3.json").read_text(encoding="utf-8")
)["vectors"]
ORDERS = {2: 0, 3: 1, 5: 2}


@pytest.fixture(scope="module")
def stored():
    """Random weights in the form of the file, with a vocabulary of 34 pieces."""
    rng = np.random.default_rng(5)
    shapes = {"cnn_W": (1280, 512), "cnn_b": (512,), "ln_g": (1280,), "ln_b": (1280,)}
    shapes |= {"d0": (512, 320), "d1": (320, 320), "p1": (512, 320), "d2": (320, 512)}
    shapes |= {"p3": (320, 512), "d3": (512, 512), "lo": (17,), "scale": (17,)}
    for order in ORDERS:
        shapes |= {f"proj{order}": (512, 256)}
        shapes |= {f"{key}{order}": (256,) for key in ("proj_b", "ln_g", "ln_b", "b1_", "b2_")}
        shapes |= {f"{key}{order}": (order * 256, 256) for key in ("w1_", "w2_")}
    weights = {
        key: (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)
        for key, shape in shapes.items()
    }
    weights |= {f"q{i + 1}": rng.integers(0, 64, (2, 512)).astype(np.uint8) for i in range(17)}
    return weights | {"eps": np.array(1e-12)}


def scaled(x, gain, bias):
    return (x - x.mean()) / np.sqrt(x.var() + 1e-12) * gain + bias


def slow_forward(w, ids):
    """One text, token by token, in double precision."""
    w = {key: value.astype(float) for key, value in w.items()}
    vectors = [w[f"q{i % 17 + 1}"][i // 17] * w["scale"][i % 17] + w["lo"][i % 17] for i in ids]
    features = [[vector] for vector in vectors]
    # The package normalises the three projections together, not each by itself.
    gain, bias = ([w[f"{key}{order}"] for order in ORDERS] for key in ("ln_g", "ln_b"))
    projected = [[v @ w[f"proj{order}"] + w[f"proj_b{order}"] for order in ORDERS] for v in vectors]
    shared = [scaled(*map(np.concatenate, (each, gain, bias))) for each in projected]
    for i, (order, before) in enumerate(ORDERS.items()):
        tokens = [each[i * 256 : (i + 1) * 256] for each in shared]
        for step in (1, 2):
            beside = [np.zeros(256)] * 4
            wide = [*beside, *tokens, *beside]
            around = [
                np.concatenate(wide[4 + t - before : 4 + t - before + order])
                for t in range(len(ids))
            ]
            tokens = [
                token + np.maximum(each @ w[f"w{step}_{order}"] + w[f"b{step}_{order}"], 0)
                for token, each in zip(tokens, around, strict=True)
            ]
        for feature, token in zip(features, tokens, strict=True):
            feature.append(token)
    total = sum(scaled(np.concatenate(each), w["ln_g"], w["ln_b"]) for each in features)
    mean = (total @ w["cnn_W"] + len(ids) * w["cnn_b"]) / np.sqrt(len(ids))
    first = np.maximum(mean @ w["d0"], 0)
    second = np.maximum(mean @ w["p1"] + first @ w["d1"], 0)
    last = np.tanh(second @ w["p3"] + np.maximum(second @ w["d2"], 0) @ w["d3"])
    return last / np.linalg.norm(last)


def test_the_network_is_that_of_a_slow_one(stored, rng):
    texts = [rng.integers(0, 34, size=size) for size in (1, 2, 5, 8)]
    ids = np.zeros((4, 8), dtype=np.int64)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
    mask = np.arange(8) < np.array([[len(text)] for text in texts])
    found = forward(_assemble(stored), ids, mask)
    assert found.dtype == np.float32
    expected = np.array([slow_forward(stored, text) for text in texts])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_vectors_are_those_of_the_package(part):
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    found = UseEncoder(part("use-m3")).run(list(GOLDEN), threads=2).sentence
    expected = [[float(number) for number in row.split()] for row in GOLDEN.values()]
    assert found.shape == (len(GOLDEN), 512)
    np.testing.assert_allclose(found[:, :8], expected, rtol=0, atol=1e-5)


def test_a_text_has_the_same_bits_in_any_company(part, rng):
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    encoder = UseEncoder(part("use-m3"), name="use-m3")
    texts = ["", *GOLDEN, *(f"{a} {b}" for a in GOLDEN for b in GOLDEN)]
    whole = encoder.run(texts, threads=2).sentence
    assert np.isfinite(whole).all()
    for threads in (1, 2, 1):
        chosen = rng.permutation(len(texts))[:20]
        some = encoder.run([texts[i] for i in chosen], threads=threads).sentence
        assert np.array_equal(some, whole[chosen])


@pytest.fixture
def folder(tmp_path, stored):
    np.savez(tmp_path / "weights.npz", **stored)
    (tmp_path / "sp.model").write_bytes(b"no such model")
    return tmp_path


def test_what_it_is_is_known_without_loading(folder):
    encoder = UseEncoder(folder, name="use")
    assert (encoder.name, encoder.dimension, encoder.depth) == ("use", 512, None)
    assert encoder.signature.startswith("use|weights:")


def test_it_has_no_token_states(folder):
    with pytest.raises(SpecError, match="gives no token states, only vectors of whole texts"):
        UseEncoder(folder).run(["x"], layers=[0])


@pytest.mark.parametrize("name", ["weights.npz", "sp.model"])
def test_missing_files_are_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(DataError, match=f"there is no {name}"):
        UseEncoder(folder)


def test_damaged_files_are_named(folder):
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    with pytest.raises(
        DataError, match=r"sp\.model: this file cannot be loaded, it may be damaged"
    ):
        UseEncoder(folder).run(["x"])


@pytest.mark.parametrize("size", [0, 50, 100_000])
def test_damaged_weights_are_named(folder, size):
    file = folder / "weights.npz"
    file.write_bytes(file.read_bytes()[:size])
    words = r"weights\.npz: these weights cannot be loaded, they may be damaged"
    with pytest.raises(DataError, match=words):
        UseEncoder(folder).run(["x"])


def test_weights_that_lack_a_part_are_named(folder, stored):
    np.savez(folder / "weights.npz", **{key: stored[key] for key in stored if key != "q7"})
    with pytest.raises(DataError, match=r"they may be damaged .*q7"):
        UseEncoder(folder).run(["x"])


def test_without_sentencepiece_it_tells_how_to_get_it(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ConcordantError, match=r"sentencepiece: pip install 'concordant\[enc"):
        UseEncoder(folder).run(["x"])
