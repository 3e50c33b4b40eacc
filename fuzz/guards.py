"""What watches over an attack: no code run, no file touched, no endless run, no memory without end.

The guards live in the process under attack. What Python itself reports to its audit hooks (imports,
processes, sockets, files opened for writing, removed or renamed) is compared with what is allowed.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    Watch = Callable[[], AbstractContextManager[None]]  # what an attack runs under

SECONDS = 10  # of processor time
MEGABYTES = 1024
PLANTED = "planted_package"  # a package on the path of which nothing may be imported
FORBIDDEN = {
    "os.system", "os.exec", "os.posix_spawn", "os.startfile", "subprocess.Popen", "pty.spawn",
    "socket.connect", "socket.getaddrinfo", "pickle.find_class", "builtins.input",
}  # fmt: skip
# Event → which of its arguments are paths that it changes.
CHANGING = {
    "os.remove": (0,), "os.rename": (0, 1), "os.rmdir": (0,), "os.mkdir": (0,), "os.link": (0, 1),
    "os.symlink": (1,), "os.truncate": (0,), "os.chmod": (0,), "shutil.rmtree": (0,),
    "shutil.move": (0, 1), "shutil.copyfile": (1,),
}  # fmt: skip


class TooLongError(BaseException):
    """A case that takes too long; nothing that catches exceptions catches this."""


class Guard:
    """Remembers what happened that should not have."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace.resolve()
        self.seen: list[str] = []
        self._active = False

    def install(self) -> None:
        """Watch from now on; an audit hook cannot be taken away again."""
        sys.addaudithook(self._hook)
        plant(self.workspace)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Run one case: within its time, and with nothing forbidden."""
        self.seen.clear()
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        self._active = True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                yield
        finally:
            self._active = False
            signal.setitimer(signal.ITIMER_PROF, 0)
        assert not self.seen, f"forbidden: {', '.join(self.seen[:5])}"

    def _hook(self, event: str, given: tuple[Any, ...]) -> None:
        if not self._active:
            return
        if event in FORBIDDEN:
            self.seen.append(f"{event}{given!r:.200}")
        elif event == "import" and str(given[0]).split(".")[0] == PLANTED:
            self.seen.append(f"import {given[0]}")
        elif event == "open" and _writes(given):
            self._changed(event, given[0])
        elif event in CHANGING:
            for place in CHANGING[event]:
                self._changed(event, given[place])

    def _changed(self, event: str, path: object) -> None:
        if isinstance(path, int):
            return
        where = Path(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 - resolve() would look at the disk
        if not where.is_relative_to(self.workspace) and not str(where).startswith("/dev/"):
            self.seen.append(f"{event} {where}")


def limit_memory() -> None:
    """Limit the process to MEGABYTES more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (MEGABYTES << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def plant(workspace: Path) -> None:
    """A package on the path that must never be imported: it leaves a mark if it is."""
    folder = workspace / "planted" / PLANTED
    folder.mkdir(parents=True, exist_ok=True)
    mark = workspace / "planted" / "was-run"
    code = f"open({str(mark)!r}, 'w').close()\ndef load(*a, **k): raise SystemExit('ran')\n"
    (folder / "__init__.py").write_text(code)
    (folder / "meta.json").write_text('{"lang": "en", "name": "x", "version": "1", "pipeline": []}')
    sys.path.append(str(folder.parent))


def _writes(given: tuple[Any, ...]) -> bool:
    mode, flags = given[1], given[2]
    if isinstance(mode, str):
        return any(sign in mode for sign in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _too_long(_signal: int, _frame: object) -> None:
    raise TooLongError(f"it took more than {SECONDS} seconds")
