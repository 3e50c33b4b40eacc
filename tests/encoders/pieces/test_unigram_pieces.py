"""SentencePiece's unigram model in the kernel, held to the library and to an obvious search."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.pieces.static_pieces import load_static
from concordant.encoders.pieces.unigram_pieces import unigram_pieces
from concordant.errors import DataError

# Ours, in scripts with and without spaces; with marks, digits, compatibility forms and odd spaces.
TEXTS = [
    "",
    "   ",
    "The bridge is closed until 7:45 p.m., isn't it?",
    "Donaudampfschifffahrtsgesellschaft und Straßenbahnhaltestelle",
    "Мост закрыт до вечера из-за ремонта.",
    "这座桥因维修关闭到晚上。",
    "橋は修理のため、夕方まで閉鎖されます。",
    "다리는 수리 때문에 저녁까지 닫힙니다.",
    "สะพานปิดจนถึงเย็นเพื่อซ่อมแซม",
    "الجسر مغلق حتى المساء بسبب الإصلاح.",
    "पुल मरम्मत के कारण शाम तक बंद है।",
    "  two   spaces\tand\u00a0more\u3000",
    "ＦＵＬＬ ｗｉｄｔｈ ① ½ ﬁne e\u0301te\u0301",
    "☃☃ snow 🙂 unknown ᚠᚢ",
    "https://example.org/a?b=1 <b>bold</b> {name} %s",
]
PIECES = ["", "▁", "a", "b", "ab", "▁a", "▁ab", "ba", "abab"]
SCORES = np.array([0.0, -2.0, -3.0, -3.5, -4.0, -2.5, -4.5, -5.0, -6.25], dtype=np.float32)


def test_the_pieces_are_the_librarys(part):
    library = pytest.importorskip("sentencepiece")
    model = library.SentencePieceProcessor(model_file=str(part("use-m3") / "sp.model"))
    found = encoder_named("compact-any").pieces.encode(TEXTS)
    for i, text in enumerate(TEXTS):
        assert np.where(found[i] < 0, 0, found[i]).tolist() == model.encode(text), text


def best_cuts(text):
    """The likeliest cuts of a text, all of them, by trying every one."""
    marked = "▁" + "▁".join(text.split())
    found = []
    for inner in itertools.product([False, True], repeat=len(marked) - 1):
        ends = [i + 1 for i, cut in enumerate(inner) if cut] + [len(marked)]
        cut = [marked[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        if all(each in PIECES for each in cut):
            numbers = [PIECES.index(each) for each in cut]
            found.append((float(SCORES[numbers].sum()), numbers))
    most = max(score for score, _ in found)
    return [numbers for score, numbers in found if score >= most - 1e-4]


@given(st.text("ab ", min_size=1, max_size=9).filter(str.strip))
def test_no_other_cut_is_likelier(text):
    found = unigram_pieces(PIECES, SCORES).encode([text])[0].tolist()
    assert found in best_cuts(text)


@given(st.lists(st.text(max_size=30), max_size=20))
def test_a_text_is_cut_the_same_beside_any_others(texts):
    pieces = unigram_pieces(PIECES, SCORES)
    together = pieces.encode(texts, threads=3)
    for i, text in enumerate(texts):
        assert together[i].tolist() == pieces.encode([text])[0].tolist()


def test_unknown_characters_are_told_apart():
    pieces = unigram_pieces(PIECES, SCORES)
    first, second, again = pieces.encode(["a☃☃b", "a☁b", "☃☃"]).values.tolist(), None, None
    assert sum(number < 0 for number in first) == 3
    first, second, again = (pieces.encode([text])[0] for text in ("a☃☃b", "a☁b", "b☃☃"))
    assert first[first < 0].tolist() == again[again < 0].tolist()
    assert first[first < 0].tolist() != second[second < 0].tolist()


def test_a_rule_rewrites_the_longest_text():
    pieces = unigram_pieces(PIECES, SCORES, {"x": "b", "xy": "a"})
    assert pieces.encode(["axy"])[0].tolist() == pieces.encode(["aa"])[0].tolist()


def folder_with(path, *, pieces=PIECES, rules=(), scores=SCORES):
    table = np.ones((len(PIECES), 2), dtype=np.float32)
    tensors = {"embeddings": table} | ({} if scores is None else {"scores": scores})
    save_file(tensors, path / "model.safetensors")
    settings = {"type": "unigram", "pieces": pieces, "rules": list(rules)}
    (path / "tokenizer.json").write_text(json.dumps(settings), "utf-8")
    return path


def test_a_folder_is_read_and_unknown_characters_have_no_vector(tmp_path):
    encoder = load_static(folder_with(tmp_path), name="small")
    encoded = encoder.run(["ab☃"], layers=[0])
    assert encoded.layers[0][0].tolist() == [[1, 1], [0, 0]]
    assert encoder.surprise[5] == 2.5


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"pieces": ["a", 3]}, "pieces must be texts"),
        ({"rules": [["a"]]}, "pairs of texts"),
        ({"scores": None}, "scores must be a number for each of 9 pieces"),
        ({"scores": np.full(9, np.nan, dtype=np.float32)}, "scores must be a number"),
    ],
)
def test_damaged_vocabularies_are_refused(tmp_path, damage, words):
    with pytest.raises(DataError, match=words):
        load_static(folder_with(tmp_path, **damage), name="small")
