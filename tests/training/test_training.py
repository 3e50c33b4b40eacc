"""A whole training: what it plans, what it reaches on segments it never saw, and what it keeps."""

import json

import numpy as np
import pytest
from own_parts import own_part
from small_encoders import static_folder
from small_preferences import rows, write_rows

import concordant
from concordant.errors import BundleError, SpecError
from concordant.judgements.detection import read
from concordant.metrics.bundle import HISTORY, load
from concordant.models.pairwise.fitting import PairSet
from concordant.records import Collection, TestSet
from concordant.toml_text import read_toml
from concordant.training import training
from concordant.training.course import run_course
from concordant.training.held_out import pair_agreement, tau_estimate
from concordant.training.recipe import Recipe, change_recipe
from concordant.training.training import learning_curve, plan

FAST = ["optimiser.rate=0.1", "optimiser.epochs=5", "test.share=0.2", "validation.share=0.2"]


@pytest.fixture(scope="module")
def judgements(tmp_path_factory):
    return read(write_rows(tmp_path_factory.mktemp("data") / "mine.csv", rows(60)))


def recipe(*changes):
    return change_recipe(Recipe(), ["inputs.features=bleu chrf length", *FAST, *changes])


def test_the_plan_says_what_will_be_done(judgements):
    planned = plan(recipe(), judgements)
    assert planned.lines() == [
        (
            "judged pairs: training 108 pairs of 36 segments, validation 36 pairs of 12 segments, "
            "test 36 pairs of 12 segments"
        ),
        "inputs: 4 features, 0 numbers a text",
        "model: pairwise, 4 nodes a group; objective: logistic; seed 1",
    ]


def test_a_column_that_says_nothing_is_told(judgements):
    planned = plan(recipe(), of_one_length(judgements))
    assert planned.lines()[1].endswith(
        "; constant in training, so without effect: length words, length chars"
    )


def of_one_length(judgements):
    """The judgements with every output as long as its reference, in words and characters."""
    texts = judgements.testsets[0]
    references = dict.fromkeys(texts.references["reference"], "aa bb cc dd")
    spellings = ["aa bb cc dx", "aa bb xx dd", "aa xx yy zz", "xx bb cc yy", "x1 x2 x3 x4"]
    translations = {
        name: {s: spellings[(i + s) % 5] for s in given}
        for i, (name, given) in enumerate(sorted(texts.translations.items()))
    }
    same = TestSet(texts.name, texts.pair, texts.source, {"reference": references}, translations)
    return Collection((same,), preferences=judgements.preferences)


def test_a_trained_metric_agrees_with_people(judgements, tmp_path):
    told, epochs = [], []
    course = run_course(
        recipe("seed=0"),
        tmp_path / "metric",
        judgements=judgements,
        say=told.extend,
        after_epoch=lambda progress: epochs.append(progress.epoch),
    )
    trained = course.trained
    assert trained.held_out == "test"
    assert trained.agreement.value > 0.6
    assert trained.agreement.low <= trained.agreement.value <= trained.agreement.high
    assert trained.agreement.n == 36
    assert course.curve == []
    assert epochs == list(range(1, trained.progress.epoch + 1))
    assert told[0].startswith("judged pairs: training 108 pairs")
    metric = load(tmp_path / "metric")
    assert metric.signature() == trained.metric.signature()
    lines = (tmp_path / "metric" / HISTORY).read_text().splitlines()
    history = [json.loads(line) for line in lines]
    assert [each["epoch"] for each in history] == epochs
    assert "seconds" not in history[0]  # the same training writes the same file
    about = read_toml(tmp_path / "metric" / "metric.toml")["training"]
    assert about["training_pairs"] == 108
    assert about["tau"] == str(trained.agreement)
    assert json.loads(about["recipe"])["seed"] == 0
    assert "36 pairs" in about["held_out"]
    card = metric.card
    assert str(trained.agreement) in card
    assert "Strict Kendall's tau on segments not used for training (test):" in card
    assert [path.name for path in tmp_path.iterdir()] == ["metric"]


