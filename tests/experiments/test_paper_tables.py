"""The documented figures of the papers: one source, complete, and what the page shows."""

import importlib
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bad_input import run

from concordant.cli import reproduce
from concordant.experiments import paper_tables as module
from concordant.experiments.figures import Experiment, Figure
from concordant.experiments.paper_tables import NOT_REACHED, Cell, paper_tables, papers
from concordant.experiments.registry import EXPERIMENTS

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))
figure_tables = importlib.import_module("figure_tables")
PAGE = DOCS / "reproduce.md"


def cell(**changes):
    plain = Cell("1 m", "average", "29.70", "29.77", "28.42", "31.23", "", "")
    return replace(plain, **changes)


@pytest.mark.parametrize(
    ("ours", "low", "verdict"),
    [
        ("29.77", "28.42", "reached"),
        ("29.695", "28.42", "reached"),  # prints as 29.70
        ("29.69", "28.42", "not reached"),
        ("33.00", "29.71", "beyond"),
        ("33.00", "", "reached"),
        ("", "", "not reached"),
    ],
)
def test_verdicts(ours, low, verdict):
    assert cell(ours=ours, low=low).verdict() == verdict


def test_the_same_tool_is_reached_where_it_is_close_enough():
    tool = cell(within="1.0")
    assert [tool.verdict(each) for each in (28.7, 30.7, 28.6, 30.8)] == [
        "reached", "reached", "not reached", "not reached",
    ]  # fmt: skip


@pytest.mark.parametrize("name", papers())
def test_every_paper_is_an_experiment_and_every_shortfall_has_a_reason(name):
    assert name in EXPERIMENTS
    paper = paper_tables(name)
    short = [each for each in paper.judged_cells() if each.verdict() == NOT_REACHED]
    assert [(c.row, c.column) for c in short if c.why not in paper.reasons] == []
    assert {each.why for each in paper.cells.values() if each.why} == set(paper.reasons)
    given = [each for each in paper.cells.values() if each.why]
    assert [(c.row, c.column) for c in given if c not in short] == []


@pytest.mark.parametrize("name", papers())
def test_every_figure_is_a_number_inside_its_interval(name):
    for each in paper_tables(name).cells.values():
        numbers = [each.paper, each.ours, each.low, each.high]
        assert all(re.fullmatch(r"-?\d+(\.\d+)?", number) for number in numbers if number)
        assert bool(each.low) == bool(each.high)
        assert not each.low or float(each.low) <= float(each.high)
        assert each.paper or each.ours


def anchors(page):
    """The places of a page that a link can name."""
    words = [line.lstrip("# ") for line in page.read_text("utf-8").split("\n") if line[:1] == "#"]
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in words}


@pytest.mark.parametrize("name", papers())
def test_every_reason_points_at_a_place_that_exists(name):
    for reason in paper_tables(name).reasons.values():
        page, _, anchor = reason.see.partition("#")
        assert (DOCS / page).is_file(), reason
        assert not anchor or anchor in anchors(DOCS / page), reason


def test_the_page_shows_the_documented_figures():
    text = PAGE.read_text("utf-8")
    assert figure_tables.with_figures(text) == text, "run make docs"
    for each in ("all", "counts", "reasons"):
        assert f"<!-- figures: {each} -->" in text
    for name in papers():
        tables = {each.table for each in paper_tables(name).cells.values()}
        shown = set(re.findall(rf"<!-- figures: {name} (.+) -->", text))
        assert shown == tables


def test_the_page_counts_what_it_lists():
    found = Counter(
        re.findall(r"\*\*(reached|beyond)\*\* \||\| (not reached)[,:]", PAGE.read_text("utf-8"))
    )
    row = next(line for line in figure_tables.count_table().split("\n") if line.startswith("| all"))
    *verdicts, inside = map(int, re.findall(r"\d+", row))
    assert sum(found.values()) == sum(verdicts)
    assert PAGE.read_text("utf-8").count("| not reached, within our interval:") == inside


@pytest.fixture
def documented(tmp_path, monkeypatch):
    """An experiment with three documented figures; a function runs it with other numbers."""
    lines = ["row column paper ours low high within why".split()]
    lines += [
        ["1 a", "average", "0.50", "0.52", "0.51", "0.53", "", ""],
        ["1 b", "average", "0.50", "0.45", "0.44", "0.46", "", "data"],
        ["1 a", "cs-en", "", "0.60", "", "", "", ""],
    ]
    (tmp_path / "small.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    (tmp_path / "small.toml").write_text(
        'title = "Small"\njudged = ["average"]\ndrift = 0.01\n'
        '[why.data]\ntext = "the data are others"\nsee = "data.md"\n'
    )
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module.paper_tables.cache_clear()

    def measured(a=0.52, b=0.45, pair=0.60):
        figures = [
            Figure("1 a", "average", 0.5, a, low=a - 0.01, high=a + 0.01),
            Figure("1 b", "average", 0.5, b, low=b - 0.01, high=b + 0.01),
            Figure("1 a", "cs-en", None, pair),
        ]
        small = Experiment("small", "t", "s", (), lambda _: figures)
        monkeypatch.setattr(reproduce, "experiment_named", lambda _: small)
        return run("reproduce", "small", "--data", tmp_path)

    yield measured
    module.paper_tables.cache_clear()


def test_what_is_not_reached_is_printed_with_its_reason_and_is_no_failure(documented):
    result = documented()
    assert result.code == 0
    assert "not reached: 1 b, average: the data are others (docs/data.md)" in result.out
    assert "of the paper's rows: 1 beyond, 0 reached, 1 not reached" in result.out
    assert "3 of 3 figures as documented (within 0.01)" in result.out


@pytest.mark.parametrize("moved", [{"a": 0.54}, {"b": 0.50}, {"pair": 0.58}])
def test_a_figure_that_moved_is_a_failure_even_if_it_is_better(documented, moved):
    result = documented(**moved)
    assert result.code == 1
    assert "MOVED" in result.out
    assert "1 figure not reproduced" in result.err
    assert "2 of 3 figures as documented" in result.out


def test_a_figure_within_its_drift_has_not_moved(documented):
    assert documented(a=0.531, pair=0.589).code == 0
