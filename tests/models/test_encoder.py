"""The encoder learns what it is shown: gradients, order of lessons, exact resumption, checks."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from concordant.errors import ConcordantError
from concordant.models.encoder.damage import RULES, damages
from concordant.models.encoder.judged_lessons import (
    TextNumbers,
    grouped,
    paired_lessons,
    rated_lessons,
    standardised,
)
from concordant.models.encoder.lessons import Curriculum, Lesson, Source
from concordant.models.encoder.quantised import pack, unpack
from concordant.models.encoder.texts import read_pieces

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # with more, tiny products wait for each other
os.environ["CONCORDANT_FP32"] = "1"

from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations  # noqa: E402
from concordant.models.encoder.learner import Schedule, new_learner  # noqa: E402
from concordant.models.encoder.loop import train  # noqa: E402
from concordant.models.encoder.network import (  # noqa: E402
    NetworkShape,
    joint_scores,
    joint_sequences,
)
from concordant.models.encoder.objectives import loss  # noqa: E402
from concordant.models.encoder.pair_features import PairFeatures  # noqa: E402
from concordant.models.encoder.start import new_adapters, new_beside, new_head  # noqa: E402

FORMS = ("joint", "apart")
WIDTH, WORDS = 8, 30


def tiny(form, *, rank=0, distances=False, features=0, dtype=torch.float64):
    """A random network of two layers and its shape."""
    rng = torch.Generator().manual_seed(4)

    def random(*size):
        return torch.randn(size, generator=rng, dtype=torch.float64) * 0.4

    shape = NetworkShape(form, 2, 2, 1e-12, 1, 2)
    weights = {
        "embeddings.words": random(WORDS, WIDTH),
        "embeddings.places": random(40, WIDTH),
        "embeddings.types": random(12, WIDTH),
        "embeddings.scale": 1 + random(WIDTH),
        "embeddings.shift": random(WIDTH),
    }
    if distances:
        weights["distances"] = random(32, 2)
    sizes = {"seen": (24, 8), "attended": (8, 8), "wide": (32, 8), "narrow": (8, 32)}
    for layer in range(2):
        for name, size in sizes.items():
            weights[f"layer.{layer}.{name}"] = random(*size)
            weights[f"layer.{layer}.{name}_bias"] = random(size[0])
        for name in ("attended_norm", "norm"):
            weights[f"layer.{layer}.{name}"] = 1 + random(WIDTH)
            weights[f"layer.{layer}.{name}_bias"] = random(WIDTH)
    head = new_head(form, WIDTH, 5, 1) | new_beside(features)
    weights |= {n: random(*v.shape) for n, v in head.items()}
    if rank:
        weights |= {n: random(*v.shape) for n, v in new_adapters(shape, weights, rank, 1).items()}
    return shape, {name: value.to(dtype) for name, value in weights.items()}


def features_of_pairs(rng, columns):
    """Random features of every pair of twelve texts; None for no columns."""
    place = {(t, r): 12 * t + r for t in range(12) for r in range(12)}
    values = rng.normal(size=(144, columns)).astype(np.float32)
    return PairFeatures(place, values) if columns else None


def some_texts(rng, count=12):
    lengths = rng.integers(0, 7, count)
    return [(rng.integers(3, WORDS, n), rng.integers(0, 6, n)) for n in lengths]


def tiny_course(rng, texts):
    lessons = [
        Lesson((int(i) % 4,), (4 + i, 5 + i, 6 + i), tuple(rng.normal(size=3)), ((0, 1), (2, 1)))
        for i in range(6)
    ]
    lengths = np.array([len(ids) for ids, _ in texts])
    return Curriculum(
        (Source("rated", lessons, 1.0), Source("more", lessons, 0.5)), lengths, 3, 6, 60
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("extras", [{}, {"rank": 2, "distances": True}, {"features": 3}])
def test_gradients_are_those_of_finite_differences(form, extras, rng):
    shape, weights = tiny(form, **extras)
    texts = some_texts(rng)
    beside = features_of_pairs(rng, extras.get("features", 0))
    learner = new_learner(shape, weights, list(weights), texts, beside)
    (chunk, *_) = tiny_course(rng, texts).step(0)

    def cost(arrays):
        return loss(learner.scores(chunk.translations, chunk.references, arrays), chunk)

    leaves = {n: v.clone().requires_grad_() for n, v in weights.items()}
    slopes = torch.autograd.grad(cost(leaves), list(leaves.values()), allow_unused=True)
    for (name, value), slope in zip(weights.items(), slopes, strict=True):
        place = int(rng.integers(value.numel()))
        up, down = value.clone(), value.clone()
        up.view(-1)[place] += 1e-5
        down.view(-1)[place] -= 1e-5
        expected = float(cost(weights | {name: up}) - cost(weights | {name: down})) / 2e-5
        found = 0.0 if slope is None else float(slope.reshape(-1)[place])
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-7), name


def test_a_rating_pulls_and_a_pair_parts(rng):
    texts = some_texts(rng)
    (chunk, *_) = tiny_course(rng, texts).step(0)
    scores = torch.zeros(len(chunk.translations), requires_grad=True)
    (slope,) = torch.autograd.grad(loss(scores, chunk), scores)
    pulled = 2 * chunk.rating_weight * (0 - chunk.ratings)
    for better, worse, weight in zip(chunk.better, chunk.worse, chunk.pair_weight, strict=True):
        pulled[better] -= weight
        pulled[worse] += weight
    assert slope.numpy() == pytest.approx(pulled, abs=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_a_score_does_not_depend_on_its_batch(form, rng):
    shape, weights = tiny(form)
    learner = new_learner(shape, weights, list(weights), some_texts(rng))
    rows = rng.integers(0, 12, (9, 2))
    together = learner.scores(rows[:, 0], rows[:, 1], weights)
    for row, expected in zip(rows, together, strict=True):
        alone = learner.scores(row[:1], row[1:], weights)
        assert float(alone) == pytest.approx(float(expected), abs=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_new_features_add_nothing(form, rng):
    shape, weights = tiny(form)
    texts, rows = some_texts(rng), rng.integers(0, 12, (9, 2)).T
    plain = new_learner(shape, weights, ["head.out"], texts).scores(*rows, weights)
    more = weights | {name: each.double() for name, each in new_beside(4).items()}
    learner = new_learner(shape, more, ["head.out"], texts, features_of_pairs(rng, 4))
    assert torch.equal(learner.scores(*rows, more), plain)


def test_adapters_are_what_their_product_adds(rng):
    shape, weights = tiny("joint", rank=2)
    merged = dict(weights)
    for name in [each for each in weights if each.endswith(".down")]:
        at = name.removesuffix(".down")
        merged[at] = merged[at] + merged.pop(f"{at}.up") @ merged.pop(name)
    texts = some_texts(rng)
    given = joint_sequences(shape, texts[:5], texts[5:10])
    expected = joint_scores(shape, merged, given)
    assert joint_scores(shape, weights, given).numpy() == pytest.approx(expected.numpy(), abs=1e-5)


def test_every_lesson_is_read_once_before_any_is_read_again():
    lessons = [Lesson((0,), (i,), (0.0,)) for i in range(1, 11)]
    course = Curriculum((Source("a", lessons, 1.0),), np.ones(11, dtype=int), 1, 5, 100)
    read = [t for step in range(16) for chunk in course.step(step) for t in chunk.translations]
    assert len(read) == 80
    for start in range(0, 80, 40):  # a pool is four epochs
        assert sorted(read[start : start + 40]) == sorted(4 * list(range(1, 11)))


def test_the_order_follows_from_seed_and_step(rng):
    texts = some_texts(rng)
    one, other = tiny_course(rng, texts), tiny_course(rng, texts)
    other.step(37)
    for first, second in zip(one.step(21), other.step(21), strict=True):
        assert first.translations.tolist() == second.translations.tolist()
        assert first.references.tolist() == second.references.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_it_learns_what_it_is_shown(form):
    rng = np.random.default_rng(0)
    shape, weights = tiny(form, dtype=torch.float32)
    texts = some_texts(rng)
    names = [name for name in weights if name != "embeddings.words"]
    learner = new_learner(shape, weights, names, texts)
    course = tiny_course(rng, texts)
    schedule = Schedule(60, 5, 60, 0.01, 0.02)
    costs = [learner.learn(course.step(i), schedule) for i in range(60)]
    assert np.mean(costs[-10:]) < 0.7 * np.mean(costs[:10])


TRAINING = """
import sys, time
import numpy as np
from pathlib import Path
sys.path[:0] = {path!r}
import test_encoder as tests
from concordant.models.encoder.loop import train
from concordant.training.checkpoint import load_checkpoint, save_checkpoint
folder = Path({folder!r})
rng = np.random.default_rng(0)
shape, weights = tests.tiny("joint", dtype=tests.torch.float32)
texts = tests.some_texts(rng)
course = tests.tiny_course(rng, texts)
learner = tests.new_learner(shape, weights, [n for n in weights if n != "embeddings.words"], texts)
progress = train(
    learner, course, tests.Schedule(40, 5, 10, 0.01, 0.02), epoch=4,
    validate=lambda learner: -float(learner.flat.abs().sum()),
    resume=load_checkpoint(folder, "x"), keep=lambda found: save_checkpoint(folder, found, "x"),
)
np.save(folder / "end.npy", np.stack([progress.flat[0], progress.best[0]]))
"""


def run_killed(folder, kills, rng):
    """The weights at the end of a training that is killed several times."""
    folder.mkdir()
    code = TRAINING.format(path=[str(Path(__file__).parent)], folder=str(folder))
    command = [sys.executable, "-c", code]
    for _ in range(kills):
        process = subprocess.Popen(command)
        started = time.monotonic()
        while not (folder / "state.json").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, max(0.02, (time.monotonic() - started) * 0.02))))
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True)
    return np.load(folder / "end.npy")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_killed_training_ends_with_the_same_weights(tmp_path, rng):
    whole = run_killed(tmp_path / "whole", 0, rng)
    assert np.array_equal(run_killed(tmp_path / "killed", 3, rng), whole)


def test_a_training_taken_up_at_any_epoch_ends_with_the_same_weights(rng):
    texts = some_texts(rng)
    course = tiny_course(rng, texts)
    schedule = Schedule(20, 3, 8, 0.01, 0.02)

    def learner():
        shape, weights = tiny("apart", dtype=torch.float32)
        return new_learner(shape, weights, [n for n in weights if n != "embeddings.words"], texts)

    kept = []

    def keep(progress):
        kept.append({**vars(progress), "history": [*progress.history]})

    def run(**given):
        return train(
            learner(), course, schedule, epoch=3,
            validate=lambda one: float(one.flat[3]), keep=keep, **given,
        )  # fmt: skip

    end = run()
    for state in kept[: len(kept) - 1]:
        again = run(resume=type(end)(**state))
        assert np.array_equal(again.flat, end.flat)
        assert np.array_equal(again.best, end.best)


def test_a_training_that_diverges_says_so(rng):
    shape, weights = tiny("joint", dtype=torch.float32)
    weights["head.out"] *= float("inf")
    texts = some_texts(rng)
    learner = new_learner(shape, weights, list(weights), texts)
    with pytest.raises(ConcordantError, match="diverged in step 1: a gradient is not finite"):
        learner.learn(tiny_course(rng, texts).step(0), Schedule(10, 1, 10, 0.1, 0.1))


def rated(ratings, systems=3, pairs=("de-en",)):
    count = len(ratings)
    places = tuple((pairs[i % len(pairs)], "t", i // systems + 1) for i in range(count))
    texts = tuple(f"translation {i}" for i in range(count))
    references = tuple((f"reference {i // systems}",) for i in range(count))
    return RatedTranslations(
        texts, references, ("",) * count, places,
        np.array(ratings, dtype=float), np.ones(count), np.arange(count),
    )  # fmt: skip


def test_ratings_are_standardised_by_language_pair():
    found = standardised(rated([1, 10, 2, 20, 3, 30], pairs=("de-en", "zh-en")))
    assert found[::2] == pytest.approx(found[1::2])
    assert found[::2] == pytest.approx([-1.2247, 0, 1.2247], abs=1e-3)


def test_a_group_of_equal_ratings_teaches_nothing():
    judged = rated([1, 10, 2, 10, 3, 10], pairs=("de-en", "zh-en"))
    assert np.isnan(standardised(judged)[1::2]).all()
    lessons = rated_lessons(judged, 0.5, TextNumbers(), 0)
    assert sum(len(each.translations) for each in lessons) == 3


def test_equal_ratings_everywhere_are_an_error():
    judged = rated([5, 7, 5, 7, 5, 7], pairs=("de-en", "zh-en"))
    with pytest.raises(ConcordantError, match="6 ratings to learn from are equal within each"):
        rated_lessons(judged, 0.5, TextNumbers(), 0)


def test_ratings_far_apart_are_pairs():
    (lesson,) = rated_lessons(rated([0, 1, 10]), 0.5, TextNumbers(), 0)
    scores = lesson.ratings
    expected = {(i, j) for i in range(3) for j in range(3) if scores[i] - scores[j] >= 0.5}
    assert set(lesson.pairs) == expected
    assert len(expected) == 2


def test_groups_hold_every_pair_once(rng):
    judged = {tuple(rng.choice(14, 2, replace=False).tolist()) for _ in range(60)}
    found = list(grouped(judged))
    assert sorted(pair for _, inside in found for pair in inside) == sorted(judged)
    assert all(len(members) <= 5 for members, _ in found)
    assert len(found) < 0.5 * len(judged)


def test_lessons_of_pairs_say_who_is_better():
    places = (("de-en", "t", 1),) * 3
    judged = JudgedPairs(
        ("a", "b", "c"), (("r",),) * 3, ("",) * 3, places,
        np.array([0, 2]), np.array([1, 0]), np.ones(2),
    )  # fmt: skip
    number = TextNumbers()
    (lesson,) = paired_lessons(judged, number)
    names = list(number.numbers)
    said = {(names[lesson.translations[b]], names[lesson.translations[w]]) for b, w in lesson.pairs}
    assert said == {("a", "b"), ("c", "a")}


def test_tokens_know_their_capitals_and_what_they_touch():
    found = read_pieces(["The end of NATO: I don't", "a-B", ""])
    assert found.surfaces.tolist() == [1, 0, 0, 2, 3, 1, 0, 3, 3, 0, 3, 4]
    assert found.lengths.tolist() == [9, 3, 0]


def test_eight_bits_lose_little(rng):
    arrays = {"layer.0.wide": rng.normal(size=(6, 9)), "head.out": rng.normal(size=4)}
    found = unpack(pack(arrays))
    largest = np.abs(arrays["layer.0.wide"]).max(axis=1, keepdims=True)
    assert (np.abs(found["layer.0.wide"] - arrays["layer.0.wide"]) <= largest / 127).all()
    assert found["head.out"] is arrays["head.out"]
    again = pack(found)
    assert np.array_equal(again["layer.0.wide"], pack(arrays)["layer.0.wide"])


SENTENCE = (
    "On Monday Maria said that Peter will not pay more than 25 euros for the new house in Berlin"
)


@pytest.mark.parametrize("name", RULES)
def test_a_damaged_text_is_another_text(name, rng):
    rule, level = RULES[name]
    made = [rule(SENTENCE, SENTENCE, rng) for _ in range(20)]
    assert all(each != SENTENCE for each in made if name != "roles")
    assert any(each != SENTENCE for each in made)
    assert 1 <= level <= 3


def test_damage_follows_from_the_seed():
    one, other = (damages(SENTENCE, SENTENCE, np.random.default_rng(7)) for _ in range(2))
    assert one == other
    assert len(one) == 3


@pytest.mark.parametrize("text", ["", "a", "!!!", "1"])
def test_what_cannot_be_damaged_is_left_alone(text, rng):
    for rule, _ in RULES.values():
        made = rule(text, text, rng)
        assert made is None or made != text
