"""The example test set: complete, consistent, and its judgements made by its own script."""

import csv
import importlib.util
import itertools
import json
import shutil
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import sacrebleu

EXAMPLES = Path(__file__).parent.parent / "examples"
FOLDER = EXAMPLES / "de-en"
SEGMENTS = range(1, 61)
SYSTEMS = ["alder", "birch", "cedar", "dogwood"]
JUDGES = {"ada", "ben", "cleo"}
JUDGEMENTS = ["rankings.jsonl", "preferences.csv", "ratings.csv"]
TEXTS = [
    "source.txt",
    "reference-1.txt",
    "reference-2.txt",
    "documents.txt",
    *(f"systems/{system}.txt" for system in SYSTEMS),
]


def lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return text.removesuffix("\n").split("\n")


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(lines(name)))


def rankings() -> list[dict]:
    return [json.loads(line) for line in lines("rankings.jsonl")]


def translations() -> dict[str, list[str]]:
    return {system: lines(f"systems/{system}.txt") for system in SYSTEMS}


def references() -> list[list[str]]:
    return [lines("reference-1.txt"), lines("reference-2.txt")]


def quality() -> np.ndarray:  # (segments, systems)
    return np.array([line.split("\t")[1:] for line in lines("quality.tsv")[1:]], dtype=float)


def mean_ratings() -> np.ndarray:  # (segments, systems)
    scores = defaultdict(list)
    for row in rows("ratings.csv"):
        scores[int(row["segment"]), row["system"]].append(float(row["score"]))
    return np.array([[np.mean(scores[n, system]) for system in SYSTEMS] for n in SEGMENTS])


@pytest.fixture(scope="module")
def judge() -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples_judge", EXAMPLES / "judge.py")
    module = importlib.util.module_from_spec(spec)
    # a dataclass with postponed annotations looks its own module up
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_one_clean_line_a_segment(name: str) -> None:
    text = lines(name)
    assert len(text) == len(SEGMENTS)
    assert [n for n, line in enumerate(text, start=1) if not line or line != line.strip()] == []
    assert b"\r" not in (FOLDER / name).read_bytes()


def test_there_are_no_other_systems() -> None:
    assert sorted(path.name for path in (FOLDER / "systems").iterdir()) == [
        f"{system}.txt" for system in SYSTEMS
    ]


def test_documents_are_contiguous() -> None:
    documents = [name for name, _ in itertools.groupby(lines("documents.txt"))]
    assert len(documents) == len(set(documents)) == 10


def test_quality_is_complete() -> None:
    header, *rest = lines("quality.tsv")
    assert header.split("\t") == ["segment", *SYSTEMS]
    assert [int(line.split("\t")[0]) for line in rest] == list(SEGMENTS)
    assert quality().shape == (len(SEGMENTS), len(SYSTEMS))
    assert quality().min() >= 0
    assert quality().max() <= 100


def test_equal_outputs_have_equal_quality() -> None:
    texts, equal = translations(), 0
    for a, b in itertools.combinations(range(len(SYSTEMS)), 2):
        pairs = zip(texts[SYSTEMS[a]], texts[SYSTEMS[b]], quality(), strict=True)
        same = [row[a] == row[b] for first, second, row in pairs if first == second]
        assert all(same)
        equal += len(same)
    assert equal > 0


def test_the_judgements_are_made_again_byte_by_byte(judge: ModuleType, tmp_path: Path) -> None:
    copy = shutil.copytree(
        FOLDER, tmp_path / "de-en", ignore=shutil.ignore_patterns("*.csv", "*.jsonl")
    )
    judge.main(copy)
    for name in JUDGEMENTS:
        assert (copy / name).read_bytes() == (FOLDER / name).read_bytes(), name


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([90, 50, 70, 10], [1, 3, 2, 4]),
        ([90, 87, 50, 10], [1, 1, 3, 4]),
        ([10, 13, 16, 16], [4, 1, 1, 1]),  # 10 is near 13, but not near the best of the tie
        ([50, 50, 50, 50], [1, 1, 1, 1]),
    ],
)
def test_ranks_tie_within_the_margin(
    judge: ModuleType, scores: list[float], expected: list[int]
) -> None:
    assert judge.ranks(np.array(scores, dtype=float), margin=5) == expected


