"""The adapters in docs/adapters work with the libraries that they are for."""

import importlib.util
import warnings
from pathlib import Path

import pytest

import concordant

FOLDER = Path(__file__).parents[1] / "docs" / "adapters"
TEXTS = ["the cat sat", "it rains", "a dog barks", "nobody came"]
REFERENCES = ["the cat sat down", "it is raining", "a dog is barking", "nobody came to us"]

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries are not ours


def library(name):
    """The library, or a skip that says what is missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, reason=f"needs {name}: pip install {name}")


def adapter(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["chrf", "fast"])
def test_evaluate_has_our_scores(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    library("datasets")
    evaluate = library("evaluate")
    metric = evaluate.load(
        str(FOLDER / "concordant_metric.py"), name,
        cache_dir=str(tmp_path), experiment_id=name,
    )  # fmt: skip
    found = metric.compute(predictions=TEXTS, references=REFERENCES)
    expected = concordant.score(TEXTS, REFERENCES, metric=name)
    assert found["score"] == expected.system
    assert found["segments"] == expected.segments.tolist()
    assert found["signature"] == expected.signature


def test_a_dataset_gets_a_column_of_scores(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = library("datasets")
    table = datasets.Dataset.from_dict({"mt": TEXTS, "ref": REFERENCES})
    scored = table.map(adapter("score_dataset").score_column, batched=True, batch_size=3)
    expected = concordant.score(TEXTS, REFERENCES)
    assert list(scored["score"]) == expected.segments.tolist()
    assert scored.column_names == ["mt", "ref", "score"]
    columns = concordant.score(table["mt"], table["ref"])  # a column itself is a list of texts too
    assert columns.system == expected.system


@pytest.mark.parametrize("name", ["bleu", "ter", "fast"])
def test_batches_add_up_to_the_system(name):
    library("torchmetrics")
    metric = adapter("running_metric").RunningMetric(name)
    for begin in (0, 3):
        metric.update(TEXTS[begin : begin + 3], REFERENCES[begin : begin + 3])
    expected = concordant.score(TEXTS, REFERENCES, metric=name).system
    assert float(metric.compute()) == pytest.approx(expected, rel=1e-12)
    metric.reset()
    metric.update(TEXTS[:1], REFERENCES[:1])
    one = concordant.score(TEXTS[:1], REFERENCES[:1], metric=name).system
    assert float(metric.compute()) == pytest.approx(one, rel=1e-12)
