"""Word vectors as their makers publish them, text or binary, plain or gzipped: words and a matrix.

The content of a file shows which of four shapes it has. GloVe: a word and its numbers on each line.
fastText and word2vec text: the same after a line "count dimension". COMPOSES: the same with tabs.
word2vec binary: that first line, then each word, a space and its numbers as 4-byte floats. Words
may contain spaces, so a line is read from its end. A file is read block by block into the matrix.
"""

from __future__ import annotations

import gzip
import logging
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import numpy as np

from concordant.encoders import _native
from concordant.errors import DataError, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

SHAPES = "GloVe, fastText, word2vec (text or binary) or COMPOSES vectors"
BLOCK = 1 << 24  # bytes
HEAD = 1 << 20  # bytes that are looked at to tell what a file is
_HEADER = re.compile(rb"\s*(\d{1,10})[ \t]+(\d{1,6})\s*")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Files that are often given in place of vectors, by their first bytes.
_OTHERS = {
    b"PK\x03\x04": "is a zip archive; unpack it and give the file inside",
    b"\xba\x16\x4f\x2f": "is a fastText model; give its vectors, the .vec file",
    b"\x93NUMPY": "is an array without words; give a file with words and vectors",
}

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Layout:
    """What a file is: its dimension, whether binary, and how many words its first line promises."""

    dimension: int
    binary: bool
    promised: int | None


def read_vectors(
    path: str | Path, *, note: Callable[[str], object] = _logger.warning
) -> tuple[list[str], Floats]:
    """The words of a file of vectors and their matrix (words, dimension), all of it finite.

    Of a word that stands twice the first vector is kept; `note` is told how many were not.
    """
    path = Path(path)
    try:
        with _open(path) as stream:
            layout = _layout(stream.read(HEAD), path)
        with _open(path) as stream:
            read = _read_binary if layout.binary else _read_text
            words, matrix = read(stream, layout, path)
    except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
        raise DataError.at(path, None, f"the gzip file is cut off or damaged ({fault})") from fault
    except OSError as fault:
        raise DataError.at(path, None, f"cannot be read ({fault.strerror or fault})") from fault
    if layout.promised not in {None, len(words)}:
        message = f"the first line says {layout.promised} words, but the file has {len(words)}"
        raise DataError.at(path, 1, f"{message}; is it cut off?")
    return _without_repeats(words, matrix, path, note)


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
    return cast("IO[bytes]", gzip.open(path)) if zipped else path.open("rb")


def _layout(head: bytes, path: Path) -> Layout:
    if not head.strip():
        raise DataError.at(path, None, f"the file is empty; it should hold {SHAPES}")
    for magic, message in _OTHERS.items():
        if head.startswith(magic):
            raise DataError.at(path, None, f"this {message}")
    first, _, rest = head.removeprefix(_BYTE_ORDER_MARK).partition(b"\n")
    header = _HEADER.fullmatch(first)
    if header is None:
        return Layout(_usual_count(head, path), binary=False, promised=None)
    promised, dimension = int(header[1]), int(header[2])
    if promised == 0 or dimension == 0:
        message = f"{promised} words of {dimension} dimensions is not a valid header"
        raise DataError.at(path, 1, message)
    return Layout(dimension, binary=_is_binary(rest, dimension), promised=promised)


def _is_binary(rest: bytes, dimension: int) -> bool:
    """Whether what follows the first word is anything but printable characters."""
    after = rest.partition(b" ")[2][: 4 * dimension].partition(b"\n")[0]
    return any((byte < 32 and byte not in b"\t\r") or byte > 126 for byte in after)


