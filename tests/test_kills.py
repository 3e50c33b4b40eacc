"""Commands that are killed at random moments leave old files, whole files, and nothing half."""

import runpy
import sys
from pathlib import Path

import pytest

KILLS = Path(__file__).parents[1] / "fuzz" / "kills.py"


@pytest.fixture(scope="module")
def kills():
    return runpy.run_path(str(KILLS))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("victim", ["score", "train", "install"])
def test_a_few_kills(kills, victim, tmp_path):
    outcomes = kills["kill_often"](victim, 3, 0, tmp_path)
    assert sum(outcomes.values()) - outcomes["ended before"] == 3


def test_the_check_sees_what_it_must(kills, tmp_path):
    """A changed file, a half output and a file left behind are all found."""
    victim, check, wrong = kills["VICTIMS"]["score"], kills["check"], kills["Wrong"]
    (tmp_path / "mine").write_text("x", encoding="utf-8")
    before = kills["snapshot"](tmp_path)
    check(victim, tmp_path, before, ({},))
    (tmp_path / "out.part").touch()
    check(victim, tmp_path, before, ({}, {"": "whole"}))
    with pytest.raises(wrong, match=r"out\.part was left behind"):
        check(victim, tmp_path, before, ({},))
    (tmp_path / "out").touch()
    with pytest.raises(wrong, match="out is half"):
        check(victim, tmp_path, before, ({}, {"": "whole"}))
    (tmp_path / "mine").unlink()
    with pytest.raises(wrong, match="mine was removed"):
        check(victim, tmp_path, before, ({},))
