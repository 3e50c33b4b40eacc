"""`concordant score --explain`: how much each feature contributed to a metric's scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from concordant.cli.output import say, show, standard_output, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.line_blocks import TextFiles


def show_explained(
    asked: Scorer,
    systems: Mapping[str, str],
    files: TextFiles,
    language: str | None,
    *,
    level: str,
    threads: int,
    form: str,
    quiet: bool,
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
    from concordant.scoring.explanations import (
        explain_file,
        explainable,
        means_of,
        parts_of,
        scale_of,
    )
    from concordant.scoring.scores import reference_warnings

    metric = explainable(asked)
    found = {
        name: explain_file(metric, file, files, threads=threads) for name, file in systems.items()
    }
    signature = f"nrefs:{files.count}|{metric.signature()}"
    warnings = reference_warnings(files, metric, language)
    if level == "system":
        rows = {system: means_of(blocks) for system, blocks in found.items()}
        show(system_parts_table(metric, rows, signature, warnings), form)
        return
    parts, scale = parts_of(metric), scale_of(metric)
    if form in {"table", "tsv"}:
        lines: Callable[[str, Any], list[str]] = partial(explained_tsv, parts=parts)
        say(heading([metric.name, *EXPLAINED_COLUMNS], "moved by"))
    else:
        lines = partial(explained_jsonl, name=metric.name, parts=parts, scale=scale)
    each = (lines(system, block) for system, blocks in found.items() for block in blocks)
    for text in stream_lines(each, form):
        standard_output().write(text)
    warn(warnings)
    if not quiet:
        say(f"raw total = constant + all parts; {scale}", err=True)
        say(signature, err=True)
