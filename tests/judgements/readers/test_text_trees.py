"""The law of parallel texts: equal line counts, one file for each name."""

from pathlib import Path

import pytest

from concordant.judgements.readers.text_trees import (
    by_name,
    count_faults,
    files_in,
    folders_in,
    left_over,
    read_all,
    whole_pair,
)


def test_the_odd_file_is_the_one_named() -> None:
    texts = {Path("a.txt"): ["1"], Path("b.txt"): ["1", "2"], Path("c.txt"): ["1", "2"]}
    faults = [str(fault) for fault in count_faults(texts)]
    assert faults == ["a.txt: has 1 line where 2 are needed, as in b.txt"]


def test_a_tie_goes_to_the_first_file() -> None:
    texts = {Path("source.txt"): ["1"] * 3, Path("system.txt"): ["1"] * 2}
    faults = [str(fault) for fault in count_faults(texts)]
    assert faults == ["system.txt: has 2 lines where 3 are needed, as in source.txt"]


def test_empty_files_are_faults_even_if_all_are() -> None:
    faults = [str(fault) for fault in count_faults({Path("a"): [], Path("b"): []})]
    assert faults == ["a: is empty", "b: is empty"]
    assert count_faults({}) == []


def test_two_files_for_one_name() -> None:
    found, faults = by_name([Path("s/a.txt"), Path("s/a.en")], lambda path: path.stem)
    assert found == {"a": Path("s/a.txt")}
    assert [str(fault) for fault in faults] == [
        's/a.en: is a second file for "a", beside a.txt; keep one'
    ]


def test_faults_of_all_unreadable_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / "good").write_text("yes\n", encoding="utf-8")
    (tmp_path / "bad").write_bytes(b"caf\xe9\n")
    lines, faults = read_all([tmp_path / "bad", tmp_path / "good", tmp_path / "none"])
    assert lines == {tmp_path / "good": ["yes"]}
    assert "bad:1: byte 0xe9 is not UTF-8" in str(faults[0])
    assert "there is no such file" in str(faults[1])


def test_listing_leaves_out_hidden_files_and_backups(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden", "a~"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert [path.name for path in files_in(tmp_path)] == ["a", "b"]
    assert [path.name for path in folders_in(tmp_path)] == ["folder"]
    assert files_in(tmp_path / "missing") == []


def test_left_over_names_what_a_layout_does_not_account_for(tmp_path: Path) -> None:
    (tmp_path / "systems" / "deep").mkdir(parents=True)
    (tmp_path / "systems" / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "systems" / "deep" / "b.txt").write_text("x", encoding="utf-8")
    found = left_over(tmp_path, ["systems"], {tmp_path / "systems" / "a.txt"})
    stray = tmp_path / "systems" / "deep" / "b.txt"
    assert [each.path for each in found] == [str(stray)]


@pytest.mark.parametrize(
    ("name", "pair"),
    [("de-en", "de-en"), ("de_en", "de-en"), ("csen", "cs-en"), ("my-data", None), ("x", None)],
)
def test_whole_pair(name: str, pair: str | None) -> None:
    assert whole_pair(name) == pair
