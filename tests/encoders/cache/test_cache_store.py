"""Whatever happens to the file of the cache, nothing is lost and no value is ever wrong."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from cached_values import DISTINCT, TEXTS, filled

from concordant.encoders.cache import cache_store as module
from concordant.encoders.cache.cache import cached, entry_key
from concordant.encoders.cache.cache_store import Cache
from concordant.errors import ConcordantError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "entries.sqlite"


@pytest.fixture
def store(path):
    with contextlib.closing(Cache(path)) as opened:
        yield opened


def change(path, statement, *values):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def pages(store, number):
    """Let the file have no more room than it has, and some pages."""
    (there,) = store._file.execute("PRAGMA page_count").fetchone()
    store._file.execute(f"PRAGMA max_page_count = {there + number}")


@pytest.mark.parametrize(
    "damage", ["value = X'00'", "value = ''", "check_sum = 1", "check_sum = 'x'", "value = 'text'"]
)
def test_a_damaged_value_is_computed_again(store, path, damage):
    filled(store)
    change(path, f"UPDATE entries SET {damage} WHERE key = ?", entry_key("encoder", "three"))
    assert filled(store) == ["three"]
    assert filled(store) == []


def test_a_file_that_is_no_database_is_set_aside_and_begun_anew(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else" * 1000)
    with contextlib.closing(Cache(path)) as store:
        assert len(filled(store)) == DISTINCT
        assert len(store.notes) == 1
        assert f"the cache {path} was damaged and has been started anew" in store.notes[0]
    assert path.with_suffix(".damaged").read_bytes().startswith(b"something else")
    with contextlib.closing(Cache(path)) as store:
        assert (filled(store), store.notes) == ([], [])


@pytest.mark.parametrize("cut", [True, False], ids=["cut short", "overwritten"])
def test_a_file_that_turns_out_to_be_damaged_is_set_aside_and_begun_anew(path, cut):
    texts = [f"text {i} " * 50 for i in range(300)]
    with contextlib.closing(Cache(path)) as store:
        filled(store, texts)
    content = path.read_bytes()
    half = len(content) // 2
    path.write_bytes(content[:half] if cut else content[:4096] + b"\x77" * (len(content) - 4096))
    with contextlib.closing(Cache(path)) as store:
        assert filled(store, texts)
        assert filled(store, texts) == []
        assert len(store.notes) == 1
        assert "was damaged" in store.notes[0]
    with contextlib.closing(Cache(path)) as store:
        assert (filled(store, texts), store.notes) == ([], [])


def test_of_two_who_find_the_damage_the_second_keeps_what_the_first_begins(path):
    first, second = Cache(path), Cache(path)
    fault = sqlite3.DatabaseError("database disk image is malformed")
    first._recover(first._file, fault, writing=False)
    filled(first)
    second._recover(second._file, fault, writing=False)
    assert filled(second) == []
    assert (len(first.notes), len(second.notes)) == (1, 0)
    first.close()
    second.close()


def test_a_full_disk_loses_nothing_and_says_so(store):
    filled(store)
    pages(store, 1)
    long = [f"{i} " * 3000 for i in range(30)]
    assert len(filled(store, long)) == len(long)
    assert len(store.notes) == 1
    assert "cannot be used (database or disk is full)" in store.notes[0]
    assert "for this run only" in store.notes[0]
    # What is on the disk is still read from there, what is not is in memory.
    assert filled(store, [*TEXTS, *long]) == []
    assert store.summary().entries == DISTINCT + len(long)


def test_a_full_disk_does_not_keep_old_entries_from_being_read(store, path):
    filled(store)
    change(path, "UPDATE entries SET used = 0")
    store._file.execute("PRAGMA query_only = 1")  # marking them as used fails
    assert filled(store) == []
    assert store.notes == []
    assert "readonly" in _fault(store)


def _fault(store):
    with pytest.raises(sqlite3.OperationalError) as caught:
        store._insert([(b"k", b"v", 0, 0)])
    return str(caught.value)


def test_a_full_disk_can_be_cleared(store):
    filled(store, ["long " * 5000])
    store._file.execute("PRAGMA query_only = 1")
    store.clear()
    assert store.summary().entries == 0
    assert len(filled(store)) == DISTINCT


@pytest.mark.parametrize("where", ["file", "folder"])
def test_a_place_that_cannot_be_used_leaves_the_memory(tmp_path, where):
    path = tmp_path / "cache" / "entries.sqlite"
    if where == "file":
        (tmp_path / "cache").write_text("in the way")
    else:
        path.mkdir(parents=True)
    with contextlib.closing(Cache(path)) as store:
        assert len(filled(store)) == DISTINCT
        assert filled(store) == []
        assert len(store.notes) == 1
        assert f"the cache {path} cannot be used" in store.notes[0]
        assert "set CONCORDANT_CACHE to another folder" in store.notes[0]


def test_a_cache_that_cannot_be_opened_cannot_be_cleared(tmp_path):
    path = tmp_path / "entries.sqlite"
    path.mkdir()
    with (
        contextlib.closing(Cache(path)) as store,
        pytest.raises(ConcordantError, match=r"cannot be cleared: the cache .* cannot be used"),
    ):
        store.clear()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone else")
def test_a_folder_of_someone_else_is_not_written():
    code = (
        "import os, pathlib, sys\n"
        "from concordant.encoders.cache.cache import cached\n"
        "from concordant.encoders.cache.cache_store import Cache\n"
        "os.setgid(65534)\n"
        "os.setuid(65534)\n"
        "store = Cache(pathlib.Path(sys.argv[1]) / 'entries.sqlite')\n"
        "print(cached('e', ['a'], lambda places: [b'1'], bytes, store=store), *store.notes)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        run = subprocess.run(
            [sys.executable, "-c", code, folder], capture_output=True, text=True, check=False
        )
        assert run.stdout.startswith(f"[b'1'] the cache {folder}"), run.stderr
        assert "Permission denied" in run.stdout
        assert list(Path(folder).iterdir()) == []


def test_a_limit_is_kept_by_forgetting_what_was_not_used_for_longest(path, monkeypatch):
    clock = [1_000_000.0]
    monkeypatch.setattr(module.time, "time", lambda: clock[0])
    with contextlib.closing(Cache(path, limit=1 << 20)) as store:
        old = [f"old {i} " * 100 for i in range(50)]
        filled(store, old)
        clock[0] += 2 * module.DAY
        filled(store, ["between " * 100])
        clock[0] += 2 * module.DAY
        assert filled(store, old[:5]) == []  # used again, so they are the last to go
        for i in range(40):
            clock[0] += 60
            filled(store, [f"new {i}.{k} " * 100 for k in range(20)])
            assert store.summary().bytes <= store.limit
        assert 0 < store.summary().entries < 855
        assert filled(store, [f"new 39.{k} " * 100 for k in range(20)]) == []
        assert len(filled(store, old[5:])) == 45


def test_the_least_recently_used_goes_first(path, monkeypatch):
    clock = [1_000_000.0]
    monkeypatch.setattr(module.time, "time", lambda: clock[0])
    with contextlib.closing(Cache(path)) as store:
        for text in "abc":
            filled(store, [text])
            clock[0] += 2 * module.DAY
        filled(store, ["a"])
        module._evict(store._file, 1)
        assert filled(store, ["a", "b", "c"]) == ["b"]


def test_no_room_at_all_is_no_fault(path):
    with contextlib.closing(Cache(path, limit=0)) as store:
        assert len(filled(store)) == DISTINCT
        assert store.summary().entries == 0
        assert store.notes == []


CHILD = """
import sys, pathlib
from concordant.encoders.cache import cache
from concordant.encoders.cache.cache_store import Cache
cache.PIECE = 7
path, first, last = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
texts = [f"text {i}" for i in range(first, last)]
for _ in range(3):
    store = Cache(path)
    found = cache.cached("e", texts, lambda at: [texts[i].encode() for i in at], bytes, store=store)
    assert found == [text.encode() for text in texts]
    assert store.notes == [], store.notes
    store.close()
