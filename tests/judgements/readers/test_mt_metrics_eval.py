"""The tree of mt-metrics-eval: texts, human scores and metric scores."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import Head
from concordant.judgements.readers.mt_metrics_eval import FORMAT
from concordant.records import Place

FILES = {
    "sources/en-de.txt": "one\ntwo\n",
    "references/en-de.refA.txt": "eins\nzwei\n",
    "references/en-de.refB.txt": "ein\nzwo\n",
    "system-outputs/en-de/refA.txt": "eins\nzwei\n",
    "system-outputs/en-de/Online-A.1.txt": "ains\nzwai\n",
    "documents/en-de.docs": "news\td1\nnews\td2\n",
    "human-scores/en-de.mqm.seg.score": "Online-A.1\t-1.5\nOnline-A.1\tNone\nrefA\t0\nrefA\t-1\n",
    "human-scores/en-de.wmt-z.sys.score": "Online-A.1 0.25\nrefA None\n",
    "human-scores/en-de.mqm.domain.score": "news\tOnline-A.1\t-1\n",
    "metric-scores/en-de/BLEU-refA.sys.score": "Online-A.1\t31.5\n",
    "metric-scores/en-de/chrF-refA.refB.seg.score.gz": "Online-A.1\t0.5\nOnline-A.1\t0.6\n",
}
EACH_SEGMENT = "scores where 2 are needed, one for each segment"
THE_SYSTEM = "scores where 1 are needed, one for the system"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return root


def faults_of(root: Path) -> list[str]:
    with pytest.raises(DataError) as error:
        FORMAT.read(root)
    return [str(fault).removeprefix(f"{root}/") for fault in error.value.faults]


def test_texts(tmp_path: Path) -> None:
    (testset,) = FORMAT.read(tree(tmp_path / "wmt22", FILES)).testsets
    assert (testset.name, testset.pair) == ("wmt22", "en-de")
    assert testset.source == {1: "one", 2: "two"}
    assert testset.references == {"refA": {1: "eins", 2: "zwei"}, "refB": {1: "ein", 2: "zwo"}}
    assert set(testset.translations) == {"refA", "Online-A.1"}
    assert testset.documents == {1: "d1", 2: "d2"}


def test_human_scores_keep_their_kind(tmp_path: Path) -> None:
    collection = FORMAT.read(tree(tmp_path / "wmt22", FILES))
    found = [(r.system, r.segment, r.score, r.extra, r.line) for r in collection.ratings]
    assert found == [
        ("Online-A.1", 1, -1.5, (("human", "mqm"),), 1),
        ("refA", 1, 0.0, (("human", "mqm"),), 3),
        ("refA", 2, -1.0, (("human", "mqm"),), 4),
        ("Online-A.1", None, 0.25, (("human", "wmt-z"),), 1),
    ]
    assert {(r.testset, r.pair) for r in collection.ratings} == {("wmt22", "en-de")}


def test_metric_scores_keep_their_references(tmp_path: Path) -> None:
    tables = FORMAT.read(tree(tmp_path / "wmt22", FILES)).tables
    assert {table.metric: dict(table.values) for table in tables} == {
        "BLEU-refA": {Place("wmt22", "en-de", "Online-A.1", None): 31.5},
        "chrF-refA.refB": {
            Place("wmt22", "en-de", "Online-A.1", 1): 0.5,
            Place("wmt22", "en-de", "Online-A.1", 2): 0.6,
        },
    }


def test_what_is_left_out_is_noted(tmp_path: Path) -> None:
    root = tree(tmp_path / "wmt22", {**FILES, "human-scores/notes.txt": "x"})
    collection = FORMAT.read(root)
    assert collection.notes == (
        f"{root}/human-scores/en-de.mqm.seg.score: 1 missing scores (None) are left out",
        f"{root}/human-scores/en-de.wmt-z.sys.score: 1 missing scores (None) are left out",
        f"{root}: 1 files *.domain.score are not read; only segments and systems are",
        f"{root}: the documents are kept, but not the domain of each",
    )
    assert [each.path for each in collection.left_out] == [f"{root}/human-scores/notes.txt"]


def test_claims_and_detection(tmp_path: Path) -> None:
    root = tree(tmp_path / "wmt22", {**FILES, "other.csv": "x"})
    assert FORMAT.claims is not None
    assert FORMAT.claims(root) == {root / name for name in FILES}
    reason = FORMAT.looks_like(Head(root, ()))
    assert reason == "it has scores such as human-scores/en-de.mqm.domain.score"
    texts = {name: text for name, text in FILES.items() if "scores" not in name}
    texts_only = tree(tmp_path / "texts", texts)
    reason = FORMAT.looks_like(Head(texts_only, ()))
    assert reason == "it has sources/en-de.txt and system-outputs/en-de/"
    assert FORMAT.looks_like(Head(tree(tmp_path / "no", {"sources/a.txt": "x"}), ())) is None


def test_scores_without_texts(tmp_path: Path) -> None:
    text = "A\t1\nA\t2\nB\t3\nB\t4\nC\t5\n"
    root = tree(tmp_path, {"metric-scores/cs-uk/x-src.seg.score": text})
    assert faults_of(root) == [
        f'metric-scores/cs-uk/x-src.seg.score:5: system "C": 1 {EACH_SEGMENT}'
    ]
    tree(tmp_path, {"metric-scores/cs-uk/x-src.seg.score": text + "C\t6\n"})
    collection = FORMAT.read(root)
    assert collection.testsets == ()
    assert len(collection.tables[0].values) == 6


def test_regional_pairs(tmp_path: Path) -> None:
    root = tree(tmp_path, {"sources/en-zh_CN.txt": "a\n", "system-outputs/en-zh_CN/A.txt": "b\n"})
    assert [testset.pair for testset in FORMAT.read(root).testsets] == ["en-zh_CN"]


def test_faults_of_all_files_come_together(tmp_path: Path) -> None:
    bad = {
        "system-outputs/en-de/short.txt": "eins\n",
        "human-scores/en-de.mqm.seg.score": "Online-A.1\t1\nrefA\t0\nrefA\t-1\n",
        "human-scores/en-de.wmt-z.sys.score": "Online-A.1 0.25\nOnline-A.1 0.25\n",
        "metric-scores/en-de/BLEU-refA.sys.score": "Online-A.1\tinf\nx\ty\tz\n\t1\n",
    }
    assert faults_of(tree(tmp_path, {**FILES, **bad})) == [
        "system-outputs/en-de/short.txt: has 1 line where 2 are needed, as in en-de.txt",
        f'human-scores/en-de.mqm.seg.score:1: system "Online-A.1": 1 {EACH_SEGMENT}',
        f'human-scores/en-de.wmt-z.sys.score:1: system "Online-A.1": 2 {THE_SYSTEM}',
        'metric-scores/en-de/BLEU-refA.sys.score:1: score "inf" is not a finite number',
        "metric-scores/en-de/BLEU-refA.sys.score:2: 3 fields, but 2 are needed: system and score",
        "metric-scores/en-de/BLEU-refA.sys.score:3: system is empty",
    ]


def test_an_empty_tree(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no texts or scores such as sources/de-en.txt"):
        FORMAT.read(tmp_path)


def test_documents_without_domains(tmp_path: Path) -> None:
    collection = FORMAT.read(tree(tmp_path, {**FILES, "documents/en-de.docs": "d1\nd1\n"}))
    assert collection.testsets[0].documents == {1: "d1", 2: "d1"}
    assert not any("domain of" in note for note in collection.notes)


def test_documents_must_be_named_and_fit(tmp_path: Path) -> None:
    assert faults_of(tree(tmp_path, {**FILES, "documents/en-de.docs": "news\td1\n"})) == [
        "documents/en-de.docs: has 1 line where 2 are needed, as in en-de.txt"
    ]
    assert faults_of(tree(tmp_path, {**FILES, "documents/en-de.docs": "news\td1\n\n"})) == [
        "documents/en-de.docs:2: 0 fields, but DOMAIN and DOCUMENT, or DOCUMENT alone, are needed"
    ]
