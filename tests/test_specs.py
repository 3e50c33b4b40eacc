"""Names with options: what is read, what is refused, and how long hostile texts take."""

import time

import pytest

from concordant.errors import SpecError
from concordant.specs import LONGEST, MOST, parse_spec, parse_specs

SIZE = 100_000
HOSTILE = {
    "open brackets": "(" * SIZE,
    "names and open brackets": "a(" * SIZE,
    "closed brackets": ")" * SIZE,
    "white space inside": "a" + " " * SIZE + "b",
    "white space before a bracket": "a" + " " * SIZE + "(",
    "commas": "a" + "," * SIZE,
    "one long name": "a" * SIZE,
    "arguments without end": "a(" + "b," * SIZE,
    "options": "a(" + ",".join(f"o{i}=1" for i in range(SIZE)) + ")",
    "many names": "a," * SIZE,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("parse", [parse_spec, parse_specs])
def test_hostile_texts_are_read_or_refused_at_once(text, parse):
    begin = time.process_time()
    try:
        parse(text)
        message = ""
    except SpecError as error:
        message = str(error)
    assert len(message) < 1_000
    assert time.process_time() - begin < 2


def test_a_long_spec_says_how_long_one_may_be():
    with pytest.raises(SpecError, match=f"has 5,000 characters; .* at most {LONGEST:,}"):
        parse_spec("a" * 5_000)


def test_a_long_list_says_how_long_one_may_be():
    assert len(parse_specs("a " * MOST)) == MOST
    with pytest.raises(SpecError, match="more than the 1,000 names that are allowed"):
        parse_specs("a " * (MOST + 1))


@pytest.mark.parametrize(
    ("text", "bracket", "place"),
    [("bleu)", ")", 5), ("(bleu", "(", 1), ("bleu ter(", "(", 9), ("bleu((tok=intl))", "(", 5)],
)
def test_brackets_that_belong_to_nothing_are_refused(text, bracket, place):
    with pytest.raises(SpecError, match=rf'the bracket "\{bracket}" at character {place} belongs'):
        parse_specs(text)


@pytest.mark.parametrize("text", [" bleu ( tok = intl ) ", "bleu(tok=intl)", "\tbleu\n(tok=intl)"])
def test_white_space_around_a_spec_says_nothing(text):
    assert str(parse_spec(text)) == "bleu(tok=intl)"
