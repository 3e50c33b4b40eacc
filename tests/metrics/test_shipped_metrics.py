"""The metrics in the package: they load and score alone, and come from their recipes and data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import concordant
from concordant.metrics.bundle import load, shipped, training_record
from concordant.resources.places import BUILT_IN, is_installed
from concordant.training.material import gather
from concordant.training.training import run_digest

sys.path.insert(0, str(Path(__file__).parents[2] / "shipping"))
from multilingual import METRICS_OF
from train import METRICS, SOURCES, recipe_of

ALONE = ("fast", "fast-any", "base")
SMALL = ("fast", "fast-any")  # without a network
NEEDS = {
    "pair": ("mpnet",),
    "reval": ("parser-en", "glove-840b", "glove-100", "glove-50"),
}
GOOD = "The minister said on Monday that the law would be changed."
REFERENCES = [[GOOD]]
WORSE = [
    "The minister said Monday the law will be changed.",
    "Minister told that law it would change in the Monday.",
    "A cat.",
    "",
]


def test_every_metric_that_ships_has_a_source():
    assert set(shipped()) == {*SOURCES, *METRICS_OF, "base"}  # shipping/encoders.py makes base


@pytest.mark.parametrize("name", ALONE)
def test_it_scores_alone(name):
    """No torch, no scikit-learn, no part of the user's cache."""
    code = (
        "import sys, concordant\n"
        f"found = concordant.load({name!r}).score(['a cat sat'], [['a cat sat down']])\n"
        "assert 0 < found.system < 100\n"
        "heavy = {'torch', 'sklearn', 'transformers', 'spacy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"CONCORDANT_CACHE": "nowhere"},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ALONE)
def test_worse_translations_get_less(name):
    texts = [GOOD, *WORSE]
    found = load(name).score(texts, REFERENCES * len(texts)).segments
    assert np.all(np.diff(found) < 0), found
    # What is right in full, what is empty.
    most, least = {"base": (85, 7), "fast-any": (75, 10), "fast": (90, 5)}[name]
    assert found[0] > most
    assert found[-1] < least


@pytest.mark.parametrize("name", ALONE)
def test_scores_do_not_depend_on_batch_or_threads(name):
    metric, texts = load(name), [GOOD, *WORSE] * 7
    whole = metric.score(texts, REFERENCES * len(texts), threads=2).segments
    alone = [metric.score([text], REFERENCES).segments[0] for text in texts]
    assert np.array(alone).tobytes() == whole.tobytes()


def test_odd_texts_get_scores_and_flags():
    odd = ["", "Der Minister sagte das am Montag.", "министр", "word " * 2000, "<script>", "\u200b"]
    found = concordant.load("fast").score(odd, REFERENCES * len(odd))
    assert np.isfinite(found.segments).all()
    assert found.flags is not None
    assert "empty-output" in found.flags[0]
    assert found.flags[3]


def test_the_metric_that_needs_nothing_is_small():
    files = [*BUILT_IN.values(), *(METRICS / name for name in SMALL)]
    size = sum(path.stat().st_size for folder in files for path in folder.iterdir())
    assert size < 17_000_000


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_its_record_has_its_recipe(name):
    kept = json.loads(training_record(METRICS / name)["recipe"])
    tables = recipe_of(name, Path("data")).tables()
    tables["objective"]["beta"] = 100.0  # the default then; only Kendall's cost reads it
    for table, key in (("data", "judgements"), ("data", "beside"), ("validation", "judgements")):
        tables[table][key] = [Path(each).name for each in tables[table][key]]
    for table, values in kept.items():
        there = {key: tables[table][key] for key in values} if isinstance(values, dict) else values
        assert values == there


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(SOURCES))
def test_it_was_trained_on_the_data_it_says(name, data):
    recipe = recipe_of(name, data)
    record = training_record(METRICS / name)
    material = gather(recipe)
    assert material.digest == record["data"]
    assert run_digest(recipe, material) == record["run"]


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_a_metric_with_parts_says_what_it_needs(name):
    missing = [part for part in NEEDS[name] if not is_installed(part)]
    if not missing:
        found = load(name).score([GOOD, WORSE[2]], REFERENCES * 2).segments
        assert found[0] > found[1]
        return
    with pytest.raises(concordant.errors.ConcordantError, match=f"install {' '.join(missing)}"):
        load(name)


def test_reval_names_all_its_parts_in_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    command = "concordant resources install parser-en glove-840b glove-100 glove-50"
    with pytest.raises(concordant.errors.ConcordantError, match=f"not installed: {command}$"):
        load("reval")