def _usual_count(head: bytes, path: Path) -> int:
    """How many numbers most of the first lines end in."""
    lines = head.split(b"\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    count = Counter(_numbers_at_end(line) for line in whole[:20] if line.strip()).most_common(1)[0]
    if count[0] == 0:
        raise DataError.at(
            path, 1, f"there are no numbers after the word; this is none of {SHAPES}"
        )
    return count[0]


def _numbers_at_end(line: bytes) -> int:
    fields = line.split()[1:]
    for i, field in enumerate(reversed(fields)):
        if _native.read_numbers(field).size == 0:
            return i
    return len(fields)


def _read_text(stream: IO[bytes], layout: Layout, path: Path) -> tuple[list[str], Floats]:
    words: list[str] = []
    matrix = np.empty((0, layout.dimension), dtype=np.float32)
    for number, lines in _blocks(stream, 2 if layout.promised is not None else 1):
        found, rows = _parse_lines(lines, layout.dimension, path, number)
        matrix = _with_room(matrix, len(words) + len(found))
        matrix[len(words) : len(words) + len(found)] = rows
        words += found
    matrix.resize((len(words), layout.dimension), refcheck=False)
    return words, matrix


def _blocks(stream: IO[bytes], first: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines from number `first` on, many at a time, each time with the number of the first."""
    number = 1
    rest = stream.read(len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
    while block := stream.read(BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        skipped = max(first - number, 0)
        yield number + min(skipped, len(lines)), lines[skipped:]
        number += len(lines)
    if rest.strip() and number >= first:
        yield number, [rest]


def _parse_lines(
    lines: Sequence[bytes], dimension: int, path: Path, first: int
) -> tuple[list[str], Floats]:
    """Words and rows of some lines; an error with every fault among them."""
    words: list[bytes] = []
    numbers: list[bytes] = []
    for line in lines:
        text = line.replace(b"\t", b" ").rstrip(b" \r")
        if text.count(b" ") == dimension:
            word, _, tail = text.partition(b" ")
        else:
            word, tail = _split_from_end(text, dimension)
        words.append(word)
        numbers.append(tail)
    values = _native.read_numbers(b" ".join(numbers))
    good = values.size == len(lines) * dimension and np.isfinite(values).all()
    if not good or not all(words) or not all(numbers):
        faults = [
            Fault(str(path), first + i, message)
            for i, line in enumerate(lines)
            if (message := _line_fault(line, dimension)) is not None
        ]
        raise DataError(faults)
    return [_decode(word) for word in words], values.reshape(len(lines), dimension)


def _split_from_end(text: bytes, dimension: int) -> tuple[bytes, bytes]:
    """A word that may hold blanks, and the numbers after it; both empty for any other line."""
    word, *numbers = text.rsplit(None, dimension) or [b""]
    _, blank, last = word.rpartition(b" ")
    if len(numbers) < dimension or (blank and _is_number(last)):
        return b"", b""
    return word, b" ".join(numbers)


def _line_fault(line: bytes, dimension: int) -> str | None:
    """What is wrong with a line, None if nothing is."""
    text = line.replace(b"\t", b" ").rstrip(b" \r")
    fields = text.split()
    if not fields:
        return "the line is empty"
    if text.startswith(b" ") and len(fields) == dimension:
        return "the line has no word before its numbers"
    word, numbers = _decode(fields[0]), fields[1:]
    too_many = len(numbers) > dimension and _is_number(numbers[-dimension - 1])
    if len(numbers) < dimension or too_many:
        return f'"{word}" has {len(numbers)} numbers, not {dimension}'
    faults = (_number_fault(number) for number in numbers[-dimension:])
    return next(
        (f'number {i} of "{word}" is {fault}' for i, fault in enumerate(faults, 1) if fault), None
    )


def _number_fault(field: bytes) -> str | None:
    if not _is_number(field):
        return f'"{_decode(field)}", not a number'
    if not np.isfinite(_native.read_numbers(field)).all():
        return f"{_decode(field)}; numbers must be finite"
    return None


def _is_number(field: bytes) -> bool:
    return _native.read_numbers(field).size == 1


def _read_binary(stream: IO[bytes], layout: Layout, path: Path) -> tuple[list[str], Floats]:
    dimension, promised = layout.dimension, layout.promised or 0
    words: list[str] = []
    matrix = np.empty((0, dimension), dtype=np.float32)
    stream.readline()
    buffer, at = b"", 0
    while len(words) < promised:
        blank = buffer.find(b" ", at)
        end = blank + 1 + 4 * dimension
        if blank < 0 or end > len(buffer):
            more = stream.read(BLOCK)
            if not more:
                message = f"the file ends within word {len(words) + 1} of {promised}"
                raise DataError.at(path, None, f"{message}; it is cut off")
            buffer, at = buffer[at:] + more, 0
            continue
        matrix = _with_room(matrix, len(words) + 1)
        matrix[len(words)] = np.frombuffer(buffer, "<f4", dimension, blank + 1)
        words.append(_decode(buffer[at:blank].lstrip(b"\n")))
        at = end
    if (buffer[at:] + stream.read(64)).strip():
        message = f"there is more data after the {promised} words that the first line states"
        raise DataError.at(path, None, message)
    matrix.resize((len(words), dimension), refcheck=False)
    _check_binary(words, matrix, path)
    return words, matrix


def _check_binary(words: Sequence[str], matrix: Floats, path: Path) -> None:
    """Faults are shown by the number of the word: a binary file has no lines."""
    finite = np.concatenate([
        np.isfinite(matrix[i : i + 4096]).all(axis=1) for i in range(0, len(matrix), 4096)
    ])
    faults = [
        Fault(str(path), None, f'word {i + 1}, "{words[i]}", has a number that is not finite')
        for i in np.flatnonzero(~finite).tolist()
    ]
    faults += [
        Fault(str(path), None, f"word {i} is empty") for i, word in enumerate(words, 1) if not word
    ]
    if faults:
        raise DataError(faults)


def _with_room(matrix: Floats, rows: int) -> Floats:
    """The matrix, made longer in its place where it has fewer rows."""
    if rows > len(matrix):
        matrix.resize((max(rows, len(matrix) * 5 // 4), matrix.shape[1]), refcheck=False)
    return matrix


def _decode(word: bytes) -> str:
    """A word as text; bytes that are not UTF-8 become characters that no text has."""
    return word.decode("utf-8", "surrogateescape")


def _without_repeats(
    words: list[str], matrix: Floats, path: Path, note: Callable[[str], object]
) -> tuple[list[str], Floats]:
    first = {word: i for i, word in reversed(list(enumerate(words)))}
    if len(first) == len(words):
        return words, matrix
    kept = sorted(first.values())
    repeated = next(word for i, word in enumerate(words) if first[word] != i)
    note(
        f'{path}: {len(words) - len(kept)} words appear more than once, such as "{repeated}"; '
        "the first vector of each is used"
    )
    return [words[i] for i in kept], matrix[kept]
