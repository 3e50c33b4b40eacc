"""ReVal's experiment: whole systems, sides that share no segment, the mix by length."""

import json
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from concordant.encoders.syntax.word_trees import WordTrees
from concordant.errors import ConcordantError
from concordant.evaluation.comparisons import measure
from concordant.evaluation.options import EvaluationOptions
from concordant.experiments.gupta2015 import (
    OFFICIAL,
    PAPER,
    SETTINGS,
    SHIPPED,
    SINGLE,
    TOGETHER,
    _measure,
    _rows,
    _segment_table,
    _sizes,
    _system_table,
    _variances,
)
from concordant.experiments.tree_runs import (
    SEEDS,
    SETS,
    Scored,
    Setting,
    _sides,
    mean_scored,
    mix,
    score_setting,
    train_setting,
)
from concordant.features.tree_inputs import TreeInputs
from concordant.judgements.judged_columns import with_whole_systems
from concordant.judgements.judged_set import JudgedSet
from concordant.metrics.bundle import training_record
from concordant.models.tree_lstm.fitting import TreeSide
from concordant.records import Collection, Preference, Rating, TestSet


def column(*, texts=True):
    """Three systems with four translations each, judged on two segments."""
    translations = {name: {i: f"{name} {i}" for i in range(1, 5)} for name in "abc"}
    testset = TestSet("t", "de-en", references={"r": dict.fromkeys(range(1, 5), "r")},
                      translations=translations)  # fmt: skip
    pairs = [Preference("t", "de-en", i, *each) for i in (2, 3) for each in ("ab", "bc", "ac")]
    given = Collection((testset,) if texts else (), preferences=tuple(pairs))
    return JudgedSet.of(given, "preferences").columns()[0]


@pytest.mark.parametrize("method", ["expected-wins", *OFFICIAL.values()])
def test_a_metric_scores_whole_systems_and_people_what_they_judged(method):
    judged = column()
    whole = with_whole_systems(judged)
    assert (len(judged.places), len(whole.places)) == (6, 12)
    assert whole.places[:6] == judged.places
    assert whole.segments == (1, 2, 3, 4)
    good = {"a": 3.0, "b": 2.0, "c": 1.0}
    # What was judged is scored the other way round; the rest makes up for it.
    values = [
        good[each.system] if each.segment in {1, 4} else 0.5 * -good[each.system]
        for each in whole.places
    ]
    asked = EvaluationOptions(level="system", statistic="pearson", system_scores=method)
    scored = Scored("m", {whole.name: np.array(values)}).judged([whole])
    drawn, _ = measure(scored, [whole], "pearson", asked)
    assert drawn[whole.name].value == pytest.approx(1.0, abs=0.02)
    drawn, _ = measure(scored, [whole], "tau-wmt14", EvaluationOptions(statistic="tau-wmt14"))
    assert drawn[whole.name].value == -1.0
    assert drawn[whole.name].n == 6


def test_whole_systems_need_texts():
    with pytest.raises(ConcordantError, match="has no texts, which whole systems need"):
        with_whole_systems(column(texts=False))


def test_long_sentences_have_another_networks_scores():
    none = np.zeros(0, dtype=np.int64)
    trees = WordTrees(none, none, none, np.cumsum([0, 20, 21, 3]))
    inputs = TreeInputs(trees, np.zeros((0, 2)), np.array([2, 2]), np.array([0, 1]),
                        np.array([0, 1]))  # fmt: skip
    short, long = (Scored(name, {"t": np.full(2, value)}) for name, value in (("s", 1), ("l", 2)))
    assert mix("mix", short, long, {"t": inputs}, length=20).values["t"].tolist() == [1, 2]


def test_a_row_is_what_one_network_has_on_average(rng):
    whole = with_whole_systems(column())
    values = [{whole.name: rng.normal(size=12)} for _ in SEEDS]
    networks = {
        name: [Scored(f"{name}, network {i}", each) for i, each in zip(SEEDS, values, strict=True)]
        for name in SETTINGS
    }
    rows = {name: row for name, row in _rows(networks).items() if isinstance(row[0], Scored)}
    assert len(rows) == len(SETTINGS) + len(SINGLE) * (1 + len(SEEDS))
    found = _measure(rows, [whole], "tau-wmt14", "segment")
    for name in SINGLE:
        alone = [found[each.name]["de-en"] for each in networks[name]]
        row = found[name]["de-en"]
        assert row.value == pytest.approx(np.mean([each.value for each in alone]))
        means = np.mean([each.resampled for each in alone], axis=0)
        assert row.resampled == pytest.approx(means, nan_ok=True)
        assert [each.n for each in alone] == [6] * len(SEEDS)
        mean = Scored("m", {whole.name: np.mean([v[whole.name] for v in values], axis=0)})
        together, _ = measure(
            mean.judged([whole]), [whole], "tau-wmt14", EvaluationOptions(statistic="tau-wmt14")
        )
        assert found[f"{name}, together"]["de-en"].value == together[whole.name].value


