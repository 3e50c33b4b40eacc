"""What cannot be converted, split or written: words, and never half a file."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from bad_input import (
    RANKINGS,
    RATED,
    RATINGS,
    SYSTEM_RATINGS,
    TIES,
    good_folder,
    good_texts,
    refused,
    run,
    write,
)
from commands import Answer


@pytest.fixture
def ratings(tmp_path):
    return write(tmp_path / "ratings.csv", RATINGS)


def test_a_judge_without_a_scale(tmp_path):
    path = write(tmp_path / "a.csv", f"{RATED},judge\n1,A,3,x\n1,B,4,x\n2,A,2,y\n")
    message = refused("data", "convert", path, "--standardise")
    assert message.startswith(f'{path}:4: judge "y" has one rating only and so no scale')
    path = write(tmp_path / "b.csv", f"{RATED}\n1,A,5\n1,B,5\n")
    message = refused("data", "convert", path, "--standardise")
    assert message.startswith(f"{path}:2: the unnamed judge has 2 equal ratings")


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        (RATINGS, "--drop-ties", "--drop-ties is for preferences; add --to preferences"),
        (RATINGS, "--merge-repeats", "--merge-repeats is for preferences"),
        (RATINGS, "--minimum-gap 3", "--minimum-gap is for preferences"),
        (RATINGS, "--raw", "--raw is for preferences"),
        (RATINGS, "--to preferences --minimum-gap nan", "minimum gap nan must be a number of at"),
        (RATINGS, "--to preferences --minimum-gap -3", "minimum gap -3 must be a number of at"),
        (RATINGS, "--to preferences --raw", ":2: has no raw score, which DARR needs"),
        (RATINGS, "--to preferences --minimum-gap 9", "12 pairs of ratings closer than the minim"),
        (RANKINGS, "--standardise", "there are no ratings to standardise"),
        (TIES, "--to preferences --drop-ties", "no preference is left (80 ties are left out)"),
        (SYSTEM_RATINGS, "--to preferences", "2 ratings of whole systems, which compare no"),
    ],
)
def test_a_conversion_that_makes_no_sense(tmp_path, text, asked, words):
    path = write(tmp_path / "a.csv", text)
    assert words in refused("data", "convert", path, *asked.split())


def test_what_a_conversion_leaves_out_is_counted(tmp_path):
    path = write(tmp_path / "a.csv", f"{RATINGS}4,D,4\n")
    answer = run("data", "convert", path, "--to", "preferences", "--drop-ties")
    assert answer.code == 0
    assert "note: 1 ties are left out" in answer.err


SHARES = {
    "a": '"a" is not NAME=SHARE; write for example train=80,dev=20',
    "a=nan,b=1": "shares a=nan, b=1 must all be above 0 and finite",
    "a=inf,b=1": "must all be above 0 and finite",
    "a=-1,b=1": "must all be above 0 and finite",
    "a=1,a=2": 'side "a" is given more than once',
    "../a=1,b=2": 'side "../a" cannot be a file name',
    "a=1,b=1,c=1,d=1,e=1": "4 segments are too few for 5 sides",
}


@pytest.mark.parametrize("shares", SHARES)
def test_a_split_that_makes_no_sense(ratings, tmp_path, shares):
    folder = tmp_path / "parts"
    assert SHARES[shares] in refused("data", "split", ratings, "-o", folder, "--shares", shares)
    assert not folder.exists()


def test_whole_systems_cannot_be_split(tmp_path):
    path = write(tmp_path / "a.csv", SYSTEM_RATINGS)
    words = "ratings of whole systems have no segment to split by"
    assert words in refused("data", "split", path, "-o", tmp_path)


def test_a_place_that_cannot_be_written(ratings, tmp_path):
    words = f"{ratings} is a file, not a folder; name a folder that exists"
    assert refused("data", "convert", ratings, "-o", ratings / "x") == words
    assert refused("data", "split", ratings, "-o", ratings) == words
    assert refused("data", "split", ratings, "-o", ratings / "x") == words
    message = refused("data", "convert", ratings, "-o", tmp_path)
    assert message == f"{tmp_path} is a folder; name a file to write to"
    missing = tmp_path / "no" / "such"
    words = f"there is no folder {tmp_path / 'no'}; create it first"
    assert refused("data", "convert", ratings, "-o", missing) == words
    assert refused("data", "split", ratings, "-o", missing) == words


def test_an_output_that_is_read(tmp_path):
    folder = good_folder(tmp_path / "in")
    path, before = folder / "ratings.csv", (folder / "ratings.csv").read_bytes()
    message = refused("data", "convert", path, "-o", path)
    assert message == f"{path} is one of the inputs; name another file to write to"
    message = refused("data", "convert", folder, "-o", path)
    assert (
        message == f"{path} is the same file as {folder}, or in it; name another file to write to"
    )
    write(folder / "train.jsonl", "")
    message = refused("data", "split", path.rename(folder / "train.jsonl"), "-o", folder)
    assert message.startswith(f"{folder / 'train.jsonl'} is one of the inputs")
    assert (folder / "train.jsonl").read_bytes() == before


def test_an_interrupted_write_leaves_the_old_file(ratings, tmp_path, monkeypatch):
    path = write(tmp_path / "out" / "all.jsonl", "old\n")

    def stop(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    answer = run("data", "convert", ratings, "-o", path)
    assert answer.code == 130
    assert answer.err.strip() == "concordant: interrupted"
    assert path.read_text() == "old\n"
    assert [each.name for each in path.parent.iterdir()] == ["all.jsonl"]


def test_a_written_file_is_for_everyone_and_a_link_stays_a_link(ratings, tmp_path):
    path, link = tmp_path / "all.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(path)
    mask = os.umask(0o022)
    try:
        assert run("data", "convert", ratings, "-o", link).code == 0
    finally:
        os.umask(mask)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    assert run("data", "convert", ratings, "-o", link).code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


# All that the commands import is imported before root's rights are given up: the interpreter itself
# may lie where others may not read.
FUZZ = Path(__file__).parents[2] / "fuzz"
AS_NOBODY = """
import json, os, sys
from commands import run
good, commands = sys.argv[1], json.loads(sys.argv[2])
for known in ("data", "data convert", "evaluate -m bleu -j", "evaluate -m blue -j"):
    run(*known.split(), good)
