"""WMT's SGML and XML as test sets."""

import gzip
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import head_of
from concordant.judgements.readers.sgml import FORMAT

SOURCE = """<srcset setid="newstest2016" srclang="German" trglang="en">
<doc sysid="ref" docid="d1" genre="news" origlang="de">
<seg id="1">Eins &amp; zwei</seg>
<seg id="2">Drei</seg>
</doc>
<doc docid="d2" origlang="en"><p>
<seg id="1">
  Vier,
  fünf
</seg></p>
</doc>
</srcset>
"""
REFERENCE = """<refset setid="newstest2016" srclang="any" trglang="en">
<doc docid="d2"><seg id="1">Four, five</seg></doc>
<doc docid="d1"><seg id="1">One &amp; two</seg><seg id="2">Three</seg></doc>
</refset>
"""
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021"><collection id="general">
<doc id="d" origlang="en">
<src lang="en"><p><seg id="1">one</seg></p><p><seg id="2">two</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">ein</seg><seg id="2">zwo</seg></p></ref>
<hyp language="de" system="Online-A"><p><seg id="1">eine</seg></p></hyp>
<supplemental type="note"><p><seg id="1">said by hand</seg></p></supplemental>
</doc>
</collection></dataset>
"""


def write(path: Path, text: str) -> Path:
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_source_and_reference_in_one_file(tmp_path: Path) -> None:
    path = write(tmp_path / "x.sgm", "\ufeff" + (SOURCE + REFERENCE).replace("\n", "\r\n"))
    collection = FORMAT.read(path)
    (testset,) = collection.testsets
    assert (testset.name, testset.pair) == ("newstest2016", "de-en")
    assert testset.source == {1: "Eins & zwei", 2: "Drei", 3: "Vier, fünf"}
    assert testset.references == {"ref": {1: "One & two", 2: "Three", 3: "Four, five"}}
    assert testset.documents == {1: "d1", 2: "d1", 3: "d2"}
    assert collection.notes == ()
    assert FORMAT.looks_like(head_of(path)) == "it has a <srcset> tag"


def test_outputs_are_named_by_sysid(tmp_path: Path) -> None:
    text = """<tstset setid="t" srclang="cs" trglang="en">
    <doc docid="d" sysid="newstest2014.A.7.cs-en"><seg id="1">a</seg><seg id="2">b</seg></doc>
    <doc docid="d" sysid="B"><seg id="1">c</seg></doc></tstset>"""
    collection = FORMAT.read(write(tmp_path / "x.sgm.gz", text))
    (testset,) = collection.testsets
    assert testset.translations == {"A.7": {1: "a", 2: "b"}, "B": {1: "c"}}
    (note,) = collection.notes
    assert note.endswith("x.sgm.gz: B has 1 of 2 segments")


def test_the_file_names_what_the_tags_do_not(tmp_path: Path) -> None:
    text = '<tstset srclang="any"><doc docid="d"><seg id="1">a</seg></doc></tstset>'
    (testset,) = FORMAT.read(write(tmp_path / "newstest2016.KIT.4482.de-en.sgm", text)).testsets
    assert (testset.name, testset.pair) == ("newstest2016", "de-en")
    assert testset.translations == {"KIT.4482": {1: "a"}}


def test_an_unknown_pair_and_stray_text_are_noted(tmp_path: Path) -> None:
    text = '<srcset srclang="any"><doc docid="d">lost<seg id="1">a</seg></doc></srcset>'
    path = write(tmp_path / "newstest2012-src.sgm", text)
    collection = FORMAT.read(path)
    assert collection.testsets[0].pair == ""
    assert collection.notes == (
        f"{path}: neither the tags nor the file name give the language pair",
        f"{path}: text outside <seg>, in 1 places, is left out",
    )


def test_xml(tmp_path: Path) -> None:
    path = write(tmp_path / "x.xml", XML)
    collection = FORMAT.read(path)
    (testset,) = collection.testsets
    assert (testset.name, testset.pair) == ("newstest2021", "en-de")
    assert testset.source == {1: "one", 2: "two"}
    assert testset.references == {"A": {1: "eins", 2: "zwei"}, "B": {1: "ein", 2: "zwo"}}
    assert testset.translations == {"Online-A": {1: "eine"}}
    assert collection.notes == (
        f"{path}: Online-A has 1 of 2 segments",
        f"{path}: 1 supplemental segments are left out",
    )
    assert FORMAT.looks_like(head_of(path)) == "it has a <dataset> tag"


def test_all_faults_are_named_with_their_lines(tmp_path: Path) -> None:
    text = """<srcset setid="t" srclang="de">
<seg id="1">no doc</seg>
<doc docid="d">
<seg>no id</seg>
<seg id="3">open
<seg id="4">fine</seg>
</doc>
</srcset>
<doc docid="e"><seg id="1">nobody's</seg></doc>
"""
    path = write(tmp_path / "x.sgm", text)
    with pytest.raises(DataError) as error:
        FORMAT.read(path)
    assert [(fault.line, fault.message) for fault in error.value.faults] == [
        (2, "<seg> is in no <doc> with a docid (in XML, an id)"),
        (4, "<seg> has no id"),
        (5, "<seg> is not closed"),
        (9, "<seg> is in none of srcset, refset, tstset, src, ref and hyp"),
    ]


def test_a_segment_given_twice(tmp_path: Path) -> None:
    text = (
        '<srcset setid="t">\n<doc docid="d"><seg id="1">a</seg>\n<seg id="1">a</seg></doc></srcset>'
    )
    with pytest.raises(DataError, match=r':3: segment "1" of document "d" is given twice'):
        FORMAT.read(write(tmp_path / "x.sgm", text))


def test_no_segments(tmp_path: Path) -> None:
    for text in ("", "<srcset></srcset>"):
        with pytest.raises(DataError, match=r"has no <seg> with a text in it"):
            FORMAT.read(write(tmp_path / "x.sgm", text))


def test_two_test_sets_or_languages_in_one_file(tmp_path: Path) -> None:
    other = SOURCE.replace("newstest2016", "newstest2017").replace("German", "cs")
    other = other.replace("srcset", "tstset")
    with pytest.raises(DataError) as error:
        FORMAT.read(write(tmp_path / "x.sgm", SOURCE + other))
    assert [fault.message for fault in error.value.faults] == [
        "names more than one test set: newstest2016, newstest2017; give each its own file",
        "names more than one source language: cs, de; give each its own file",
    ]


def test_what_does_not_look_like_it(tmp_path: Path) -> None:
    assert (
        FORMAT.looks_like(head_of(write(tmp_path / "x.html", "<html><p>text</p></html>"))) is None
    )
