"""An encoder adapted to ratings: the recipe from end to end, its report, and what it refuses."""

import numpy as np
import pytest

from concordant.errors import ConcordantError, SpecError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation
from concordant.judgements.detection import read
from concordant.metrics.bundle import load, save
from concordant.metrics.learned import Metric
from concordant.models.encoder.quantised import pack
from concordant.models.encoder.start import new_beside, new_head, start_options
from concordant.training.course import train

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # with more, tiny products wait for each other

WIDTH = 8
WORDS = "house old new street end at of the a is never always big small red blue cat dog".split()


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A metric of the kind with random weights, as a folder."""
    return made_start(tmp_path_factory.mktemp("start") / "tiny")


def made_start(folder, features=""):
    """A metric with random weights, whose head reads features too."""
    rng = np.random.default_rng(2)

    def random(*size):
        return (0.3 * rng.normal(size=size)).astype(np.float32)

    params = {
        "embeddings.words": random(30522, WIDTH),
        "embeddings.places": random(512, WIDTH),
        "embeddings.types": random(12, WIDTH),
        "embeddings.scale": np.ones(WIDTH, np.float32),
        "embeddings.shift": np.zeros(WIDTH, np.float32),
    }
    sizes = {"seen": (24, 8), "attended": (8, 8), "wide": (32, 8), "narrow": (8, 32)}
    for name, size in sizes.items():
        params |= {f"layer.0.{name}": random(*size), f"layer.0.{name}_bias": random(size[0])}
    for name in ("attended_norm", "norm"):
        params |= {f"layer.0.{name}": np.ones(WIDTH, np.float32)}
        params |= {f"layer.0.{name}_bias": np.zeros(WIDTH, np.float32)}
    beside = feature_set(features) if features else None
    columns = 0 if beside is None else len(beside.columns)
    head = new_head("apart", WIDTH, 6, 1) | new_beside(columns)
    params |= {name: value.numpy() for name, value in head.items()}
    options = {
        "form": "apart", "layers": 1, "heads": 2, "epsilon": "1e-12",
        "first": 101, "between": 102, "moved": 0,
    }  # fmt: skip
    metric = Metric("tiny", "encoder", Preparation(beside, reads_texts=True), pack(params), options)
    save(metric, folder)
    return folder


def rated_csv(path, rows):
    lines = ["src,mt,ref,score,system,segment,lp"]
    lines += [
        f"x,{mt},{ref},{score},{system},{segment},de-en" for mt, ref, score, system, segment in rows
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def ratings(path, count=40, score=None, longer=0):
    """Translations that lost words are rated lower, or all as `score`."""
    rng = np.random.default_rng(1)
    rows = []
    for segment in range(1, count + 1):
        words = rng.choice(WORDS, 6).tolist() + ["a"] * longer
        for system in range(3):
            kept = [w for w in words if rng.random() > 0.3 * system]
            said = len(kept) - len(words) if score is None else score
            rows.append((" ".join(kept) or "house", " ".join(words), said, f"s{system}", segment))
    return rated_csv(path, rows)


def settings(start, **more):
    changes = {"model.start": str(start), "optimiser.epochs": 2, "optimiser.rate": 0.003}
    return {**changes, "validation.share": 0.2, "test.share": 0.2, **more}


def test_a_metric_is_adapted_and_says_what_that_brought(start, tmp_path):
    judgements = ratings(tmp_path / "mine.csv")
    found = train("encoder", judgements, output=tmp_path / "mine", changes=settings(start))
    trained = found.trained
    assert trained.before is not None
    assert trained.held_out == "test"
    assert trained.before.first.n == trained.agreement.n
    assert trained.record["r_before"] == str(trained.before.first)
    loaded = load(tmp_path / "mine")
    texts = ["the old house", "", "a red cat at the end of the street"]
    scores = loaded.score(texts, [["the new house"]] * 3).segments
    assert scores.tolist() == found.metric.score(texts, [["the new house"]] * 3).segments.tolist()
    assert ((scores >= 0) & (scores <= 100)).all()


def test_a_metric_that_reads_features_keeps_them(tmp_path):
    start = made_start(tmp_path / "tiny", "length facts")
    judgements = ratings(tmp_path / "mine.csv")
    found = train("encoder", judgements, output=tmp_path / "mine", changes=settings(start))
    assert str(found.metric.preparation.features) == "length facts"
    assert load(start).params["head.beside"].tolist() == [0.0] * 8
    assert found.metric.params["head.beside"][:2].all()
    texts, references = ["the old house", "", "a red cat"], [["the new house"]] * 3
    scores = load(tmp_path / "mine").score(texts, references).segments
    assert scores.tolist() == found.metric.score(texts, references).segments.tolist()
    with pytest.raises(SpecError, match=r"stay as they are; leave out inputs\.features"):
        train("encoder", judgements, changes=settings(start, **{"inputs.features": "bleu"}))


def test_pairs_alone_will_do(start, tmp_path):
    rng = np.random.default_rng(1)
    lines = ["reference,better,worse"]
    for _ in range(60):
        words = rng.choice(WORDS, 6).tolist()
        lines.append(f"{' '.join(words)},{' '.join(words[:5])},{' '.join(words[:2])}")
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = train("encoder", path, changes=settings(start, **{"model.calibrated": False}))
    assert found.trained.reached.short == "tau"
    assert found.trained.before is not None


def test_equal_ratings_cannot_teach(start, tmp_path):
    with pytest.raises(ConcordantError, match="ratings are 3; nothing can be learned"):
        train("encoder", ratings(tmp_path / "mine.csv", score=3), changes=settings(start))


def test_one_rating_cannot_teach(start, tmp_path):
    path = rated_csv(tmp_path / "one.csv", [("a house", "the house", 3, "s", 1)])
    with pytest.raises(ConcordantError, match="rating"):
        train("encoder", path, changes=settings(start))


def test_texts_that_are_too_long_are_left_out_and_counted(start, tmp_path):
    short, long = ratings(tmp_path / "a.csv"), ratings(tmp_path / "b.csv", 10, longer=180)
    both = tmp_path / "both.csv"
    tail = long.read_text("utf-8").splitlines()[1:]
    moved = [line.replace(",de-en", ",cs-en") for line in tail]
    both.write_text(short.read_text("utf-8") + "\n".join(moved) + "\n", encoding="utf-8")
    found = train("encoder", both, changes=settings(start, **{"test.share": 0.0}))
    assert found.trained.record["left_out_as_too_long"] > 0


def test_texts_of_50_000_words_are_left_out_of_learning_and_choosing(start, tmp_path):
    short, long = ratings(tmp_path / "a.csv"), ratings(tmp_path / "b.csv", 8, longer=50_000)
    both = tmp_path / "both.csv"
    more = long.read_text("utf-8").replace(",de-en", ",cs-en").partition("\n")[2]
    both.write_text(short.read_text("utf-8") + more, encoding="utf-8")
    found = train("encoder", both, changes=settings(start, **{"test.share": 0.0}))
    assert found.trained.record["left_out_as_too_long"] > 0


def test_nothing_but_long_texts_is_an_error(start, tmp_path):
    judgements = ratings(tmp_path / "mine.csv", longer=200)
    with pytest.raises(ConcordantError, match=r"more than 160 tokens.*raise inputs\.longest"):
        train("encoder", judgements, changes=settings(start))


def test_it_starts_from_its_own_kind_or_a_part(tmp_path):
    judgements = ratings(tmp_path / "mine.csv")
    with pytest.raises(SpecError, match=r'"fast" is a regression metric, but model\.kind'):
        train("encoder", judgements, changes=settings("fast"))
    with pytest.raises(SpecError, match="neither a metric nor an installed part"):
        train("encoder", judgements, changes=settings("nothing"))


def test_an_encoder_of_another_shape_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(SpecError, match="is not a BERT or MPNet that an encoder can start from"):
        start_options(tmp_path, "joint", 0)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("inputs.vectors", "sentence(potion)", "an encoder reads the texts; leave out inputs.vec"),
        ("optimiser.kind", "adagrad", 'optimiser.kind = "adam"'),
        ("model.hidden", 0, "needs a hidden layer"),
        ("model.start", "", "set model.start"),
        ("validation.share", 0.0, "set validation.share above 0"),
    ],
)
def test_a_recipe_that_cannot_be_says_so(start, key, value, words, tmp_path):
    judgements = read(ratings(tmp_path / "mine.csv"))
    with pytest.raises(SpecError, match=words):
        train("encoder", judgements, changes=settings(start, **{key: value}))
