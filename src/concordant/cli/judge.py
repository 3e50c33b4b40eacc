"""`concordant judge`: people judge translations in the browser, on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from concordant.cli.judge_results import POLICIES, export, outlook, simulate
from concordant.cli.output import (
    COLUMNS,
    SEED,
    notes,
    say,
    text_options,
    warn,
)
from concordant.cli.table_input import is_table, whole_files, whole_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from concordant.judging.campaign import Links
    from concordant.judging.server import Address
    from concordant.scoring.line_blocks import TextFiles
    from concordant.scoring.tables.system_texts import SystemTexts


class DefaultStart(click.Group):
    """A group that takes a first word that is not a subcommand as a file to start with."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `start` before anything that is neither a subcommand nor a help option."""
        if args and args[0] not in self.commands and args[0] not in {"-h", "--help"}:
            args = ["start", *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultStart, name="judge")
def command() -> None:
    """Have people judge translations in the browser; rank systems and train from it.

    `concordant judge FILE…` is short for `concordant judge start FILE…`.
    """


command.add_command(export)
command.add_command(outlook)
command.add_command(simulate)


def address_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where to listen."""
    for option in (
        click.option(
            "--public-url", default="", metavar="URL",
            help="How judges reach the server, if another server (with TLS) is in front of it.",
        ),
        click.option("--port", type=click.IntRange(0, 65535), default=8642, show_default=True,
                     help="Port to listen on; 0: any that is free."),
        click.option("--host", default="127.0.0.1", show_default=True,
                     help="Address to listen on."),
    ):  # fmt: skip
        command = option(command)
    return command


@command.command()
@click.argument("translations", nargs=-1, required=True, metavar="FILE…")
@text_options
@COLUMNS
@click.option("-o", "--output", default="campaign.db", show_default=True, metavar="FILE",
              help="The campaign's file, which must not exist.")  # fmt: skip
@click.option("--documents", metavar="FILE",
              help="Document names, one per segment; documents are shown in order.")  # fmt: skip
@click.option(
    "--protocol", type=click.Choice(["ranking", "pairs", "direct", "spans"]), default="ranking",
    show_default=True,
    help="Rank up to five, choose of two, score from 0 to 100, or mark errors and score.",
)  # fmt: skip
@click.option("--judge", "judges", multiple=True, metavar="NAME",
              help="A judge's name; repeatable. Default: judge-1, judge-2, judge-3.")  # fmt: skip
@click.option("--each", type=click.IntRange(min=1), default=100, show_default=True,
              help="Judgements asked of each judge.")  # fmt: skip
@click.option("--shown", type=click.IntRange(2, 5), default=5, show_default=True,
              help="Translations on a screen of --protocol ranking.")  # fmt: skip
@click.option("--context", type=click.Choice(["source", "reference", "both"]),
              help="What judges see. Default: the source, if there is one.")  # fmt: skip
@click.option(
    "--policy", type=click.Choice(POLICIES), default="uncertainty", show_default=True,
    help="What is asked next: at random; systems whose order is least certain; these, on segments "
    "where metrics disagree.",
)  # fmt: skip
@click.option("--random-share", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="Share of choices made at random by the other policies.")  # fmt: skip
@click.option("--shared", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="Share of items that another judge has judged.")  # fmt: skip
@click.option("--repeats", type=click.FloatRange(0, 1), default=0.05, show_default=True,
              help="Share of items shown again, for a judge's consistency.")  # fmt: skip
@click.option("--damaged", type=click.FloatRange(0, 1), default=0.05, show_default=True,
              help="Share of items with a damaged translation, known to be worse.")  # fmt: skip
@click.option("--title", default="Judge translations", show_default=True,
              help="Title of the judges' page.")  # fmt: skip
@click.option("--pair", default="", metavar="LP",
              help="Language pair in the records, as in de-en.")  # fmt: skip
@click.option("--name", "testset", default="", help="Name of the test set in the records.")
@SEED
@address_options
@click.option("--no-serve", is_flag=True, help="Only make the file and print the links.")
@click.option("--quiet", "-q", is_flag=True, help="Hide notes, but not warnings.")
def start(  # noqa: PLR0917 - click passes them by name
    translations: tuple[str, ...],
    files: TextFiles,
    language: str | None,
    columns: tuple[str, ...],
    output: str,
    documents: str | None,
    judges: tuple[str, ...],
    context: str | None,
    host: str,
    port: int,
    public_url: str,
    no_serve: bool,
    quiet: bool,
    **how: Any,
) -> None:
    """Start a campaign: make its file from FILEs of translations, and serve it.

    Texts are given as for compare: a FILE of translations for each system with -r or -s, or one
    table. Prints a link for each judge and one for the organiser; only hashes of them are kept.
    """
    from concordant.judging.campaign import create_campaign
    from concordant.judging.server import Address, check_installed
    from concordant.judging.settings import CampaignSettings

    check_installed()
    texts = _texts(files, translations, columns, documents, language)
    if context is None:
        context = "reference" if texts.sources is None else "source"
    settings = CampaignSettings(context=context, **how)
    named = judges or ("judge-1", "judge-2", "judge-3")
    read = [*files.names, *translations, *([] if documents is None else [documents])]
    address = Address(host, port, public_url)

    def made() -> Links:
        return create_campaign(output, texts, settings, named, read)

    if no_serve:
        _print_links(made(), address)
        return
    _serve(output, address, made, quiet=quiet)


@command.command()
@click.argument("campaign")
@click.option("--new-links", is_flag=True,
              help="Print new links for everyone; the old ones end.")  # fmt: skip
@click.option("--judge", "judges", multiple=True, metavar="NAME",
              help="A further judge (with --new-links); repeatable.")  # fmt: skip
@address_options
@click.option("--quiet", "-q", is_flag=True, help="Hide notes, but not warnings.")
def resume(
    campaign: str,
    new_links: bool,
    judges: tuple[str, ...],
    host: str,
    port: int,
    public_url: str,
    quiet: bool,
) -> None:
    """Serve a CAMPAIGN again; links stay as they are."""
    from concordant.judging.campaign import Campaign
    from concordant.judging.server import Address, check_installed

    check_installed()
    if judges and not new_links:
        raise click.UsageError("--judge adds judges together with --new-links")

    def opened() -> Links | None:
        found = Campaign(campaign)
        try:
            return found.new_links(judges) if new_links else None
        finally:
            found.close()

    _serve(campaign, Address(host, port, public_url), opened, quiet=quiet)


def _texts(
    files: TextFiles,
    translations: tuple[str, ...],
    columns: tuple[str, ...],
    documents: str | None,
    language: str | None,
) -> SystemTexts:
    from concordant.scoring.tables.columns import asked_columns, find_columns
    from concordant.scoring.tables.row_texts import table_texts
    from concordant.scoring.tables.table_file import TableFile

    if files.source is not None and not files.references:
        if columns:
            raise click.UsageError("--columns is for a table; leave out -s")
        return whole_files(files, translations, documents)
    if not is_table(files, translations, columns):
        return whole_files(files, translations, documents)
    if documents is not None:
        raise click.UsageError("--documents is for text files; a table has a column for that")
    table = TableFile(translations[0], files.longest)
    found = find_columns(table.path, table.columns(), asked_columns(columns), references=False)
    return whole_table(table_texts(table, found, language))


def _serve(
    path: str, address: Address, prepare: Callable[[], Links | None], *, quiet: bool
) -> None:
    """Listen first, so that a port that is taken leaves no file; then open and serve."""
    from concordant.judging.server import CampaignServer, bind

    listening, address = bind(address)
    try:
        links = prepare()
        if links is not None:
            _print_links(links, address)
        if address.warning:
            warn([address.warning])
        server = CampaignServer(path, address)
        notes([f"serving {path} at {address.base}; stop with Ctrl-C"], quiet=quiet)
        server.run(listening)
    finally:
        listening.close()


def _print_links(links: Links, address: Address) -> None:
    """The links on standard output, one per line: keep them, for only hashes are stored."""
    width = max(len(name) for name in ("organiser", *links.judges))
    say(f"{'organiser':{width}}  {address.base}/organiser#{links.organiser}")
    for name, token in links.judges.items():
        say(f"{name:{width}}  {address.base}/#{token}")
