"""Test sets by name: the files that sacrebleu keeps, and words for what it cannot get."""

import json
import shutil
import urllib.request
from pathlib import Path

import pytest
from commands import run
from sacrebleu.dataset import DATASETS
from sacrebleu_command import sacrebleu_scores
from small_pieces import lines

from concordant.errors import ConcordantError
from concordant.metrics.flags.language_codes import target_language
from concordant.scoring.known_test_sets import find_test_set, list_test_sets

FIELDS = ("docid", "genre", "origlang")
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest2022"><collection id="general"><doc id="d" origlang="en">
<src lang="en"><p><seg id="1">A cat.</seg><seg id="2">A dog &amp; a cat.</seg></p></src>
<ref lang="zh" translator="A"><p><seg id="1">一只猫。</seg><seg id="2">一只狗和猫。</seg></p></ref>
<ref lang="zh" translator="B"><p><seg id="1">猫。</seg><seg id="2">狗和猫。</seg></p></ref>
</doc></collection></dataset>
"""


@pytest.fixture
def kept(sacrebleu_folder):
    """Write files of a test set as sacrebleu keeps them, for one test."""
    made = []

    def keep(name: str, files: dict[str, str]) -> None:
        made.append(sacrebleu_folder / name.split("/", maxsplit=1)[0])
        for path, text in files.items():
            file = sacrebleu_folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    yield keep
    for folder in made:
        shutil.rmtree(folder)


@pytest.fixture
def offline(monkeypatch):
    def fail(*_: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(urllib.request, "urlopen", fail)


def as_text(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def plain(stem: str, references: list[list[str]]) -> dict[str, str]:
    """The files of a test set before 2021."""
    size = len(references[0])
    names = ["ref"] if len(references) == 1 else [f"ref-{i}" for i in range(len(references))]
    files = {f"{stem}.{name}": as_text(each) for name, each in zip(names, references, strict=True)}
    source = as_text([f"Source {i}." for i in range(size)])
    return {f"{stem}.src": source, **files, **{f"{stem}.{each}": "x\n" * size for each in FIELDS}}


@pytest.mark.usefixtures("offline")
def test_a_kept_test_set_is_scored_as_sacrebleu_scores_it(kept, tmp_path):
    kept("wmt19", plain("wmt19.en-zh", [lines("zh", "reference")]))
    system = tmp_path / "willow.txt"
    system.write_text(as_text(lines("zh", "willow")), encoding="utf-8")
    named = ("--test-set", "wmt19", "-l", "en-zh")
    answer = run("score", *named, "-t", system, "-m", "bleu", "-m", "chrf", "--format", "json")
    assert answer.code == 0, answer
    theirs = sacrebleu_scores("-t", "wmt19", "-l", "en-zh", "-i", str(system), "-m", "bleu", "chrf")
    shown = [each["score"] for each in theirs]
    (row,) = json.loads(answer.out)["records"]
    assert [row["bleu(tok=zh)"], row["chrf"]] == pytest.approx(shown, abs=1e-9)
    assert "tok:zh" in answer.out


@pytest.mark.usefixtures("offline")
def test_several_references_and_the_source_are_found(kept):
    references = [lines("ko", "reference"), lines("ko", "willow")]
    kept("wmt17/tworefs", plain("wmt17_tworefs.en-fi", references))
    found, source = find_test_set("wmt17/tworefs", "en-fi")
    assert [path.rsplit(".", 1)[1] for path in found] == ["ref-0", "ref-1"]
    assert source.endswith("wmt17_tworefs.en-fi.src")


@pytest.mark.usefixtures("offline")
def test_the_references_of_xml_are_those_that_sacrebleu_chooses(kept):
    raw = {f"raw/wmt22.{url.rsplit('/', 1)[1]}": "x" for url in DATASETS["wmt22"].data}
    place = DATASETS["wmt22"]._get_langpair_path("en-zh").rsplit("wmt22/", 1)[1]
    kept("wmt22", {**raw, place: XML})
    found, source = find_test_set("wmt22", "en-zh")
    assert list(found) == DATASETS["wmt22"].get_reference_files("en-zh")
    assert Path(source).read_text(encoding="utf-8") == "A cat.\nA dog & a cat.\n"


@pytest.mark.usefixtures("offline")
def test_what_is_missing_is_named(sacrebleu_folder):
    with pytest.raises(ConcordantError) as told:
        find_test_set("wmt14", "en-de")
    assert str(told.value) == (
        f"test set wmt14 for en-de is not complete in {sacrebleu_folder / 'wmt14'}, and sacrebleu "
        "could not get it from https://statmt.org/wmt14/test-filtered.tgz (OSError: no route to "
        "host); where there is a network, run: sacrebleu -t wmt14 -l en-de --echo src, then copy "
        "the folder"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test-set", "wmt1", "-l", "en-de"], 'test set "wmt1" is not one of wmt24, '),
        (["--test-set", "wmt14"], "choose one with -l: cs-en, de-en, "),
        (["--test-set", "wmt14", "-l", "de"], '"de" is not one of cs-en, de-en, '),
        (["--test-set", "wmt14", "-l", "en-de", "-r", "x"], "leave out -r, -s and --num-refs"),
        ([], "a test set as in --test-set wmt14 -l en-de, or one table"),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_wrong_requests_are_told(command, arguments, words, tmp_path):
    system = tmp_path / "a"
    system.write_text("a\n")
    given = ["-t", system] if command == "score" else [system, system]
    answer = run(command, *arguments, *given)
    assert answer.code in {1, 2}
    assert words in answer.err.replace("\n", " ")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_list_has_every_test_set_and_pair(command):
    answer = run(command, "--list")
    assert answer.code == 0
    rows = {name: pairs for name, *pairs in map(str.split, answer.out.splitlines())}
    assert rows == {name: sorted(each.langpairs) for name, each in DATASETS.items()}
    assert rows == dict(list_test_sets())


def test_every_pair_has_a_target_language():
    for _, pairs in list_test_sets():
        for pair in pairs:
            assert target_language(pair)[:2] == pair.split("-")[1][:2]
