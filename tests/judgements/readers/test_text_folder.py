"""The plain layout: what is read, what it is called, and what is refused."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import Head
from concordant.judgements.readers.text_folder import FORMAT


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return root


def test_all_parts_are_read(tmp_path: Path) -> None:
    root = folder(
        tmp_path / "Demo" / "de-en",
        {
            "source.txt": "eins\nzwei\n",
            "reference-2.txt": "one!\ntwo!\n",
            "reference-10.txt": "1\n2\n",
            "reference.txt": "\ufeffone\r\ntwo\r\n",
            "documents.txt": "d1\nd2\n",
            "systems/base.txt": "one\n\n",
            "systems/big.v2.txt.gz": "won\ntoo",
            "systems/newstest2014.kit.3109.de-en": "a\nb\n",
            "judgements.csv": "not ours",
        },
    )
    collection = FORMAT.read(root)
    (testset,) = collection.testsets
    assert (testset.name, testset.pair) == ("demo", "de-en")
    assert testset.source == {1: "eins", 2: "zwei"}
    assert list(testset.references) == ["reference", "reference-2", "reference-10"]
    assert testset.references["reference"] == {1: "one", 2: "two"}
    assert testset.documents == {1: "d1", 2: "d2"}
    assert testset.translations == {
        "base": {1: "one", 2: ""},
        "big.v2": {1: "won", 2: "too"},
        "kit.3109": {1: "a", 2: "b"},
    }
    assert collection.notes == ()
    assert FORMAT.claims is not None
    names = {path.relative_to(root).as_posix() for path in FORMAT.claims(root)}
    assert "judgements.csv" not in names
    assert {"source.txt", "documents.txt", "systems/base.txt"} <= names
    assert len(names) == 8


def test_systems_alone_are_enough(tmp_path: Path) -> None:
    (testset,) = FORMAT.read(folder(tmp_path / "mine", {"systems/a.txt": "x\n"})).testsets
    assert (testset.name, testset.pair) == ("mine", "")
    assert testset.segments == [1]
    assert not testset.source
    assert not testset.references


def test_a_wmt_name_above_wins(tmp_path: Path) -> None:
    root = folder(tmp_path / "wmt14" / "sub" / "cs-en", {"systems/a.txt": "x\n"})
    (testset,) = FORMAT.read(root).testsets
    assert (testset.name, testset.pair) == ("newstest2014", "cs-en")


def test_what_looks_like_it(tmp_path: Path) -> None:
    full = folder(tmp_path / "a", {"source.txt": "x", "systems/s": "x"})
    reason = FORMAT.looks_like(Head(full, ()))
    assert reason == "it has source.txt, systems/ with a file for each system"
    bare = folder(tmp_path / "b", {"systems/s.txt": "x"})
    assert FORMAT.looks_like(Head(bare, ())) is not None
    foreign = folder(tmp_path / "c", {"systems/s.json": "x"})
    assert FORMAT.looks_like(Head(foreign, ())) is None
    no_systems = folder(tmp_path / "d", {"source.txt": "x"})
    assert FORMAT.looks_like(Head(no_systems, ())) is None


def test_counts_that_differ_are_all_named(tmp_path: Path) -> None:
    root = folder(
        tmp_path,
        {
            "source.txt": "1\n2\n3\n",
            "reference.txt": "1\n2\n3\n",
            "systems/short.txt": "1\n2\n",
            "systems/long.txt": "1\n2\n3\n4\n",
        },
    )
    with pytest.raises(DataError) as error:
        FORMAT.read(root)
    message = str(error.value)
    assert "short.txt: has 2 lines where 3 are needed, as in source.txt" in message
    assert "long.txt: has 4 lines where 3 are needed, as in source.txt" in message


def test_no_systems_says_where_they_go(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no files in systems/; put the systems' files"):
        FORMAT.read(folder(tmp_path, {"source.txt": "x\n"}))


def test_two_files_for_one_system(tmp_path: Path) -> None:
    root = folder(tmp_path, {"systems/a.txt": "x\n", "systems/a.txt.gz": "x\n"})
    with pytest.raises(DataError, match=r'is a second file for "a", beside a.txt; keep one'):
        FORMAT.read(root)


def test_a_bad_byte_is_named_with_its_line(tmp_path: Path) -> None:
    root = folder(tmp_path, {"systems/a.txt": "x\n"})
    (root / "source.txt").write_bytes(b"\xff\xff\n")
    with pytest.raises(DataError, match=r"source.txt:1: byte 0xff is not UTF-8"):
        FORMAT.read(root)


def test_files_out_of_place_are_noted(tmp_path: Path) -> None:
    root = folder(tmp_path, {"systems/a.txt": "x\n", "systems/old/b.txt": "x\n"})
    (stray,) = FORMAT.read(root).left_out
    words = "b.txt: left out, with a name or place that is not of this layout"
    assert str(stray).endswith(words)
