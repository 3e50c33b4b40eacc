"""Mapped word vectors: what is written is found again, by words, names and files."""

import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from odd_texts import PIECES
from odd_texts import texts as odd_texts
from small_vectors import WORDS, small_matrix, small_vectors

from concordant.encoders import _native
from concordant.encoders.ragged import Ragged
from concordant.encoders.words import words
from concordant.encoders.words.words import open_vectors, verify_mapped, write_mapped
from concordant.errors import ConcordantError, DataError, SpecError

odd_words = st.one_of(
    st.text(st.characters(exclude_categories=()), min_size=1, max_size=6),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
)


@pytest.fixture
def vectors(tmp_path):
    return small_vectors(tmp_path / "small")


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("CONCORDANT_CACHE", str(folder))
    return folder


def table(vocabulary):
    encoded = [word.encode("utf-8", "surrogatepass") for word in vocabulary]
    starts = np.concatenate([[0], np.cumsum([len(word) for word in encoded])]).astype(np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), starts


def index_of(vocabulary):
    word_bytes, starts = table(vocabulary)
    return _native.WordIndex(word_bytes, starts, _native.word_slots(word_bytes, starts))


@given(
    vocabulary=st.lists(odd_words, min_size=1, max_size=40, unique=True),
    others=st.lists(odd_words, max_size=20),
)
@example(["a", "a\0", "\0", "\ud83d", "\ude00", "😀", "x" * 100_000], ["\ud83d\ude00", "a\0\0", ""])
@settings(max_examples=200)
def test_a_lookup_is_a_dictionarys(vocabulary, others):
    rows = {word: row for row, word in enumerate(vocabulary)}
    asked = [*vocabulary, *others]
    index = index_of(vocabulary)
    assert index.find(asked).tolist() == [rows.get(word, -1) for word in asked]
    found = [index.word(row).decode("utf-8", "surrogatepass") for row in range(len(vocabulary))]
    assert found == vocabulary


def test_the_hash_never_changes_since_it_is_on_disk():
    slots = _native.word_slots(*table(["the", "cat", "漢字"]))
    found = {place: f"{slot:016x}" for place, slot in enumerate(slots.tolist()) if slot}
    assert found == {2: "8e29f8a100000002", 4: "d5ef8ca600000003", 7: "7913ec8500000001"}


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 63, 64, 65, 1000, 20_000])
def test_vocabularies_of_every_size(tmp_path, size):
    vocabulary = [f"w{i}" for i in range(size)]
    vectors = small_vectors(tmp_path, vocabulary, dimension=1)
    assert vectors.lookup(vocabulary).tolist() == list(range(size))
    assert len(np.load(tmp_path / "slots.npy")) >= 2 * size


def test_what_is_written_is_read(vectors):
    matrix = small_matrix()
    assert len(vectors) == len(WORDS)
    assert vectors.dimension == 4
    assert [vectors.word(row) for row in range(len(vectors))] == WORDS
    np.testing.assert_array_equal(vectors.vectors, matrix)
    norms = np.load(vectors.folder / "norms.npy")
    np.testing.assert_allclose(norms, np.linalg.norm(matrix.astype(float), axis=1), rtol=1e-7)
    verify_mapped(vectors.folder)


def test_only_what_is_written_changes_the_signature(tmp_path, vectors):
    again = small_vectors(tmp_path / "again" / "small")
    other = small_vectors(tmp_path / "other" / "small", dimension=5)
    assert vectors.signature == again.signature != other.signature
    assert vectors.signature.startswith("small#")


def test_a_vocabulary_in_lower_case_takes_texts_in_lower_case(vectors):
    assert vectors.meta.case == "lower"
    assert vectors.lookup(["The", "É", "WELL-KNOWN"]).tolist() == [0, WORDS.index("é"), 12]
    assert vectors.tokens("THE Cat’s Dog") == ["the", "cat", "'s", "dog"]
    assert vectors.rows(["Foo foo"]).values.tolist() == [-1, -1]


def test_a_vocabulary_with_capitals_is_taken_as_it_is(tmp_path):
    vectors = small_vectors(tmp_path, ["The", "cat"])
    assert vectors.meta.case == "mixed"
    assert vectors.lookup(["The", "the", "cat", "Cat"]).tolist() == [0, -1, 1, -1]
    assert vectors.rows(["The the Cat cat"]).values.tolist() == [0, -1, -2, 1]


def test_a_stray_capital_does_not_make_a_vocabulary_of_capitals(tmp_path):
    vectors = small_vectors(tmp_path, [*(f"w{i}" for i in range(99)), "at\xa0Amazon.com"])
    assert vectors.meta.case == "lower"
    assert vectors.lookup(["W5", "at\xa0Amazon.com", "AT\xa0Amazon.com"]).tolist() == [5, 99, -1]


def test_unknown_words_have_the_same_number_in_one_call(vectors):
    rows = vectors.rows(["dog the cow", "", "cow dog bee", "the"])
    assert rows.values.tolist() == [-1, 0, -2, -2, -1, -3, 0]
    assert rows.starts.tolist() == [0, 3, 3, 6, 7]
    assert rows.values.dtype == np.int32


@given(texts=st.lists(odd_texts(), max_size=8))
@example(["the cat " * 12_500, "x-" * 50_000, "", "\0", "\ud800 well-known"])
@settings(max_examples=100)
def test_rows_are_those_of_the_tokens_for_any_number_of_threads(tmp_path_factory, texts):
    vectors = open_vectors(tmp_path_factory.getbasetemp() / "shared")
    tokens = [vectors.tokens(text) for text in texts]
    numbers = {word: row for row, word in enumerate(WORDS)}
    unknown = dict.fromkeys(t for each in tokens for t in each if t not in numbers)
    numbers.update({word: -1 - i for i, word in enumerate(unknown)})
    expected = [[numbers[token] for token in each] for each in tokens]
    for threads in (1, 3):
        rows = vectors.rows(texts, threads=threads)
        assert isinstance(rows, Ragged)
        assert [rows[i].tolist() for i in range(len(rows))] == expected


