"""An interrupted run is kept whole, belongs to one recipe and its data, and damage is no harm."""

import json

import numpy as np
import pytest

from concordant.models.loop import Epoch, Progress
from concordant.training.checkpoint import ARRAYS, STATE, load_checkpoint, save_checkpoint


def progress(epoch=3):
    rng = np.random.default_rng(epoch)
    flat, squares, best = rng.normal(size=(3, 2, 5)).astype(np.float32)
    history = [Epoch(0, 1, "logistic", 0.5, 0.25, 1.5), Epoch(1, 1, "logistic", 0.1, -1.0, 2.0)]
    return Progress(
        flat, {"squares": squares}, best, np.array([0.1, -np.inf]), np.array([2, 0]),
        epoch=epoch, stage=1, stage_start=2, history=history,
    )  # fmt: skip


def test_what_was_kept_comes_back_to_the_last_bit(tmp_path):
    folder = tmp_path / "not" / "yet"
    save_checkpoint(folder, progress(), "abc")
    found, kept = load_checkpoint(folder, "abc"), progress()
    for name in ("flat", "best", "best_score", "best_epoch"):
        assert getattr(found, name).tobytes() == getattr(kept, name).tobytes()
        assert getattr(found, name).dtype == getattr(kept, name).dtype
        assert getattr(found, name).flags.writeable
    assert found.state["squares"].tobytes() == kept.state["squares"].tobytes()
    assert found.history == kept.history
    assert (found.epoch, found.stage, found.stage_start) == (3, 1, 2)


def test_only_the_last_one_is_kept(tmp_path):
    for epoch in (1, 2, 3):
        save_checkpoint(tmp_path, progress(epoch), "abc")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"3.{ARRAYS}", STATE]
    assert load_checkpoint(tmp_path, "abc").epoch == 3


def test_a_kill_while_writing_leaves_the_one_before(tmp_path):
    save_checkpoint(tmp_path, progress(1), "abc")
    (tmp_path / f"2.{ARRAYS}").write_bytes(b"half")
    (tmp_path / f".{STATE}").write_text("{")
    assert load_checkpoint(tmp_path, "abc").epoch == 1
    save_checkpoint(tmp_path, progress(2), "abc")
    assert load_checkpoint(tmp_path, "abc").epoch == 2


def test_another_recipe_or_other_data_begin_anew(tmp_path):
    save_checkpoint(tmp_path, progress(), "abc")
    assert load_checkpoint(tmp_path, "xyz") is None
    assert load_checkpoint(tmp_path / "absent", "abc") is None


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"digest": "abc"}', "not json"])
def test_a_damaged_state_begins_anew(tmp_path, damage):
    save_checkpoint(tmp_path, progress(), "abc")
    (tmp_path / STATE).write_text(damage)
    assert load_checkpoint(tmp_path, "abc") is None


def test_damaged_arrays_begin_anew(tmp_path):
    save_checkpoint(tmp_path, progress(), "abc")
    (tmp_path / f"3.{ARRAYS}").write_bytes(b"\0" * 10)
    assert load_checkpoint(tmp_path, "abc") is None
    (tmp_path / f"3.{ARRAYS}").unlink()
    assert load_checkpoint(tmp_path, "abc") is None


def test_an_unknown_field_of_the_history_begins_anew(tmp_path):
    save_checkpoint(tmp_path, progress(), "abc")
    state = json.loads((tmp_path / STATE).read_text())
    state["history"][0]["mood"] = "good"
    (tmp_path / STATE).write_text(json.dumps(state))
    assert load_checkpoint(tmp_path, "abc") is None
