"""The scanner of marked-up texts: what it takes, and what it reports."""

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.judgements.readers.markup import scan


def one_segment(inside: str) -> str:
    return f'<tstset setid="t"><doc docid="d" sysid="A"><seg id="1">{inside}</seg></doc></tstset>'


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("plain", "plain"),
        ("  over \n two\tlines\r\n ", "over two lines"),
        ("AT&amp;T &lt;b&gt; &quot;x&quot; &#233; &#xE9;", 'AT&T <b> "x" é é'),
        ("AT&T &copy 2014", "AT&T &copy 2014"),
        ("3 < 4 and <b>bold</b>", "3 < 4 and <b>bold</b>"),
        ("", ""),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_the_text_of_a_segment(inside: str, text: str) -> None:
    found = scan(one_segment(inside))
    assert [segment.text for segment in found.segments] == [text]
    assert found.faults == []


def test_tags_in_capitals_and_any_quotes() -> None:
    found = scan(
        "<REFSET setid='t'>\n<DOC docid=d>\n<hl>\n<SEG ID=\"1\">x</SEG>\n</hl></DOC></REFSET>"
    )
    (segment,) = found.segments
    assert (segment.line, segment.text) == (4, "x")
    assert segment.facts == {"kind": "reference", "testset": "t", "document": "d", "id": "1"}
    assert found.stray == 0


def test_an_inner_tag_has_the_last_word() -> None:
    text = '<tstset sysid="A"><doc docid="d" sysid="B"><seg id="1">x</seg></doc></tstset>'
    assert scan(text).segments[0].facts["name"] == "B"


def test_empty_tags() -> None:
    found = scan('<srcset setid="t"><doc docid="d"><seg id="1"/><doc docid="e"/></doc></srcset>')
    assert [segment.text for segment in found.segments] == [""]


def test_stray_text_is_counted() -> None:
    found = scan(
        '<!DOCTYPE x><srcset><doc docid="d">lost <p><seg id="1">x</seg></p></doc></srcset>'
    )
    assert found.stray == 1


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            '<srcset>\n<doc docid="d">\n<seg id="1">x\n<seg id="2">y</seg></doc></srcset>',
            [(3, "<seg> is not closed")],
        ),
        ('<srcset>\n<doc docid="d">\n<seg id="1">x\n</doc></srcset>', [(3, "<seg> is not closed")]),
        (
            '<srcset>\n<doc docid="d"><seg id="1">x',
            [(1, "<srcset> is not closed"), (2, "<doc> is not closed"), (2, "<seg> is not closed")],
        ),
        ("<srcset>\n</seg></srcset>", [(2, "</seg> closes a tag that is not open")]),
        ("<srcset><doc>\n</srcset>", [(1, "<doc> is not closed")]),
        ("<srcset><doc>\n<doc></doc></srcset>", [(2, "<doc> is opened again before </doc>")]),
    ],
)
def test_what_does_not_nest(text: str, faults: list[tuple[int, str]]) -> None:
    assert scan(text).faults == faults


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_what_is_written_is_read(texts: list[str]) -> None:
    segments = "".join(f'<seg id="{i}">{escape(text)}</seg>\n' for i, text in enumerate(texts))
    found = scan(f'<srcset setid="t"><doc docid="d">{segments}</doc></srcset>')
    assert (found.faults, found.stray) == ([], 0)
    assert [segment.text for segment in found.segments] == [_normal(text) for text in texts]


FRAGMENTS = ["<seg id='1'>", "</seg>", "<", ">", "&amp;", "a", " ", "\n", '"', "<b>"]


@given(st.lists(st.sampled_from(FRAGMENTS)))
def test_every_opened_segment_is_read_or_reported(fragments: list[str]) -> None:
    found = scan("".join(fragments))
    unclosed = [message for _, message in found.faults if message == "<seg> is not closed"]
    assert len(found.segments) + len(unclosed) == fragments.count("<seg id='1'>")


def _normal(text: str) -> str:
    """The slow way: only these four characters are white space."""
    for space in "\t\r\n":
        text = text.replace(space, " ")
    return " ".join(word for word in text.split(" ") if word)
