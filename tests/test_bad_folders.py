"""What a folder holds besides data: each thing left out is named with its true reason."""

import os

from bad_input import RATINGS, refused, run, write


def notes(folder):
    answer = run("data", folder)
    assert answer.code == 0
    return answer.err.splitlines()


def test_a_file_that_cannot_be_read_is_left_out_with_the_reason(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    write(tmp_path / "b.csv.gz", b"\x1f\x8bthis is not gzip")
    write(tmp_path / "c.csv", f"{RATINGS}1,Zürich,3\n".encode("latin-1"))
    write(tmp_path / "d.xyz", "hello\n")
    gzip, latin, unknown = notes(tmp_path)
    assert gzip.startswith(f"note: {tmp_path}: left out, is damaged gzip")
    assert gzip.endswith(": b.csv.gz")
    assert "byte 0xfc is not UTF-8" in latin
    assert unknown == f"note: {tmp_path}: left out, of no known format: d.xyz"


def test_a_link_to_a_folder_above_is_not_followed(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    (tmp_path / "again").symlink_to(".")
    (tmp_path / "gone").symlink_to("nowhere")
    assert notes(tmp_path) == [
        f"note: {tmp_path}: left out, a link to a folder that it is in: again",
        f"note: {tmp_path}: left out, neither a file nor a folder: gone",
    ]
    assert " 12 " in run("data", tmp_path).out


def test_a_pipe_is_no_file(tmp_path):
    write(tmp_path / "a.csv", RATINGS)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = "is neither a file nor a folder; save what it gives to a file first"
    assert refused("data", pipe) == f"{pipe}: {words}"
    assert notes(tmp_path) == [f"note: {tmp_path}: left out, neither a file nor a folder: pipe"]


def test_an_empty_file_and_an_image_are_called_so(tmp_path):
    path = write(tmp_path / "a.csv", "\n")
    assert refused("data", path) == f"{path}: is empty"
    path = write(tmp_path / "b.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert refused("data", path).startswith(f"{path}:3: has a NUL byte: it is binary, or UTF-16")
