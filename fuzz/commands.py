"""The command line in this process, for tests and attacks: what it says, or what it did wrong."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import NamedTuple
from unittest import mock

from concordant.cli.main import main

MOST_WORDS = 20_000  # characters of a refusal


def check_words(refusal: Exception) -> None:
    """Fail unless a refusal says something, in a length that a person can read."""
    said = str(refusal)
    assert said.strip(), "refused without a word"
    assert len(said) <= MOST_WORDS, f"a refusal of {len(said)} characters"


class Answer(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The message, which is all there is on stderr besides notes."""
        assert "Traceback" not in self.err
        lines = [line for line in self.err.splitlines() if not line.startswith("note: ")]
        assert lines, "an exit code but no message"
        assert lines[0].startswith("concordant: ")
        return "\n".join(lines).removeprefix("concordant: ")


def run(*arguments: object) -> Answer:
    """What the command says to these arguments, in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    argv = mock.patch.object(sys, "argv", ["concordant", *map(str, arguments)])
    with argv, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Answer(code, out.getvalue(), err.getvalue())


def outcome_of(*arguments: object) -> str:
    """Whether a command was answered or refused; a traceback, NaN or escape sequence fails."""
    code, said, complaint = run(*arguments)
    assert "Traceback" not in complaint, complaint
    assert "\x1b" not in said + complaint, "an escape sequence reaches the terminal"
    assert code in {0, 1, 2}, f"exit code {code}"
    if code:
        check_words(ValueError(complaint))
        return "refused"
    assert " nan " not in f" {said} ", f"nan in {said[:500]}"
    return "answered"