run("data", "split", good, "-o", good + "/parts", "--shares", "a=1,b=1")
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
print(json.dumps([run(*command) for command in commands]))
"""


@pytest.fixture
def open_folder():
    """A folder that another user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    if not all(each.stat().st_mode & stat.S_IXOTH for each in folder.resolve().parents):
        pytest.skip("the folder for temporary files is closed to other users")
    yield folder
    for each in folder.rglob("*"):
        if each.is_dir():
            each.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def refused_to_nobody(tmp_path):
    """The messages of commands that run without root's rights."""
    good = good_folder(tmp_path / "good")

    def call(*commands):
        known = json.dumps([[str(part) for part in command] for command in commands])
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(good), known],
            capture_output=True, encoding="utf-8", check=True, cwd=FUZZ,
        )  # fmt: skip
        answers = [Answer(*each) for each in json.loads(done.stdout)]
        assert [(each.code, each.out) for each in answers] == [(1, "")] * len(commands)
        return [each.complaint for each in answers]

    return call


def test_files_without_read_permission(refused_to_nobody, open_folder):
    path = write(open_folder / "a.csv", RATINGS)
    good = write(open_folder / "b.csv", RATINGS)
    text = good_texts(open_folder / "texts") / "systems" / "B.txt"
    for closed in (path, text):
        closed.chmod(0)
    words = "permission denied; ask its owner for read access"
    assert refused_to_nobody(
        ["data", path], ["evaluate", "-m", path, "-j", good], ["data", open_folder / "texts"]
    ) == [f"{path}: {words}", f"{path}: {words}", f"{text}: {words}"]


@pytest.mark.parametrize("mode", [0o000, 0o100, 0o444])
def test_folders_without_permission(refused_to_nobody, open_folder, mode):
    folder = write(open_folder / "closed" / "a.csv", RATINGS).parent
    systems = good_texts(open_folder / "texts") / "systems"
    for closed in (folder, systems):
        closed.chmod(mode)
    messages = refused_to_nobody(
        ["data", folder], ["data", open_folder], ["data", open_folder / "texts"]
    )
    for message, closed in zip(messages, (folder, folder, systems), strict=True):
        assert message.startswith(f"{closed}: permission denied")


def test_a_file_in_a_folder_without_permission(refused_to_nobody, open_folder):
    path = write(open_folder / "closed" / "a.csv", RATINGS)
    good = write(open_folder / "b.csv", RATINGS)
    path.parent.chmod(0)
    for message in refused_to_nobody(["data", path], ["evaluate", "-m", path, "-j", good]):
        assert message.startswith(f"{path}: permission denied")


def test_a_folder_that_cannot_be_written(refused_to_nobody, open_folder):
    path = write(open_folder / "a.csv", RATINGS)
    closed = open_folder / "closed"
    closed.mkdir(mode=0o555)
    split = ["data", "split", path, "--shares", "a=1,b=1", "-o"]
    assert refused_to_nobody(
        ["data", "convert", path, "-o", closed / "a.jsonl"],
        [*split, closed],
        [*split, closed / "in"],
    ) == [
        f"{target} cannot be written: Permission denied"
        for target in (closed / "a.jsonl", closed / "a.jsonl", closed / "in")
    ]
    assert not list(closed.iterdir())


def shell(command):
    line = command.format(concordant=f"{sys.executable} -m concordant.cli.main")
    return subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, encoding="utf-8", check=False
    )


def test_a_reader_that_goes_away(tmp_path):
    rows = "".join(f"{i},S{k},{i % 5}\n" for i in range(1, 3000) for k in range(4))
    path = write(tmp_path / "a.csv", f"{RATED}\n{rows}")
    done = shell(f"{{concordant}} data convert {path} | head -1")
    assert done.stdout.count("\n") == 1
    assert not done.stderr
    for command in (f"data {path}", "metrics", "--help"):
        assert not shell(f"{{concordant}} {command} | true").stderr


@pytest.mark.skipif(
    not Path("/dev/full").is_char_device(), reason="there is no device that is always full"
)
def test_a_full_disk(ratings):
    for command in (f"data {ratings}", f"data convert {ratings}", "metrics --format tsv"):
        done = shell(f"{{concordant}} {command} > /dev/full")
        assert done.returncode == 1
        assert done.stderr == "concordant: the output: No space left on device\n"


def test_a_closed_output(ratings):
    done = shell(f"{{concordant}} data convert {ratings} >&-")
    assert done.returncode == 1
    assert done.stderr == "concordant: standard output is closed; name a file with -o\n"
    for command in (f"data {ratings}", "metrics --format tsv"):
        done = shell(f"{{concordant}} {command} >&-")
        assert (done.returncode, done.stderr) == (
            1, "concordant: standard output is closed; redirect it to a file\n",
        )  # fmt: skip