"""


def test_processes_that_fill_it_at_once_lose_nothing(path):
    spans = [(0, 400), (200, 600), (100, 500), (300, 700)]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), str(first), str(last)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for first, last in spans
    ]
    for child in children:
        _, errors = child.communicate(timeout=120)
        assert child.returncode == 0, errors
    texts = [f"text {i}" for i in range(700)]
    with contextlib.closing(Cache(path)) as store:
        found = cached("e", texts, lambda _: pytest.fail("something was lost"), bytes, store=store)
        assert found == [text.encode() for text in texts]
        assert store.summary().entries == 700


def test_threads_share_it(store):
    faults = []

    def work(first):
        try:
            filled(store, [f"text {i}" for i in range(first, first + 300)])
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(100 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert store.summary().entries == 600


def test_clearing_forgets_all_and_gives_the_room_back(store, path):
    filled(store, [f"{i} " * 2000 for i in range(200)])
    path.with_suffix(".damaged").write_bytes(b"old")
    before = store.summary()
    assert (before.path, before.entries, before.limit) == (path, 200, module.DEFAULT_LIMIT)
    assert before.bytes > 200 * 2000 * 3
    store.clear()
    assert store.summary().entries == 0
    assert store.summary().bytes < 50_000
    assert path.stat().st_size < 50_000
    assert not path.with_suffix(".damaged").exists()
    assert len(filled(store)) == DISTINCT
