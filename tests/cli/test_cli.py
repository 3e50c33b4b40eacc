"""The commands as a person types them: data to stdout, words to stderr, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments):
    command = [sys.executable, "-m", "concordant.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_data_goes_to_stdout_and_words_to_stderr():
    result = run("evaluate", "-m", "bleu", "-m", "chrf", "-j", EXAMPLES, "--format", "json",
                 "--resamples", 50, "--permutations", 50)  # fmt: skip
    assert result.returncode == 0
    whole = json.loads(result.stdout)
    assert [record["metric"] for record in whole["records"]] == ["bleu", "chrf"]
    assert whole["comparisons"][0]["first"] == "bleu"
    assert "note: " in result.stderr
    assert "files left out: 14 of no known format" in result.stderr


def test_quiet_is_quiet():
    result = run("data", EXAMPLES, "--quiet")
    assert result.returncode == 0
    assert not result.stderr


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_several_statistics_follow_each_other(form):
    result = run("evaluate", "-m", "chrf", "-j", EXAMPLES, "--statistic", "pearson,tau-b",
                 "--format", form, "-q", "--resamples", 20)  # fmt: skip
    assert result.returncode == 0
    assert result.stdout.count("chrf\t" if form == "tsv" else '"metric": "chrf"') == 2


def test_convert_split_and_read_again(tmp_path):
    converted = tmp_path / "all.jsonl"
    assert run("data", "convert", EXAMPLES, "-o", converted, "--to", "preferences").returncode == 0
    shown = run("data", converted, "--format", "json", "-q")
    (record,) = json.loads(shown.stdout)["records"]
    assert record["kind"] == "preferences"
    assert run("data", "split", converted, "-o", tmp_path / "parts", "--seed", 1).returncode == 0
    sides = {path.stem: path for path in (tmp_path / "parts").iterdir()}
    assert set(sides) == {"train", "dev", "test"}
    segments = {
        name: {
            json.loads(line)["segment"] for line in path.read_text(encoding="utf-8").splitlines()
        }
        for name, path in sides.items()
    }
    assert not segments["train"] & segments["dev"]
    assert not segments["train"] & segments["test"]
    assert not segments["dev"] & segments["test"]


def test_every_command_has_help_and_version_says_which():
    from concordant.cli.main import COMMANDS

    for name in COMMANDS:
        result = run(name, "--help")
        assert result.returncode == 0
        assert "Usage: concordant" in result.stdout
    assert run("--version").stdout.startswith("concordant, version 0.")


def test_a_usage_error_exits_with_2_and_an_input_error_with_1():
    assert run("evaluate").returncode == 2
    missing = run("data", "absent")
    assert missing.returncode == 1
    assert missing.stderr == (
        "concordant: absent: there is no such file or folder; check the path\n"
    )


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m concordant.cli.main metrics --format tsv | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert result.stdout.startswith("what\t")
    assert "Traceback" not in result.stderr
