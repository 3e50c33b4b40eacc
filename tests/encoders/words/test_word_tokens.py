"""Words are cut as the rules say, whatever stands in the text."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from odd_texts import PIECES
from small_vectors import WORDS, small_vectors

from concordant.encoders import _native
from concordant.encoders.words.word_tokens import word_tokens

LONE_CLITIC = re.compile(r"'(?:s|d|m|re|ve|ll)", re.IGNORECASE | re.ASCII)
# In the shape of a text: w a character of a word, d a digit, m a mark with no rule of its own.
SHAPE = re.compile(
    r"(?P<initials>(?:w\.){2,})"
    r"|(?P<word>[wd](?:[wd]|['-](?=[wd])|(?<=d)[.,](?=d))*)"
    r"|(?P<run>\.{2,}|-{2,}|'{2,}|`{2,})"
    r"|(?P<mark>[^ wd])"
)
ENGLISH = [
    *"aAnNtTsSdDmMrReEvVlL'’-.,` 0",
    "n't",
    "'s",
    "’LL",
    "'re",
    "U.S.",
    "...",
    "--",
    "\u2011",
]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    return small_vectors(tmp_path_factory.mktemp("vectors"))


def shape_of(c):
    if c.isspace():
        return " "
    if c in ".,'-`":
        return c
    if unicodedata.category(c)[0] in "PS":
        return "m"
    return "d" if c in "0123456789" else "w"


def split_clitics(word):
    """The word and its clitics, from the left."""
    lowered = re.sub("[A-Z]", lambda c: c[0].lower(), word)
    for clitic in ("n't", "'s", "'d", "'m", "'re", "'ve", "'ll"):
        head = word[: -len(clitic)]
        if head and lowered.endswith(clitic) and shape_of(head[-1]) in "wd":
            return [*split_clitics(head), word[-len(clitic) :]]
    return [word]


def oracle(text, known=None):
    """The rules by regular expressions; `known` is a set of words, None: all words."""
    line = text.replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
    shape = "".join(map(shape_of, line))
    tokens, at = [], 0
    while found := SHAPE.search(shape, at):
        at = found.end()
        piece = line[found.start() : at]
        if found.lastgroup == "word":
            tokens += cut_word(piece, known)
        elif found.lastgroup == "mark":
            after = SHAPE.match(shape, at)
            with_after = line[found.start() : after.end()] if after else ""
            if after and after.lastgroup == "word" and LONE_CLITIC.fullmatch(with_after):
                piece, at = with_after, after.end()
            tokens.append(piece)
        else:
            tokens += [piece] if known is None or piece in known else list(piece)
    return tokens


def cut_word(word, known):
    head, *clitics = split_clitics(word)
    if "-" not in head or known is None or head in known:
        return [head, *clitics]
    parts = [token for part in head.split("-") for token in split_clitics(part)]
    return [*parts, *clitics]


def texts():
    odd = st.one_of(
        st.sampled_from(ENGLISH),
        st.sampled_from([*ENGLISH, *PIECES]),
        st.sampled_from(WORDS),
        st.characters(max_codepoint=0x24F),
    )
    return st.lists(odd, max_size=30).map("".join)


@given(text=texts())
@example("I'd've o'clock's-like don't-know 'tis rock-'n'-roll n't 'n't shouldn't've")
@example("'s 'S’ll ''s 're-enter 're do-n't N'T's x'n't")
@example("U.S.A. U.S.'s U.S.-based a.b.cd ... .... -- --- ``a'' 3.U.S.")
@example("1,000.50, 1.a a.1 1..2 1,.2 -5 1-2 90's '90s .5")
@settings(max_examples=500)
def test_tokens_follow_the_rules(text):
    assert word_tokens(text) == oracle(text)


@given(text=texts())
@example("WELL-KNOWN well-known well-cat don't-cat's ill-'s u.s. a.b. ... .. -- ---")
@settings(max_examples=500)
def test_compounds_that_are_unknown_are_cut(vectors, text):
    lowered = text.lower()
    assert vectors.tokens(text) == oracle(lowered, set(WORDS))
    assert len(vectors.rows([text])[0]) == len(vectors.tokens(text))


@given(text=texts())
def test_nothing_is_lost_but_space(text):
    line = text.replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
    assert "".join(word_tokens(text)) == "".join(line.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \t\n", ""),
        ("The cat's mat, isn’t it?", "The cat 's mat , is n't it ?"),
        ("John 's do n't", "John 's do n't"),
        (
            "can't won't we'll I'm they're I've he'd",
            "ca n't wo n't we 'll I 'm they 're I 've he 'd",
        ),
        ("“Hi” (he) paid $1,000.50.", "“ Hi ” ( he ) paid $ 1,000.50 ."),
        ("O'Brien's well-known dogs'", "O'Brien 's well-known dogs '"),
        ("the U.S. ... yes -- e.g. this", "the U.S. ... yes -- e.g. this"),
        ("!!! 50% AT&T a_b x/y", "! ! ! 50 % AT & T a _ b x / y"),
        ("a\0b \ud800 漢字。", "a\0b \ud800 漢字 。"),
    ],
)
def test_rules_by_example(text, expected):
    assert word_tokens(text) == expected.split(" ") if expected else word_tokens(text) == []


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table is Unicode 14's")
def test_marks_are_the_punctuation_and_symbols_of_unicode():
    everything = [chr(c) for c in range(0x110000) if not chr(c).isspace() and chr(c) not in "'’"]
    tokens = _native.word_tokens([f"a{c}{c}" for c in everything])
    apart = {c for c, found in zip(everything, tokens, strict=True) if len(found) > 1}
    marks = {c for c in everything if unicodedata.category(c)[0] in "PS"}
    assert apart == marks


@pytest.mark.parametrize(
    "piece", ["a", "a ", "a.", "a's", "a-", "'", "-", ".", "'a", "n't", "a.b.cd", "1,", "’s ", "\0"]
)
def test_long_lines_take_no_longer_than_they_are_long(piece):
    text = piece * (100_000 // len(piece))
    assert "".join(word_tokens(text)) == "".join(text.replace("’", "'").split())


@pytest.mark.parametrize("text", [None, b"a", 1, ["a"]])
def test_a_text_must_be_a_string(text):
    with pytest.raises(TypeError, match="every text must be a string"):
        word_tokens(text)
