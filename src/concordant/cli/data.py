"""`concordant data`: show, convert, split and check judgements and texts."""

from __future__ import annotations

from pathlib import Path

import click

from concordant.cli.output import JUDGED, SEED, WHY, notes, output_options, reading_notes, say, show

AS = click.option("--as", "as_format", metavar="FORMAT", help="Read PATH as this format.")


class DefaultShow(click.Group):
    """A group that takes a first word that is not a subcommand as a path to show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `show` before anything that is neither a subcommand nor a help option."""
        if args and args[0] not in self.commands and args[0] not in {"-h", "--help"}:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultShow, name="data")
def command() -> None:
    """Show which judgements and texts a file or folder holds; convert, split, check them.

    `concordant data PATH` is short for `concordant data show PATH`.
    """


@command.command("show")
@click.argument("path")
@AS
@click.option(
    "--why", is_flag=True,
    help="Print the detected format of every file, or why it was skipped.",
)  # fmt: skip
@output_options
def show_(path: str, as_format: str | None, why: bool, form: str, quiet: bool) -> None:
    """Show what PATH holds: language pairs, systems, segments, judges, ties, what is missing."""
    from concordant.judgements.detection import read, scan
    from concordant.judgements.summary import holdings
    from concordant.report.data import holdings_table

    found = [] if as_format is not None else scan(path)
    collection = read(path, as_format=as_format)
    if why:
        for detection in found:
            say(str(detection), err=True)
    reading_notes(collection, why=why, quiet=quiet)
    left_out = map(str, collection.left_out if why else ())
    show(holdings_table(holdings(collection), found, [*collection.notes, *left_out]), form)
    names = sorted(
        {t.metric for t in collection.tables} | {s.metric for s in collection.score_lines}
    )
    if names and form == "table":
        say(f"metric scores ({len(names)} metrics): {', '.join(names)}")


@command.command()
@click.argument("path")
@AS
@WHY
@click.option("-o", "--output", type=click.Path(), help="File to write. Default: standard output.")
@click.option(
    "--to", "target", type=click.Choice(["records", "preferences"]), default="records",
    show_default=True,
    help="Keep every judgement as it is, or convert all to preferences.",
)  # fmt: skip
@click.option("--drop-ties", is_flag=True, help="Leave out ties (with --to preferences).")
@click.option("--merge-repeats", is_flag=True, help="Merge repeated outcomes, with a count.")
@click.option("--minimum-gap", type=float, default=0.0, help="Of two ratings, for a preference.")
@click.option("--raw", is_flag=True, help="Apply --minimum-gap to raw scores (DARR: 25).")
@click.option("--standardise", is_flag=True, help="Convert ratings to z-scores per judge.")
@click.option("--quiet", "-q", is_flag=True, help="Hide notes.")
def convert(
    path: str, as_format: str | None, why: bool, output: str | None, quiet: bool, **how: object
) -> None:
    """Write the judgements of PATH as concordant's own jsonl, unchanged or converted."""
    from concordant.judgements.detection import read
    from concordant.judgements.recasting import Recasting, recast
    from concordant.judgements.writing import write_judgements
    from concordant.output_files import output_place

    place = None if output is None else output_place(output, [path])
    asked = Recasting(**how)  # type: ignore[arg-type]
    converted = recast(read(path, as_format=as_format), asked)
    reading_notes(converted, why=why, quiet=quiet)
    write_judgements(converted, place)


@command.command()
@click.argument("path")
@AS
@WHY
@click.option("-o", "--output", type=click.Path(), required=True, help="Folder to write to.")
@click.option(
    "--shares", default="train=80,dev=10,test=10", show_default=True, metavar="NAME=SHARE,…",
    help="Names and shares (%) of the parts.",
)  # fmt: skip
@SEED
@click.option("--quiet", "-q", is_flag=True, help="Hide notes.")
def split(
    path: str, as_format: str | None, why: bool, output: str, shares: str, seed: int, quiet: bool
) -> None:
    """Split the judgements of PATH into NAME.jsonl files; each segment is in one of them only."""
    from concordant.judgements.detection import read
    from concordant.judgements.splits import parse_shares, split_collection
    from concordant.judgements.writing import write_judgements
    from concordant.output_files import output_folder, output_place

    wanted = parse_shares(shares)
    collection = read(path, as_format=as_format)
    reading_notes(collection, why=why, quiet=quiet)
    parts = split_collection(collection, wanted, seed=seed)
    folder = output_folder(output)
    places = {name: output_place(folder / f"{name}.jsonl", [path]) for name in parts}
    for name, part in parts.items():
        records = len(part.rankings) + len(part.preferences) + len(part.ratings)
        write_judgements(part, places[name])
        target = Path(output) / f"{name}.jsonl"
        notes([f"{target}: {records} judgements"], quiet=quiet)


@command.command()
@click.argument("path")
@AS
@WHY
@SEED
@output_options
def agreement(
    path: str, as_format: str | None, why: bool, seed: int, form: str, quiet: bool
) -> None:
    """Measure how far the judges of PATH agree with each other and with themselves."""
    from concordant.evaluation.annotators import annotator_agreement
    from concordant.judgements.detection import read
    from concordant.report.data import agreement_table

    collection = read(path, as_format=as_format)
    reading_notes(collection, why=why, quiet=quiet)
    show(agreement_table(annotator_agreement(collection, seed=seed)), form)


@command.command()
@click.argument("path")
@AS
@WHY
@click.option(
    "--method", default="expected-wins", show_default=True,
    help="expected-wins, better, better-or-equal, strictly-better, bradley-terry or trueskill.",
)  # fmt: skip
@JUDGED
@click.option("--pairs", default="", metavar="LP,…", help='Language pairs, such as "de-en,*-en".')
@SEED
@output_options
def systems(  # noqa: PLR0917 - click passes them by name
    path: str,
    as_format: str | None,
    why: bool,
    method: str,
    judged: str | None,
    pairs: str,
    seed: int,
    form: str,
    quiet: bool,
) -> None:
    """Rank the systems of PATH as people judged them, with rank ranges and clusters."""
    from concordant._version import __version__
    from concordant.evaluation.system_ranking import system_ranking
    from concordant.judgements.detection import read
    from concordant.judgements.judged_records import kinds_of
    from concordant.judgements.judged_set import JudgedSet
    from concordant.report.data import ranking_table

    collection = read(path, as_format=as_format)
    reading_notes(collection, why=why, quiet=quiet)
    kind = judged or next(iter(kinds_of(collection)), "rankings")
    patterns = [part.strip() for part in pairs.split(",") if part.strip()]
    rows = [
        standing
        for column in JudgedSet.of(collection, kind, language_pairs=patterns).columns()
        for standing in system_ranking(column, method=method, seed=seed)
    ]
    rated = "mean-rating" if kind in {"ratings", "system ratings"} else method
    signature = f"human:{kind.replace(' ', '-')}|score:{rated}|seed:{seed}|concordant:{__version__}"
    show(ranking_table(rows, signature), form)
