"""The race of settings: what it finds, what it skips, and that an interruption loses nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.models.search import Ledger, grouped_folds, race

SETTINGS = [{"c": float(i)} for i in range(20)]


def noisy(setting, fold):
    return -abs(setting["c"] - 13) + 0.01 * ((fold * 7 + setting["c"] * 3) % 5)


def test_the_race_finds_what_the_whole_grid_would():
    means = [np.mean([noisy(each, f) for f in range(10)]) for each in SETTINGS]
    found = race(SETTINGS, 10, noisy)
    assert found.setting == SETTINGS[int(np.argmax(means))]
    assert found.score == pytest.approx(max(means))
    assert found.trials == 20 + 12 * 2 + 4 * 7


def test_of_equals_the_first_is_taken_whatever_the_threads():
    one, two = (race(SETTINGS, 3, lambda *_: 1.0, threads=t) for t in (1, 2))
    assert one == two
    assert one.setting == SETTINGS[0]


def test_an_interrupted_search_goes_on_where_it_was(tmp_path):
    ledger = Ledger(tmp_path / "search.jsonl", "abc")
    tried = []

    def failing(setting, fold):
        tried.append((setting["c"], fold))
        if len(tried) > 30:
            raise KeyboardInterrupt
        return noisy(setting, fold)

    with pytest.raises(KeyboardInterrupt):
        race(SETTINGS, 10, failing, ledger=ledger)
    before = len(ledger.trials())
    assert before == 30
    with ledger.path.open("a") as file:
        file.write('{"digest": "abc", "setting": [["c", 1')  # cut short
    again = []
    found = race(SETTINGS, 10, lambda s, f: again.append((s, f)) or noisy(s, f), ledger=ledger)
    assert found == race(SETTINGS, 10, noisy)
    assert len(again) == found.trials - before
    assert Ledger(ledger.path, "other").trials() == {}


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(2, 6), st.integers(0, 9))
def test_groups_stay_whole_and_folds_even(groups, folds, seed):
    group = np.array(groups)
    found = grouped_folds(group, folds, seed)
    assert all(len(set(found[group == each].tolist())) == 1 for each in set(groups))
    sizes = np.bincount(found, minlength=folds)
    assert sizes.max() - sizes.min() <= np.bincount(group).max()
    assert np.array_equal(found, grouped_folds(group, folds, seed))
