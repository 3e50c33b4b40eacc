"""Shimanaka 2018's experiment on small data of the same shape, and the rules of its tables."""

from __future__ import annotations

import numpy as np
import pytest

from concordant.errors import ConcordantError, DataError
from concordant.experiments import regression_errors, shimanaka2018
from concordant.experiments.regression_runs import (
    PAIRS,
    feature_files,
    leave_one_out,
    read_rated,
    sides_for,
)

pytest.importorskip("sklearn")
WORDS = "a small house stood near the old river and children played there all day long".split()
LINES = 15


@pytest.fixture(scope="module")
def small_data(tmp_path_factory):
    """Both years, six pairs, fifteen lines each: translations lose words, people see how many."""
    rng = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("wmt")
    human_of_all = []
    for year, pairs in ((2015, ("cs-en", "de-en", "fi-en", "ru-en")), (2016, PAIRS)):
        (folder / f"da{year % 100}").mkdir()
        for pair in pairs:
            human = rng.normal(size=LINES)
            references = [" ".join(rng.choice(WORDS, 12)) for _ in range(LINES)]
            kept = [max(1, int(6 + 3 * value)) for value in human]
            translations = [
                " ".join(text.split()[:n]) for text, n in zip(references, kept, strict=True)
            ]
            files = {"reference": references, "mt-system": translations, "source": references}
            files["human"] = [f"{value:.4f}" for value in human]
            for kind, lines in files.items():
                name = f"DAseg.newstest{year}.{kind}.{pair}"
                (folder / f"da{year % 100}" / name).write_text("\n".join(lines) + "\n")
            human_of_all += human.tolist()
    features = folder / "peers" / "blend-features"
    features.mkdir(parents=True)
    for i in range(3):
        noisy = np.array(human_of_all) + rng.normal(size=len(human_of_all))
        (features / f"M{i}").write_text("\n".join(f"{value:.4f}" for value in noisy) + "\n")
    (features / "DPMF").write_text("1\n")
    return folder


def test_a_tested_pair_is_not_learned_from(small_data):
    rated = read_rated(small_data)
    for pair in PAIRS:
        train, test = sides_for(rated, pair)
        assert len(test) == LINES
        assert len(train) == 9 * LINES
        held = {rated.places[rated.rows[i]][:2] for i in test}
        assert held.isdisjoint(rated.places[rated.rows[i]][:2] for i in train)


def test_other_peoples_scores_can_be_learned_from(small_data):
    rated = read_rated(small_data)
    inputs = feature_files(small_data / "peers" / "blend-features", rated, ["DPMF"])
    assert inputs.features.shape == (10 * LINES, 3)
    row = leave_one_out(rated, inputs)
    assert min(row.crossed.values()) > 0.3
    assert set(row.scores) == set(PAIRS)
    with pytest.raises(DataError, match="1 lines, where there are 150 rated translations"):
        feature_files(small_data / "peers" / "blend-features", rated, [])


def test_the_tables(small_data, monkeypatch):
    monkeypatch.setattr(shimanaka2018, "ENCODERS", ("compact-pieces",))
    monkeypatch.setattr(shimanaka2018, "OWN", "fast-any")
    monkeypatch.setattr(regression_errors, "WORDS", "compact-words")
    figures = shimanaka2018.run(small_data, encoders={"infersent": "compact-words"})
    rows = {figure.row for figure in figures}
    own, together = "2 SVR with InferSent", f"2 {shimanaka2018.INSTEAD[shimanaka2018.COMBINED]}"
    assert {"2 SentBLEU", "2 Blend", together, "2 everything together", own} <= rows
    published = {(f.row, f.column): f.published for f in figures}
    assert published[own, "average"] == 0.636
    assert published[together, "average"] == 0.648
    assert published["2 everything together", "average"] is None
    averages = {f.row: f.ours for f in figures if f.column == "average"}
    assert averages["2 everything together"] > 0.5
    counts = {(f.row, f.column): f.ours for f in figures if f.row.startswith("§4.4")}
    assert counts["§4.4 rated high by Blend alone", "all"] <= 6 * 3
    assert len(counts) == 8
    rated = {(f.row, f.column): f.ours for f in figures if f.row.startswith("1 ")}
    assert rated["1 WMT-2015", "total"] == 4 * LINES
    assert rated["1 WMT-2016", "ro-en"] == LINES


def test_a_large_encoder_joins_on_request(small_data, monkeypatch):
    monkeypatch.setattr(shimanaka2018, "ENCODERS", ("compact-pieces",))
    monkeypatch.setattr(shimanaka2018, "ON_REQUEST", ("compact-words",))
    monkeypatch.setattr(shimanaka2018, "OWN", "fast")
    read = []
    inputs = shimanaka2018.text_inputs

    def spied(rated, features, vectors, **more):
        read.append((features, vectors))
        return inputs(rated, features, vectors, **more)

    monkeypatch.setattr(shimanaka2018, "text_inputs", spied)
    asked = {"compact-words": None}
    without, joined = (shimanaka2018.run(small_data, [2], encoders=each) for each in ({}, asked))
    assert "2 SVR with compact-words" not in {figure.row for figure in without}
    assert "2 SVR with compact-words" in {figure.row for figure in joined}
    assert "2 everything together, with compact-words" in {figure.row for figure in joined}
    first = [features for features, _ in read if "ngrams" in features]
    assert ["tokens(compact-words)" in features for features in first] == [False, True]
    together = [vectors for _, vectors in read if vectors.count("sentence(") > 1]
    assert together == ["sentence(compact-pieces) sentence(compact-words)"]


def test_an_encoder_that_is_not_there_is_said_at_once(small_data, monkeypatch):
    monkeypatch.setattr(shimanaka2018, "ENCODERS", ("compact-pieces",))
    with pytest.raises(ConcordantError, match='encoder "inversent" is not one of'):
        shimanaka2018.run(small_data, [2], encoders={"inversent": None})


def test_without_an_encoder_it_says_what_to_install(small_data, monkeypatch):
    monkeypatch.setattr(shimanaka2018, "ENCODERS", ("no-such-part",))
    with pytest.raises(ConcordantError, match="concordant resources install minilm"):
        shimanaka2018.run(small_data, [3])
