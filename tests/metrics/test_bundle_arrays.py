"""The arrays of a saved metric: names, shapes and values are checked, whatever the hash says."""

import shutil

import numpy as np
import pytest
from attack_bundles import hash_again
from safetensors.numpy import load_file
from safetensors.numpy import save as as_bytes
from small_metrics import HYPOTHESES, REFERENCES, with_weights

from concordant.errors import BundleError, ConcordantError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation
from concordant.features.scaling import fit_scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.metrics.bundle import WEIGHTS, load, save


def changed(values, place, number):
    found = values.copy()
    found.reshape(-1)[place] = number
    return found


IDF, SIF = "fitted.tokens(compact-words)", "fitted.vectors(compact-words,pool=sif)"
# What is done to an array of weights whose hash is made right again, and what is said of it.
DAMAGE = [
    ("params.output_weights", lambda v: changed(v, 0, np.nan), "has numbers that are not finite"),
    ("params.output_weights", lambda v: changed(v, 0, np.inf), "has numbers that are not finite"),
    ("params.output_weights", lambda v: v[:-1], "output_weights is ("),
    ("params.output_weights", lambda v: v[None], "output_weights is (1, "),
    ("params.output_weights", lambda _: np.array(1.0), "output_weights is ()"),
    ("params.output_weights", lambda v: v.astype(np.int64), "is int64; float32 or float64"),
    ("params.output_weights", lambda v: v.astype(np.float16), "is float16; float32 or float64"),
    ("params.output_weights", lambda _: None, "there is no params.output_weights"),
    ("params.more", lambda _: np.zeros(3), "params.more is not part of it"),
    ("fitted.bleu.ids", lambda _: np.zeros(3), "fitted values for bleu, which is not an input"),
    ("scaling.features.centre", lambda v: v[:-1], "the centre of the scaling of features has"),
    ("scaling.features.spread", lambda v: -v, "the spread of the scaling of features must be"),
    ("scaling.features.spread", lambda v: 0 * v, "the spread of the scaling of features must be"),
    ("scaling.features.constant", lambda _: np.array([99]), "names columns beyond its "),
    ("scaling.features.constant", lambda _: np.array([-1]), "names columns beyond its "),
    ("scaling.features.constant", lambda _: np.array(0), "is int64 (), not a list of columns"),
    ("scaling.features.constant", lambda _: np.array([0.5]), "not a list of columns"),
    ("scaling.vectors.constant", lambda _: None, "there is no scaling.vectors.constant"),
    (f"{IDF}.ids", lambda v: v[::-1], "ids are not in ascending order"),
    (f"{IDF}.ids", lambda v: changed(v.astype(np.int64), -1, 10**12), "ids are not in ascendi"),
    (f"{IDF}.ids", lambda v: changed(v, 0, -5), "ids are not in ascending order"),
    (f"{IDF}.ids", lambda v: v.astype(np.float64), "ids are float64"),
    (f"{IDF}.idf", lambda v: -v, "idf has numbers below 0"),
    (f"{IDF}.idf", lambda v: v[:-1], "idf is float64 ("),
    (f"{IDF}.unseen", lambda v: v[:0], "unseen is float64 (0,), where float32 or float64 (1,)"),
    (f"{IDF}.unseen", lambda _: None, "ids, idf and unseen are needed, not idf, ids"),
    (f"{SIF}.ids", lambda v: changed(v, -1, 40_000), "ids are not in ascending order from 0 to"),
    (f"{SIF}.component", lambda v: v[:-1], "component is float64 (49,), where float32 or float64"),
    (f"{SIF}.weights", lambda v: v[None], "weights is float64 (1, "),
    (f"{SIF}.other", lambda _: None, 'pool "sif" lacks other'),
]  # fmt: skip


@pytest.fixture(scope="module")
def fitted_folder(tmp_path_factory):
    """A metric with every kind of array: scaled features and vectors, fitted on texts."""
    references = [text for given in REFERENCES for text in given]
    features = feature_set("bleu tokens(compact-words)")
    vectors = (sentence_vectors_named("vectors(compact-words,pool=sif)"),)
    fitted = {**features.fit(references), str(vectors[0].spec): vectors[0].fit(references)}
    raw = Preparation(features, vectors, fitted=fitted).inputs(HYPOTHESES, REFERENCES)
    scalings = fit_scaling(raw.features), fit_scaling(raw.vectors.reshape(-1, 50))
    preparation = Preparation(features, vectors, ("reference",), fitted, *scalings)
    folder = tmp_path_factory.mktemp("fitted") / "metric"
    save(with_weights(preparation, 0), folder)
    return folder


@pytest.mark.parametrize(("name", "damage", "message"), DAMAGE, ids=range(len(DAMAGE)))
def test_arrays_that_are_hashed_again_must_still_fit(
    fitted_folder, tmp_path, name, damage, message
):
    folder = shutil.copytree(fitted_folder, tmp_path / "metric")
    arrays = load_file(folder / WEIGHTS)
    found = damage(arrays.get(name))
    arrays = {**arrays, name: found}
    kept = {key: np.asarray(v, order="C") for key, v in arrays.items() if v is not None}
    (folder / WEIGHTS).write_bytes(as_bytes(kept))
    hash_again(folder)
    with pytest.raises(BundleError) as caught:
        load(folder)
    assert message in str(caught.value)


def test_weights_that_give_no_number_are_told(fitted_folder, tmp_path):
    folder = shutil.copytree(fitted_folder, tmp_path / "metric")
    arrays = {k: np.full(v.shape, 1e308) if "params" in k else v
              for k, v in load_file(folder / WEIGHTS).items()}  # fmt: skip
    for name in ("params.output_weights", "params.hidden_weights"):
        arrays[name].reshape(-1)[::2] *= -1
    (folder / WEIGHTS).write_bytes(as_bytes(arrays))
    hash_again(folder)
    metric = load(folder)
    with pytest.raises(
        ConcordantError, match="small gives a score that is not finite: its weights"
    ):
        metric.score(HYPOTHESES, REFERENCES)
