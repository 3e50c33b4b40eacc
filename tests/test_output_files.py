"""Every file is written whole or not at all, and nothing else is touched."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from concordant import output_files
from concordant.errors import ConcordantError
from concordant.file_locks import open_locked
from concordant.output_files import exchange, output_folder, output_place, write_whole

ROOT = Path(__file__).parents[1]


def written(path, text="new\n", inputs=()):
    write_whole(output_place(path, inputs), text)


def refusal(path, inputs=()):
    with pytest.raises(ConcordantError) as caught:
        output_place(path, inputs)
    return str(caught.value)


def received(pipe, write):
    """What comes out of a pipe while something is written to it."""
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    write()
    reader.join(timeout=10)
    return got


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    written(path)
    assert path.read_text(encoding="utf-8") == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "usual").touch()
    written(tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "deep").mkdir()
    target, link = tmp_path / "deep" / "target", tmp_path / "link"
    link.symlink_to(target)
    written(link)
    written(link, "newer")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "newer"
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refusal(loop).startswith(f"{loop} cannot be written: ")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert received(pipe, lambda: written(pipe)) == ["new\n"]
    assert pipe.is_fifo()


def test_devices_are_written_to_and_not_replaced(tmp_path):
    before = Path(os.devnull).stat()
    written(os.devnull)
    (tmp_path / "null").symlink_to(os.devnull)
    written(tmp_path / "null")
    after = Path(os.devnull).stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (before.st_ino, before.st_rdev) == (after.st_ino, after.st_rdev)


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_is_not_cut_off_by_a_name_for_it(tmp_path, place):
    """A log that the shell has opened goes on behind what is written."""
    code = (
        "import sys; from concordant.output_files import *; "
        "write_whole(output_place(sys.argv[1]), 'new\\n')"
    )
    (tmp_path / "link").symlink_to("/dev/stdout")
    log = tmp_path / "log"
    with log.open("w") as stream:
        for words in ("before", "after"):
            subprocess.run(["echo", words], stdout=stream, check=True)
            if words == "before":
                subprocess.run(
                    [sys.executable, "-c", code, place], stdout=stream, check=True, cwd=tmp_path
                )
    assert log.read_text(encoding="utf-8") == "before\nnew\nafter\n"


def test_an_input_is_refused_through_links_of_both_kinds(tmp_path):
    read = tmp_path / "in"
    read.write_text("text", encoding="utf-8")
    (tmp_path / "soft").symlink_to(read)
    (tmp_path / "hard").hardlink_to(read)
    assert refusal(read, [read]) == f"{read} is one of the inputs; name another file to write to"
    for name in ("soft", "hard"):
        words = (
            f"{tmp_path / name} is the same file as {read}, or in it; name another file to write to"
        )
        assert refusal(tmp_path / name, [read]) == words
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "up").symlink_to(tmp_path)  # a circle, which is walked once
    assert f"the same file as {tmp_path / 'folder'}, or in it" in refusal(
        read, [tmp_path / "folder"]
    )
    assert output_place(tmp_path / "new", [tmp_path, "no such input"])
    assert output_place(os.devnull, [os.devnull])


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    words = "; create it first"
    assert refusal(tmp_path / "no" / "x") == f"there is no folder {tmp_path / 'no'}{words}"
    assert refusal(tmp_path) == f"{tmp_path} is a folder; name a file to write to"
    assert refusal(f"{tmp_path}/new/") == f"{tmp_path}/new/ names a folder; name a file to write to"
    assert refusal(tmp_path / "file" / "x").startswith(f"{tmp_path / 'file'} is a file, not a")
    assert refusal("a\0b").startswith("a\0b cannot be written: ")
    assert "File name too long" in refusal(tmp_path / ("x" * 300))
    with pytest.raises(ConcordantError, match="create it first"):
        output_folder(tmp_path / "no" / "folder")
    assert output_folder(tmp_path / "folder").is_dir()


@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
def test_an_interruption_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, call):
    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")

    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(os if call == "fsync" else Path, call, stop)
    with pytest.raises(KeyboardInterrupt):
        written(path)
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_said_and_leaves_the_old_file(tmp_path):
    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")
    code = (
        "import resource, signal, sys; from concordant.output_files import *; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "write_whole(output_place(sys.argv[1]), 'x' * 100_000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].endswith(f"{path} cannot be written: File too large")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_drafts_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path):
    dead, living = (tmp_path / f".concordant-{digit * 16}.part" for digit in "01")
    foreign = tmp_path / ".concordant-mine.part"
    for each in (dead, foreign):
        each.write_text("half", encoding="utf-8")
    with open_locked(living):
        written(tmp_path / "out")
        assert {each.name for each in tmp_path.iterdir()} == {"out", living.name, foreign.name}
    written(tmp_path / "out")
    assert {each.name for each in tmp_path.iterdir()} == {"out", foreign.name}


def test_two_writers_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "out"
    texts = [letter * 100_000 for letter in "abcd"]
    threads = [threading.Thread(target=written, args=(path, text)) for text in texts * 5]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text(encoding="utf-8") in texts
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("at_once", [True, False])
def test_two_folders_are_exchanged(tmp_path, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(output_files, "_exchange_at_once", lambda *_: False)
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "name").write_text(folder.name)
    exchange(first, second)
    assert (first / "name").read_text() == "second"
    assert (second / "name").read_text() == "first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


def test_what_cannot_be_removed_stays_and_is_no_obstacle(tmp_path):
    stray = tmp_path / f".concordant-{'0' * 16}.part"
    stray.mkdir()
    write_whole(output_place(tmp_path / "out"), "text")
    assert (tmp_path / "out").read_text() == "text"
    assert stray.is_dir()


def test_a_full_device_is_named_whatever_stdout_is():
    program = "from concordant.cli.main import main; main()"
    given = "score -r examples/de-en/reference-1.txt -t examples/de-en/systems/alder.txt -m chrf"
    run = subprocess.run(
        f"{sys.executable} -c '{program}' {given} --level segment -q -o /dev/full >&-",
        shell=True, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert run.returncode == 1
    assert run.stderr == "concordant: /dev/full cannot be written: No space left on device\n"
