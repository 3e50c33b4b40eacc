"""METEOR's data: tokens, stems, synonyms, and paraphrases compiled and read back."""

import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meteor_files import GOLDEN, write_folder, write_table
from odd_texts import PIECES, spelled

from concordant.errors import ConcordantError, DataError
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.meteor import meteor
from concordant.metrics.lexical.meteor.data import JAR, load_resources, stems
from concordant.metrics.lexical.meteor.languages import LANGUAGES
from concordant.metrics.lexical.meteor.normalise import normalise_lines
from concordant.metrics.lexical.meteor.paraphrases import compile_paraphrases, load_paraphrases
from concordant.metrics.lexical.meteor.synonyms import parse_synonyms

ENGLISH = LANGUAGES["en"]


# What edu.cmu.meteor.util.Normalizer of meteor-1.5.jar makes of each line.
@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("Mr. X of the U.S. said: no.", "Mr. X of the US said : no ."),
        ("1,000,50, a,b 3,", "1,000,50 , a , b 3 ,"),
        ("don't 90's 'tis cats' rock'n'roll", "don 't 90 's ' tis cats ' rock 'n'roll"),
        ("No. 5 No. Five e.g. pp. 3-4", "No. 5 No . Five eg pp. 3 4"),
        ("wait... what.. ok.", "wait ... what .. ok ."),
        ("a--b -- c – d — e", "a b - c - d — e"),
        ("“a” ``b'' ‘c’", '" a " " b " \' c \''),
        ("\u00a0\u2003 x\u3000y\tz\x01", "x y z"),
        ("", ""),
    ],
)
def test_tokens_are_those_of_the_java_program(line, tokens):
    assert normalise_lines([line], ENGLISH) == [tokens]


def test_punctuation_can_go():
    assert normalise_lines(["Well, (this) is... it."], ENGLISH, punctuation=False) == [
        "Well this is it"
    ]


@given(st.binary(max_size=60))
@settings(max_examples=200)
def test_tokens_are_stable_in_what_they_keep(places):
    line = spelled([*PIECES, "."], places)
    (found,) = normalise_lines([line], ENGLISH)
    assert found == found.strip(" ")
    assert "  " not in found
    assert [c for c in found if c.isalnum() and c.isascii()] == [
        c for c in line if c.isalnum() and c.isascii()
    ]


@given(st.lists(st.binary(max_size=30), max_size=5))
def test_tokens_are_numbered_as_they_are_met(lines):
    texts = [spelled([*PIECES, " ", "\f"], places) for places in lines]
    words, tokens, starts = _native.meteor_tokens(texts)
    cut = [t.translate(dict.fromkeys(map(ord, "\t\n\r\f"), " ")).split(" ") for t in texts]
    found = [words[token] for token in tokens]
    assert found == [word for text in cut for word in text if word]
    assert words == list(dict.fromkeys(found))
    assert np.diff(starts).tolist() == [len([w for w in text if w]) for text in cut]


# From Snowball's own list of English words and stems, and its exceptions.
@pytest.mark.parametrize(
    "pair",
    """
    consigned/consign consistency/consist consolation/consol conspiracies/conspiraci
    knightly/knight kneeling/kneel knots/knot happy/happi enjoy/enjoy cries/cri ties/tie
    gas/gas gaps/gap kiwis/kiwi this/this hopping/hop hoping/hope luxuriated/luxuri
    skies/sky dying/die news/news succeeding/succeed herring/herring generously/generous
    communism/communism relational/relat sensibilities/sensibl adoption/adopt
    'tis/tis boss's/boss by/by say/say yellow/yellow falling/fall feel/feel cease/ceas
    """.split(),
)
def test_english_stems(pair):
    word, stem = pair.split("/")
    assert stems([word], "en") == [stem]


@given(st.text(max_size=40))
def test_any_word_has_a_stem(word):
    (stem,) = stems([word], "en")
    assert len(stem) <= len(word) + 1


@given(st.text(max_size=20))
def test_hashes_are_java_s(word):
    units = np.frombuffer(word.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    wanted = 0
    for unit in units.tolist():
        wanted = (31 * wanted + unit) % 2**32
    assert _native.java_hashes([word]).view(np.uint32).tolist() == [wanted]


def test_synonyms_are_found_by_base_forms():
    synonyms = parse_synonyms(
        "church\n1\nmatch\n2\nman\n3\nlike\n4\ngo\n5\nglass\n6\nfly\n7\n", "go\nwent gone\n"
    )
    words = ["churches", "men", "liked", "liking", "went", "glass", "flies", "as", "matcher"]
    assert [synonyms.of(word) for word in words] == [[1], [3], [4], [4], [5], [6, 6], [7], [], [2]]


phrases = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join)


@given(entries=st.lists(st.tuples(phrases, phrases), max_size=30))
@settings(max_examples=60)
def test_the_trie_is_the_table(tmp_path_factory, entries):
    path = tmp_path_factory.mktemp("table") / "paraphrase-en.gz"
    write_table(path, entries)
    words, arrays = compile_paraphrases(path)
    spelling = dict(enumerate(words))
    starts, one_word = arrays["child_starts"], len(words)
    for node in range(len(starts) - 1):
        for place in range(starts[node], starts[node + 1]):
            spelling[one_word + place] = f"{spelling[node]} {words[arrays['child_words'][place]]}"
    said_as = {}
    for phrase, other in entries:
        said_as.setdefault(phrase, []).append(other)
    begins = arrays["entry_starts"]
    for node, phrase in spelling.items():
        found = arrays["entries"][begins[node] : begins[node + 1]].tolist()
        assert [spelling[other] for other in found] == said_as.get(phrase, [])


