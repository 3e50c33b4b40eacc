"""Every published shape of word vectors gives the same words and numbers; faults name a line."""

import gzip
import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concordant.encoders import _native
from concordant.encoders.words import vector_files
from concordant.encoders.words.vector_files import read_vectors
from concordant.errors import DataError

WORDS = ["the", ",", "é", "12", ". . .", "at name@domain.com", "\xa0", "漢字", "-0.5x"]
MATRIX = np.random.default_rng(3).normal(size=(len(WORDS), 5)).astype(np.float32)


def text_of(words=WORDS, matrix=MATRIX, *, header=False, between=" ", end="\n"):
    lines = [f"{len(words)} {matrix.shape[1]}"] if header else []
    lines += [
        between.join([w, *(f"{x}" for x in row)]) for w, row in zip(words, matrix, strict=True)
    ]
    return "".join(line + end for line in lines).encode()


def binary_of(words=WORDS, matrix=MATRIX, *, end=b"\n", promised=None):
    first = f"{len(words) if promised is None else promised} {matrix.shape[1]}\n".encode()
    rows = zip(words, matrix, strict=True)
    return first + b"".join(
        w.encode() + b" " + row.astype("<f4").tobytes() + end for w, row in rows
    )


def no_blanks(words):
    return [word.replace(" ", "_") for word in words]


@pytest.fixture
def vector_file(tmp_path):
    def write(content):
        path = tmp_path / "vectors"
        path.write_bytes(content)
        return path

    return write


SHAPES = {
    "glove": (WORDS, text_of()),
    "no line break at the end": (WORDS, text_of()[:-1]),
    "blanks at the ends of lines": (WORDS, text_of(header=True, end=" \n")),
    "windows": (WORDS, text_of(header=True, end="\r\n")),
    "byte-order mark": (WORDS, b"\xef\xbb\xbf" + text_of()),
    "byte-order mark and header": (WORDS, b"\xef\xbb\xbf" + text_of(header=True)),
    "fasttext": (WORDS, text_of(header=True)),
    "composes": (WORDS, text_of(between="\t")),
    "word2vec": (no_blanks(WORDS), binary_of(no_blanks(WORDS))),
    "word2vec without line breaks": (no_blanks(WORDS), binary_of(no_blanks(WORDS), end=b"")),
}


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 24])
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(vector_file, monkeypatch, shape, zipped, block):
    monkeypatch.setattr(vector_files, "BLOCK", block)
    expected, content = SHAPES[shape]
    words, matrix = read_vectors(vector_file(gzip.compress(content) if zipped else content))
    assert words == expected
    assert matrix.dtype == np.float32
    np.testing.assert_array_equal(matrix, MATRIX)


def test_a_word_that_is_not_utf8_is_kept_apart(vector_file):
    words, _ = read_vectors(vector_file(b"a\xff 1 2\na\xfe 3 4\n"))
    assert words == ["a\udcff", "a\udcfe"]


def test_the_first_of_equal_words_is_used_and_it_is_noted(vector_file):
    notes = []
    path = vector_file(b"a 1 2\nb 3 4\na 5 6\na 7 8\n")
    words, matrix = read_vectors(path, note=notes.append)
    assert words == ["a", "b"]
    assert matrix.tolist() == [[1, 2], [3, 4]]
    assert notes == [
        f'{path}: 2 words appear more than once, such as "a"; the first vector of each is used'
    ]


def test_repeats_are_said_aloud_by_default(vector_file, caplog):
    read_vectors(vector_file(b"a 1 2\na 3 4\n"))
    assert "1 words appear more than once" in caplog.text


