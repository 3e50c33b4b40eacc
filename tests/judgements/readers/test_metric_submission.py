"""Submissions to WMT's metrics task, of every year's columns."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import head_of
from concordant.judgements.readers.metric_submission import FORMAT
from concordant.records import Place, Rating

KIT = Place("newstest2015", "de-en", "KIT.4017", None)
KIT_7 = Place("newstest2015", "de-en", "KIT.4017", 7)


def write(path: Path, text: str) -> Path:
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize(
    ("row", "metric", "place"),
    [
        ("chrF de-en newstest2015 KIT.4017 0.5", "chrF", KIT),
        ("chrF\tde-en\tnewstest2015\tnewstest2015.KIT.4017.de-en\t0.5", "chrF", KIT),
        ("chrF de-en newstest2015 KIT.4017 7 0.5", "chrF", KIT_7),
        ("chrF de-en newstest2015 KIT.4017 0.5 non-ensemble no", "chrF", KIT),
        ("chrF de-en newstest2015 KIT.4017 7 0.5 ensemble https://x.org", "chrF", KIT_7),
        ("chrF de-en newstest2015 refA KIT.4017 0.5", "chrF-refA", KIT),
        ("chrF de-en newstest2015 refA KIT.4017 7 0.5", "chrF-refA", KIT_7),
        ("chrF de-en newstest2015 all refA KIT.4017 0.5", "chrF-refA", KIT),
        ("chrF de-en newstest2015 news src KIT.4017 7 0.5", "chrF-src", KIT_7),
        ("chrF de-en newstest2015 news doc-1 refA KIT.4017 7 0.5", "chrF-refA", KIT_7),
    ],
)
def test_columns_of_every_year(tmp_path: Path, row: str, metric: str, place: Place) -> None:
    path = write(tmp_path / "x.score.gz", row + "\r\n")
    reason = FORMAT.looks_like(head_of(path))
    assert reason is not None
    assert reason.startswith("its columns are metric, pair, testset, ")
    (table,) = FORMAT.read(path).tables
    assert (table.metric, dict(table.values)) == (metric, {place: 0.5})


@pytest.mark.parametrize(
    "header",
    [
        "METRIC\tLP\tTESTSET\tSYSTEM\tSEGMENT\tSCORE",
        "<METRIC NAME>\t<LANG-PAIR>\t<TEST SET>\t<SYSTEM>\t<SEGMENT NUMBER>\t<SEGMENT SCORE>",
        "\ufeffmetric lang_pair data system-id sid score",
    ],
)
def test_headers(tmp_path: Path, header: str) -> None:
    blank = "\t" if "\t" in header else " "
    row = blank.join(["chrF", "de-en", "newstest2015", "KIT.4017", "7", "0.5"])
    path = write(tmp_path / "x", f"{header}\n{row}\n")
    reason = FORMAT.looks_like(head_of(path))
    assert reason == "its header names metric, language pair, test set, system and score"
    (table,) = FORMAT.read(path).tables
    assert dict(table.values) == {KIT_7: 0.5}


def test_human_scores_once_a_system(tmp_path: Path) -> None:
    text = """METRIC  LP  DATA  SYSTEM  SCORE HUMAN
BEER de-en newstest2015 KIT.4017 0.16 0.228
BLEU de-en newstest2015 newstest2015.KIT.4017.de-en 0.3 0.228
BLEU de-en newstest2015 B.1 0.2 NA
"""
    path = write(tmp_path / "hum-sys.csv", text)
    collection = FORMAT.read(path)
    assert collection.ratings == (Rating(*KIT, 0.228),)
    assert (collection.ratings[0].file, collection.ratings[0].line) == (str(path), 2)
    assert [(table.metric, len(table.values)) for table in collection.tables] == [
        ("BEER", 1),
        ("BLEU", 2),
    ]
    assert collection.notes == (
        f"{path}: 1 rows without a human score (NaN, None or -) give no rating",
    )


def test_missing_scores_and_single_domains_are_noted(tmp_path: Path) -> None:
    text = (
        "m\tde-en\tt\tall\trefA\tA\t0.5\n"
        "m\tde-en\tt\tnews\trefA\tA\t0.4\n"
        "m\tde-en\tt\tall\trefA\tB\tNaN\n"
        "m\tde-en\tt\tall\trefA\tC\t-\n"
    )  # fmt: skip
    path = write(tmp_path / "x", text)
    collection = FORMAT.read(path)
    assert collection.notes == (
        f"{path}: 2 rows without a score (NaN, None or -) are left out",
        f"{path}: 1 system scores of a single domain are left out",
    )
    assert len(collection.tables[0].values) == 1


def test_the_same_score_twice_is_fine_another_is_not(tmp_path: Path) -> None:
    row = "m de-en t A 1 0.5\n"
    assert len(FORMAT.read(write(tmp_path / "x", row + row)).tables[0].values) == 1
    with pytest.raises(DataError, match=r"x:2: score 0.6 contradicts 0.5 in a row above"):
        FORMAT.read(write(tmp_path / "x", row + row.replace("0.5", "0.6")))


def test_contradicting_human_scores(tmp_path: Path) -> None:
    text = "METRIC LP DATA SYSTEM SCORE HUMAN\nm de-en t A 1 0.5\nn de-en t A 1 0.6\n"
    with pytest.raises(DataError, match=r"x:3: human 0.6 of A contradicts 0.5 on line 2"):
        FORMAT.read(write(tmp_path / "x", text))


def test_all_bad_rows_are_named(tmp_path: Path) -> None:
    text = """m de-en t A 1 0.5
m de-en t A 2
m german t A 3 0.5
m de-en t t.A.cs-en 4 0.5
m de-en t A zero 0.5
m de-en t A 6 inf
"""
    path = write(tmp_path / "x", text)
    with pytest.raises(DataError) as error:
        FORMAT.read(path)
    assert [(fault.line, fault.message) for fault in error.value.faults] == [
        (2, "5 fields, but 6 are needed"),
        (3, 'language pair "german" is not a language pair such as de-en'),
        (4, "system t.A is of cs-en, the row of de-en"),
        (5, 'segment "zero" is not a line number of 1 or more'),
        (6, 'score "inf" is not a finite number'),
    ]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "LP R N METRIC\nde-en 0.98 13 upf-cobalt\n")
    assert FORMAT.looks_like(head_of(path)) is None
    with pytest.raises(DataError, match=r"x:1: is not a metrics-task submission; rows need METRIC"):
        FORMAT.read(path)
    mixed = write(tmp_path / "y", "m de-en t A 1 0.5\nfree text\n")
    assert FORMAT.looks_like(head_of(mixed)) is None


def test_a_header_alone(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has a header but no rows"):
        FORMAT.read(write(tmp_path / "x", "METRIC LP TESTSET SYSTEM SCORE\n"))


@pytest.mark.data
def test_real_system_scores(data: Path) -> None:
    folder = data / "wmt15" / "system-level"
    expected = {"cs-en": (23, 16), "de-en": (23, 13), "en-fi": (15, 10), "fr-en": (23, 7)}
    for pair, (metrics, systems) in expected.items():
        collection = FORMAT.read(folder / f"hum-sys.{pair}.scores.csv")
        assert len(collection.tables) == metrics
        assert len({rating.system for rating in collection.ratings}) == systems
        assert {rating.pair for rating in collection.ratings} == {pair}
        assert all(set(t.values) <= {Place(*_output(r)) for r in collection.ratings}
                   for t in collection.tables)  # fmt: skip


def _output(rating: Rating) -> tuple[str, str, str, int | None]:
    return rating.testset, rating.pair, rating.system, rating.segment
