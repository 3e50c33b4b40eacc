"""Which names hold a language pair, and which only look as if they did."""

import pytest

from concordant.errors import DataError
from concordant.judgements.detection import read
from concordant.judgements.names import pair_in, split_system, system_in


@pytest.mark.parametrize("name", ["jhu-nmt.5151", "my-sys.v2", "abc-big.v1", "v1.my-sys", "a.b-c"])
def test_two_words_are_no_language_pair(name):
    assert split_system(name)[:3] == ("", "", name)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("newstest2014.jhu-nmt.5151.de-en", ("newstest2014", "de-en", "jhu-nmt.5151")),
        ("newstest2012.de-en.jhu-nmt", ("newstest2012", "de-en", "jhu-nmt")),
        ("xh-zu.A", ("", "xh-zu", "A")),
        ("A.eng-fra", ("", "eng-fra", "A")),
        ("en-pt-br.A", ("", "en-pt-br", "A")),
        ("en-zh_CN.A", ("", "en-zh_CN", "A")),
        ("A.en-zh-tw", ("", "en-zh-tw", "A")),
    ],
)
def test_known_codes_are_a_language_pair(name, parts):
    assert split_system(name)[:3] == parts


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("my-sys.v2.csv", None),
        ("jhu-nmt.csv", None),
        ("pre-en.csv", None),
        ("run-of-sys-en.csv", None),
        ("bn-hi.csv", "bn-hi"),
        ("scores.ceb-en.csv", "ceb-en"),
    ],
)
def test_a_file_name_needs_known_codes(name, pair):
    assert pair_in(name) == pair


@pytest.mark.parametrize("system", ["jhu-nmt.5151", "my-sys.v2", "abc-big.v1", "to-en.v2"])
def test_the_rows_own_pair_decides(tmp_path, system):
    tables = {
        "ratings.csv": f"lp,segment,system,score\nzh-en,1,{system},0.5\n",
        "comet.csv": f"lp,src,mt,ref,score,system\nzh-en,a,b,c,0.5,{system}\n",
        "scores.tsv": f"BLEU\tzh-en\tnewstest2017\t{system}\t0.5\n",
    }
    found = {}
    for name, text in tables.items():
        (tmp_path / name).write_text(text)
        found[name] = read(tmp_path / name)
    for name in ("ratings.csv", "comet.csv"):
        assert [(r.pair, r.system) for r in found[name].ratings] == [("zh-en", system)]
    (output,) = found["scores.tsv"].tables[0].values
    assert (output.pair, output.system) == ("zh-en", system)


def test_the_files_pair_decides_where_the_row_has_none(tmp_path):
    path = tmp_path / "ratings.zh-en.csv"
    path.write_text("segment,system,score\n1,to-en.v2,0.5\n1,newstest2017.A.de-en,0.5\n")
    assert [(r.pair, r.system) for r in read(path).ratings] == [
        ("zh-en", "to-en.v2"),
        ("de-en", "A"),
    ]


def test_preferences_and_texts_meet_under_the_same_name(tmp_path):
    folder = tmp_path / "mine" / "zh-en"
    (folder / "systems").mkdir(parents=True)
    for name in ("jhu-nmt.5151", "to-en.v2.txt"):
        (folder / "systems" / name).write_text("text\n")
    (folder / "reference.txt").write_text("text\n")
    (folder / "pairs.csv").write_text("lp,segment,better,worse\nzh-en,1,jhu-nmt.5151,to-en.v2\n")
    collection = read(tmp_path)
    (preference,) = collection.preferences
    assert {preference.better, preference.worse} == set(collection.testsets[0].translations)


def test_in_a_table_of_texts_one_odd_name_is_no_pair(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("segment\tsystem\ttext\n1\tto-en.v2\tx\n1\tA\ty\n1\t_source\tz\n")
    (testset,) = read(path).testsets
    assert (testset.pair, set(testset.translations)) == ("", {"to-en.v2", "A"})
    path.write_text("segment\tsystem\ttext\n1\tde-en.A\tx\n1\tde-en.B\ty\n1\t_source\tz\n")
    (testset,) = read(path).testsets
    assert (testset.pair, set(testset.translations)) == ("de-en", {"A", "B"})


def test_a_row_that_is_certainly_out_of_place_is_refused(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("lp,segment,system,score\nzh-en,1,newstest2017.A.de-en,0.5\n")
    with pytest.raises(DataError, match="2: system A is of de-en, the row of zh-en"):
        read(path)
    assert system_in("newstest2017.A.de-en", "zh-en") == "A"
