"""What a folder holds besides data: each thing left out is named with its true reason."""

import contextlib
import os
import time
from pathlib import Path

import pytest
from bad_input import RATINGS, refused, run, write

from concordant.errors import DataError
from concordant.judgements.detection import read, read_each


def left_out(folder):
    """What `--why` says of files that were left out."""
    answer = run("data", folder, "--why")
    assert answer.code == 0
    return [line for line in answer.err.splitlines() if ": left out, " in line]


def test_a_file_that_cannot_be_read_is_left_out_with_the_reason(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    write(tmp_path / "b.csv.gz", b"\x1f\x8bthis is not gzip")
    write(tmp_path / "c.csv", f"{RATINGS}1,Zürich,3\n".encode("latin-1"))
    write(tmp_path / "d.xyz", "hello\n")
    gzip, latin, unknown = left_out(tmp_path)
    assert gzip.startswith(f"note: {tmp_path}/b.csv.gz: left out, is a damaged gzip file")
    assert "byte 0xfc is not UTF-8" in latin
    assert unknown == f"note: {tmp_path}/d.xyz: left out, of no known format"


def test_what_is_left_out_is_one_short_note_until_asked_for(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    for name in ("b", "c", "d"):
        write(tmp_path / "deep" / f"{name}.xyz", "hello\n")
    write(tmp_path / "e.csv.gz", b"\x1f\x8bthis is not gzip")
    note = (
        f"note: {tmp_path}: files left out: 3 of no known format, 1 that cannot be read; "
        f"to list them: concordant data {tmp_path} --why"
    )
    for command in ("data", "data convert", "data systems"):
        assert run(*command.split(), tmp_path).err.splitlines() == [note]
        assert run(*command.split(), tmp_path, "--quiet").err == ""
        assert len(run(*command.split(), tmp_path, "--why").err.splitlines()) >= 4
    evaluated = run("evaluate", "-m", "nothing", "-j", tmp_path, "--why")
    assert f"{tmp_path}/deep/b.xyz: left out, of no known format" in evaluated.err


def test_a_link_to_a_folder_above_is_not_followed(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    (tmp_path / "again").symlink_to(".")
    (tmp_path / "gone").symlink_to("nowhere")
    assert left_out(tmp_path) == [
        f"note: {tmp_path}/again: left out, a link to a folder that it is in",
        f"note: {tmp_path}/gone: left out, neither a file nor a folder",
    ]
    assert " 12 " in run("data", tmp_path).out


def test_a_linked_folder_or_file_is_read_once(tmp_path):
    write(tmp_path / "de-en" / "a.csv", RATINGS)
    (tmp_path / "0-latest").symlink_to("de-en")
    (tmp_path / "b.csv").symlink_to("de-en/a.csv")
    (tmp_path / "c.csv").hardlink_to(tmp_path / "de-en" / "a.csv")
    collection = read(tmp_path)
    assert len(collection.ratings) == 12
    kept = tmp_path / "de-en" / "a.csv"
    assert {rating.file for rating in collection.ratings} <= {str(kept), str(tmp_path / "c.csv")}
    assert "3 the same file or folder as another" in collection.notes[-1]
    assert f"{tmp_path}/0-latest: left out, the same folder as {tmp_path}/de-en" in left_out_lines(
        collection
    )


def left_out_lines(collection):
    return [str(each) for each in collection.left_out]


def test_links_each_way_come_to_an_end(tmp_path):
    for name, other in (("one", "two"), ("two", "one")):
        write(tmp_path / name / "a.csv", RATINGS)
        (tmp_path / name / "x").symlink_to(f"../{other}")
        (tmp_path / name / "y").symlink_to("..")
    assert len(read(tmp_path).ratings) == 24
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "in").symlink_to("../one")
    assert len(read(outside).ratings) == 24


def test_a_path_given_twice_counts_once(tmp_path):
    path = write(tmp_path / "a.csv", RATINGS)
    (tmp_path / "link").symlink_to(tmp_path)
    collection = read_each([path, path, tmp_path, tmp_path / "link"])
    assert len(collection.ratings) == 12
    assert sum("the same file or folder as another" in note for note in collection.notes) == 3


def test_links_out_of_the_folder_are_followed(tmp_path):
    write(tmp_path / "far" / "a.csv", RATINGS)
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "de-en").symlink_to(tmp_path / "far")
    assert len(read(tmp_path / "near").ratings) == 12


def test_a_system_folder_that_is_a_link_to_another_is_no_second_test_set(tmp_path):
    translations = tmp_path / "system-outputs"
    write(translations / "newstest2014" / "de-en" / "newstest2014.A.de-en", "one\n")
    (translations / "latest").symlink_to("newstest2014")
    assert [each.name for each in read(tmp_path).testsets] == ["newstest2014"]


def test_depth_and_number_of_entries_are_bounded(tmp_path, monkeypatch):
    deep = tmp_path.joinpath(*["d"] * 40)
    write(tmp_path / "a.csv", RATINGS)
    write(deep / "b.csv", RATINGS)
    collection = read(tmp_path)
    assert len(collection.ratings) == 12
    assert collection.left_out[0].reason == "more than 32 folders deep"
    monkeypatch.setattr("concordant.judgements.folders.MOST_ENTRIES", 20)
    words = "holds more than 20 files and folders; name the folder or the files in it that have"
    with pytest.raises(DataError, match=words):
        read(tmp_path)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc")
def test_proc_comes_to_an_end(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    began = time.monotonic()
    with contextlib.suppress(DataError):
        read("/proc/self")
    assert time.monotonic() - began < 60


def test_names_with_control_characters_do_no_harm(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    for name in (b"new\nline.csv", b"\xff\xfe.csv", b"\x1b[31m.xyz"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("nothing\n")
    assert len(read(tmp_path).left_out) == 3
    assert run("data", tmp_path, "--why").code == 0


def test_a_pipe_is_no_file(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = "is neither a file nor a folder; save its content to a file first"
    assert refused("data", pipe) == f"{pipe}: {words}"
    assert left_out(tmp_path) == [f"note: {pipe}: left out, neither a file nor a folder"]


def test_an_empty_file_and_an_image_are_called_so(tmp_path):
    path = write(tmp_path / "a.csv", "\n")
    assert refused("data", path) == f"{path}: is empty"
    path = write(tmp_path / "b.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert refused("data", path).startswith(f"{path}:3: has a NUL byte: it is binary, or UTF-16")
