"""The way of docs/papers-encoders.md, on tiny files of the form that the authors published."""

import numpy as np
import pytest
from bad_input import run
from small_encoders import skip_thought_folder

from concordant.errors import DataError
from concordant.experiments import shimanaka2018
from concordant.experiments.regression_runs import Predicted
from concordant.judgements.judged_set import JudgedSet
from concordant.records import Collection, Rating, TestSet

torch = pytest.importorskip("torch")

WIDTH, SIZE = 5, 7
TEXTS = ["cats sleep", "dogs bark", "cats bark"]


def infersent_file(path, rng):
    shapes = {"weight_ih": (4 * SIZE, WIDTH), "weight_hh": (4 * SIZE, SIZE)}
    shapes |= {"bias_ih": (4 * SIZE,), "bias_hh": (4 * SIZE,)}
    torch.save(
        {
            f"enc_lstm.{key}_l0{end}": torch.tensor(rng.normal(size=shape), dtype=torch.float32)
            for end in ("", "_reverse")
            for key, shape in shapes.items()
        },
        path,
    )
    return path


def rated():
    lines = dict(enumerate(TEXTS, start=1))
    texts = TestSet("t", "cs-en", references={"r": lines}, translations={"a": lines})
    ratings = tuple(Rating("t", "cs-en", "a", i, float(i)) for i in lines)
    return JudgedSet.of(Collection((texts,), ratings=ratings), "ratings").rated()


@pytest.fixture
def added(tmp_path, monkeypatch, rng):
    """All three parts, added by the commands of the page."""
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    words = ["<s>", "</s>", "cats", "dogs", "sleep", "bark"]
    vectors = tmp_path / "glove.840B.300d.txt"
    lines = (f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=WIDTH))}" for word in words)
    vectors.write_text("\n".join(lines) + "\n")
    given = {
        "glove-840b": vectors,
        "infersent": infersent_file(tmp_path / "infersent1.pkl", rng),
        "skip-thought": skip_thought_folder(tmp_path / "skip", rng),
    }
    for name, path in given.items():
        assert run("resources", "add", name, path).code == 0
    return given


@pytest.mark.usefixtures("added")
def test_files_become_parts_and_parts_become_the_papers_rows(monkeypatch):
    seen = []

    def remembered(_, inputs, **__):
        assert np.isfinite(inputs.vectors).all()
        seen.append(inputs.vectors.shape)
        return Predicted({}, {})

    monkeypatch.setattr(shimanaka2018, "leave_one_out", remembered)
    rows = shimanaka2018._given(
        rated(), {"skip-thought": "skip-thought", "infersent": "infersent"}, None
    )
    assert set(rows) == set(shimanaka2018.GIVEN)
    titles = [shimanaka2018._title(name, ()) for name in rows]
    assert titles == [
        "SVR with Skip-Thought", "SVR with InferSent", "SVR with InferSent + Skip-Thought",
    ]  # fmt: skip
    skip = seen[0][2]
    assert [shape[2] for shape in seen] == [skip, 2 * SIZE, skip + 2 * SIZE]
    assert all(shape[:2] == (len(TEXTS), 2) for shape in seen)


def test_a_file_does_without_being_added(added, monkeypatch):
    monkeypatch.setattr(shimanaka2018, "leave_one_out", lambda _, inputs, **__: inputs.vectors)
    by_name, by_path = (
        shimanaka2018._given(rated(), {"infersent": place}, None)["infersent"]
        for place in ("infersent", str(added["infersent"]))
    )
    assert np.array_equal(by_name, by_path)


@pytest.mark.usefixtures("added")
def test_what_is_not_the_papers_own_file_is_refused_before_any_work(tmp_path, monkeypatch):
    assert run("resources", "remove", "infersent").code == 0
    other = tmp_path / "other" / "infersent1.pkl"
    other.parent.mkdir()
    torch.save({"encoder": torch.zeros(3)}, other)
    assert run("resources", "add", "infersent", other).code == 0
    monkeypatch.setattr(shimanaka2018, "read_rated", lambda _: rated())
    monkeypatch.setattr(shimanaka2018, "ENCODERS", ("skip-thought",))
    with pytest.raises(DataError, match=r"there is no enc_lstm\..+; is it InferSent's file\?"):
        shimanaka2018.run(tmp_path, [2], encoders={"infersent": None})