def test_every_name_in_the_judgements_exists() -> None:
    preferences, ratings = rows("preferences.csv"), rows("ratings.csv")
    for ranking in rankings():
        assert ranking["record"] == "ranking"
        assert (ranking["testset"], ranking["pair"]) == ("examples", "de-en")
        assert ranking["systems"] == SYSTEMS
        assert len(ranking["ranks"]) == len(SYSTEMS)
        assert min(ranking["ranks"]) == 1
        assert max(ranking["ranks"]) <= len(SYSTEMS)
    for row in preferences + ratings:
        assert row["lp"] == "de-en"
    for row in [*rankings(), *preferences, *ratings]:
        assert int(row["segment"]) in SEGMENTS
        assert row["judge"] in JUDGES
    for row in preferences:
        assert row["better"] != row["worse"]
        assert {row["better"], row["worse"]} <= set(SYSTEMS)
    for row in ratings:
        assert row["system"] in SYSTEMS
        assert 0 <= int(row["score"]) <= 100


def test_equal_outputs_are_judged_equal() -> None:
    texts = translations()
    for ranking in rankings():
        shown = [texts[system][ranking["segment"] - 1] for system in SYSTEMS]
        for a, b in itertools.combinations(range(len(SYSTEMS)), 2):
            assert shown[a] != shown[b] or ranking["ranks"][a] == ranking["ranks"][b]
    for row in rows("preferences.csv"):
        n = int(row["segment"]) - 1
        assert texts[row["better"]][n] != texts[row["worse"]][n]


def test_how_much_was_judged() -> None:
    for judge in JUDGES:
        segments = [r["segment"] for r in rankings() if r["judge"] == judge]
        assert len(set(segments)) == 40
        assert len(segments) == 50
        assert sum(row["judge"] == judge for row in rows("ratings.csv")) == 45 * len(SYSTEMS)
    assert 280 <= len(rows("preferences.csv")) <= 340


def test_judges_tie_and_differ_from_each_other_and_from_themselves() -> None:
    by_judge = defaultdict(lambda: defaultdict(list))
    for ranking in rankings():
        by_judge[ranking["judge"]][ranking["segment"]].append(ranking["ranks"])
    assert any(len(set(ranking["ranks"])) < len(SYSTEMS) for ranking in rankings())
    for judge, seen in by_judge.items():
        assert any(first != again for first, *rest in seen.values() for again in rest), judge
    for a, b in itertools.combinations(sorted(JUDGES), 2):
        common = by_judge[a].keys() & by_judge[b].keys()
        assert len(common) == 30
        assert any(by_judge[a][n][0] != by_judge[b][n][0] for n in common)


def test_people_and_bleu_order_the_systems_alike() -> None:
    bleu = [sacrebleu.corpus_bleu(text, references()).score for text in translations().values()]
    assert (np.diff(bleu) < 0).all()
    assert (np.diff(mean_ratings().mean(axis=0)) < 0).all()


def test_chrf_agrees_with_people_but_not_too_much() -> None:
    chrf = [
        [sacrebleu.sentence_chrf(output, list(refs)).score for output in shown]
        for shown, *refs in zip(
            zip(*translations().values(), strict=True), *references(), strict=True
        )
    ]
    r = np.corrcoef(np.ravel(chrf), mean_ratings().ravel())[0, 1]
    assert 0.4 < r < 0.75


def test_the_weakest_system_beats_the_strongest_somewhere() -> None:
    assert (quality()[:, 0] < quality()[:, 3]).any()


def test_a_system_copies_the_source_somewhere() -> None:
    assert set(zip(SEGMENTS, lines("source.txt"), strict=True)) & set(
        zip(SEGMENTS, translations()["dogwood"], strict=True)
    )