FAULTS = {
    "empty": (b"", "vectors: the file is empty; it should hold GloVe, fastText"),
    "blank": (b" \n\n", "the file is empty"),
    "no numbers": (b"some text\nof no use\n", ":1: there are no numbers after the word"),
    "too few": (b"a 1 2\nb 3\nc 4 5\n", ':2: "b" has 1 numbers, not 2'),
    "first too few": (b"a 1\nb 3 4\nc 4 5\n", ':1: "a" has 1 numbers, not 2'),
    "too many": (b"a 1 2\nb 3 4 5\nc 4 5\n", ':2: "b" has 3 numbers, not 2'),
    "not a number": (b"a 1 2\nb 3 4x\n", ':2: number 2 of "b" is "4x", not a number'),
    "decimal comma": (b"a 1 2\nb 3,5 4\n", ':2: number 1 of "b" is "3,5", not a number'),
    "nan": (b"a 1 2\nb nan 4\n", ':2: number 1 of "b" is nan; numbers must be finite'),
    "inf": (b"a 1 2\nb 3 -inf\n", ':2: number 2 of "b" is -inf; numbers must be finite'),
    "too large": (b"a 1 2\nb 3 1e39\n", ':2: number 2 of "b" is 1e39; numbers must be finite'),
    "empty line": (b"a 1 2\n\nb 3 4\n", ":2: the line is empty"),
    "no word": (b"a 1 2\n 3 4\n", ":2: the line has no word before its numbers"),
    "all faults": (
        b"a 1 2\nb 3\nc 4 5\nd x 5\n",
        '"b" has 1 numbers, not 2\n.*:4: number 1 of "d"',
    ),
    "short": (b"3 2\na 1 2\nb 3 4\n", ":1: the first line says 3 words, but the file has 2"),
    "long": (b"1 2\na 1 2\nb 3 4\n", ":1: the first line says 1 words, but the file has 2"),
    "wrong dimension": (b"2 3\na 1 2\nb 3 4\n", ':2: "a" has 2 numbers, not 3'),
    "nothing after": (b"2 3\n", ":1: the first line says 2 words, but the file has 0"),
    "no dimension": (b"2 0\na\nb\n", ":1: 2 words of 0 dimensions is not a valid header"),
    "cut number": (binary_of(no_blanks(WORDS))[:-3], "the file ends within word 9 of 9; it is cut"),
    "cut words": (binary_of(["a", "b"], MATRIX[:2], promised=3), "ends within word 3 of 3"),
    "absurd count": (
        binary_of(["a"], MATRIX[:1], promised=9999999999),
        "within word 2 of 9999999999",
    ),
    "more words": (
        binary_of(["a", "b"], MATRIX[:2], promised=1),
        "there is more data after the 1 words",
    ),
    "binary nan": (binary_of(["a"], MATRIX[:1] * np.nan), 'word 1, "a", has a number that is not'),
    "binary no word": (binary_of(["a", ""], MATRIX[:2]), "word 2 is empty"),
    "cut gzip": (gzip.compress(text_of())[:-20], "the gzip file is cut off or damaged"),
    "zip": (b"PK\x03\x04....", "this is a zip archive; unpack it and give the file inside"),
    "fasttext model": (
        struct.pack("<i", 793712314) + b"...",
        "fastText model; give its .*vec file",
    ),
    "numpy": (b"\x93NUMPY...", "an array without words"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_say_where_and_what(vector_file, fault):
    content, message = FAULTS[fault]
    with pytest.raises(DataError, match=rf"(?s){message}"):
        read_vectors(vector_file(content))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.txt: cannot be read \(No such file"):
        read_vectors(tmp_path / "none.txt")


def test_lines_are_counted_across_blocks(vector_file, monkeypatch):
    monkeypatch.setattr(vector_files, "BLOCK", 10)
    rows = b"".join(b"w%d 1 2\n" % i for i in range(300)) + b"w300 3\nw301 1 2\n"
    for header, line in ((b"", 301), (b"302 2\n", 302)):
        with pytest.raises(DataError, match=rf':{line}: "w300" has 1 numbers'):
            read_vectors(vector_file(header + rows))


@given(number=st.one_of(st.floats(allow_nan=False), st.floats(width=32, allow_nan=False)))
@example(0.1)
@example(-0.0)
@example(5e-324)
def test_numbers_are_pythons(number):
    spellings = [repr(number), f"{number:.5f}", f"{number:.17g}", f"{number:e}"]
    with np.errstate(over="ignore"):
        expected = np.array([float(text) for text in spellings]).astype(np.float32)
    found = _native.read_numbers(" ".join(spellings).encode())
    assert found.tobytes() == expected.tobytes()


@given(text=st.text("0123456789+-.eE xna_\t", max_size=12))
def test_what_is_no_number_stops_the_reading(text):
    expected = []
    for field in text.split(" "):
        try:
            if field:
                expected.append(float(field))
        except ValueError:
            break
    if "_" not in text and "\t" not in text:
        with np.errstate(over="ignore"):
            good = np.array(expected).astype(np.float32)
        np.testing.assert_array_equal(_native.read_numbers(text.encode()), good)
