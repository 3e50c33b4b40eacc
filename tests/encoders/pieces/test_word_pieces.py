"""Word pieces against the `tokenizers` library, which is the reference."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.pieces.word_pieces import load_pieces, word_pieces
from concordant.errors import DataError

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ßøαβγσςжя中国가"
MARKS = "!\"#$%&'()*+,-./:;<=>?@[]^_`|~…“„«»–"
WORDS = ("un", "cut", "the", "##cut", "##ing", "##in", "##ting", "straße", "σας")
SPECIALS = ("[PAD]", "[UNK]", "[CLS]")
PIECES = (*SPECIALS, *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS[:40]), *MARKS)
# Known to the library as Unicode 8 had them, to Python as they are now.
CHANGED = "\u166d\u1734\u1885\u1886"


def settings(**changes):
    """A tokenizer.json; changes name a part and what is other in it."""
    specials = [{"id": i, "content": piece} for i, piece in enumerate(SPECIALS)]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{**each, **flags, "special": True} for each in specials],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 12,
            "vocab": {piece: i for i, piece in enumerate(PIECES)},
        },
    }
    return {name: {**part, **changes[name]} if name in changes else part
            for name, part in parts.items()}  # fmt: skip


def written(folder, text):
    path = folder / "tokenizer.json"
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The library's tokenizer and ours, of the same file."""
    tokenizers = pytest.importorskip("tokenizers")
    path = written(tmp_path_factory.mktemp("pieces"), json.dumps(settings()))
    return tokenizers.Tokenizer.from_file(str(path)), load_pieces(path)


def agree(both, texts):
    library, ours = both
    encoded = ours.encode(texts)
    expected = library.encode_batch(texts, add_special_tokens=False)
    wrong = [text for i, text in enumerate(texts) if encoded[i].tolist() != expected[i].ids]
    assert not wrong, [ascii(text) for text in wrong[:5]]


def is_settled(character):
    """Whether a character is so old that all tables of Unicode agree on it."""
    old = unicodedata.ucd_3_2_0.category(character)
    return old not in {"Cn", "Cs"} and character not in CHANGED


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(["[CLS]", "[UNK]", "[UN", "K]", " ", "the", "cutting", "Straße", "x" * 13]),
        st.characters(exclude_categories=["Cs"]).filter(is_settled),
        st.sampled_from([*LETTERS, *MARKS, "\u0301", "\u0327", "\u3099", "\u302e", "İ", "Σ", "가"]),
    ),
    max_size=40,
).map("".join)


@given(texts=st.lists(TEXTS, max_size=4))
def test_any_text_is_cut_as_the_library_cuts_it(both, texts):
    agree(both, texts)


def test_every_settled_character_is_treated_as_the_library_treats_it(both):
    rare = ("Lo", "Co")  # tens of thousands that are all alike
    settled = [chr(c) for c in range(0x20000) if is_settled(chr(c))]
    chosen = [c for c in settled if unicodedata.category(c) not in rare or ord(c) % 16 == 0]
    agree(both, [f"x{character}ing" for character in chosen])


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "x" * 12, "x" * 13, "x" * 100_000, "[CLS][CLS]x[UNK", "the\u2028cut\ufeff",
     "A\u0301\u0327BC", "\u1112\u1161\u11ab", "豈\uf900", "\U0002f800", "≠≮;"],
)  # fmt: skip
def test_odd_texts(both, text):
    agree(both, [text])


def test_lone_surrogates_are_dropped():
    cut = word_pieces(["[UNK]", "un"])
    assert cut.encode(["u\ud800n", "\udfff"]).values.tolist() == [1]


@given(texts=st.lists(TEXTS, max_size=200), threads=st.integers(0, 5))
def test_threads_change_nothing(both, texts, threads):
    one, many = both[1].encode(texts), both[1].encode(texts, threads=threads)
    assert one.values.tolist() == many.values.tolist()
    assert one.starts.tolist() == many.starts.tolist()
    assert len(one) == len(texts)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"normalizer": {"type": "NFC"}}, 'normalizer: type is "NFC", but only "BertNormalizer"'),
        ({"normalizer": {"lowercase": False}}, "lowercase is false, but only true is supported"),
        ({"normalizer": {"strip_accents": False}}, "strip_accents is false"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, 'pre_tokenizer: type is "Whitespace"'),
        ({"model": {"type": "BPE"}}, 'model: type is "BPE", but only "WordPiece"'),
        ({"model": {"continuing_subword_prefix": "@@"}}, 'continuing_subword_prefix is "@@"'),
        ({"model": {"vocab": {}}}, "not a tokenizer.json with a WordPiece vocabulary"),
        ({"model": {"unk_token": "<unk>"}}, "not a tokenizer.json with a WordPiece vocabulary"),
    ],
)
def test_other_tokenisers_are_refused(tmp_path, changes, words):
    path = written(tmp_path, json.dumps(settings(**changes)))
    with pytest.raises(DataError, match=r"tokenizer\.json: ") as caught:
        load_pieces(path)
    assert words in str(caught.value)


@pytest.mark.parametrize(("text", "words"), [("{", "not JSON"), ("[]", "not a tokenizer.json")])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path, text, words):
    with pytest.raises(DataError, match=words):
        load_pieces(written(tmp_path, text))
    with pytest.raises(DataError, match="No such file"):
        load_pieces(tmp_path / "none.json")


@pytest.mark.data
def test_real_outputs_are_cut_as_the_library_cuts_them(data, part):
    tokenizers = pytest.importorskip("tokenizers")
    path = part("potion") / "tokenizer.json"
    both = tokenizers.Tokenizer.from_file(str(path)), load_pieces(path)
    for folder in sorted((data / "wmt12/system-outputs/newstest2012").iterdir()):
        agree(both, min(folder.iterdir()).read_text("utf-8").split("\n"))


def surfaces_of(cut, text):
    """Surfaces by the offsets of the library's tokens in the text."""
    before, found = None, []
    for begin, end in cut.encode(text, add_special_tokens=False).offsets:
        letters = text[begin:end]
        if not any(letter.isupper() for letter in letters):
            capitals = 0
        else:
            alone = letters[0].isupper() and not any(c.isupper() for c in letters[1:])
            capitals = 1 if alone else 2
        found.append(capitals + (3 if before == begin else 0))
        before = end
    return found


PARTS = (
    "un",
    "Cut",
    "THE",
    "ing",
    "É",
    "ß",
    "中",
    "-",
    ".",
    " ",
    "  ",
    "\n",
    "\u200b",
    "Σς",
    16 * "z",
)


@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_surfaces_follow_the_offsets_of_the_library(both, parts):
    library, own = both
    text = "".join(parts)
    found, surfaces = own.encode_surfaces([text, text])
    assert found[0].tolist() == own.encode([text])[0].tolist()
    half = len(surfaces) // 2
    assert surfaces[:half].tolist() == surfaces[half:].tolist() == surfaces_of(library, text)


def test_surfaces_of_composed_and_decomposed_texts_are_equal():
    cut = word_pieces(PIECES)
    one, other = (unicodedata.normalize(form, "Éxcut, THÉ-ä") for form in ("NFC", "NFD"))
    assert cut.encode_surfaces([one])[1].tolist() == cut.encode_surfaces([other])[1].tolist()
