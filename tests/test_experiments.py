"""The published figures, computed again from the WMT data."""

from dataclasses import replace

import pytest
from bad_input import run

from concordant.cli import reproduce
from concordant.errors import ConcordantError, SpecError
from concordant.experiments.figures import Experiment, Figure
from concordant.experiments.registry import EXPERIMENTS, data_folder, experiment_named

# Those that train networks take the better part of an hour; `concordant reproduce` runs them.
QUICK = [name for name in EXPERIMENTS if not experiment_named(name).tables]


@pytest.mark.data
@pytest.mark.parametrize("name", QUICK)
def test_every_published_figure_holds(data, name):
    figures = experiment_named(name).run(data)
    assert any(figure.holds for figure in figures)
    assert [figure for figure in figures if figure.holds is False] == []


@pytest.mark.data
def test_all_ten_pairs_of_wmt15_are_checked(data):
    figures = experiment_named("wmt15-correlations").run(data)
    assert len({figure.column for figure in figures}) == 10
    assert len(figures) == 190


def test_a_figure_holds_or_not():
    assert Figure("r", "c", 0.5, 0.5005, 0.001).holds
    assert not Figure("r", "c", 0.5, 0.502, 0.001).holds
    assert Figure("r", "c", 0.7, 0.6, None, least=0.5).holds
    assert not Figure("r", "c", 0.4, 0.4, 1.0, least=0.5).holds


def test_missing_data_and_unknown_names_are_said(tmp_path, monkeypatch):
    experiment = experiment_named("wmt12-baselines")
    with pytest.raises(ConcordantError, match="has no wmt12, which wmt12-baselines needs"):
        data_folder(str(tmp_path), experiment)
    monkeypatch.delenv("CONCORDANT_DATA", raising=False)
    with pytest.raises(ConcordantError, match="no folder of WMT data"):
        data_folder(None, experiment)
    with pytest.raises(SpecError, match='did you mean "da16-peers"'):
        experiment_named("da16-peer")


def test_rows_that_lack_a_part_are_said_to_be_left_out(tmp_path, monkeypatch):
    whole = Experiment("small", "t", "s", (), lambda _: [Figure("r", "c", 0.5, 0.5, 0.1)])
    lacking = replace(whole, parts=("mpnet",))
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))  # where nothing is installed
    for experiment, said in ((whole, False), (lacking, True)):
        monkeypatch.setattr(reproduce, "experiment_named", lambda _, given=experiment: given)
        result = run("reproduce", "small", "--data", tmp_path)
        assert result.code == 0
        left_out = "small: rows that need mpnet are left out, not checked"
        assert (left_out in result.err) is said
