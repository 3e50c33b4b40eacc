"""`concordant score --explain`: how much each feature contributed to a metric's scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from concordant.cli.output import say, show, standard_output, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from concordant.metrics.learned import Metric
    from concordant.metrics.scorer import Prepared, Scorer
    from concordant.scoring.line_blocks import Block, TextFiles
    from concordant.scoring.tables.system_texts import SystemTexts


@dataclass(frozen=True)
class ExplainedTexts:
    """The segments of each system, and what the metric says of their references."""

    metric: Metric
    systems: Mapping[str, Iterable[Block]]
    references: int  # of a segment
    prepared: Prepared
    warnings: tuple[str, ...]


def texts_of_files(
    asked: Scorer, systems: Mapping[str, str], files: TextFiles, language: str | None,
    chosen: Sequence[str] = (),
) -> ExplainedTexts:  # fmt: skip
    """Systems in plain text files."""
    from concordant.scoring.explanations import explainable
    from concordant.scoring.scores import prepare, reference_warnings

    metric = explainable(asked)
    blocks = {name: files.blocks(file) for name, file in systems.items()}
    warnings = (*chosen, *reference_warnings(files, metric, language))
    return ExplainedTexts(metric, blocks, files.count, prepare(metric, files), warnings)


def texts_of_table(
    asked: Scorer, texts: SystemTexts, language: str | None, chosen: Sequence[str] = ()
) -> ExplainedTexts:
    """The systems of a table."""
    from concordant.metrics.scope import scope_warnings
    from concordant.metrics.scorer import NOTHING
    from concordant.metrics.signs import signs_of
    from concordant.scoring.explanations import explainable

    metric, references = explainable(asked), texts.references
    blocks = {name: texts.blocks(name) for name in texts.systems}
    doubts = scope_warnings(metric.name, metric.scope, signs_of(references), language)
    prepared = metric.prepare(references) if metric.needs.test_set else NOTHING
    return ExplainedTexts(metric, blocks, len(references[0]), prepared, (*chosen, *doubts))


def show_explained(
    texts: ExplainedTexts, *, level: str, threads: int, form: str, quiet: bool
) -> None:
    """Print each score with its contributions, per system or per segment."""
    from concordant.report.explanations import system_parts_table
    from concordant.report.segment_lines import (
        EXPLAINED_COLUMNS,
        explained_jsonl,
        explained_tsv,
        heading,
        stream_lines,
    )
    from concordant.scoring.explanations import explain_blocks, means_of, parts_of, scale_of

    metric = texts.metric
    found = {
        name: explain_blocks(metric, blocks, texts.prepared, threads=threads)
        for name, blocks in texts.systems.items()
    }
    signature = f"nrefs:{texts.references}|{metric.signature()}"
    if level == "system":
        rows = {system: means_of(blocks) for system, blocks in found.items()}
        show(system_parts_table(metric, rows, signature, texts.warnings), form)
        return
    parts, scale = parts_of(metric), scale_of(metric)
    if form in {"table", "tsv"}:
        lines: Callable[[str, Any], Sequence[str]] = partial(explained_tsv, parts=parts)
        say(heading([metric.name, *EXPLAINED_COLUMNS], "moved by"))
    else:
        lines = partial(explained_jsonl, name=metric.name, parts=parts, scale=scale)
    each = (lines(system, block) for system, blocks in found.items() for block in blocks)
    for text in stream_lines(each, form):
        standard_output().write(text)
    warn(texts.warnings)
    if not quiet:
        say(f"raw total = constant + all parts; {scale}", err=True)
        say(signature, err=True)
