"""Regression from ratings: scikit-learn's predictions, whole trainings, wrong use, odd texts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from own_parts import own_part
from small_encoders import static_folder

from concordant.errors import BundleError, ConcordantError, SpecError
from concordant.features.preparation import Inputs
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.judged_translations import JudgedPairs
from concordant.metrics.bundle import load, save
from concordant.models.regression import fitting
from concordant.models.regression import forward as regression
from concordant.models.regression.fitting import train_regression
from concordant.models.regression.regressors import REGRESSORS, Problem
from concordant.records import Collection
from concordant.toml_text import read_toml
from concordant.training.course import run_course
from concordant.training.material import gather
from concordant.training.recipe import change_recipe, read_recipe, recipe_trainer

sklearn = pytest.importorskip("sklearn")
LIGHT = ["inputs.vectors=", "inputs.features=bleu chrf ter length", "search.folds=4"]


@pytest.fixture(scope="module")
def rated():
    return JudgedSet.of(read("examples/de-en"), "ratings").rated()


def recipe(*changes):
    return change_recipe(read_recipe("regression"), [*LIGHT, *changes])


def inputs_of(rated, seed=0):
    """Five columns that say something of the ratings, and vectors that do not."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(len(rated), 5)) + rated.ratings[:, None]
    return Inputs(features, rng.normal(size=(len(rated), 2, 4)))


@pytest.mark.parametrize("setting", [(0.1, 1.0, 0.1), (1.0, 10.0, 0.01), (10.0, 0.1, 1.0)])
def test_the_kept_svr_predicts_as_scikit_learns_own(rated, setting):
    from sklearn.svm import SVR

    gamma, c, epsilon = setting
    given = inputs_of(rated)
    scale = regression.fit_columns(given.features, given.vectors)
    x = regression.scaled_columns(scale, given.features, given.vectors).astype(np.float32)
    own = SVR(kernel="rbf", gamma=gamma, C=c, epsilon=epsilon, tol=1e-8)
    peer = own.fit(x.astype(np.float64), rated.ratings / np.std(rated.ratings))
    params = {
        **scale,
        "support": x[peer.support_],
        "dual": peer.dual_coef_[0],
        "intercept": peer.intercept_,
        "gamma": np.array([gamma]),
    }
    found = regression.predict("svr", params, given.features, given.vectors)
    assert np.max(np.abs(found - peer.predict(x.astype(np.float64)))) < 1e-6


@pytest.mark.parametrize("name", ["svr", "landmarks", "ridge", "mlp"])
def test_what_is_kept_predicts_as_what_was_fitted(rated, name):
    given = inputs_of(rated)
    scale = regression.fit_columns(given.features, given.vectors)
    x = regression.scaled_columns(scale, given.features, given.vectors)
    x = x.astype(np.float32).astype(np.float64)
    some = x[::9, -5:].astype(np.float32).astype(np.float64)
    problem = Problem(x, rated.ratings, seed=1, hidden=3, features=5, landmarks=some)
    method = REGRESSORS[name]
    setting = {"gamma": 0.1, "c": 1.0, "epsilon": 0.1, "alpha": 1.0, "linear": 0.1}
    params = {**scale, **method.fit(problem, setting)}
    everything = np.arange(len(x))
    fitted = method.cross(problem, setting, everything, everything)
    found = regression.REGRESSORS[name](params, x)
    assert np.max(np.abs(found - fitted)) < 1e-6


@pytest.mark.parametrize("name", ["svr", "landmarks", "ridge", "mlp"])
def test_a_regression_learns_what_its_columns_say(rated, name):
    found = train_regression(recipe(f"model.regressor={name}"), inputs_of(rated), rated)
    assert np.corrcoef(found.crossed, rated.ratings)[0, 1] > 0.5
    assert found.found.score > 0.5
    assert 0 < found.params["noise"][0] < np.std(rated.ratings)


def test_judged_pairs_beside_ratings_pull_their_outputs_apart(rated):
    given = inputs_of(rated)
    pairs = JudgedPairs(
        rated.translations, rated.references, rated.sources, rated.places,
        np.array([0, 2]), np.array([1, 3]), np.ones(2),
    )  # fmt: skip
    one = ["search.gamma=[0.1]", "search.alpha=[1.0]"]
    how = recipe("model.regressor=landmarks", "objective.beside=5.0", "objective.gap=30.0", *one)
    alone = train_regression(how, given, rated)
    beside = train_regression(how, given, rated, beside=(given, pairs))

    def gaps(found):
        scores = regression.predict("landmarks", found.params, given.features, given.vectors)
        return scores[pairs.better] - scores[pairs.worse]

    assert np.all(gaps(beside) > gaps(alone))


def test_empty_outputs_are_learned_to_be_the_worst(tmp_path):
    how = recipe("data.empty=0.1", "model.regressor=landmarks", "search.alpha=[0.1]")
    course = run_course(how, tmp_path / "metric", judgements=read("examples/de-en"))
    empty, some = course.metric.score(["", "a b x y"], [["a b c d"]] * 2).segments
    assert empty < some
    assert course.trained.agreement.n == 24  # they are no part of what is reported


