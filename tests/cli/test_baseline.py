"""`compare --baseline`: the others against one system, corrected for these tests alone."""

import json
from pathlib import Path

import pytest
from bad_input import run, write

import concordant
from concordant.errors import SpecError
from concordant.stats.significance import holm

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
REFERENCE = str(EXAMPLES / "reference-1.txt")
FILES = [str(EXAMPLES / "systems" / f"{n}.txt") for n in ("alder", "birch", "cedar", "dogwood")]


def compared(*more):
    answer = run("compare", "-r", REFERENCE, *FILES, "-m", "bleu,ter", "--format", "json", *more)
    assert answer.code == 0, answer
    return json.loads(answer.out)


def test_only_the_tests_against_the_baseline_are_corrected_for():
    pairs, found = compared()["pairs"], compared("--baseline", "birch")
    assert "pairs" not in found
    for name, sign in (("bleu", 1), ("ter", -1)):
        rows = {each["system"]: each for each in found["baseline"] if each["metric"] == name}
        assert sorted(rows) == ["alder", "cedar", "dogwood"]
        plain = {}
        for pair in pairs:
            if pair["metric"] == name and "birch" in {pair["better"], pair["worse"]}:
                other = pair["worse"] if pair["better"] == "birch" else pair["better"]
                plain[other] = pair
                change = pair["difference"] * (1 if pair["better"] == other else -1)
                assert rows[other]["change"] == pytest.approx(sign * change)
                assert rows[other]["low"] <= rows[other]["change"] <= rows[other]["high"]
        for test in ("p_bootstrap", "p_randomisation"):
            wanted = holm([plain[other][test] for other in sorted(plain)])
            shown = [rows[other][f"{test}_holm"] for other in sorted(plain)]
            assert shown == pytest.approx(wanted.tolist())
            assert max(shown) <= max(each[f"{test}_holm"] for each in plain.values())
    assert "|tests:against-baseline|" in found["signatures"]["bleu"]


def test_the_ranking_stays_as_it_is():
    assert compared("--baseline", "birch")["ranking"] == compared()["ranking"]


def test_the_verdict_is_about_the_baseline():
    found = compared("--baseline", "birch")
    assert found["verdict"] == (
        "Against birch by bleu: alder is significantly better; cedar and dogwood are significantly "
        "worse."
    )
    assert len(found["facts"]) == 6
    assert found["facts"][0].startswith("bleu +18.30 (alder over birch): statistically significant")
    shown = run("compare", "-r", REFERENCE, *FILES, "-m", "bleu", "--baseline", "cedar").out
    assert "against cedar by bleu" in shown
    assert "where alder and cedar differ most" in shown


def test_a_baseline_may_be_a_file():
    assert compared("--baseline", FILES[1]) == compared("--baseline", "birch")


def test_an_equal_system_is_equal(tmp_path):
    copy = write(tmp_path / "copy.txt", Path(FILES[1]).read_text(encoding="utf-8"))
    answer = run("compare", "-r", REFERENCE, FILES[1], copy, "-m", "chrf", "--baseline", "birch",
                 "--format", "json")  # fmt: skip
    (row,) = json.loads(answer.out)["baseline"]
    assert (row["change"], row["result"], row["wins"], row["ties"]) == (0, "equal", 0, 60)


def test_an_unknown_baseline_is_refused():
    answer = run("compare", "-r", REFERENCE, *FILES, "-m", "chrf", "--baseline", "bich")
    assert answer.complaint == (
        'baseline "bich" is not one of alder, birch, cedar, dogwood; did you mean "birch"?'
    )
    with pytest.raises(SpecError, match='baseline "C" is not one of A, B'):
        concordant.compare(
            {"A": ["a", "b"], "B": ["a", "c"]}, [["a"], ["b"]], metric="chrf", baseline="C"
        )


def test_the_report_shows_all_pairs(tmp_path):
    compared("--baseline", "birch", "--html", tmp_path / "a.html")
    compared("--html", tmp_path / "b.html")
    one, two = ((tmp_path / name).read_text(encoding="utf-8") for name in ("a.html", "b.html"))
    assert one.replace("|tests:against-baseline", "") == two
