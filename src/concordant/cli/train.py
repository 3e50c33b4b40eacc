"""`concordant train`: train a metric from judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from concordant.cli.output import THREADS, notes, output_options, show, tracker
from concordant.cli.pages import HTML, TITLE, day, page_place, write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.training.course import Course
    from concordant.training.recipe import Recipe


@click.command(name="train")
@click.argument("recipe_file", metavar="[RECIPE.toml]", required=False)
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder to save the metric in.")
@click.option("--recipe", "recipe_name", metavar="NAME", help="Name of a shipped recipe.")
@click.option(
    "--judgements", multiple=True, metavar="PATH",
    help="Judgements and texts to use instead of the recipe's; repeatable.",
)  # fmt: skip
@click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help="Override a recipe key.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed to use instead of the recipe's.")
@click.option(
    "--learning-curve", is_flag=True,
    help="Also train on 10, 20, 50 and 100 % of the segments: would more judgements help?",
)  # fmt: skip
@HTML
@TITLE
@THREADS
@output_options
def command(  # noqa: PLR0917 - click passes them by name
    recipe_file: str | None,
    output: str,
    recipe_name: str | None,
    judgements: tuple[str, ...],
    changes: tuple[str, ...],
    seed: int | None,
    learning_curve: bool,
    html: str | None,
    title: str | None,
    threads: int,
    form: str,
    quiet: bool,
) -> None:
    """Train a metric from judgements according to a recipe, and save it as a folder.

    Running the same command again continues an interrupted training.
    """
    from concordant.encoders.cache.cache import cache_notes
    from concordant.report.training import curve_table, epoch_line, trained_table
    from concordant.training.course import run_course

    recipe = _recipe(recipe_file, recipe_name, judgements, changes, seed)
    place = page_place(html, title, [*recipe["data.judgements"], *filter(None, [recipe_file])])
    result = run_course(
        recipe,
        output,
        learning_curve=learning_curve,
        threads=threads,
        track=tracker(quiet=quiet),
        say=lambda lines: notes(lines, quiet=quiet),
        after_epoch=lambda progress: notes([epoch_line(progress)], quiet=quiet),
    )
    if result.curve and form == "table":  # other formats include the curve in one document
        show(curve_table(result.curve, result.trained.reached), form)
    show(trained_table(result.trained, output, result.curve), form)
    if place is not None:
        write_page(place, _page(result, title, recipe["data.judgements"]), quiet=quiet)
    notes(cache_notes(), quiet=quiet)


def _page(result: Course, title: str | None, paths: Sequence[str]) -> str:
    """The page; it names the judgements by their files."""
    from pathlib import Path

    from concordant.report.html import PageFacts
    from concordant.report.training_page import training_page

    names = ", ".join(Path(each).resolve().name for each in paths)
    return training_page(result, PageFacts(title or "", test_set=names, date=day()))


def _recipe(
    path: str | None,
    name: str | None,
    judgements: tuple[str, ...],
    changes: tuple[str, ...],
    seed: int | None,
) -> Recipe:
    from pathlib import Path

    from concordant.training.recipe import change_recipe, read_recipe

    if (path is None) == (name is None):
        raise click.UsageError("give either a recipe file or --recipe NAME")
    recipe = change_recipe(read_recipe(path or name or ""), changes)
    if judgements:
        where = [str(Path(each).absolute()) for each in judgements]
        recipe = recipe.with_values(data__judgements=where)
    return recipe if seed is None else recipe.with_values(seed=seed)