def test_training_from_python(tmp_path):
    path = write_rows(tmp_path / "mine.csv", rows(60))
    changes = {"inputs.features": "chrf", "name": "mine", "optimiser.epochs": 2}
    course = concordant.train("guzman2015", path, changes={**changes, "inputs.vectors": ""})
    assert course.metric.name == "mine"
    assert [each.name for each in tmp_path.iterdir()] == ["mine.csv"]
    again = concordant.train(
        Recipe(), [path], changes=changes, output=tmp_path / "metric", learning_curve=True
    )
    assert len(again.curve) == 4
    loaded = concordant.load(tmp_path / "metric")
    assert loaded.prefer(["a b"], ["a"], [["a b"]]) == again.metric.prefer(
        ["a b"], ["a"], [["a b"]]
    )
    with pytest.raises(SpecError, match=r'changes: there is no key "model\.hiden"'):
        concordant.train("lexical", path, changes={"model.hiden": 3})


def test_the_same_recipe_gives_the_same_metric(judgements, tmp_path):
    for name in ("one", "two"):
        run_course(recipe(), tmp_path / name, judgements=judgements)
    for file in ("weights.safetensors", "card.md", "metric.toml"):
        one, two = ((tmp_path / name / file).read_bytes() for name in ("one", "two"))
        assert one == two
    run_course(recipe("seed=2"), tmp_path / "two", judgements=judgements)
    assert load(tmp_path / "one").digest != load(tmp_path / "two").digest


def test_an_interrupted_training_goes_on(judgements, tmp_path):
    run_course(recipe(), tmp_path / "whole", judgements=judgements)

    def stop(progress):
        if progress.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_course(recipe(), tmp_path / "metric", judgements=judgements, after_epoch=stop)
    assert (tmp_path / ".metric.training").is_dir()
    epochs = []
    run_course(
        recipe(), tmp_path / "metric", judgements=judgements,
        after_epoch=lambda progress: epochs.append(progress.epoch),
    )  # fmt: skip
    assert epochs[0] == 3
    assert load(tmp_path / "metric").digest == load(tmp_path / "whole").digest
    assert not (tmp_path / ".metric.training").exists()


def test_another_recipe_does_not_go_on_with_it(judgements, tmp_path):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_course(recipe(), tmp_path / "metric", judgements=judgements, after_epoch=stop)
    epochs = []
    run_course(
        recipe("seed=5"), tmp_path / "metric", judgements=judgements,
        after_epoch=lambda progress: epochs.append(progress.epoch),
    )  # fmt: skip
    assert epochs[0] == 1


def test_without_a_test_side_the_report_says_so(judgements, tmp_path):
    course = run_course(recipe("test.share=0"), tmp_path / "metric", judgements=judgements)
    assert course.trained.held_out == "validation"
    assert "also used to choose the model, so optimistic" in course.trained.metric.card


def test_a_learning_curve_trains_on_shares_of_the_segments(judgements):
    steps = []
    points = learning_curve(plan(recipe(), judgements), lambda *point: steps.append(point))
    assert [share for share, _, _ in points] == [0.1, 0.2, 0.5, 1.0]
    counts = [n for _, n, _ in points]
    assert counts == sorted(counts)
    assert counts[-1] == 108
    assert 3 <= counts[0] <= 24
    assert steps == points
    assert all(point[2].n == 36 for point in points)


def test_a_curve_of_hardly_any_segments_leaves_out_what_is_empty(tmp_path):
    few = read(write_rows(tmp_path / "few.csv", rows(6)))
    points = learning_curve(plan(recipe(), few))
    assert points[-1][0] == 1.0
    assert all(n > 0 for _, n, _ in points)


