"""Mapped word vectors that are damaged: it is said, and nothing crashes."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_vectors import WORDS, small_vectors

from concordant.encoders import _native
from concordant.encoders.words import words
from concordant.encoders.words.words import open_mapped, open_vectors, verify_mapped
from concordant.errors import DataError


@pytest.fixture
def vectors(tmp_path):
    return small_vectors(tmp_path / "small")


def rewrite(path, old, new):
    path.write_bytes(path.read_bytes().replace(old, new))


DAMAGE = {
    "no meta": (lambda f: (f / "meta.toml").unlink(), "meta.toml: there is no such file"),
    "meta": (lambda f: rewrite(f / "meta.toml", b"=", b"?"), "meta.toml: is not TOML"),
    "meta lacks": (
        lambda f: rewrite(f / "meta.toml", b"words", b"works"),
        "meta.toml lacks values",
    ),
    "meta value": (lambda f: rewrite(f / "meta.toml", b"= 4", b"= 0"), "impossible values"),
    "meta count": (
        lambda f: rewrite(f / "meta.toml", b"= 24", b"= 25"),
        r"is float32 \(24, 4\), not float32 \(25, 4\)",
    ),
    "no file": (lambda f: (f / "slots.npy").unlink(), "No such file"),
    "cut vectors": (lambda f: cut(f / "vectors.npy", 5), "these mapped word vectors are damaged"),
    "cut words": (lambda f: cut(f / "words.bin", 1), "words.bin has another length"),
    "empty words": (lambda f: (f / "words.bin").write_bytes(b""), "are damaged"),
    "empty slots": (lambda f: (f / "slots.npy").write_bytes(b""), "are damaged"),
    "other type": (lambda f: np.save(f / "norms.npy", np.ones(24)), "norms.npy is float64"),
    "other size": (
        lambda f: np.save(f / "slots.npy", np.ones(32, np.uint64)),
        "slots.npy is uint64",
    ),
}


def cut(path, count):
    path.write_bytes(path.read_bytes()[:-count])


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_said_when_opening(tmp_path, damage):
    folder = small_vectors(tmp_path / "small").folder
    spoil, message = DAMAGE[damage]
    spoil(folder)
    with pytest.raises(DataError, match=rf"{message}.*install or convert them again"):
        words.open_mapped(folder, name="small")


def test_a_newer_format_says_so(vectors):
    rewrite(vectors.folder / "meta.toml", b"format = 1", b"format = 2")
    with pytest.raises(DataError, match=r"format 2, where this version reads format 1; update it"):
        open_vectors(vectors.folder)


@pytest.mark.parametrize("name", ["slots", "word_starts"])
def test_damage_inside_is_met_without_a_crash(vectors, rng, name):
    path = vectors.folder / f"{name}.npy"
    array = np.load(path)
    met = []
    filled = np.flatnonzero(array[:-1])  # the last start is looked at when opening
    for _ in range(50):
        spoiled = array.copy()
        spoiled[rng.choice(filled, 5)] ^= array.dtype.type(rng.integers(1, 2**31))
        np.save(path, spoiled)
        damaged = open_mapped(vectors.folder, name="small")
        try:
            damaged.rows([" ".join(WORDS)])
            damaged.lookup(WORDS)
        except DataError as fault:
            met.append(str(fault))
        with pytest.raises(DataError, match=r"another sha256 than meta\.toml says"):
            verify_mapped(vectors.folder)
    assert met
    assert all("these mapped word vectors are damaged" in each for each in met)


def test_a_table_without_an_empty_slot_ends(vectors):
    path = vectors.folder / "slots.npy"
    np.save(path, np.ones_like(np.load(path)))
    opened = open_mapped(vectors.folder, name="small")
    assert opened.lookup(["the", "dog"]).tolist() == [-1, -1]


@given(
    starts=st.lists(st.integers(-3, 9), max_size=4),
    slots=st.lists(st.integers(0, 2**64 - 1), max_size=4),
)
@settings(max_examples=100)
def test_the_kernel_refuses_arrays_that_do_not_fit(starts, slots):
    letters = np.frombuffer(b"abcdef", np.uint8)
    with contextlib.suppress(ValueError, RuntimeError):
        index = _native.WordIndex(letters, np.array(starts, np.int64), np.array(slots, np.uint64))
        index.find(["a", "b", ""])
        index.rows(["a b abc"], 2)