def test_a_table_is_compiled_once(tmp_path, monkeypatch):
    path = tmp_path / "paraphrase-en.gz"
    write_table(path, GOLDEN["paraphrases"])
    first = load_paraphrases(path, tmp_path / "cache")
    monkeypatch.setattr("concordant.metrics.lexical.meteor.paraphrases.compile_paraphrases", None)
    again = load_paraphrases(path, tmp_path / "cache")
    assert again.words == first.words
    assert first.nodes(["due", "nobody"]).tolist() == [first.words["due"], -1]
    assert len(list((tmp_path / "cache").glob("meteor-*"))) == 1


def test_a_damaged_table_is_compiled_again(tmp_path):
    path = tmp_path / "paraphrase-en.gz"
    write_table(path, [("a b", "c"), ("c", "d e")])
    sound = load_paraphrases(path, tmp_path)
    (folder,) = tmp_path.glob("meteor-*")
    for name in ("entries.npy", "words.txt", "hashes.json"):
        file = folder / name
        content = file.read_bytes()
        file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        assert load_paraphrases(path, tmp_path).words == sound.words
        assert file.read_bytes() == content


def test_the_signature_tells_other_data_apart(tmp_path):
    found = set()
    for phrase in ("one", "two"):
        folder = write_folder(
            tmp_path / phrase,
            synsets={"house": "1"},
            exceptions={},
            paraphrases=[("a", phrase)],
        )
        found.add(meteor.signature(resources=load_resources(folder)))
    assert len(found) == 2
    assert all("|data:" in each for each in found)
    assert "|data:" not in meteor.signature(modules=["exact", "stem"])


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    path, cache = tmp_path / "paraphrase-en.gz", tmp_path / "cache"
    write_table(path, GOLDEN["paraphrases"])
    cache.write_text("a file, not a folder", "utf-8")
    assert load_paraphrases(path, cache).words["due"] >= 0


def test_a_table_that_is_cut_off_is_told(tmp_path):
    path = tmp_path / "paraphrase-en.gz"
    write_table(path, GOLDEN["paraphrases"])
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(DataError, match=r"paraphrase-en.gz: .*three lines an entry.*cut off"):
        compile_paraphrases(path)
    path.write_bytes(b"0.1\na\nb\n")
    with pytest.raises(DataError, match="cut off or another"):
        compile_paraphrases(path)
    write_table(path, [("a", " ")])
    with pytest.raises(DataError, match="a phrase is empty"):
        compile_paraphrases(path)


def test_arrays_that_do_not_fit_are_refused():
    def arrays(*lists):
        return [np.array(numbers, dtype=np.int32) for numbers in lists]

    _native.Paraphrases(*arrays([0, 1, 1], [0], [0, 0, 1], [0]))
    for lists in (
        ([], [], [], []),
        ([0, 1, 1], [5], [0, 0, 1], [0]),
        ([0, 1, 1], [0], [0, 0, 1], [2]),
        ([0, 1, 1], [0], [0, 0, 2], [0]),
        ([0, 0, 1], [0], [0, 0, 1], [0]),
    ):
        with pytest.raises(ValueError, match=r"fit|few"):
            _native.Paraphrases(*arrays(*lists))


def test_modules_that_run_are_those_whose_data_are_there(tmp_path):
    folder = write_folder(tmp_path / "files", synsets={}, exceptions={}, paraphrases=[])
    resources = load_resources(folder)
    assert resources.modules("en") == ("exact", "stem", "synonym", "paraphrase")
    (folder / "data" / "paraphrase-en.gz").unlink()
    assert resources.modules("en") == ("exact", "stem", "synonym")
    assert load_resources(folder) is resources


def test_a_folder_without_the_jar_is_told(tmp_path):
    with pytest.raises(ConcordantError, match=f"has no {JAR}: install pycocoevalcap"):
        load_resources(tmp_path)


@pytest.mark.parametrize("damage", ["no zip", "cut off", "no member", "no UTF-8", "damaged member"])
def test_a_damaged_jar_is_told(tmp_path, damage):
    name = "nonbreaking/german.prefixes"
    jar = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        text = b"\xff\xfe" if damage == "no UTF-8" else b"Dr\nProf\n" * 500
        archive.writestr("other" if damage == "no member" else name, text)
    data = bytearray(jar.read_bytes())
    if damage == "no zip":
        data = bytearray(b"words")
    if damage == "cut off":
        data = data[: len(data) // 2]
    if damage == "damaged member":
        data[len(name) + 32] ^= 0xFF
    jar.write_bytes(data)
    with pytest.raises(DataError, match=r"meteor-1\.5\.jar: nonbreaking/german\.prefixes cannot be "
                       r"read .*; install pycocoevalcap's copy"):  # fmt: skip
        load_resources(tmp_path).prefixes("de")
