"""The loop: the best epoch is kept, patience and stages, many runs at once, runs taken up again."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from concordant.errors import ConcordantError
from concordant.features.preparation import Inputs
from concordant.models.loop import Optimiser, Stage, TrainingRun, train
from concordant.models.optimisers import OPTIMISERS, initial_state
from concordant.models.pairwise.fitting import PairSet, decisions, tau, train_pairwise
from concordant.models.pairwise.forward import PairwiseShape, group_mask, initial
from concordant.training.checkpoint import load_checkpoint, save_checkpoint
from concordant.training.recipe import Recipe, change_recipe

STEADY = Optimiser(rule="adagrad", rate=0.1, decay=0.0, epochs=6, patience=3)


def stage(name="one", target=1.0):
    """A square that draws the only weight to a target; one batch an epoch."""

    def batches(rngs):
        yield np.array([rng.normal() for rng in rngs])

    def gradient(params, noise):
        apart = params["w"][:, 0] - target - 0.1 * noise
        return apart**2, {"w": 2 * apart[:, None]}

    return Stage(name, gradient, batches)


def start(*values):
    return [{"w": np.array([value])} for value in values]


def scored(*scores):
    """A validation that gives these scores one after the other, and remembers the weights."""
    waiting, met = list(scores), []

    def validate(params):
        met.append(params["w"].copy())
        return waiting.pop(0)

    return validate, met


def test_the_best_epoch_is_kept_and_of_equals_the_latest():
    validate, met = scored(0.1, 0.5, 0.3, 0.5, 0.4, 0.2)
    (params,), progress = train(start(0.0), [stage()], validate, STEADY, seeds=[1])
    assert progress.best_epoch.tolist() == [4]
    assert progress.best_score.tolist() == [0.5]
    assert params["w"] == met[3]
    assert [each.epoch for each in progress.history] == [1, 2, 3, 4, 5, 6]
    assert [each.score for each in progress.history] == [0.1, 0.5, 0.3, 0.5, 0.4, 0.2]


def test_patience_ends_a_run():
    validate, met = scored(0.5, 0.1, 0.2, 0.3)
    _, progress = train(start(0.0), [stage()], validate, STEADY, seeds=[1])
    assert (progress.epoch, len(met)) == (4, 4)


def test_a_second_stage_begins_at_the_best_of_the_first():
    validate, met = scored(0.5, 0.6, 0.1, 0.2, 0.3, 0.4, 0.7, 0.1, 0.1, 0.1)
    stages = [stage("one"), stage("two", target=-5.0)]
    (params,), progress = train(start(0.0), stages, validate, STEADY, seeds=[1])
    assert [each.stage for each in progress.history] == ["one"] * 5 + ["two"] * 5
    assert progress.best_epoch.tolist() == [7]
    assert params["w"] == met[6]
    # Adagrad's first step is the rate, whatever the gradient, so its memory was cleared too.
    assert abs(met[5] - met[1]) == pytest.approx(STEADY.rate, abs=1e-6)


def test_a_second_stage_that_helps_nothing_changes_nothing():
    validate, met = scored(0.5, 0.6, *[0.1] * 20)
    (params,), _ = train(start(0.0), [stage(), stage("two")], validate, STEADY, seeds=[1])
    assert params["w"] == met[1]


def test_an_epoch_may_be_worth_the_mean_of_its_steps():
    """Three steps of Adagrad down a slope of 1: 0.1, 0.1/√2, 0.1/√3, and their mean position."""
    slope = Stage("slope", lambda p, _: (p["w"][:, 0], {"w": np.ones((1, 1))}), lambda _: range(3))
    validate, met = scored(0.1, 0.2)
    rules = replace(STEADY, epochs=2, averaged=True)
    (params,), _ = train(start(1.0), [slope], validate, rules, seeds=[1])
    path = 1.0 - 0.1 * np.cumsum(1 / np.sqrt(np.arange(1, 7)))
    assert met[0] == pytest.approx(path[:3].mean(), abs=1e-6)
    assert met[1] == pytest.approx(path[3:].mean(), abs=1e-6)
    assert params["w"] == met[1]


def test_every_epoch_is_told():
    told = []
    validate, _ = scored(*np.arange(6))
    train(
        start(0.0), [stage()], validate, STEADY, seeds=[1],
        run=TrainingRun(keep=lambda progress: told.append(progress.epoch)),
    )  # fmt: skip
    assert told == [1, 2, 3, 4, 5, 6]


def test_divergence_is_told():
    def gradient(params, _):
        return np.zeros(1), {"w": np.exp(params["w"] * 1e4)}

    wild = Stage("wild", gradient, lambda _: [None])
    with pytest.raises(ConcordantError, match=r"diverged in epoch 1: .* set a smaller opt"):
        train(start(1.0), [wild], lambda _: 0.0, STEADY, seeds=[1])


def test_training_imports_no_torch():
    code = (
        "import sys, numpy as np;"
        "from concordant.features.preparation import Inputs;"
        "from concordant.models.pairwise.forward import PairwiseShape;"
        "from concordant.models.pairwise.fitting import PairSet, train_pairwise;"
        "from concordant.training.recipe import Recipe;"
        "given = Inputs(np.eye(4), np.ones((4, 2, 3))), PairSet(np.arange(2), np.arange(2, 4));"
        "train_pairwise(Recipe(), PairwiseShape(3, 4), given, given, seeds=[1]);"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("rule", "theirs"),
    [
        ("adagrad", lambda p: torch.optim.Adagrad(p, lr=0.05)),
        ("adam", lambda p: torch.optim.Adam(p, lr=0.05)),
    ],
)
def test_a_rule_is_torchs_own(rule, theirs, rng):
    flat = rng.normal(size=8).astype(np.float32)
    target = torch.from_numpy(rng.normal(size=8).astype(np.float32))
    theirs_flat = torch.from_numpy(flat.copy()).requires_grad_(True)
    optimiser = theirs([theirs_flat])
    ours, goal = flat.copy(), target.numpy()
    step, _ = OPTIMISERS[rule]
    state = initial_state(rule, flat)
    for _ in range(20):
        optimiser.zero_grad()
        ((theirs_flat - target) ** 3).sum().backward()
        optimiser.step()
        step(ours, 3 * (ours - goal) ** 2, state, 0.05)
    assert ours == pytest.approx(theirs_flat.detach().numpy(), abs=1e-5)


# A network on pairs that one feature, or one direction of the vectors, tells apart.


def toy(rng, outputs=60, pairs=150):
    features, vectors = rng.normal(size=(outputs, 2)), rng.normal(size=(outputs, 2, 3))
    one, two = rng.integers(outputs, size=(2, pairs))
    quality = features[:, 0] + vectors[:, 0, 1]
    apart = np.abs(quality[one] - quality[two]) > 0.5
    one, two = one[apart], two[apart]
    better = np.where(quality[one] > quality[two], one, two)
    return Inputs(features, vectors), PairSet(better, one + two - better)


def recipe(*changes):
    base = ["optimiser.rate=0.1", "optimiser.epochs=6", "optimiser.patience=6"]
    return change_recipe(Recipe(), [*base, *changes])


def shape(**options):
    return replace(PairwiseShape(3, 2), **options)


def trained(rng, *changes, seeds=(1,), form=None, **options):
    given = toy(np.random.default_rng(5))
    return given, train_pairwise(
        recipe(*changes), form or shape(), given, toy(rng), seeds=seeds, **options
    )


@pytest.mark.parametrize(
    ("objective", "form"),
    [
        ("logistic", shape()),
        ("logistic", shape(hidden=0)),
        ("logistic", shape(symmetric=True)),
        ("logistic+kendall", shape()),
        # Alone, its term against ties holds a hidden layer to where it stands.
        ("kendall", shape(hidden=0)),
    ],
    ids=str,
)
def test_a_separable_problem_is_learned(objective, form):
    given = toy(np.random.default_rng(5))
    rules = ["optimiser.epochs=40", "optimiser.patience=40", "optimiser.batch=15"]
    gentle = ["objective.gamma=5", "objective.beta=1", "optimiser.decay=0.0"]
    (params,), _ = train_pairwise(
        recipe(f"objective.kind={objective}", *rules, *gentle), form, given, given, seeds=[1]
    )
    assert tau(decisions(params, form, *given)) == 1.0


def test_the_same_seed_gives_the_same_weights():
    runs = [trained(np.random.default_rng(7), seeds=[s])[1][0][0] for s in (1, 1, 2)]
    for name in runs[0]:
        assert runs[0][name].tobytes() == runs[1][name].tobytes()
    assert not np.array_equal(runs[0]["output_weights"], runs[2]["output_weights"])


@pytest.mark.parametrize("rule", ["adagrad", "adam"])
def test_runs_side_by_side_are_runs_alone(rule):
    changes = [f"optimiser.kind={rule}", "objective.kind=logistic+kendall", "optimiser.rate=0.02"]
    _, (together, progress) = trained(np.random.default_rng(7), *changes, seeds=(1, 2, 3))
    assert {each.run for each in progress.history} == {0, 1, 2}
    for run, seed in enumerate((1, 2, 3)):
        _, ((alone,), _) = trained(np.random.default_rng(7), *changes, seeds=[seed])
        for name, value in alone.items():
            assert together[run][name] == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("rule", ["adagrad", "adam"])
@pytest.mark.parametrize("stopped", [1, 3, 6, 7, 12])
def test_a_run_that_is_taken_up_again_is_as_if_it_had_not_stopped(tmp_path, stopped, rule):
    changes = [f"optimiser.kind={rule}", "objective.kind=logistic+kendall"]
    _, ((whole,), progress) = trained(np.random.default_rng(7), *changes)
    assert progress.epoch == 12

    def keep(reached):
        save_checkpoint(tmp_path, reached, "digest")
        if reached.epoch == stopped:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(np.random.default_rng(7), *changes, run=TrainingRun(keep=keep))
    resume = load_checkpoint(tmp_path, "digest")
    assert resume.epoch == stopped
    _, ((again,), after) = trained(np.random.default_rng(7), *changes, run=TrainingRun(resume))
    for name, value in whole.items():
        assert again[name].tobytes() == value.tobytes()
    timeless = [
        [replace(each, seconds=0.0) for each in course.history] for course in (progress, after)
    ]
    assert timeless[0] == timeless[1]


@pytest.mark.parametrize("rule", ["adagrad", "adam"])
@pytest.mark.parametrize("form", [shape(), shape(symmetric=True)], ids=str)
def test_weights_that_a_group_does_not_see_stay_zero(rng, rule, form):
    _, ((params,), _) = trained(rng, f"optimiser.kind={rule}", form=form)
    unseen = params["hidden_weights"][group_mask(form) == 0]
    assert unseen.size > 0
    assert not unseen.any()
    before = initial(form, np.random.default_rng(1))["hidden_weights"]
    assert (params["hidden_weights"] != before)[group_mask(form) == 1].mean() > 0.9


def test_a_pair_judged_twice_counts_twice():
    from concordant.judgements.judged_translations import JudgedPairs

    pairs = JudgedPairs(
        ("a", "b"), (("r",), ("r",)), ("", ""), (("", "", 1),) * 2,
        np.array([0, 1]), np.array([1, 0]), np.array([2.0, 1.0]),
    )  # fmt: skip
    found = PairSet.of(pairs)
    assert (found.better.tolist(), found.worse.tolist()) == ([0, 0, 1], [1, 1, 0])


def test_nothing_to_validate_on_is_told():
    assert tau(np.array([0.1, 0.0, -0.2, 0.3])) == 0.0  # a tie counts against
    with pytest.raises(ConcordantError, match="no judged pairs to validate on"):
        tau(np.zeros(0))