def test_the_place_is_looked_at_before_the_work(judgements, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    monkeypatch.setattr("concordant.training.course.plan", lambda *_, **__: pytest.fail("worked"))
    with pytest.raises(BundleError, match="exists and is not a metric"):
        run_course(recipe(), tmp_path / "mine", judgements=judgements)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("inputs.features=blue", "did you mean"),
        ("inputs.features=", r"neither inputs\.features nor inputs\.vectors"),
        ("inputs.vectors=sentences(minilm)", 'did you mean "sentence"'),
        ('inputs.anchors=["sauce"]', "are not some of reference, source"),
    ],
)
def test_a_bad_recipe_is_told_before_the_data_are_read(change, message, monkeypatch):
    monkeypatch.setattr(training, "gather", lambda *_: pytest.fail("read"))
    with pytest.raises(SpecError, match=message):
        plan(recipe(change))


@pytest.mark.parametrize("anchors", ['["reference","source"]', '["source"]'])
def test_vectors_and_the_source_can_be_learned_from(judgements, tmp_path, monkeypatch, anchors):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    own_part("static", "static", lambda folder: static_folder(folder, np.random.default_rng(3)))
    changes = ["inputs.vectors=sentence(static)", f"inputs.anchors={anchors}"]
    without = ["inputs.features="] if "reference" not in anchors else []
    run_course(recipe(*changes, *without), tmp_path / "metric", judgements=judgements)
    metric = load(tmp_path / "metric")
    given = [["aa"]], ["bb"]
    assert 0 < metric.prefer(["the house"], ["a street"], *given)[0] < 1


@pytest.mark.parametrize(
    "change",
    ["inputs.features=bleu tokens({})", "inputs.vectors=sentence({})", "inputs.trees=trees({},x)"],
)
def test_a_recipe_with_a_path_is_refused_before_work_where_the_metric_is_to_be_saved(
    tmp_path, monkeypatch, change
):
    monkeypatch.setattr(training, "gather", lambda *_: pytest.fail("read"))
    static = static_folder(tmp_path / "static", np.random.default_rng(3))
    words = r'static" is not the name of a part\. .* `concordant resources add NAME PATH` makes'
    with pytest.raises(SpecError, match=words):
        run_course(recipe(change.format(static)), tmp_path / "metric")


def test_a_folder_with_files_of_the_user_is_refused_before_work(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "gather", lambda *_: pytest.fail("read"))
    (tmp_path / "metric").mkdir()
    (tmp_path / "metric" / "metric.toml").touch()
    (tmp_path / "metric" / "notes.txt").touch()
    with pytest.raises(BundleError, match=r"also holds notes\.txt, which saving a metric there"):
        run_course(recipe(), tmp_path / "metric")


def test_only_what_training_made_is_removed_with_a_checkpoint(judgements, tmp_path):
    checkpoint = tmp_path / ".metric.training"
    checkpoint.mkdir()
    (checkpoint / "mine.txt").write_text("kept")
    run_course(recipe(), tmp_path / "metric", judgements=judgements)
    assert [path.name for path in checkpoint.iterdir()] == ["mine.txt"]


def test_tau_counts_ties_against_and_bounds_it_by_segments():
    gaps = np.array([1.0, 2.0, 0.0, -1.0])
    found = tau_estimate(gaps, np.array([4, 4, 9, 9]))
    assert found.value == 0.0
    assert (found.low, found.high) == (-1.0, 1.0)
    assert found.n == 4


def test_agreement_is_counted_as_often_as_judged(judgements):
    planned = plan(recipe(), judgements)
    trained = training.train_metric(planned)
    side, inputs = planned.material.sides["test"], planned.inputs["test"]
    reached = pair_agreement(trained.metric, side, inputs)
    _, second = reached.estimates.values()
    assert reached.estimates == trained.reached.estimates
    assert reached.outcomes.said.min() >= 0.5
    scores = trained.metric.scores_of_inputs(inputs)
    pairs = PairSet.of(side)
    won = np.where(scores[pairs.better] > scores[pairs.worse], 1, -1)
    assert second.value == pytest.approx(won.mean())
