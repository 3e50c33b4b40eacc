"""Nothing is encoded twice, within a call, between calls and between runs."""

import contextlib
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pytest
from bad_input import run
from cached_values import DISTINCT, TEXTS, filled, value_of
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import texts as odd_texts

from concordant.encoders.cache import cache as module
from concordant.encoders.cache.cache import (
    cache_limit,
    cache_notes,
    cache_path,
    cache_summary,
    cached,
    cached_rows,
    clear_cache,
    default_cache,
    entry_key,
)
from concordant.encoders.cache.cache_store import DEFAULT_LIMIT, Cache
from concordant.errors import ConcordantError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "entries.sqlite"


@pytest.fixture
def store(path):
    with contextlib.closing(Cache(path)) as opened:
        yield opened


@settings(max_examples=40)
@given(st.lists(odd_texts(), max_size=8), st.integers(1, 3))
def test_any_text_is_computed_once_and_found_again(texts, piece):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", piece)
        with contextlib.closing(Cache(Path(folder) / "entries.sqlite")) as store:
            assert sorted(filled(store, texts)) == sorted(set(texts))
            assert filled(store, texts) == []
            assert store.notes == []


def test_the_same_text_is_computed_once_in_a_call_between_calls_and_between_runs(store, path):
    assert sorted(filled(store)) == sorted(set(TEXTS))
    assert filled(store, [*TEXTS, "new"]) == ["new"]
    store.close()
    with contextlib.closing(Cache(path)) as again:
        assert filled(again, [*TEXTS, "new"]) == []
        assert again.notes == []


def test_signatures_do_not_share_values(store):
    filled(store, ["b"], "a")
    assert filled(store, [""], "ab") == [""]
    assert entry_key("a", "b") != entry_key("ab", "")


def test_rows_come_back_to_the_last_bit_and_can_be_written_to(store, rng):
    rows = rng.normal(size=(len(TEXTS), 3)).astype(np.float32)
    rows[4] = rows[0]
    rows[0, 0] = rows[4, 0] = -0.0
    for _ in range(2):
        found = cached_rows("e", TEXTS, lambda places: rows[places], width=3, store=store)
        assert found.dtype == np.float32
        assert found.tobytes() == rows.tobytes()
        found += 1
    wider = cached_rows(
        "e", TEXTS, lambda places: np.ones((len(places), 2)), width=2, dtype=np.float64, store=store
    )
    assert wider.tolist() == [[1.0, 1.0]] * len(TEXTS)
    nothing = cached_rows("e", [], lambda _: pytest.fail("nothing to do"), width=3, store=store)
    assert nothing.shape == (0, 3)


def test_what_was_computed_before_an_interruption_is_kept(store, monkeypatch):
    monkeypatch.setattr(module, "PIECE", 10)
    texts = [f"text {i:03}" for i in range(55)]

    def interrupted(places):
        if 30 in places:
            raise KeyboardInterrupt
        return [value_of(texts[i]) for i in places]

    with pytest.raises(KeyboardInterrupt):
        cached("encoder", texts, interrupted, bytes, store=store)
    assert store.summary().entries == 30
    assert len(filled(store, texts)) == 25


def test_the_users_cache_is_opened_once_where_the_variable_says(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    assert cache_path() == tmp_path / "encoded" / "entries-v1.sqlite"
    assert (cache_summary().entries, cache_summary().bytes) == (0, 0)
    clear_cache()
    assert not cache_path().exists()
    filled(None)
    assert default_cache() is default_cache()
    assert cache_summary().entries == DISTINCT
    clear_cache()
    assert cache_summary().entries == 0
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "other"))
    assert len(filled(None)) == DISTINCT


def test_notes_of_the_users_cache_reach_the_person(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    assert cache_notes() == []
    cache_path().parent.mkdir()
    cache_path().write_bytes(b"something else" * 1000)
    answer = run("resources", "cache")
    assert answer.code == 0
    assert answer.err.startswith(f"note: the cache {cache_path()} was damaged and has been")
    assert cache_notes() == [answer.err.removeprefix("note: ").strip()]
    assert run("resources", "cache", "--quiet").err == ""
    assert run("resources", "cache", "--clear", "--quiet").code == 0


def test_the_limit_is_a_number_of_megabytes(monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE_LIMIT", "3")
    assert cache_limit() == 3 << 20
    monkeypatch.setenv("CONCORDANT_CACHE_LIMIT", "3 GB")
    with pytest.raises(ConcordantError, match='LIMIT is "3 GB", not a number of megabytes'):
        cache_limit()
    monkeypatch.delenv("CONCORDANT_CACHE_LIMIT")
    assert cache_limit() == DEFAULT_LIMIT


FORGED = {
    "short": b"\0" * 4,
    "empty": b"",
    "long": b"\0" * 16,
    "not a number": np.array([1.0, np.nan, 2.0], dtype=np.float32).tobytes(),
    "infinite": np.array([1.0, np.inf, 2.0], dtype=np.float32).tobytes(),
}


@pytest.mark.parametrize("value", FORGED.values(), ids=FORGED)
def test_a_forged_value_is_computed_again_even_with_a_right_check_sum(store, value):
    right = np.arange(6, dtype=np.float32).reshape(2, 3)

    def rows():
        return cached_rows("e", ["a", "b"], lambda at: right[at], width=3, store=store)

    assert np.array_equal(rows(), right)
    store.store([entry_key("e|<f43", "b")], [value])
    assert np.array_equal(rows(), right)
    assert store.damaged == 1
    assert np.array_equal(rows(), right)
    assert store.damaged == 1  # it was mended


def test_a_damaged_value_is_noted_once_and_mended(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    assert filled(default_cache(), ["a", "b"]) == ["a", "b"]
    with contextlib.closing(sqlite3.connect(cache_path())) as file, file:
        file.execute("UPDATE entries SET value = x'00'")
    assert cache_notes() == []
    assert sorted(filled(default_cache(), ["a", "b"])) == ["a", "b"]
    words = f"2 damaged entries of the cache {cache_path()} were recomputed"
    assert cache_notes() == [words]
    assert filled(default_cache(), ["a", "b"]) == []
    assert cache_notes() == [words]
