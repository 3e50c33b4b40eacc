"""The command of sacrebleu, run in this process."""

import contextlib
import gc
import json
import os
import signal
import sys
import tempfile
import warnings
from pathlib import Path
from unittest import mock

# chrF's scores of paired tests are NumPy's numbers, which its json refuses.
NUMBERS = mock.patch.object(json.JSONEncoder, "default", lambda _, number: float(number))


class Descriptor:
    """Enough of a stream for the command, which opens its descriptor again and closes it."""

    def __init__(self, stream: object) -> None:
        self.stream = stream

    def fileno(self) -> int:
        return os.dup(self.stream.fileno())


def run_sacrebleu(*arguments: str) -> str:
    """What the command prints."""
    pipe = signal.getsignal(signal.SIGPIPE)
    from sacrebleu import sacrebleu

    signal.signal(signal.SIGPIPE, pipe)  # the import changes it
    with tempfile.TemporaryFile() as out, Path(os.devnull).open() as nothing:
        given = {"stdin": Descriptor(nothing), "stdout": Descriptor(out)}
        environment = mock.patch.dict(os.environ, {"NO_COLOR": "1"})
        argv = mock.patch.object(sys, "argv", ["sacrebleu", *arguments])
        with environment, argv, mock.patch.multiple(sys, **given):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                with contextlib.suppress(SystemExit), NUMBERS:
                    sacrebleu.main()
                gc.collect()  # it leaves files open
            for stream in (sys.stdin, sys.stdout):
                stream.close()
        out.seek(0)
        return out.read().decode()


def sacrebleu_scores(*arguments: str) -> list[dict]:
    """The results that the command prints as json, with ten decimals."""
    found = json.loads(run_sacrebleu(*arguments, "-w", "10"))
    return found if isinstance(found, list) else [found]
