"""Every pair of commands in docs/from-sacrebleu.md gives the same scores."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from commands import run
from sacrebleu_command import run_sacrebleu, sacrebleu_scores
from small_pieces import lines, small_model

from concordant.metrics.lexical.tokenisers import TOKENISERS, has_model

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "from-sacrebleu.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"^\| `(sacrebleu .+)` \| `(concordant .+)` \|$", PAGE, flags=re.MULTILINE)
SCORED = [pair for pair in PAIRS if pair[1].startswith("concordant score")]
TESTED = [pair for pair in PAIRS if pair[1].startswith("concordant compare")]
SAME = ("nrefs", "case", "tok")  # what signatures of both name alike


@pytest.fixture(autouse=True)
def workplace(tmp_path, monkeypatch, sacrebleu_folder):
    """The files of the page, and what sacrebleu would download."""
    example = ROOT / "examples" / "de-en"
    texts = {"ref.en": "reference-1", "ref2.en": "reference-2", "a.en": "systems/alder"}
    texts |= {"b.en": "systems/birch", "c.en": "systems/cedar"}
    for name, stem in texts.items():
        shutil.copy(example / f"{stem}.txt", tmp_path / name)
    both = [
        (tmp_path / name).read_text(encoding="utf-8").splitlines() for name in ("ref.en", "ref2.en")
    ]
    write(tmp_path / "refs.en", map("\t".join, zip(*both, strict=True)))
    for language in ("zh", "ja", "ko"):
        for name, stem in (("ref", "reference"), ("a", "willow"), ("b", "maple")):
            write(tmp_path / f"{name}.{language}", lines(language, stem))
    kept = sacrebleu_folder / "wmt19"
    kept.mkdir(exist_ok=True)
    for field in ("src", "ref", "docid", "genre", "origlang"):
        write(kept / f"wmt19.en-zh.{field}", lines("zh", "reference"))
    monkeypatch.chdir(tmp_path)
    yield
    shutil.rmtree(kept)


def write(path, rows) -> None:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


@pytest.fixture
def need(sacrebleu_folder):
    """See that the tokeniser of a command can run here."""

    def check(command: str) -> None:
        for name, tokeniser in TOKENISERS.items():
            chosen = f"-tok {name}" in command or f"-l en-{tokeniser.language or '?'}" in command
            if not (chosen and has_model(name)):
                continue
            for module in tokeniser.model.modules:
                pytest.importorskip(module)
            if tokeniser.model.extra == "spm":
                small_model(sacrebleu_folder, name)

    return check


def ours(command: str, *more: str) -> dict:
    answer = run(*shlex.split(command)[1:], "-q", "--format", "json", *more)
    assert answer.code == 0, answer
    return json.loads(answer.out)


def options(signature: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in signature.split("|"))


@pytest.mark.parametrize(("theirs", "command"), SCORED)
def test_scores_are_equal(need, theirs, command):
    need(theirs)
    arguments = shlex.split(theirs)[1:]
    if "-sl" in arguments:
        expected = [float(each) for each in run_sacrebleu(*arguments, "-w", "10").split()]
        answer = run(*shlex.split(command)[1:], "-q", "--format", "tsv")
        found = [float(row.split("\t")[2]) for row in answer.out.splitlines()[1:]]
        assert found == pytest.approx(expected, abs=1e-9)
        return
    expected, found = sacrebleu_scores(*arguments), ours(command)
    names = list(found["signatures"])
    if "system" in expected[0]:
        shown = [float(value) for row in expected for key, value in row.items() if key != "system"]
    else:
        shown = [each["score"] for each in expected]
        for name, each in zip(names, expected, strict=True):
            signature = options(found["signatures"][name])
            both = [key for key in SAME if key in signature and key in each]
            assert [signature[key] for key in both] == [each[key] for key in both]
            assert "nrefs" in both
    scores = [row[name] for row in found["records"] for name in names]
    assert scores == pytest.approx(shown, abs=1e-9)


@pytest.mark.parametrize(("theirs", "command"), TESTED)
def test_tests_agree(theirs, command):
    expected, found = sacrebleu_scores(*shlex.split(theirs)[1:]), ours(command)
    rows = {row["system"][0]: row for row in found["ranking"]}  # a, b or c
    if "--confidence" in theirs:
        (one,) = expected
        row = rows["a"]
        assert row["score"] == pytest.approx(one["score"], abs=1e-9)
        assert (row["high"] - row["low"]) / 2 == pytest.approx(one["confidence_var"], rel=0.12)
        assert row["low"] < one["confidence_mean"] < row["high"]
        return
    (pair,) = found["pairs"]
    test = "p_bootstrap" if "--paired-bs" in theirs else "p_randomisation"
    for each in expected:
        (result,) = (value for key, value in each.items() if key != "system")
        row = rows[each["system"].removeprefix("Baseline: ")[0]]
        assert row["score"] == pytest.approx(result["score"], abs=1e-9)
        if result["ci"] is not None:
            assert (row["high"] - row["low"]) / 2 == pytest.approx(result["ci"], rel=0.12)
        if result["p_value"] is not None:
            assert pair[test] == pytest.approx(result["p_value"], abs=0.03)


def test_the_page_has_all_that_it_should():
    commands = " ".join(theirs for theirs, _ in PAIRS)
    for name in TOKENISERS:
        assert name in {"spm", "chrf"} or f"-tok {name}" in commands
    for option in ("-m chrf", "--chrf-word-order 2", "-m ter", "ref.en ref2.en", "--num-refs 2"):
        assert option in commands
    for option in ("--paired-bs", "--paired-ar", "--confidence"):
        assert any(option in theirs for theirs, _ in TESTED)
    assert PAGE.count("| `sacrebleu ") == len(PAIRS)
