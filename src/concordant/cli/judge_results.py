"""What comes of campaigns: `concordant judge export`, `outlook` and `simulate`."""

from __future__ import annotations

import click

from concordant.cli.output import SEED, output_options, say, show, standard_output, tracker

POLICIES = ("random", "uncertainty", "both")


@click.command()
@click.argument("campaign")
@click.option(
    "--to", "target", type=click.Choice(["jsonl", "wmt-csv", "comet-csv", "mqm-tsv"]),
    default="jsonl", show_default=True,
    help="Our own format, WMT's pairs, COMET's csv, or MQM's errors.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="File to write. Default: standard output.")
def export(campaign: str, target: str, output: str | None) -> None:
    """Write the judgements of a CAMPAIGN in another format; it may be served meanwhile."""
    from pathlib import Path

    from concordant.judging.export import export_text
    from concordant.output_files import output_place, write_whole

    place = None if output is None else output_place(output, [campaign])
    text = export_text(Path(campaign), target)
    if place is None:
        standard_output().write(text)
    else:
        write_whole(place, text)


@click.command()
@click.argument("campaign")
def outlook(campaign: str) -> None:
    """Say how many judgements a metric trained on CAMPAIGN needs to beat the one that ships.

    Trains the recipe lexical on growing shares of the judgements, and extends the curve.
    """
    from pathlib import Path

    from concordant.judging.outlook import outlook as found_for

    found = found_for(Path(campaign))
    for pairs, estimate in found.points:
        say(f"{pairs:>8,} pairs  strict tau {estimate}")
    say(f"{found.shipped:>14}  strict tau {found.reached}")
    say(found.sentence)


@click.command()
@click.argument("path")
@click.option("--as", "as_format", metavar="FORMAT", help="Read PATH as this format.")
@click.option("--texts", metavar="PATH", help="Texts, for the policy both, if PATH has none.")
@click.option("--policy", "policies", multiple=True, type=click.Choice(POLICIES),
              help="Repeatable. Default: random and uncertainty.")  # fmt: skip
@click.option("--pairs", default="", metavar="LP,…", help='Language pairs, such as "de-en,*-en".')
@click.option("--replays", type=click.IntRange(min=10), default=100, show_default=True,
              help="Replays of each policy.")  # fmt: skip
@click.option("--random-share", type=click.FloatRange(0.01, 1), default=0.1, show_default=True,
              help="Share of choices made at random by the other policies.")  # fmt: skip
@SEED
@output_options
def simulate(  # noqa: PLR0917 - click passes them by name
    path: str,
    as_format: str | None,
    texts: str | None,
    policies: tuple[str, ...],
    pairs: str,
    replays: int,
    random_share: float,
    seed: int,
    form: str,
    quiet: bool,
) -> None:
    """Replay the judgements of PATH: how many does each policy need to settle the ranking?

    PATH has judged pairs or rankings. Needed is the number of judgements of two systems from which
    the ranking agrees with the whole campaign's (tau of at least 0.95 on average), and from which
    the order of its clusters is right (in 95 % of the replays).
    """
    from concordant._version import __version__
    from concordant.judgements.detection import read_each
    from concordant.judgements.judged_records import kinds_of
    from concordant.judgements.judged_set import JudgedSet
    from concordant.judging.simulation import simulate as replayed
    from concordant.judging.simulation_table import needed_table

    asked = policies or POLICIES[:2]
    collection = read_each([path, *([] if texts is None else [texts])], as_format=as_format)
    kind = next((each for each in kinds_of(collection) if each != "ratings"), "rankings")
    patterns = [part.strip() for part in pairs.split(",") if part.strip()]
    columns = JudgedSet.of(collection, kind, language_pairs=patterns).columns()
    rows = [
        each
        for column in columns
        for each in replayed(
            column, asked, replays=replays, seed=seed, random_share=random_share,
            track=tracker(quiet=quiet),
        )
    ]  # fmt: skip
    signature = (
        f"replays:{replays}|with replacement|score:expected-wins|random share:{random_share:g}"
        f"|seed:{seed}|concordant:{__version__}"
    )
    show(needed_table(rows, signature), form)