def test_all_figures_of_the_papers_rows_are_documented(rng):
    """With numbers drawn at random: every row of a setting has the paper's figures beside it."""
    whole = with_whole_systems(column())
    names = [*SETTINGS, *(name + TOGETHER for name in SINGLE)]
    rows = {name: [Scored(name, {whole.name: rng.normal(size=12)})] for name in names}
    columns = {"wmt14": [whole], "wmt12": [whole]}
    figures = [*_system_table(rows, columns), *_segment_table(rows, columns)]
    limits = {n: SimpleNamespace(kept=1, of=2, variance=0.5) for n in range(3, 9)}
    sides = {side: np.arange(3) for side in ("training", "validation", "test")}
    ranked = SimpleNamespace(limits=limits, rows=dict.fromkeys(SETS, sides))
    figures += [*_variances(ranked), *_sizes(ranked)]
    found = {(each.row, each.column): each.published for each in figures}
    for cell in PAPER.judged_cells():
        label = cell.row.partition(" ")[2]
        if label in SETTINGS or cell.table in {"1", "2"}:
            assert found[cell.row, cell.column] == float(cell.paper)
    gap = found["4 L+Sick(50,150) minus L+Sick(lstm)", "average"]
    assert gap == pytest.approx(0.298 - 0.256)
    unknown = {row for row, name in found if name != "de-en"} - {row for row, _ in PAPER.cells}
    assert {row.partition(" minus ")[0] for row in unknown} <= {"4 L+Sick(50,150)"}


def test_the_metrics_that_need_no_part_are_rows():
    networks = {name: [Scored(f"{name}, network 1", {"t": np.zeros(1)})] for name in SETTINGS}
    assert {"fast", "fast-any"} < set(_rows(networks))


def test_networks_differ_in_their_seed(rng):
    words = np.array([rng.integers(0, 9, size=3) for _ in range(60)]).reshape(-1)
    flat = np.tile([-1, 0, 0], 60), np.tile([1, 0, 0], 60)
    trees = WordTrees(words, *flat, np.arange(0, 181, 3))
    table = rng.normal(size=(9, 4)).astype(np.float32)
    pairs, scores = np.arange(60).reshape(30, 2), rng.uniform(1, 5, size=30)
    side = TreeSide(trees, table, pairs, scores, np.zeros(30, dtype=np.int64))
    test = TreeInputs(trees, table, pairs[:, 1], np.arange(30), pairs[:, 0])
    setting = Setting("L", 3, 5)
    found = score_setting("L", setting, train_setting(setting, (side, side)), {"t": test})
    assert [each.name for each in found] == [f"L, network {seed}" for seed in SEEDS]
    numbers = [each.values["t"] for each in found]
    assert not any(np.array_equal(one, two) for one, two in combinations(numbers, 2))
    mean = mean_scored("L", found)
    assert mean.name == "L"
    assert mean.values["t"] == pytest.approx(sum(numbers) / len(SEEDS))


def test_sides_share_no_segment_and_sick_stays_as_it_was_split():
    texts, ratings = [], []
    for name, system in (("t", "a"), ("t", "b"), ("SICK_train", "x"), ("SICK_trial", "x")):
        ratings += [Rating(name, "de-en", system, i, 1.0 + i % 4) for i in range(1, 61)]
    for name, systems in (("t", "ab"), ("SICK_train", "x"), ("SICK_trial", "x")):
        lines = {i: f"{name} {i}" for i in range(1, 61)}
        translations = {system: {i: f"{system}{i}" for i in lines} for system in systems}
        texts.append(TestSet(name, "de-en", references={"r": lines}, translations=translations))
    rated = JudgedSet.of(Collection(tuple(texts), ratings=tuple(ratings)), "ratings").rated()
    chosen = [each for each in ratings if each.testset == "t"]
    found = _sides(rated, chosen, with_sick=True)
    places = {side: {rated.places[i][1:] for i in rows} for side, rows in found.items()}
    assert [len(found[side]) for side in ("training", "validation", "test")] == [160, 70, 10]
    assert not places["training"] & places["validation"]
    assert {name for name, _ in places["test"]} == {"t"}
    without = _sides(rated, chosen, with_sick=False)
    assert [len(rows) for rows in without.values()] == [100, 10, 10]


def test_metrics_that_ship_are_rows_and_have_not_seen_the_tested_years():
    for name in SHIPPED:
        record = training_record(name)
        given = json.loads(record["recipe"])["data"]
        assert not {"wmt12", "wmt14"} & {*given["judgements"], *given["beside"]}
    assert set(SINGLE) < set(SETTINGS)


@pytest.mark.parametrize("table", ["3", "4"])
def test_every_setting_stands_in_the_papers_tables(table):
    rows = {row.partition(" ")[2]: PAPER.published(row) for row in PAPER.rows(table)}
    printed = {name: row for name, row in rows.items() if row}
    assert set(SETTINGS) < set(printed)
    for row in printed.values():
        assert len(row) == 7
        pairs = [figure for column, figure in row.items() if column.endswith("-en")]
        assert np.mean(pairs) == pytest.approx(row["average"], abs=0.0016)
