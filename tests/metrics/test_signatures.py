"""A signature describes the number it stands beside, the same in Python and on the command line."""

import json

import pytest
from bad_input import run, write

import concordant

TEXTS, REFERENCES = (
    ["the cat sat on a mat", "it rained"],
    [["the cat sat on the mat"], ["it rains"]],
)


def test_bleu_says_how_each_level_was_computed():
    scores = concordant.load("bleu").score(TEXTS, REFERENCES)
    assert scores.signature.startswith("nrefs:1|metric:bleu|eff:no|")
    assert scores.segment_signature.startswith("nrefs:1|metric:bleu|eff:yes|")


def test_references_are_counted():
    score = concordant.load("chrf").score
    assert score(TEXTS, [["a", "b"], ["c", "d"]]).signature.startswith("nrefs:2|")
    assert score(TEXTS, [["a", "b"], ["c"]]).signature.startswith("nrefs:var|")


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "fast", "fast(scale=raw)"])
def test_the_command_line_gives_the_same_signatures(tmp_path, name):
    ref = write(tmp_path / "ref", "".join(f"{given[0]}\n" for given in REFERENCES))
    out = write(tmp_path / "out", "".join(f"{text}\n" for text in TEXTS))
    other = write(tmp_path / "other", "a cat\nrain\n")
    scores = concordant.load(name).score(TEXTS, REFERENCES)
    asked = ["score", "-r", ref, "-t", out, "-m", name]
    found = json.loads(run(*asked, "--format", "json").out)
    drawn = "|bootstrap:1000|unit:segments|level:0.95|seed:0"
    assert found["signatures"] == {name: scores.signature + drawn}
    plain = json.loads(run(*asked, "--no-interval", "--format", "json").out)
    assert plain["signatures"] == {name: scores.signature}
    assert scores.signature in run(*asked).out
    assert scores.segment_signature in run(*asked, "--level", "segment").err
    both = json.loads(run("compare", "-r", ref, out, other, "-m", name, "--format", "json").out)
    assert both["signatures"][name].startswith(f"{scores.signature}|bootstrap:")
