"""A metric of the kind `encoder` on disk: it comes back to the last bit, and damage is told."""

import shutil

import numpy as np
import pytest
from attack_bundles import hash_again
from safetensors.numpy import load_file
from safetensors.numpy import save as as_bytes
from small_transformers import encoder_metric

from concordant.errors import BundleError, ConcordantError
from concordant.metrics.bundle import WEIGHTS, load, save

WORDS, SEEN = "params.embeddings.words", "params.layer.0.seen"
DAMAGE = [
    (SEEN, lambda v: v[:-1], "layer.0.seen is (23, 8), but must be (24, 8)"),
    (SEEN, lambda v: v.astype(np.float32), "layer.0.seen is float32; int8 is needed"),
    (SEEN, lambda v: v.view(np.uint8), "layer.0.seen is uint8; float32 or float64"),
    (SEEN, lambda v: v.astype(np.int32), "layer.0.seen is int32; float32 or float64"),
    (SEEN, lambda _: None, "there is no matrix layer.0.seen"),
    (f"{SEEN}.scale", lambda _: None, "there is no params.layer.0.seen.scale"),
    (f"{SEEN}.scale", lambda v: -v, "a scale of a matrix is below 0"),
    (f"{SEEN}.scale", lambda v: v * np.nan, "has numbers that are not finite"),
    (f"{SEEN}_bias", lambda v: v.astype(np.int8), "seen_bias is int8; float32 or float64"),
    ("params.layer.2.seen", lambda _: np.zeros((24, 8), np.int8), "params.layer.2.seen is not par"),
    (WORDS, lambda v: v[:-1], "embeddings.words.scale is (30522,), but must be (30521,)"),
    (WORDS, lambda _: None, "there is no matrix embeddings.words"),
    (WORDS, lambda v: v[:, 0].copy(), "there is no matrix embeddings.words"),
    ("params.embeddings.types", lambda v: v[:2], "embeddings.types is (2, 8), but must be (12, 8)"),
    ("params.embeddings.places", lambda v: v[:3], "embeddings.places has too few rows"),
    ("params.head.hidden", lambda v: v[:, 1:], "head.hidden is (5, 18), but must be (5, 19)"),
    ("params.match.weight", lambda _: None, "there is no params.match.weight"),
    ("params.calibration", lambda v: -v - 1, "the slope of calibration must be above 0"),
]  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder") / "metric"
    save(encoder_metric("apart"), folder)
    return folder


@pytest.mark.parametrize("form", ["joint", "apart"])
def test_a_metric_comes_back_to_the_last_bit(tmp_path, form):
    metric = encoder_metric(form)
    save(metric, tmp_path / "metric")
    back = load(tmp_path / "metric")
    assert back.params["layer.0.seen"].dtype == np.int8
    assert back.digest == metric.digest
    given = ["a cat", "", "two dogs"], [["the cat"], ["x"], ["two dogs", "2 dogs"]]
    assert back.score(*given).segments.tolist() == metric.score(*given).segments.tolist()


@pytest.mark.parametrize(("name", "damage", "message"), DAMAGE, ids=range(len(DAMAGE)))
def test_damaged_arrays_are_told(saved, tmp_path, name, damage, message):
    folder = shutil.copytree(saved, tmp_path / "metric")
    arrays = load_file(folder / WEIGHTS)
    arrays[name] = damage(arrays.get(name))
    kept = {key: np.asarray(v, order="C") for key, v in arrays.items() if v is not None}
    (folder / WEIGHTS).write_bytes(as_bytes(kept))
    hash_again(folder)
    with pytest.raises(BundleError) as caught:
        load(folder)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("heads = 2", "heads = 3", "3 heads do not divide the width, 8"),
        ("heads = 2", "heads = 0", "heads = 0 must be a whole number from 1"),
        ("layers = 2", "layers = 1", "params.layer.1.attended is not part of it"),
        ("layers = 2", "layers = 3", "there is no matrix layer.2.seen"),
        ("layers = 2", "layers = 1000000", "there is no matrix layer.2.seen"),
        ("moved = 0", "moved = 5", "embeddings.words has 30,522 rows, but the pieces need 30,527"),
        ("first = 101", "first = 30522", "the marks 30522 and 102 are not rows"),
        ('"apart"', '"together"', 'form = "together" must be one of "joint", "apart"'),
        ('"apart"', '"joint"', "params.match.bias is not part of it"),
        ('"1e-12"', '"0"', "epsilon = "),
    ],
)
def test_options_that_do_not_fit_the_arrays_are_told(saved, tmp_path, old, new, message):
    folder = shutil.copytree(saved, tmp_path / "metric")
    about = folder / "metric.toml"
    text = about.read_text("utf-8")
    assert old in text
    about.write_text(text.replace(old, new), "utf-8")
    hash_again(folder)
    with pytest.raises(BundleError) as caught:
        load(folder)
    assert message in str(caught.value)


def test_weights_that_give_no_number_are_told(saved, tmp_path):
    folder = shutil.copytree(saved, tmp_path / "metric")
    arrays = load_file(folder / WEIGHTS)
    arrays["params.layer.0.wide.scale"] *= np.float32(1e37)
    (folder / WEIGHTS).write_bytes(as_bytes(arrays))
    hash_again(folder)
    with pytest.raises(ConcordantError, match="not finite"):
        load(folder).score(["a cat"], [["the cat"]])
