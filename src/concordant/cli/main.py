"""The `concordant` command: a table of subcommands, each imported only when it is called."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TextIO

import click

from concordant._version import __version__
from concordant.errors import ConcordantError, nearest
from concordant.safe_text import printable, printable_line

# Command → its one-line help; the module cli/<command>.py has it as `command`.
COMMANDS = {
    "compare": "Compare systems: which is better, how certain that is, and where; also as HTML.",
    "data": "Show which judgements and texts a file or folder holds; convert, split, check them.",
    "evaluate": "Measure how well metrics agree with people.",
    "judge": "Have people judge translations in the browser; rank systems and train from it.",
    "metrics": "List all metrics and statistics.",
    "plan": "Plan a test: how many segments or human judgements settle a difference.",
    "resources": "Show, install or add the pretrained parts that some features need.",
    "score": "Score translations against references, line by line or as a whole.",
    "train": "Train a metric from judgements.",
    "rank": "Rank systems or single translations by a trained metric's pairwise decisions.",
    "rerank": "Choose the best candidate of each n-best list: against references or by consensus.",
    "reproduce": "Recompute published figures from the data and print both side by side.",
}


class LazyGroup(click.Group):
    """A group whose help needs no import of its commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"concordant.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The requested command; for an unknown one, an error that suggests the nearest name."""
        if not args[0].startswith("-") and args[0] not in COMMANDS:
            hint = nearest(args[0], list(COMMANDS))
            raise click.UsageError(f'there is no command "{args[0]}"{hint}', ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands in the help, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="concordant")
def program() -> None:
    """Score and compare machine translations with metrics learned from human judgements."""


def main() -> None:
    """Run the command; an error is one message on stderr and exit code 1, never a traceback."""
    stdout = _prepared_streams()
    try:
        program(prog_name="concordant", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # report a full disk here, not when Python exits
    except SystemExit as stop:
        # Click replaces stdout and exits with 1 if the reader of our output is gone.
        sys.exit(stop.code if sys.stdout is stdout else 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        click.echo(printable(said.getvalue()), nl=False, err=True)
        sys.exit(error.exit_code)
    except ConcordantError as error:
        click.echo(f"concordant: {printable(str(error))}", err=True)
        sys.exit(1)
    except (KeyboardInterrupt, click.Abort):
        click.echo("concordant: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output is gone (| head): not an error.
        _abandon_stdout()
        sys.exit(0)
    except OSError as error:
        place = "the output" if error.filename is None else printable_line(str(error.filename))
        click.echo(f"concordant: {place}: {error.strerror or error}", err=True)
        if error.filename is None:
            _abandon_stdout()
        sys.exit(1)


def _prepared_streams() -> TextIO | None:
    """Standard output, which escapes what it cannot encode.

    A closed standard input counts as empty; text for a closed standard error is dropped.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - until the end
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as above
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # file names may not be valid text
    return sys.stdout


def _abandon_stdout() -> None:
    """Discard unwritten output; otherwise Python would try to write it again on exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