def test_a_whole_training_from_ratings_to_scores(tmp_path):
    told = []
    course = run_course(
        recipe("seed=3"), tmp_path / "metric", judgements=read("examples/de-en"), say=told.extend
    )
    trained = course.trained
    assert any("rated translations of 54 segments" in line for line in told)
    assert trained.held_out == "test"
    assert trained.reached.statistic == "Pearson's r"
    assert trained.agreement.value > 0.2
    about = read_toml(tmp_path / "metric" / "metric.toml")["training"]
    assert about["training_rated_translations"] == 216
    assert about["r"] == str(trained.agreement)
    assert about["chosen_gamma"] in recipe()["search.gamma"]
    assert json.loads(about["recipe"])["model"]["regressor"] == "svr"
    assert "Pearson's r on segments not used for training (test):" in trained.metric.card
    assert [path.name for path in tmp_path.iterdir()] == ["metric"]
    metric = load(tmp_path / "metric")
    assert metric.signature() == trained.metric.signature()
    better = metric.prefer(["a b c d"], ["x"], [["a b c d"]])[0]
    assert better > 0.5
    assert metric.prefer(["x"], ["a b c d"], [["a b c d"]])[0] == pytest.approx(1 - better)


def test_a_calibrated_metric_scores_shares(tmp_path):
    judged = read("examples/de-en")
    run_course(recipe("model.calibrated=true"), tmp_path / "metric", judgements=judged)
    metric = load(tmp_path / "metric")
    texts = ["a b c d", "a b x y", "x", ""], [["a b c d"]] * 4
    shares = metric.score(*texts).segments
    assert (shares > 0).all()
    assert (shares < 100).all()
    raw = metric.uncalibrated().score(*texts).segments
    assert (np.argsort(shares) == np.argsort(raw)).all()
    assert shares.tolist() == regression.calibrate(raw, metric.params["calibration"]).tolist()
    damaged = {**metric.params, "calibration": np.zeros(99)}
    save(replace(metric, params=damaged), tmp_path / "damaged")
    with pytest.raises(BundleError, match=r"calibration is \(99,\), but must be \(2,\)"):
        load(tmp_path / "damaged")


def test_without_a_test_side_the_folds_tell(tmp_path):
    course = run_course(
        recipe("test.share=0"), tmp_path / "metric", judgements=read("examples/de-en")
    )
    assert course.trained.held_out == "cross-validation"
    assert course.trained.agreement.n == 240
    assert "also used to choose the model, so optimistic" in course.metric.card


def test_vectors_of_an_encoder_are_learned_from(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    own_part("static", "static", lambda folder: static_folder(folder, np.random.default_rng(3)))
    given = recipe("inputs.vectors=sentence(static)", "inputs.features=")
    run_course(given, tmp_path / "metric", judgements=read("examples/de-en"))
    metric = load(tmp_path / "metric")
    assert np.isfinite(metric.score(["the house"], [["a house"]]).segments).all()


ODD = ["", " ", "Der Hund schläft.", "собака спит", "word " * 2000, "\u200b", "?" * 3000]


def test_odd_outputs_get_a_score(tmp_path):
    run_course(recipe(), tmp_path / "metric", judgements=read("examples/de-en"))
    metric = load(tmp_path / "metric")
    found = metric.score(ODD, [["The dog sleeps."]] * len(ODD))
    assert np.isfinite(found.segments).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["inputs.scaling=standard"], "scales its columns itself"),
        (["model.regressor=mlp", "model.hidden=0"], "needs model.hidden of at least 1"),
        (["objective.kind=logistic"], "not for regression models; use ratings"),
        (["data.beside=['x']"], 'data.beside is for model.regressor = "landmarks"'),
        (["search.c=[]"], "must be a list of numbers"),
        (["search.c=[-1]"], "every number must be"),
        (["search.folds=400"], "too few for 400 folds"),
    ],
)
def test_wrong_recipes_are_told(changes, message, tmp_path):
    with pytest.raises(SpecError, match=message):
        run_course(recipe(*changes), tmp_path / "m", judgements=read("examples/de-en"))


@pytest.mark.parametrize("change", ["data.beside=['x']", "data.empty=0.1", "model.calibrated=true"])
def test_what_only_a_regression_does_is_not_passed_over(change):
    with pytest.raises(SpecError, match=r'is for model\.kind = "regression"; leave it out'):
        recipe_trainer(change_recipe(read_recipe("lexical"), [change]))


def test_wrong_ratings_are_told():
    with pytest.raises(ConcordantError, match="there are none, there are preferences"):
        gather(read_recipe("regression"), replace(read("examples/de-en"), ratings=(), rankings=()))
    with pytest.raises(ConcordantError, match=r"there are none$"):
        gather(read_recipe("regression"), Collection())
    with pytest.raises(ConcordantError, match="no language pair matches fi-en; there are"):
        JudgedSet.of(read("examples/de-en"), "ratings", language_pairs=["fi-en"])
    whole = read("examples/de-en")
    same = replace(whole, ratings=tuple(replace(each, score=1.0) for each in whole.ratings))
    with pytest.raises(ConcordantError, match="ratings are 1; nothing can be learned"):
        JudgedSet.of(same, "ratings").rated()


def test_too_many_for_an_svr(rated, monkeypatch):
    monkeypatch.setattr(fitting, "MOST_FOR_SVR", 100)
    with pytest.raises(SpecError, match=r'240 rated translations are too many.*"ridge"'):
        train_regression(recipe(), inputs_of(rated), rated)


def test_outputs_of_one_reference_are_one_group(rated):
    group, references = rated.group, [rated.references[i] for i in rated.rows]
    assert len(set(group.tolist())) == len(set(references))
    assert all(
        (group[i] == group[0]) == (references[i] == references[0]) for i in range(len(group))
    )
