"""Names and texts from files never steer the terminal, and streams that are closed end in words."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from bad_input import run, write

from concordant.safe_text import json_text, printable, printable_line, tsv_field
from concordant.scoring.system_names import system_names

EVIL = "n\x1b]0;title\x07\x9b2J[red]\u202e.txt"
SHOWN = r"n\x1b]0;title\x07\x9b2J[red]\u202e.txt"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LINES = "".join(f"sentence {i} is here\n" for i in range(5))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "b", EVIL):
        write(tmp_path / name, LINES)
    return tmp_path


COMMANDS = {
    "scores": ["score", "-r", "ref", "-t", EVIL, "-m", "chrf"],
    "segments": ["score", "-r", "ref", "-t", EVIL, "-m", "chrf", "--level", "segment"],
    "a comparison": ["compare", "-r", "ref", EVIL, "b", "-m", "chrf", "--html", f"{EVIL}.html"],
    "a missing file": ["score", "-r", "ref", "-t", f"no{EVIL}", "-m", "chrf"],
    "a wrong metric": ["score", "-r", "ref", "-t", "b", "-m", EVIL],
    "a wrong place": ["score", "-r", "ref", "-t", "b", "-o", f"no{EVIL}/x", "--level", "segment"],
    "judgements": ["data", EVIL],
    "a wrong command": [EVIL],
    "a wrong option": ["score", f"--{EVIL}"],
}


@pytest.mark.parametrize("form", ["table", "tsv", "json", "jsonl"])
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_raw_is_printed(folder, command, form):
    more = [] if command.startswith("a wrong") else ["--format", form]
    answer = run(*COMMANDS[command], *more)
    assert "title" in answer.out + answer.err
    assert not RAW.search(answer.out)
    assert not RAW.search(answer.err)
    assert "Traceback" not in answer.err
    if command == "scores" and form == "jsonl":
        assert json.loads(answer.out)["system"] == EVIL.removesuffix(".txt")
    assert (folder / EVIL).read_text() == LINES


def test_texts_of_segments_are_safe_too(folder):
    write(folder / "a", LINES.replace("here", "\x1b[31mhere\u202e"))
    answer = run("compare", "-r", "ref", "a", "b", "-m", "chrf")
    assert r"\x1b[31mhere\u202e" in answer.out
    assert not RAW.search(answer.out)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize("name", ["[/]", "[red]x[/red].txt", "b\\", EVIL])
def test_a_progress_bar_takes_every_name(folder, name):
    write(folder / name, LINES)
    command = [sys.executable, "-m", "concordant.cli.main", "score", "-r", "ref", "-t", name]
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*command, "-m", "chrf"], stdout=subprocess.PIPE, stderr=follower, text=True
    ) as process:
        os.close(follower)
        out = process.stdout.read()
        said = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert process.returncode == 0, said
    (shown,) = system_names([name])
    assert printable_line(shown) in out
    assert shown.replace("\\", "") in said or SHOWN.removesuffix(".txt") in said
    assert "\x1b]0;" not in said


def test_names_that_are_no_text_are_printed_and_written(folder):
    name = os.fsdecode(b"z\xff.txt")
    write(folder / name, LINES)
    command = [sys.executable, "-m", "concordant.cli.main", "score", "-r", "ref", "-t", name]
    for form in ("table", "json"):
        more = ["-m", "chrf", "--format", form]
        done = subprocess.run([*command, *more], capture_output=True, check=True)
        assert rb"z\udcff" in done.stdout
        assert run(*command[3:], *more, "--level", "segment", "-o", "out").code == 0
        assert rb"z\udcff" in (folder / "out").read_bytes()


@pytest.mark.parametrize(
    "asked",
    [
        "score -r ref -t b -m chrf --level segment",
        "compare -r ref b ref -m chrf --permutations 200",
    ],
)
def test_streams_that_cannot_be_used_end_in_words(folder, asked):
    def said(redirection):
        line = f"{sys.executable} -m concordant.cli.main {asked} {redirection}"
        done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.splitlines()[-1:]

    assert folder.is_dir()
    assert said(">&-") == (1, ["concordant: standard output is closed; redirect it to a file"])
    assert said("> /dev/full") == (1, ["concordant: the output: No space left on device"])
    assert said("-q <&-") == said("-q | true") == said("2>&-") == (0, [])


def test_a_closed_standard_input_is_empty(folder):
    line = f"{sys.executable} -m concordant.cli.main score -r ref -t - -m chrf <&-"
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 1
    assert done.stderr.startswith("concordant: -: ends after 0 lines")


def test_right_to_left_text_stays_as_it_is():
    for function in (printable, printable_line, tsv_field):
        assert function("שלום مرحبا") == "שלום مرحبا"
    assert json_text("שלום") == '"שלום"'
