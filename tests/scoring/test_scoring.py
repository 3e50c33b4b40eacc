"""Scoring streams: the same numbers as in memory, whatever the block, the file or the threads."""

import gzip
import json
import os
import sys
import threading

import numpy as np
import pytest

from concordant.cli.main import program
from concordant.errors import DataError
from concordant.metrics.lexical.measures import measure_named
from concordant.scoring.line_blocks import TextFiles, check_lengths, count_lines, read_lines
from concordant.scoring.scores import score_file, system_scores

WORDS = "the a cat dog sat ran on under mat . , big small".split()


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        [" ".join(rng.choice(WORDS, size=rng.integers(1, 9))) for _ in range(2503)]
        for _ in range(3)
    ]
    for name, text in zip(("hyp", "ref1", "ref2"), lines, strict=True):
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    return tmp_path, lines


def test_streaming_equals_memory_for_every_measure_and_any_threads(files):
    folder, (translations, first, second) = files
    references = [list(pair) for pair in zip(first, second, strict=True)]
    names = ["bleu", "chrf++", "ter", "nist", "rouge-l"]
    measures = [measure_named(name) for name in names]
    paths = TextFiles((str(folder / "ref1"), str(folder / "ref2")))
    whole = [measure.score(translations, references) for measure in measures]
    for threads in (1, 2):
        scored = list(score_file(str(folder / "hyp"), paths, measures, threads=threads))
        segments = np.concatenate([block.segments for block in scored])
        for i, scores in enumerate(whole):
            assert segments[:, i].tolist() == scores.segments.tolist()
        assert system_scores(scored, measures).values == pytest.approx(
            [scores.system for scores in whole], abs=1e-12
        )


def test_gzip_and_standard_input_read_alike(files, monkeypatch):
    folder, (translations, *_) = files
    packed = folder / "hyp.gz"
    packed.write_bytes(gzip.compress((folder / "hyp").read_bytes()))
    assert list(read_lines(str(packed))) == translations
    assert count_lines(str(packed)) == 2503

    with (folder / "hyp").open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert list(read_lines("-")) == translations


def test_lines_end_at_line_feeds_only(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("\ufeffeins\u2028zwei\x85drei\r\nvier".encode())
    assert list(read_lines(str(path))) == ["eins\u2028zwei\x85drei", "vier"]
    assert count_lines(str(path)) == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_lines_are_counted_by_the_encoding_that_a_mark_names(tmp_path, encoding):
    """U+0A0A has the byte of a line feed twice, and a wide line feed has others beside it."""
    file = tmp_path / "a.txt"
    file.write_bytes("one\n\u0a0a two\nthree".encode(encoding))
    assert count_lines(str(file)) == 3
    assert list(read_lines(str(file))) == ["one", "\u0a0a two", "three"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")
@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read_once(tmp_path, packed):
    """As of a shell's <(…): reading it beforehand would leave nothing to score."""
    pipe, reference = tmp_path / "pipe", tmp_path / "reference.txt"
    reference.write_text("a cat\na dog\n")
    os.mkfifo(pipe)
    text = b"a cat\nthe dog\n"
    writer = threading.Thread(
        target=pipe.write_bytes, args=(gzip.compress(text) if packed else text,)
    )
    writer.start()
    files = TextFiles((str(reference),))
    assert files.check([str(pipe)]) == 2
    (block,) = score_file(str(pipe), files, [measure_named("chrf")])
    writer.join()
    assert block.segments[0, 0] == 100


def test_files_of_different_length_are_refused_with_both_counts(tmp_path):
    (tmp_path / "a").write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "b").write_text("1\n2\n3\n", encoding="utf-8")
    names = [str(tmp_path / "a"), str(tmp_path / "b")]
    with pytest.raises(DataError, match=r"a: has 2 lines.*\n.*b: has 3 lines"):
        check_lengths(names)
    with pytest.raises(DataError, match="a:2: ends after 2 lines; another file has 3"):
        list(TextFiles((names[1],)).blocks(names[0]))


def test_bad_bytes_are_named(tmp_path):
    path = tmp_path / "latin"
    path.write_bytes(b"eins\nz\xfcge\n")
    with pytest.raises(DataError, match="is not UTF-8"):
        list(read_lines(str(path)))


def run(*arguments):
    program([str(a) for a in arguments], standalone_mode=False)


def test_the_command_scores_systems(files, capsys):
    folder, _ = files
    run("score", "-r", folder / "ref1", "-t", folder / "hyp", "-t", folder / "ref1", "-m", "bleu",
        "-m", "ter", "--format", "json")  # fmt: skip
    whole = json.loads(capsys.readouterr().out)
    assert whole["records"][1]["bleu"] == pytest.approx(100)
    assert whole["records"][1]["ter"] == 0.0
    assert "metric:ter" in whole["signatures"]["ter"]


@pytest.mark.parametrize("form", ["tsv", "jsonl", "json"])
def test_the_command_scores_segments(files, capsys, form):
    folder, _ = files
    run(
        "score", "-r", folder / "ref1", "-t", folder / "hyp", "--level", "segment", "--format", form
    )
    out = capsys.readouterr().out
    rows = json.loads(out) if form == "json" else out.splitlines()
    assert len(rows) == 2503 + (form == "tsv")
