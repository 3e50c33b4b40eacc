"""Files of one score a line."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import head_of
from concordant.judgements.readers.score_lines import FORMAT


def test_scores_in_order(tmp_path: Path) -> None:
    path = tmp_path / "BEER.scores.gz"
    path.write_bytes(gzip.compress(b"0.5\r\n-1e-3\r\n 7\r\n"))
    (scores,) = FORMAT.read(path).score_lines
    assert (scores.metric, scores.values, scores.file) == ("BEER", (0.5, -0.001, 7.0), str(path))
    assert FORMAT.looks_like(head_of(path)) == "its lines hold one number each"


def test_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "chrF.txt"
    path.write_bytes(b"\xef\xbb\xbf0.25")
    (scores,) = FORMAT.read(path).score_lines
    assert (scores.metric, scores.values) == ("chrF", (0.25,))


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("0.5\nnan\n\ninf\n1,5\n", encoding="utf-8")
    with pytest.raises(DataError) as error:
        FORMAT.read(path)
    assert [str(fault) for fault in error.value.faults] == [
        f'{path}:2: score "nan" is not a finite number',
        f'{path}:3: score "" is not a finite number',
        f'{path}:4: score "inf" is not a finite number',
        f'{path}:5: score "1,5" is not a finite number',
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "a text\n"),
        ("b", ""),
        ("c", "\n"),
        ("d", "0.5\n0.5 0.6\n"),
        ("DAseg.newstest2016.human.cs-en", "0.5\n"),
    ],
)
def test_what_does_not_look_like_it(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert FORMAT.looks_like(head_of(path)) is None


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(DataError, match="is empty"):
        FORMAT.read(path)


@pytest.mark.data
def test_real_scores(data: Path) -> None:
    files = sorted((data / "peers" / "blend-features").iterdir())
    assert len(files) == 29
    for path in files:
        assert FORMAT.looks_like(head_of(path)) is not None
        (scores,) = FORMAT.read(path).score_lines
        assert scores.metric == path.name
        assert len(scores.values) == (2935 if path.name == "DPMF" else 5360)
