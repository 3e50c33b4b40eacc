"""`concordant score … --engine`: many tables, partition by partition."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from concordant.cli.engine_request import ENGINES, EngineRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = TypeVar("Command", bound=Callable[..., object])


def engine_options(command: Command) -> Command:
    """Add the options of engines to `score`; with --engine, that scores instead of the command."""

    @functools.wraps(command)
    def with_engine(
        engine: str | None,
        engine_address: str | None,
        workers: int | None,
        where: tuple[str, ...],
        **asked: Any,
    ) -> object:
        request = EngineRequest(engine, engine_address, workers, where)
        request.check()
        if engine is None:
            return command(**asked)
        _score_partitions(request, asked)
        return None

    for option in (
        click.option(
            "--where", multiple=True, metavar="CONDITION",
            help='With --engine: write only rows that meet it, as in "chrf > 40", "no flags" or '
            '"no source-copy"; repeatable. The others are counted.',
        ),
        click.option(
            "--workers", type=click.IntRange(1, 100_000), metavar="N",
            help="With --engine: tables scored at once here. Default: one for each core.",
        ),
        click.option(
            "--engine-address", metavar="ADDRESS",
            help="A running cluster: Ray's address, or Spark's master. Default: start one here.",
        ),
        click.option(
            "--engine", type=click.Choice(ENGINES),
            help="Score tables and folders of tables partition by partition into the folder -o; "
            "repeat the command to go on with what is missing.",
        ),
    ):  # fmt: skip
        with_engine = option(with_engine)
    return cast("Command", with_engine)


def _score_partitions(engine: EngineRequest, asked: dict[str, Any]) -> None:
    from concordant.cli.scored_partitions import score_partitions
    from concordant.scoring.engines.partition_job import PartitionJob

    others = ("explain", "resume", "bare", "verbose")
    if asked["files"].names or any(asked[name] for name in others):
        raise click.UsageError(
            "--engine scores tables, and goes on by itself; leave out -r, -s, -b, -v, --explain "
            "and --resume"
        )
    job = PartitionJob(
        "", asked["metrics"], asked["columns"], asked["language"], engine.where, asked["batch"]
    )
    paths = (*asked["positional"], *asked["named"])
    score_partitions(paths, asked["output"], job, engine, form=asked["form"], quiet=asked["quiet"])