@pytest.fixture(autouse=True, scope="module")
def shared_vectors(tmp_path_factory):
    small_vectors(tmp_path_factory.getbasetemp() / "shared")


def test_several_threads_may_ask_at_once(vectors):
    found = []
    texts = ["the cat sat on the dog"] * 200
    threads = [
        threading.Thread(
            target=lambda: found.append(vectors.rows(texts, threads=2).values.tolist())
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [vectors.rows(texts).values.tolist()] * 4


def test_texts_must_be_a_list_of_strings(vectors):
    with pytest.raises(ConcordantError, match="texts must be a list of strings, not one string"):
        vectors.rows("the cat")
    with pytest.raises(ConcordantError, match="every text must be a string, but one is NoneType"):
        vectors.rows(["the", None])
    with pytest.raises(ConcordantError, match="row 99 is not one of 0 to 23"):
        vectors.word(99)


@pytest.mark.parametrize(
    ("vocabulary", "matrix", "message"),
    [
        (
            ["a", "b"],
            np.ones((3, 2)),
            r"2 words need a matrix with as many rows, not one of \(3, 2\)",
        ),
        (["a"], np.ones(1), r"1 words need a matrix .* not one of \(1,\)"),
        ([], np.ones((0, 2)), "0 words need a matrix"),
        (["a"], np.ones((1, 0)), r"not one of \(1, 0\)"),
        (["a", "b", "a"], np.ones((3, 2)), 'the word "a" appears twice'),
        (["a", ""], np.ones((2, 2)), "word 2 is empty"),
        (
            ["a", "b"],
            np.array([[1.0, 2], [3, np.nan]]),
            'the vector of "b" has a number that is not',
        ),
    ],
)
def test_a_table_that_cannot_be_is_not_written(tmp_path, vocabulary, matrix, message):
    with pytest.raises(ConcordantError, match=message):
        write_mapped(tmp_path / "x", vocabulary, matrix)
    assert not (tmp_path / "x").exists()


def test_a_part_is_opened_by_its_name(own_cache, monkeypatch):
    monkeypatch.setattr(words, "is_installed", lambda name: name == "glove-50")
    monkeypatch.setattr(words, "locate", lambda name: own_cache / "parts" / name)
    small_vectors(own_cache / "parts" / "glove-50")
    assert open_vectors("glove-50").name == "glove-50"


@pytest.mark.usefixtures("own_cache")
def test_what_is_not_there_is_said_with_what_to_do(tmp_path):
    with pytest.raises(ConcordantError, match="concordant resources install glove-50"):
        open_vectors("glove-50")
    with pytest.raises(
        DataError, match=r"none\.txt: there is no such file, nor a folder with a meta"
    ):
        open_vectors(tmp_path / "none.txt")
    with pytest.raises(DataError, match="there is no such file"):
        open_vectors(str(tmp_path))


def test_a_file_is_converted_once(tmp_path, own_cache, monkeypatch):
    path = tmp_path / "own.txt"
    path.write_text("the 1 2\ncat 3 4\n")
    first = open_vectors(str(path))
    assert first.name == "own.txt"
    assert first.folder.parent == own_cache / "vectors"
    assert first.vectors[first.lookup(["cat"])].tolist() == [[3, 4]]
    with monkeypatch.context() as patch:
        patch.delattr(words, "read_vectors")
        assert open_vectors(path).signature == first.signature
    path.write_text("the 1 2\ncat 3 5\n")
    assert open_vectors(path).vectors[1].tolist() == [3, 5]
    assert sorted(p.name[0] != "." for p in first.folder.parent.iterdir()) == [True, True]


def test_two_may_convert_the_same_file(tmp_path, own_cache):
    path = tmp_path / "own.txt"
    path.write_text("".join(f"w{i} {i} 1\n" for i in range(2000)))
    found, faults = [], []

    def convert():
        try:
            found.append(open_vectors(path).signature)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=convert) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(set(found)) == 1
    assert len(list((own_cache / "vectors").iterdir())) == 1


def test_a_full_disk_leaves_nothing_behind(tmp_path, own_cache, monkeypatch):
    path = tmp_path / "own.txt"
    path.write_text("the 1 2\n")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(
        ConcordantError, match=r"no room left on the disk of .* set CONCORDANT_CACHE"
    ):
        open_vectors(path)
    assert list((own_cache / "vectors").iterdir()) == []


def flip_last_bit(path):
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_a_converted_file_that_was_damaged_is_converted_again(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("the 1 2\ncat 3 4\n")
    first = open_vectors(path)
    signature = first.signature
    flip_last_bit(first.folder / "vectors.npy")
    again = open_vectors(path)
    assert again.vectors.tolist() == [[1, 2], [3, 4]]
    assert again.signature == signature


def test_a_mapped_folder_that_was_damaged_is_refused(tmp_path):
    folder = small_vectors(tmp_path / "small").folder
    open_vectors(folder)
    flip_last_bit(folder / "vectors.npy")
    with pytest.raises(DataError, match=r"another sha256 than meta\.toml says"):
        open_vectors(folder)


def test_a_home_folder_of_nobody_is_told():
    with pytest.raises(SpecError, match="starts with ~nosuchuser, but there is no such user"):
        open_vectors("~nosuchuser/vectors.txt")
