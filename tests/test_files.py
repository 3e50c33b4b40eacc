"""One reader for all files: packed or not, whole or line by line, never without bound."""

import bz2
import gzip
import io
import lzma
import os
import threading
import tracemalloc

import pytest
from bad_input import refused

from concordant.errors import DataError
from concordant.files import count_lines, read_lines, read_plain_lines, read_text
from concordant.judgements import files as whole_files
from concordant.scoring.line_blocks import TextFiles

READERS = {
    "lines": lambda path: list(read_lines(path)),
    "text": read_text,
    "whole lines": whole_files.read_lines,
}


def write(path, content):
    path.write_bytes(content)
    return path


def bomb(megabytes, block):
    """A gzip file of so many megabytes, all alike, made without holding them."""
    return gzip.compress(block * ((1 << 20) // len(block))) * megabytes


@pytest.mark.parametrize("read", [*READERS.values(), count_lines], ids=[*READERS, "count"])
def test_utf_16_without_a_mark_is_refused_everywhere_with_its_line(tmp_path, read):
    path = write(tmp_path / "a", b"plain\n" + "Wort\n".encode("utf-16-le"))
    with pytest.raises(DataError, match=r"a:2: has a NUL byte: it is binary, or UTF-16 without"):
        read(path)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_bad_bytes_are_named_with_their_line(tmp_path, read):
    text = "x" * 300_000 + "\n" + "gut\n" * 3
    path = write(tmp_path / "a", text.encode() + b"sch\xf6n\n")
    with pytest.raises(DataError, match=r"a:5: byte 0xf6 is not UTF-8; convert the file first"):
        read(path)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_damaged_gzip_file_says_so(tmp_path, read):
    path = write(tmp_path / "a", gzip.compress(b"line\n" * 1000)[:-9])
    with pytest.raises(DataError, match="is a damaged gzip file"):
        read(path)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def zstd(data):
    """Packed as zstd; skips without pyarrow, which unpacks it too."""
    return pytest.importorskip("pyarrow").compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize("pack", [*PACKERS.values(), zstd], ids=[*PACKERS, "zst"])
def test_packed_files_are_read_as_they_are(tmp_path, pack):
    text = "".join(f"line {i} of it, schön\n" for i in range(100_000))
    plain = write(tmp_path / "plain", text.encode())
    packed = write(tmp_path / "packed", pack(text.encode()))
    assert list(read_lines(packed)) == list(read_lines(plain))
    assert count_lines(packed) == 100_000
    half = write(tmp_path / "half", packed.read_bytes()[: packed.stat().st_size // 2])
    with pytest.raises(DataError, match=r"is a damaged \w+ file"):
        list(read_lines(half))


@pytest.mark.parametrize("name", ["bz2", "xz"])
def test_bombs_of_other_packers_end_early(tmp_path, monkeypatch, name):
    monkeypatch.setattr("concordant.files.MOST_UNPACKED", 1 << 20)
    path = write(tmp_path / "bomb", PACKERS[name](b"a\n" * (1 << 22)))
    with pytest.raises(DataError, match="unpacks to more than 1 MB"):
        count_lines(path)


ARCHIVES = {
    "zip": (b"PK\x03\x04\x14\x00", "is a zip archive"),
    "parquet": (b"PAR1\x15\x04", "is a Parquet table; give it alone, without -r"),
    "gz": (gzip.compress(lzma.compress(b"text\n"), mtime=0), "is packed twice; unpack it first"),
}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_archives_and_binary_formats_are_named(tmp_path, read, name):
    content, words = ARCHIVES[name]
    path = write(tmp_path / name, content)
    with pytest.raises(DataError, match=words):
        read(path)


@pytest.mark.parametrize("read", [*READERS.values(), count_lines], ids=[*READERS, "count"])
@pytest.mark.parametrize(
    "block", [b"a", b"a\n", b"0123456789abcdef\n"], ids=["a", "lines", "longer"]
)
def test_a_gzip_bomb_ends_early_and_stays_small(tmp_path, monkeypatch, read, block):
    monkeypatch.setattr("concordant.files.MOST_UNPACKED", 1 << 23)
    path = write(tmp_path / "bomb.gz", bomb(2000, block))
    tracemalloc.start()
    with pytest.raises(DataError, match=r"unpacks to more than 8 MB|has more than 1,000,000"):
        read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 << 23


def test_a_gzip_bomb_of_ten_gigabytes_is_refused_by_the_commands(tmp_path):
    path = write(tmp_path / "bomb.gz", bomb(10_000, b"0.5\n"))
    assert path.stat().st_size < 15_000_000
    words = "unpacks to more than 256 MB, and more than 50 times its size; if that is intended"
    assert words in refused("data", path)
    assert words in refused("score", "-m", "chrf", "-r", path, "-t", path)


def test_honest_repetition_is_unpacked(tmp_path):
    path = write(tmp_path / "same.gz", gzip.compress(b"The same sentence again.\n" * 400_000))
    assert count_lines(path) == 400_000


def test_a_line_too_long_names_the_bound_and_the_option(tmp_path):
    path = write(tmp_path / "a", b"short\n" + b"x" * 1_000_001 + b"\n")
    words = r"a:2: has more than 1,000,000 characters, the longest line allowed; split it"
    with pytest.raises(DataError, match=f"{words}, or raise the limit with --max-line$"):
        list(read_lines(path))
    with pytest.raises(DataError, match=f"{words}$"):
        whole_files.read_lines(path)
    assert [len(line) for line in read_lines(path, 1_000_001)] == [5, 1_000_001]
    files = TextFiles((str(path),), longest=1_000_001)
    assert files.check([str(path)]) == 2
    assert [len(line) for line in next(files.blocks(str(path))).batch.translations] == [
        5,
        1_000_001,
    ]


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_may_give_its_bytes_one_by_one(tmp_path, size, packed):
    os.mkfifo(tmp_path / "pipe")
    content = "\ufeffäö\r\nzwei\nohne Ende".encode("utf-16")
    content = gzip.compress(content) if packed else content

    def give():
        with (tmp_path / "pipe").open("wb", buffering=0) as stream:
            for start in range(0, len(content), size):
                stream.write(content[start : start + size])

    giver = threading.Thread(target=give)
    giver.start()
    assert list(read_lines(tmp_path / "pipe")) == ["äö", "zwei", "ohne Ende"]
    giver.join()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_end_is_refused(device, tmp_path):
    reference = write(tmp_path / "ref", b"a\n")
    files = TextFiles((str(reference),))
    assert files.check([device]) == 1
    with pytest.raises(DataError, match=r"has a NUL byte|is not UTF-8"):
        list(files.blocks(device))


def test_a_name_that_is_no_utf_8_is_read(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n\x1b.txt")
    with open(name, "wb") as stream:  # noqa: PTH123 - bytes in the name
        stream.write(b"line\n")
    assert list(read_lines(name)) == ["line"]
    with pytest.raises(DataError, match="there is no such file"):
        list(read_lines(name + "x"))


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(DataError, match="standard input is closed; name a file"):
        list(read_lines("-"))


@pytest.mark.parametrize("size", [1, 5, 64])
def test_lines_do_not_depend_on_how_they_are_cut(tmp_path, monkeypatch, size):
    content = "ä\u2028b\r\n\n\ufeffc\x85\nlast".encode()
    path = write(tmp_path / "a", content)
    expected = ["ä\u2028b", "", "c\x85", "last"]
    monkeypatch.setattr("concordant.files.CHUNK", size)
    monkeypatch.setattr(io, "DEFAULT_BUFFER_SIZE", size)
    assert list(read_lines(path)) == expected == whole_files.read_lines(path)
    assert count_lines(path) == 4


def test_plain_lines_are_all_given(tmp_path):
    path = write(tmp_path / "a", b"".join(b"line %d\n" % i for i in range(100)))
    assert list(read_plain_lines(path)) == [f"line {i}" for i in range(100)]
