"""The card of a trained metric: training data, method, agreement reached, and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant._version import __version__

if TYPE_CHECKING:
    from concordant.training.training import Plan, Trained

STATISTICS = {"tau": "Strict Kendall's tau", "r": "Pearson's r"}
REFERENCED = "It uses the reference, so a good translation far from the reference scores too low."
UNREFERENCED = (
    "It uses no reference, so a fluent translation with another meaning may score too high."
)


def card_text(planned: Plan, trained: Trained) -> str:
    """The card as Markdown."""
    recipe, sides = planned.recipe, planned.material.sides
    pairs = sides["training"]
    languages = ", ".join(sorted(set(pairs.language_pair))) or "not named"
    chosen = "; also used to choose the model, so optimistic" if trained.held_out != "test" else ""
    found, progress, systems = trained.reached, trained.progress, trained.systems
    steps = (
        f"{recipe['optimiser.kind']}, rate {recipe['optimiser.rate']:g}, batches of "
        f"{recipe['optimiser.batch']}, decay {recipe['optimiser.decay']:g}"
    )
    about_course = [] if progress is None else [
        f"- Optimiser: {steps}.", f"- Best epoch: {progress.best_epoch[0]} of {progress.epoch}."
    ]  # fmt: skip
    statistic = STATISTICS[found.short]
    words = "Pearson's r of system scores with people's, over these segments"
    about_systems = [] if systems is None else ["", f"{words}: {systems}"]
    limits = REFERENCED if planned.preparation.needs_references else UNREFERENCED
    lines = [
        f"# {trained.metric.name}",
        "",
        f"A {recipe['model.kind']} metric, trained with concordant {__version__}.",
        "",
        "## Training",
        "",
        f"- Language pairs: {languages}.",
        *(f"- {line[:1].upper()}{line[1:]}." for line in planned.lines()),
        *(f"- {note[:1].upper()}{note[1:]}." for note in pairs.notes),
        f"- Features: {recipe['inputs.features'] or 'none'}.",
        f"- Sentence vectors: {recipe['inputs.vectors'] or 'none'}.",
        *([f"- Trees: {recipe['inputs.trees']}."] if recipe["inputs.trees"] else []),
        *about_course,
        "",
        "## Agreement with people",
        "",
        f"{statistic} on segments not used for training ({trained.held_out}{chosen}):",
        "",
        *(f"- {what}: {each}" for what, each in found.estimates.items()),
        *about_systems,
        "",
        "## Limits",
        "",
        "- It is meant for the languages and kinds of text it was trained on; elsewhere, test it.",
        f"- {limits}",
        "",
    ]
    return "\n".join(lines)
