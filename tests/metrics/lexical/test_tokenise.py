"""The tokenisers give sacrebleu's tokens, whatever stands in the line."""

import pytest
from hypothesis import example, given, settings
from odd_texts import WHITE_SPACE, texts
from oracles_lexical import tokens

from concordant.errors import SpecError
from concordant.metrics.lexical.tokenisers import TOKENISERS, has_model, tokenise

RULES = [name for name in TOKENISERS if not has_model(name)]


@given(text=texts())
@example("")
@example("a-\nb \n")
@example("&amp;quot;<ski<skipped>pped>")
@example("..,,.1.,2,a.,")
@example("2012. 1-2--3 -4")
@example(".5 ,5")
@example(".,5-3,")
@example("\u3000..中3.")
@example("，3.5…“好”“。\u2000\u2001\u2a6d\u2a6e𠀀ａ")
@settings(max_examples=400, deadline=None)
def test_tokens_are_sacrebleus(text):
    found = {tokeniser: tokenise(text, tokeniser) for tokeniser in RULES}
    assert found == {tokeniser: tokens(text, tokeniser) for tokeniser in RULES}


@pytest.mark.parametrize("tokeniser", RULES)
def test_every_code_point_is_what_sacrebleu_takes_it_for(tokeniser):
    """Between letters, digits and stops, at both ends of words; higher planes hold letters."""
    everything = [*range(0x20000), *range(0xE0000, 0xE0200), 0x10FFFF]
    for start in range(0, len(everything), 10_000):
        characters = map(chr, everything[start : start + 10_000])
        line = " ".join(f"a{c}b{c}1{c}2{c}.{c}{c} {c}a{c}" for c in characters)
        assert tokenise(line, tokeniser) == tokens(line, tokeniser)


def test_white_space_is_pythons():
    everything = "".join(map(chr, range(0x110000)))
    assert tokenise(everything, "none") == everything.split()
    assert tokenise(WHITE_SPACE, "none") == []


@pytest.mark.parametrize(
    ("tokeniser", "expected"),
    [
        ("13a", ["“Hi”", ",", "(", "he", ")", "paid", "1,000.5", "€", ",", "1", "-", "2", "."]),
        ("intl", ["“", "Hi", "”", ",", "(", "he", ")", "paid", "1,000.5", "€", ",", "1-2."]),
        ("zh", ["“", "Hi", "”", ",", "(", "he", ")", "paid", "1,000.5", "€", ",", "1", "-", "2."]),
        ("none", ["“Hi”,", "(he)", "paid", "1,000.5", "€,", "1-2."]),
        ("chrf", ["“Hi”", ",", "(he", ")", "paid", "1,000.5", "€", ",", "1-2", "."]),
    ],
)
def test_rules_by_example(tokeniser, expected):
    assert tokenise("“Hi”, (he) paid 1,000.5 €, 1-2.", tokeniser) == expected


def test_an_unknown_tokeniser_is_named_with_the_known_ones():
    with pytest.raises(SpecError, match=r'tokeniser "13b" is not one of 13a, intl, .*mean "13a"'):
        tokenise("a", "13b")


@pytest.mark.parametrize("text", [None, b"a", 1, ["a"]])
def test_a_text_must_be_a_string(text):
    with pytest.raises(TypeError, match="every text must be a string"):
        tokenise(text)
