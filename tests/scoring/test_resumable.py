"""A resumed file is that of an uninterrupted run, or it is refused."""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from bad_input import refused, run, write

from concordant.errors import ConcordantError
from concordant.output_files import output_place
from concordant.scoring import scores
from concordant.scoring.fingerprints import changed_since, fingerprint
from concordant.scoring.resumable import ResumableFile

REQUEST = {"metrics": ["chrf"]}
LINES = 40


@pytest.fixture
def texts(tmp_path):
    """A reference and two systems, one of them with a name that would break a tsv."""
    names = {"ref": "ref", "a": "a", "b": "=b\nb\tb\x1b.txt"}
    return {
        key: write(tmp_path / name, "".join(f"{key} sentence {i} is here\n" for i in range(LINES)))
        for key, name in names.items()
    }


def asked(texts, *more):
    systems = [part for key in ("b", "a") for part in ("-t", texts[key])]
    return ["score", "-r", texts["ref"], *systems, "-m", "chrf", "--level", "segment", "-q", *more]


def resumable(path, *, resume=True, request=None):
    return ResumableFile(output_place(path), request or REQUEST, resume=resume)


def interrupted(path, lines="1\n2\n3", request=None):
    """Leave a part with these lines."""
    with suppress(KeyboardInterrupt), resumable(path, request=request) as file:
        file.write(lines)
        raise KeyboardInterrupt
    return path.with_name(f"{path.name}.part")


def test_whole_lines_are_kept_and_continued(tmp_path):
    path = tmp_path / "x"
    part = interrupted(path)
    assert part.read_text() == "1\n2\n3"
    with resumable(path) as file:
        assert file.lines == 2
        file.write("3\n")
    assert path.read_text() == "1\n2\n3\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_part_is_not_continued_without_being_asked(tmp_path):
    interrupted(tmp_path / "x")
    with resumable(tmp_path / "x", resume=False, request={"metrics": ["ter"]}) as file:
        assert file.lines == 0
        file.write("a\n")
    assert (tmp_path / "x").read_text() == "a\n"


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path):
    path = write(tmp_path / "x", "old")
    path.chmod(0o640)
    interrupted(path)
    assert path.read_text() == "old"
    with resumable(path) as file:
        file.write("3\n")
    assert path.read_text() == "1\n2\n3\n"
    assert path.stat().st_mode & 0o777 == 0o640


# An empty record is what a run leaves that is killed at its very beginning.
OWN = [("x.part", "mine"), ("x.part", ""), ("x.part.json", "mine"), ("x.part.json", "{}")]


@pytest.mark.parametrize(("name", "content"), OWN)
@pytest.mark.parametrize("resume", [True, False])
def test_a_file_of_the_users_own_is_left_alone(tmp_path, name, content, resume):
    own = write(tmp_path / name, content)
    for _ in range(2):
        with pytest.raises(ConcordantError, match=f"{name} is in the way: it is not from an"):
            resumable(tmp_path / "x", resume=resume)
        assert own.read_text() == content
        assert list(tmp_path.iterdir()) == [own]


HOLD = """
import sys
from concordant.output_files import output_place
from concordant.scoring.resumable import ResumableFile
file = ResumableFile(output_place(sys.argv[1]), {"metrics": ["chrf"]}, resume=True)
file.write("1\\n")
file._stream.flush()
print("open", flush=True)
sys.stdin.read()
"""


def test_a_second_run_is_refused_until_the_first_has_died(tmp_path):
    path = tmp_path / "x"
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout.readline() == b"open\n"
        for resume in (True, False):
            with pytest.raises(ConcordantError) as caught:
                resumable(path, resume=resume)
            words = f"another run is writing {path}; wait for it, or name another file"
            assert str(caught.value) == words
        first.kill()
    with resumable(path) as file:
        assert file.lines == 1
    assert path.read_text() == "1\n"


def test_two_commands_at_once_write_one_right_file(texts, tmp_path):
    whole = tmp_path / "whole"
    assert run(*asked(texts, "-o", whole)).code == 0
    for _ in range(3):
        output = tmp_path / "scores"
        command = [
            sys.executable, "-m", "concordant.cli.main", *asked(texts, "-o", output, "--resume"),
        ]  # fmt: skip
        both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [each.communicate()[1] for each in both]
        for process, words in zip(both, said, strict=True):
            assert process.returncode == 0 or "another run is writing" in words
        assert output.read_bytes() == whole.read_bytes()
        output.unlink()


def test_names_never_change_the_number_of_lines(texts, tmp_path, monkeypatch):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run(*asked(texts, "-o", whole)).code == 0
    lines = whole.read_text().split("\n")
    assert len(lines) == 2 * LINES + 2
    assert lines[1].startswith("\\=b\\nb\\tb\\x1b\t1\t")
    complete = scores.score_file

    def stopped(*arguments, **options):
        yield next(complete(*arguments, **options))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(scores, "score_file", stopped)
        assert run(*asked(texts, "-o", broken, "--batch", 7)).code == 130
    assert run(*asked(texts, "-o", broken, "--resume")).code == 0
    assert broken.read_bytes() == whole.read_bytes()


