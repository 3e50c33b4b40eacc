"""Files that changed are found on first use, and files that did not are not hashed again."""

import os

import pytest
from small_parts import sha256

from concordant.errors import DataError
from concordant.resources import contents
from concordant.resources.places import Record, locate, parts_folder, write_record


@pytest.fixture
def part(tmp_path, monkeypatch):
    """The folder of an installed part of the user."""
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    monkeypatch.setattr(contents, "SETTLED", -1000.0)  # the test's files are brand new
    folder = parts_folder() / "mine"
    (folder / "data").mkdir(parents=True)
    files = {"weights.bin": b"\x00\x01" * 50_000, "data/words.txt": b"a\nb\n"}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    given = {"kind": "encoder", "shape": "onnx", "title": "", "licence": "", "carrier": ""}
    hashes = {name: sha256(content) for name, content in files.items()}
    write_record(folder, Record(name="mine", version="", **given, files=hashes))
    return folder


@pytest.fixture
def hashed(monkeypatch):
    """The names of the files that were hashed; a new process remembers nothing by itself."""
    names = []
    plain = contents.sha256_of

    def sha256_of(path):
        names.append(path.name)
        return plain(path)

    monkeypatch.setattr(contents, "sha256_of", sha256_of)
    monkeypatch.setattr(contents, "_checked", {})
    return names


def flip(path, *, keep_times=False):
    told = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    if keep_times:
        os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))


def test_a_part_is_hashed_once_and_then_remembered(part, hashed, monkeypatch):
    assert locate("mine") == part
    assert sorted(hashed) == ["weights.bin", "words.txt"]
    locate("mine")
    monkeypatch.setattr(contents, "_checked", {})  # as in a new process
    locate("mine")
    assert len(hashed) == 2


@pytest.mark.parametrize("keep_times", [False, True])
@pytest.mark.parametrize("before", ["never used", "used"])
def test_a_flipped_bit_is_an_error_that_says_what_to_do(part, hashed, before, keep_times):
    if before == "used":
        locate("mine")
    flip(part / "weights.bin", keep_times=keep_times)
    words = (
        "the part mine is not what was installed: weights.bin was changed: .*; install it again: "
        "concordant resources remove mine, then concordant resources add mine PATH"
    )
    for _ in range(2):
        with pytest.raises(DataError, match=words):
            locate("mine")
    assert hashed
    flip(part / "weights.bin")
    assert locate("mine") == part


def test_a_file_more_or_less_is_an_error(part, hashed):
    locate("mine")
    (part / "tokenizer_config.json").touch()
    with pytest.raises(DataError, match=r"tokenizer_config\.json is not part of it"):
        locate("mine")
    (part / "tokenizer_config.json").unlink()
    (part / "data" / "words.txt").unlink()
    with pytest.raises(DataError, match=r"data/words\.txt is missing"):
        locate("mine")
    assert hashed


@pytest.mark.usefixtures("part")
def test_what_was_just_written_is_not_remembered(hashed, monkeypatch):
    monkeypatch.setattr(contents, "SETTLED", 2.0)
    locate("mine")
    locate("mine")
    assert len(hashed) == 4  # a second change could have the same time


@pytest.mark.usefixtures("part")
def test_where_nothing_can_be_written_a_process_remembers(hashed, tmp_path):
    (tmp_path / "verified").write_text("in the way")
    locate("mine")
    locate("mine")
    assert len(hashed) == 2
    assert (tmp_path / "verified").read_text() == "in the way"
