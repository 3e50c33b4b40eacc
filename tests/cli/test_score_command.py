"""`concordant score` at length: resumed, in any batches, on threads, from tabs, with flags."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from bad_input import refused, run, write

import concordant
from concordant.scoring import resumable, scores

WORDS = "the a cat dog sat ran on under mat . , big small house".split()


def text(rng, lines):
    return "".join(" ".join(rng.choices(WORDS, k=rng.randint(0, 9))) + "\n" for _ in range(lines))


@pytest.fixture
def files(tmp_path):
    rng = random.Random(0)
    return {name: write(tmp_path / name, text(rng, 250)) for name in ("a", "b", "ref", "src")}


def segments(files, output, *more):
    return run(
        "score", "-r", files["ref"], "-s", files["src"], "-t", files["a"], "-t", files["b"],
        "-m", "chrf", "-m", "ter", "--level", "segment", "-o", output, "-q", *more,
    )  # fmt: skip


def interrupt_after(monkeypatch, blocks):
    """Let an interruption come after some blocks have been scored."""
    whole = scores.score_file
    left = iter(range(blocks))

    def interrupted(*arguments, **options):
        for block in whole(*arguments, **options):
            if next(left, None) is None:
                raise KeyboardInterrupt
            yield block

    monkeypatch.setattr(scores, "score_file", interrupted)


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_an_interrupted_file_goes_on_to_be_the_same(files, tmp_path, monkeypatch, form):
    rng = random.Random(1)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert segments(files, whole, "--format", form).code == 0
    part = tmp_path / "broken.part"
    for blocks in range(12):
        with monkeypatch.context() as patch:
            interrupt_after(patch, blocks)
            answer = segments(files, broken, "--format", form, "--batch", 50)
        if blocks < 10:
            assert answer.code == 130
            assert not broken.exists()
            content = part.read_bytes()
            part.write_bytes(content[: rng.randint(0, len(content))])  # what a crash may leave
            again = segments(files, broken, "--format", form, "--batch", 33, "--resume")
            assert again.code == 0
        assert broken.read_bytes() == whole.read_bytes()
        assert not part.exists()
        assert not (tmp_path / "broken.part.json").exists()
        broken.unlink()


def test_a_killed_process_is_gone_on_with(files, tmp_path):
    rng = random.Random(2)
    for name in ("a", "b", "ref", "src"):
        write(files[name], text(rng, 20_000))
    output = tmp_path / "scores"
    assert segments(files, tmp_path / "whole").code == 0
    command = [
        sys.executable, "-m", "concordant.cli.main", "score", "-r", files["ref"], "-s",
        files["src"], "-t", files["a"], "-t", files["b"], "-m", "chrf", "-m", "ter", "--level",
        "segment", "-o", output, "-q", "--resume",
    ]  # fmt: skip
    process = subprocess.Popen(command)
    part = tmp_path / "scores.part"
    while not (part.exists() and part.stat().st_size > 100_000) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not output.exists()
    subprocess.run(command, check=True)
    assert output.read_bytes() == (tmp_path / "whole").read_bytes()


def test_only_the_same_request_goes_on(files, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        interrupt_after(patch, 2)
        segments(files, tmp_path / "x", "--batch", 50)
    message = segments(files, tmp_path / "x", "--resume", "-m", "bleu").complaint
    assert "x.part was started with other metrics; repeat that command, or leave out" in message
    kept = files["ref"].read_text()
    write(files["ref"], kept.swapcase())  # of equal size
    message = segments(files, tmp_path / "x", "--resume").complaint
    assert "x.part was started with other contents of the files" in message
    write(files["ref"], kept)
    assert segments(files, tmp_path / "x", "--resume").code == 0
    assert "is a folder" in segments(files, tmp_path).complaint
    message = segments(files, tmp_path / "no" / "x").complaint
    assert message == f"there is no folder {tmp_path / 'no'}; create it first"


def test_whole_lines_are_kept(tmp_path):
    for content, lines, left in ((b"", 0, b""), (b"ab", 0, b""), (b"a\nb\nc", 2, b"a\nb\n")):
        path = write(tmp_path / "x", content)
        assert resumable._cut_to_whole_lines(path) == lines
        assert path.read_bytes() == left


@pytest.mark.parametrize("level", ["segment", "system"])
def test_threads_and_batches_change_nothing(files, level):
    answers = {
        run("score", "-r", files["ref"], "-t", files["a"], "-m", "chrf", "-m", "rouge-l", "-m",
            "meteor(modules=exact)", "--level", level, "--format", "jsonl", "--threads", threads,
            "--batch", batch, "-q").out
        for threads in (1, 2) for batch in (1, 7, 250, 1000)
    }  # fmt: skip
    assert len(answers) == 1


def test_flags_stand_in_every_form(tmp_path):
    ref = write(tmp_path / "ref", "A small house.\nIt rained all day long in the town.\n")
    src = write(tmp_path / "src", "Ein kleines Haus.\nEs regnete.\n")
    out = write(tmp_path / "out", "Ein kleines Haus.\n\n")
    asked = ["score", "-r", ref, "-t", out, "-s", src, "-m", "chrf"]
    answer = run(*asked, "--level", "segment", "--format", "jsonl")
    found = [json.loads(line)["flags"] for line in answer.out.splitlines()]
    assert found == [["source-copy"], ["empty-output"]]
    words = "note: out: 2 of 2 segments flagged: 1 empty-output, 1 source-copy\n"
    assert words in answer.err
    assert "nrefs:1|metric:chrf|" in answer.err
    rows = run(*asked, "--level", "segment", "--format", "tsv").out.splitlines()
    assert [row.split("\t")[-1] for row in rows] == ["flags", "source-copy", "empty-output"]
    listed = json.loads(run(*asked, "--level", "segment", "--format", "json").out)
    assert [each["flags"] for each in listed] == found
    whole = json.loads(run(*asked, "--format", "json").out)
    assert whole["records"][0]["flagged"] == 2
    assert whole["flags"] == {"out": {"source-copy": 1, "empty-output": 1}}
    assert words in run(*asked).err
    assert not run(*asked, "-q").err


def test_a_reader_that_goes_is_no_fault(files):
    command = f"{sys.executable} -m concordant.cli.main score --level segment -q -m chrf"
    shell = f"{command} -r {files['ref']} -t {files['a']} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "system\tsegment\tchrf\tflags\n", "")


def test_a_told_language_counts(tmp_path):
    ref = write(tmp_path / "ref", "Late for meetings again, Peter Miller, late again?\n")
    out = write(
        tmp_path / "out", "Es war nicht das erste Mal, dass er zu spät zu der Sitzung kam.\n"
    )
    for language, code in (("en", 1), ("de-en", 1), ("en_GB-de", 0)):
        answer = run("score", "-r", ref, "-t", out, "-l", language, "--format", "json")
        assert json.loads(answer.out)["records"][0]["flagged"] == code


def test_a_told_language_reaches_the_measures(files):
    asked = ["score", "-r", files["ref"], "-t", files["a"], "-m", "meteor", "-m", "bleu"]
    assert "lang:other" in run(*asked, "-l", "zh", "-q").out


def test_fast_is_explained_where_no_metric_is_named(files):
    asked = ["score", "-r", files["ref"], "-t", files["a"], "--explain"]
    answer = run(*asked, "--level", "segment", "--format", "jsonl", "-q")
    rows = [json.loads(line) for line in answer.out.splitlines()]
    metric = concordant.load("fast")
    texts, references = (files[name].read_text().splitlines() for name in ("a", "ref"))
    raw = metric.raw_scores(metric.preparation.inputs(texts, [[text] for text in references]))
    parts = np.array([sum(row["moved_by"].values()) for row in rows])
    assert [row["raw_total"] for row in rows] == raw.tolist()
    assert raw == pytest.approx(parts + rows[0]["constant"], abs=1e-9)
    words = "warning: fast scores here, since the scores of base, the default metric, cannot be"
    assert words in answer.err
    assert words in run(*asked).out
    assert words not in run(*asked, "-m", "fast").out
    german = run(*asked, "-l", "de").out
    assert "fast-any: mean contributions" in german
    assert words not in german


def test_a_table_is_explained_by_fast_too(tmp_path):
    table = write(tmp_path / "t.csv", "mt,ref\nthe dog,the dog\nit rains,it is raining\n")
    answer = run("score", table, "--explain")
    assert "fast: mean contributions" in answer.out
    assert "warning: fast scores here, since" in answer.out


def test_what_cannot_be_explained_says_what_can(files):
    asked = ["score", "-r", files["ref"], "-t", files["a"], "--explain", "-m", "base"]
    said = refused(*asked)
    assert "base is of the kind encoder, whose scores cannot be explained" in said
    assert "as in -m fast" in said


NOT_ENGLISH = (
    "warning: fast is made for English, but the references look German: do not rely on its "
    "scores. Use fast-any or chrf."
)
FAST = ("-m", "fast", "-q")


def test_fast_warns_where_references_are_not_english(tmp_path):
    german = write(tmp_path / "de", "Das Haus ist auf dem Berg.\nEs ist nicht im Tal.\n")
    english = write(tmp_path / "en", "The house is on the hill.\nIt is not in the valley.\n")
    names = write(tmp_path / "names", "Peter Miller\n42\n")
    for file, told in ((german, True), (english, False), (names, False)):
        assert (NOT_ENGLISH in run("score", "-r", file, "-t", file, *FAST).out) is told
        assert (NOT_ENGLISH in run("score", "-r", file, "-t", file, "-q").out) is False
    assert NOT_ENGLISH not in run("score", "-r", german, "-t", german, "-l", "en", *FAST).out
    assert NOT_ENGLISH not in run("score", "-r", german, "-t", german, "-m", "chrf").out
    other = write(tmp_path / "other", "Das Haus.\nEs ist im Tal.\n")
    assert NOT_ENGLISH in run("compare", "-r", german, german, other, *FAST).out


@pytest.mark.parametrize("level", ["system", "segment"])
@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_a_warning_stands_on_stderr_beside_lines_of_data(tmp_path, level, form):
    german = write(tmp_path / "de", "Das Haus ist auf dem Berg.\nEs ist nicht im Tal.\n")
    answer = run("score", "-r", german, "-t", german, "--level", level, "--format", form, *FAST)
    assert NOT_ENGLISH in answer.err
    assert "warning:" not in answer.out


def test_a_warning_stands_in_json_and_beside_an_explanation(tmp_path):
    german = write(tmp_path / "de", "Das Haus ist auf dem Berg.\nEs ist nicht im Tal.\n")
    asked = ["score", "-r", german, "-t", german, *FAST]
    found = json.loads(run(*asked, "--format", "json").out)["warnings"]
    assert [f"warning: {words}" for words in found] == [NOT_ENGLISH]
    assert NOT_ENGLISH in run(*asked, "--explain").out
    assert NOT_ENGLISH in run(*asked, "--explain", "--level", "segment").err


def test_a_metric_that_is_named_is_not_replaced(files):
    asked = ["score", "-r", files["ref"], "-t", files["a"], "-l", "de", "--format", "tsv", "-q"]
    answer = run(*asked, "-m", "fast", "-m", "chrf", "-m", "chrf")
    head = "system\tfast\tchrf\tfast low\tfast high\tchrf low\tchrf high\tsegments\tflagged"
    assert answer.out.splitlines()[0] == head
    words = 'fast is made for English, but the language given is "de": do not rely on its scores'
    assert words in answer.err
    default = run(*asked)
    assert default.out.splitlines()[0].startswith("system\tfast-any\tfast-any low")
    given = 'the language given is "de"'
    assert f"fast-any scores here, since {given} and base is made for English." in default.err
    assert f"{given}, but the references look English." in default.err
    assert "translations of a are in another language or script" in default.err


CHINESE = "我们今天去公园散步。\n他昨天买了一本新书。\n"


def test_words_without_spaces_are_told(tmp_path):
    ref = write(tmp_path / "ref", CHINESE)
    one, two = (
        write(tmp_path / "one", "他去了学校。\n天气好。\n"),
        write(tmp_path / "two", "不。\n是。\n"),
    )
    asked = ["score", "-r", ref, "-t", one, "-t", two, "-q"]
    text = run(*asked, "-m", "bleu").out
    assert "bleu !" in text
    assert "! warning: bleu splits on spaces, and these references have no " in text
    assert "Use bleu(tok=zh) for Chinese, bleu(tok=ja-mecab) for Japanese," in text
    assert "bleu gives every system the same score (0): it cannot tell which is better." in text
    assert "best" not in text
    helped = run(*asked, "-m", "bleu(tok=char)", "-m", "chrf").out
    assert "warning:" not in helped
    told = run(*asked, "-m", "bleu", "-l", "en-zh").out
    assert "bleu(tok=zh)" in told
    assert "warning:" not in told


def test_equal_scores_are_not_best(tmp_path):
    ref = write(tmp_path / "ref", "The house is small.\n")
    files = [write(tmp_path / f"{i}", text) for i, text in enumerate(
        ["The house is small.\n", "The house is small.\n", "A home.\n"])]  # fmt: skip
    asked = ["score", "-r", ref, "-m", "chrf"]
    text = run(*asked, *(each for file in files for each in ("-t", file))).out
    assert text.count("100.00=") == 2
    assert "= tied for the best of the column" in text
    assert "*" not in text


def test_only_empty_translations_are_told(tmp_path):
    ref, out = write(tmp_path / "ref", "The house.\nIt is.\n"), write(tmp_path / "out", "\n\n")
    assert (
        "! warning: all 2 translations of out are empty."
        in run("score", "-r", ref, "-t", out, "-m", "chrf").out
    )


def test_a_told_language_chooses_meteors_parameters(files, part):
    part("meteor-en")
    asked = ["score", "-r", files["ref"], "-t", files["a"], "-m", "meteor", "-m", "bleu"]
    answer = run(*asked, "-l", "en-de")
    assert "lang:de" in answer.out


def test_references_parted_by_tabs(files, tmp_path):
    first, second = (files[name].read_text().splitlines() for name in ("ref", "src"))
    rows = zip(first, second, strict=True)
    both = write(tmp_path / "both", "".join(f"{a}\t{b}\n" for a, b in rows))
    apart = run("score", "-r", files["ref"], "-r", files["src"], "-t", files["a"])
    assert run("score", "-r", both, "-nr", 2, "-t", files["a"]).out == apart.out
    assert "use --num-refs 2 if they are references" in refused(
        "score", "-r", both, "-t", files["a"]
    )
    message = refused("score", "-r", both, "--num-refs", 3, "-t", files["a"])
    assert "both:1: has 2 tab-separated texts; --num-refs says 3" in message
    ways = ["-r", both, "-nr", 2], ["-r", files["ref"], "-r", files["src"]]
    nist = [run("score", "-t", files["a"], "-m", "nist", *given).out for given in ways]
    assert nist[0] == nist[1]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--resume"], "name it with -o"),
        (["-o", "x"], "-o writes segment scores"),
        (["-o", "x", "--level", "segment", "--resume", "--format", "json"], "tsv or jsonl"),
        (["--explain", "-m", "BLEU,ter"], "--explain needs one metric"),
        (["-t", "-", "-r", "-"], "standard input (-) can be given for one file only"),
    ],
)
def test_what_cannot_be_asked_together(files, more, words):
    answer = run("score", "-r", files["ref"], "-t", files["a"], *more)
    assert answer.code == 2
    assert words in answer.err


def test_every_command_takes_raw_scores():
    folder = Path(__file__).parents[2] / "examples" / "de-en"
    names = ("reference-1.txt", "systems/alder.txt", "systems/birch.txt")
    reference, *systems = (str(folder / name) for name in names)
    raw = ("-m", "fast(scale=raw)")
    scored = run("score", "-r", reference, "-t", systems[0], *raw, "--format", "json")
    (row,) = json.loads(scored.out)["records"]
    assert -3 < row["fast(scale=raw)"] < 3
    for request in (
        ("compare", "-r", reference, *systems, *raw),
        ("evaluate", "-j", str(folder / "ratings.csv"), "--texts", str(folder), *raw),
        ("rank", "-r", reference, *systems, *raw),
        ("metrics", "show", raw[1]),
    ):
        assert run(*request).code == 0, request


def test_a_run_that_is_continued_warns_too(tmp_path, monkeypatch):
    for name in ("ref", "a"):
        (tmp_path / name).write_text("我们今天去公园散步。\n" * 30, encoding="utf-8")
    given = ["score", "-r", tmp_path / "ref", "-t", tmp_path / "a", "-m", "bleu", "-q"]
    given += ["--level", "segment", "--batch", 10, "-o", tmp_path / "out"]
    with monkeypatch.context() as patched:
        interrupt_after(patched, 2)
        assert run(*given).code == 130
    answer = run(*given, "--resume")
    assert answer.code == 0
    assert "warning: bleu splits on spaces" in answer.err
    assert "gives all" not in answer.err  # which would be of the last 10 segments alone


@pytest.mark.parametrize("command", ["score", "compare"])
def test_what_the_cache_has_to_say_is_shown(tmp_path, monkeypatch, command):
    for name in ("ref", "a", "b"):
        (tmp_path / name).write_text("a line\nand another\n")
    monkeypatch.setattr("concordant.encoders.cache.cache.cache_notes", lambda: ["the disk is full"])
    given = [tmp_path / "a", tmp_path / "b"]
    if command == "score":
        given = ["-t", given[0], "-t", given[1]]
    answer = run(command, *given, "-r", tmp_path / "ref", "-m", "chrf")
    assert "note: the disk is full\n" in answer.err
