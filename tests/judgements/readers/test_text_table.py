"""The table of texts: special systems, gaps, contradictions."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import head_of
from concordant.judgements.readers.text_table import FORMAT

HEADER = "segment\tsystem\ttext\n"


def write(path: Path, rows: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = (HEADER + rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_everything_is_read(tmp_path: Path) -> None:
    rows = (
        "1\t_source\t\ufeffein Satz\n"
        "1\t_reference\ta sentence\n"
        "1\t_reference2\tone sentence\n"
        "1\tnewstest2015.KIT.4017.de-en\t\n"
        '7\tnewstest2015.KIT.4017.de-en\tsaid "so\n'
        "7\tKIT.4017\tsaid \"so\n"
    )  # fmt: skip
    path = write(tmp_path / "texts.de-en.tsv.gz", rows)
    (testset,) = FORMAT.read(path).testsets
    assert (testset.name, testset.pair) == ("newstest2015", "de-en")
    assert testset.source == {1: "ein Satz"}
    assert testset.references == {"reference": {1: "a sentence"}, "reference2": {1: "one sentence"}}
    assert testset.translations == {"KIT.4017": {1: "", 7: 'said "so'}}
    assert FORMAT.looks_like(head_of(path)) is not None


def test_file_names_tell_what_systems_do_not(tmp_path: Path) -> None:
    path = write(tmp_path / "wmt16" / "texts.ro-en.tsv", "1\tonlineA\tyes\r\n")
    (testset,) = FORMAT.read(path).testsets
    assert (testset.name, testset.pair) == ("newstest2016", "ro-en")
    assert testset.translations == {"onlineA": {1: "yes"}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tA", "2 fields, but 3 are needed: segment, system and text"),
        ("1\tA\tx\ty", "4 fields, but 3 are needed: segment, system and text"),
        ("0\tA\tx", 'segment "0" is not a line number of 1 or more'),
        ("one\tA\tx", 'segment "one" is not a line number of 1 or more'),
        ("1\t\tx", "the system has no name"),
        ("1\t_ref\tx", '"_ref" is not _source, _reference, _reference2, …, nor a system'),
        ("5\tB\tother", 'segment 5 of "B" was given before with another text'),
    ],
)
def test_bad_rows(tmp_path: Path, row: str, message: str) -> None:
    path = write(tmp_path / "t.tsv", f"5\tB\ttext\n{row}\n9\n")
    with pytest.raises(DataError) as error:
        FORMAT.read(path)
    assert [str(fault) for fault in error.value.faults] == [
        f"{path}:3: {message}",
        f"{path}:4: 1 fields, but 3 are needed: segment, system and text",
    ]


def test_two_test_sets_in_one_table(tmp_path: Path) -> None:
    rows = "1\tnewstest2015.A.1.de-en\tx\n1\tnewstest2016.B.2.cs-en\ty\n"
    with pytest.raises(DataError) as error:
        FORMAT.read(write(tmp_path / "t.tsv", rows))
    first, second = (fault.message for fault in error.value.faults)
    assert first == (
        "the systems name more than one test set: newstest2015, newstest2016; "
        "give each its own file"
    )  # fmt: skip
    assert second.startswith("the systems name more than one language pair: cs-en, de-en")


def test_header_alone_and_other_headers(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has a header but no rows"):
        FORMAT.read(write(tmp_path / "t.tsv", ""))
    other = tmp_path / "other.tsv"
    other.write_text("segment\tsystem\tscore\n1\tA\t0.5\n", encoding="utf-8")
    assert FORMAT.looks_like(head_of(other)) is None
    with pytest.raises(DataError, match=r"other.tsv:1: the header must be segment, system, text"):
        FORMAT.read(other)


@pytest.mark.data
def test_real_tables(data: Path) -> None:
    counts = {"de-en": (13, 1086, 9001), "fr-en": (7, 904, 5778)}
    for pair, (systems, segments, texts) in counts.items():
        path = data / "wmt15" / f"texts.{pair}.tsv.gz"
        (testset,) = FORMAT.read(path).testsets
        assert testset.pair == pair
        assert testset.name == ("newsdiscusstest2015" if pair == "fr-en" else "newstest2015")
        assert len(testset.translations) == systems
        assert len(testset.segments) == len(testset.source) == segments
        assert sum(map(len, testset.translations.values())) == texts
        assert not any(line.startswith("\ufeff") for line in testset.source.values())