def test_pipes_cannot_be_read_again(texts, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in (pipe, "-"):
        given = ["-r", texts["ref"], "-t", name, "-m", "chrf", "--level", "segment"]
        answer = run("score", *given, "-o", tmp_path / "x", "--resume")
        assert answer.code == 2
        words = f"--resume reads the inputs again, but {name} is not a regular file; save its text"
        assert words in " ".join(answer.err.split())
    answer = run(*asked(texts, "-o", os.devnull, "--resume"))
    assert f"--resume continues a regular file, and {os.devnull} is not one" in answer.err


def test_an_output_that_is_an_input_is_refused_before_any_work(texts, tmp_path):
    before = texts["a"].read_bytes()
    link = tmp_path / "link"
    link.hardlink_to(texts["a"])
    assert "is one of the inputs" in refused(*asked(texts, "-o", texts["a"]))
    assert f"link is the same file as {texts['a']}, or in it" in refused(*asked(texts, "-o", link))
    assert texts["a"].read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


def test_a_pipe_is_written_in_place(texts, tmp_path):
    whole, pipe = tmp_path / "whole", tmp_path / "pipe"
    assert run(*asked(texts, "-o", whole)).code == 0
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run(*asked(texts, "-o", pipe)).code == 0
    reader.join(timeout=10)
    assert got == [whole.read_bytes()]
    assert pipe.is_fifo()
    assert not list(tmp_path.glob("*.part*"))


def test_an_input_that_changes_meanwhile_is_said_and_nothing_is_written(
    texts, tmp_path, monkeypatch
):
    complete = scores.score_file

    def meddling(*arguments, **options):
        yield from complete(*arguments, **options)
        write(texts["a"], texts["a"].read_text().swapcase())
        os.utime(texts["a"], ns=(1, 1))

    monkeypatch.setattr(scores, "score_file", meddling)
    message = refused(*asked(texts, "-o", tmp_path / "x"))
    assert message == (
        f"{texts['a']} changed during scoring; nothing was written to {tmp_path / 'x'}; run again"
    )
    assert not list(tmp_path.glob("x*"))


def test_a_full_disk_keeps_what_is_done(tmp_path):
    code = (
        "import resource, signal, sys; from concordant.output_files import output_place; "
        "from concordant.scoring.resumable import ResumableFile; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "file = ResumableFile(output_place(sys.argv[1]), {'metrics': ['chrf']}, resume=True)\n"
        "with file: file.write('line\\n' * 10_000)"
    )
    path = tmp_path / "x"
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].endswith(
        f"{path} cannot be written: File too large; finished lines are in {path}.part; "
        "continue with --resume"
    )
    assert not path.exists()
    with resumable(path) as file:
        assert file.lines == 200


def test_fingerprints_know_contents_not_names(tmp_path):
    first, second = write(tmp_path / "a", "text"), write(tmp_path / "b", "text")
    assert fingerprint(str(first)).digest == fingerprint(str(second)).digest
    before = [fingerprint(str(each)) for each in (first, second)]
    assert changed_since(before) == []
    second.unlink()
    assert changed_since(before) == [str(second)]
    assert fingerprint(os.devnull).digest is None
    assert Path(os.devnull).is_char_device()


DIE = """
import os, sys
from pathlib import Path
from concordant.output_files import output_place, write_whole
from concordant.scoring.resumable import ResumableFile

OURS = ("resumable.py", "output_files.py", "file_locks.py")
whole, folder = "1\\n2\\n3\\n", Path(sys.argv[1])

def resumed():
    with ResumableFile(output_place(folder / "x"), {"metrics": ["chrf"]}, resume=True) as file:
        for line in whole.splitlines(keepends=True)[file.lines:]:
            file.write(line)
            file._stream.flush()

def replaced():
    write_whole(output_place(folder / "x"), whole)

def dies_at(step, work):
    # Run in a child that ends, as if killed, before the given line of our modules; True if it did.
    child = os.fork()
    if child == 0:
        left = [step]
        def watch(frame, event, argument):
            if Path(frame.f_code.co_filename).name not in OURS:
                return None
            if event == "line":
                left[0] -= 1
                if left[0] < 0:
                    os._exit(9)
            return watch
        sys.settrace(watch)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

for work in (resumed, replaced):
    for old in (None, "old"):
        step = 0
        while True:
            if old is not None:
                (folder / "x").write_text(old)
            (folder / "x.bak").write_text("mine")
            died = dies_at(step, work)
            found = (folder / "x").read_text() if (folder / "x").exists() else None
            assert found in (old, whole), (work, step, found)
            dies_at(step // 2, work)
            work()
            assert (folder / "x").read_text() == whole, (work, step)
            names = sorted(each.name for each in folder.iterdir())
            assert names == ["x", "x.bak"], (work, step, names)
            (folder / "x").unlink()
            if not died:
                break
            step += 1
        print(work.__name__, step)
"""


def test_death_before_any_line_leaves_nothing_half(tmp_path):
    """Wherever a writer dies, the old file or the new one is there, and the next run tidies up."""
    done = subprocess.run(
        [sys.executable, "-c", DIE, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    steps = [int(line.split()[1]) for line in done.stdout.splitlines()]
    assert len(steps) == 4
    assert min(steps) > 30


def test_a_draft_that_is_a_link_is_never_written_through(texts, tmp_path):
    victim = write(tmp_path / "victim", "years of work\n")
    part = interrupted(tmp_path / "x")
    part.unlink()
    part.symlink_to(victim)
    for resume in (True, False):
        with pytest.raises(ConcordantError, match=r"x\.part is in the way"):
            resumable(tmp_path / "x", resume=resume)
    assert victim.read_text() == "years of work\n"
    (tmp_path / "y.part.json").symlink_to(victim)
    assert "y cannot be written" in refused(*asked(texts, "-o", tmp_path / "y"))
    assert victim.read_text() == "years of work\n"
