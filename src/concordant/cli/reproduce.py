"""`concordant reproduce`: published figures beside recomputed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import notes, output_options, show, tracker
from concordant.experiments.registry import EXPERIMENTS, data_folder, experiment_named

if TYPE_CHECKING:
    from concordant.experiments.figures import Experiment

HELP = f"""Recompute published figures from the data and print both side by side.

EXPERIMENT is one or more of {", ".join(EXPERIMENTS)}, or all. The exit code is 1 if a figure is
not reproduced; for a paper, if a figure is no longer the documented one. Each row of a paper is
reached, beyond or not reached, and what is not reached is printed with its reason.
"""


@click.command(name="reproduce", help=HELP)
@click.argument("names", nargs=-1, required=True, metavar="EXPERIMENT…")
@click.option("--table", "tables", multiple=True, type=int, metavar="N",
              help="Only this table of a paper; repeatable.")  # fmt: skip
@click.option(
    "--encoder", "encoders", multiple=True, metavar="NAME[=PATH]",
    help="A further encoder for shimanaka2018: mpnet, infersent or skip-thought if you added them, "
    "or your own as NAME=PATH; repeatable.",
)  # fmt: skip
@click.option("--data", metavar="DIR", help="Folder of the WMT data. Default: $CONCORDANT_DATA.")
@output_options
def command(
    names: tuple[str, ...],
    tables: tuple[int, ...],
    encoders: tuple[str, ...],
    data: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Run the experiments one after the other (see HELP)."""
    from concordant.encoders.cache.cache import cache_notes
    from concordant.errors import ConcordantError
    from concordant.report.experiments import experiment_table, failures

    wanted = list(EXPERIMENTS) if "all" in names else list(names)
    experiments = [experiment_named(name) for name in wanted]
    folders = [data_folder(data, experiment) for experiment in experiments]
    failed = 0
    if tables and not all(experiment.tables for experiment in experiments):
        raise click.UsageError(
            "--table only works for experiments with several tables: "
            + ", ".join(name for name in EXPERIMENTS if experiment_named(name).tables)
        )
    if encoders and not any(experiment.takes_encoders for experiment in experiments):
        raise click.UsageError("--encoder only works for shimanaka2018")
    own = _named_paths(encoders)
    for experiment, folder in zip(experiments, folders, strict=True):
        more: dict[str, object] = {}
        if experiment.tables:
            more |= {"tables": tables, "track": tracker(quiet=quiet)}
        if experiment.takes_encoders:
            more["encoders"] = own
        notes(_left_out(experiment), quiet=quiet)
        figures = experiment.run(folder, **more)
        failed += len(failures(experiment, figures))
        show(experiment_table(experiment, figures), form)
    notes(cache_notes(), quiet=quiet)
    if failed:
        raise ConcordantError(f"{failed} figure{'' if failed == 1 else 's'} not reproduced")


def _left_out(experiment: Experiment) -> list[str]:
    """The note on rows of an experiment that cannot be computed because parts are missing."""
    from concordant.resources.places import is_installed

    missing = [each for each in experiment.parts if not is_installed(each)]
    if not missing:
        return []
    left_out = f"{experiment.name}: rows that need {', '.join(missing)} are left out, not checked"
    return [f"{left_out}; concordant resources install {' '.join(missing)}"]


def _named_paths(given: tuple[str, ...]) -> dict[str, str | None]:
    """NAME=PATH → PATH by NAME; None for a NAME alone, which is an installed part."""
    found: dict[str, str | None] = {}
    for each in given:
        name, sign, path = each.partition("=")
        if not name or (sign and not path):
            raise click.UsageError(f'--encoder "{each}" is neither NAME nor NAME=PATH')
        found[name] = path or None
    return found
