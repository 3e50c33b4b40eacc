"""Stanojević and Sima'an 2017, Tables 1 and 2: one linear metric, three objectives, WMT16.

What can be computed from public data: rankings (RR) of eleven pairs, en-ru's are not there; direct
assessment (DA) of sentences of seven. Of systems there are no official DA scores: a system's score
is the mean over its rated sentences, on both sides, and those have names in cs-en alone; for other
pairs they are found by their texts (see `da_systems`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.experiments.figures import (
    Experiment,
    Figure,
    chosen_tables,
    figure,
    mean_of,
    row_figures,
)
from concordant.experiments.linear_comparisons import comparisons, stability
from concordant.experiments.linear_runs import (
    EVALUATIONS,
    OBJECTIVES,
    into_english,
    measure_metrics,
    out_of_english,
    scores_of,
    train_objectives,
)
from concordant.experiments.paper_tables import paper_tables
from concordant.resources.places import is_installed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.experiments.linear_comparisons import Found
    from concordant.features.preparation import Inputs
    from concordant.metrics.learned import Metric

INTO = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
OUT_RANKED = ("en-cs", "en-de", "en-fi", "en-ro", "en-tr")
EN, AVERAGE, OWN = "en", "average", "joint-vectors"
PAPER = paper_tables("stanojevic2017")
# Evaluation → the part of the paper's tables, and the pairs out of English that the data have.
PARTS = {
    "RR corpus": ("1a", OUT_RANKED),
    "RR sentence": ("1b", OUT_RANKED),
    "DA corpus": ("2a", ()),
    "DA sentence": ("2b", ("en-ru",)),
}
# The joint objective with a sigmoid that bends less; chosen on WMT14 and the assessment of 2015.
GENTLER = {"joint, gentler sigmoid": {**OBJECTIVES["joint"], "objective__temperature": 2.0}}
TABLES = {1: "agreement with rankings", 2: "agreement with direct assessment"}


def run(
    data: Path, tables: Sequence[int] | None = None, *, track: Track | None = None
) -> list[Figure]:
    """The tables asked for (both, if none is), the paper's figures and ours."""
    chosen = chosen_tables(tables, TABLES)
    metrics = {
        "into": train_objectives(into_english(data), {**OBJECTIVES, **GENTLER}, track=track),
        "out": train_objectives(out_of_english(data), track=track),
    }
    own = _own(data, track)
    figures: list[Figure] = []
    into: dict[str, Found] = {}
    shared: dict[str, dict[str, Inputs]] = {"RR": {}, "DA corpus": {}, "DA sentence": {}}
    own_inputs: dict[str, dict[str, Inputs]] = {name: {} for name in shared}
    for name, (part, out_of) in PARTS.items():
        if int(part[0]) not in chosen:
            continue
        group = name if name in shared else "RR"
        inputs = shared[group]
        found, columns = measure_metrics(metrics["into"], EVALUATIONS[name], data, INTO, inputs)
        into[name] = {each: found[each] for each in OBJECTIVES}
        if out_of:
            more, _ = measure_metrics(metrics["out"], EVALUATIONS[name], data, out_of, inputs)
            found |= {each: {**found[each], **more[each]} for each in OBJECTIVES}
        figures += _table(name, part, found)
        for each in GENTLER:
            figures += row_figures(f"{part} {name}, {each}", found[each], {}, mean=EN, over=INTO)
        if own:
            more, _ = measure_metrics(own, EVALUATIONS[name], data, INTO, own_inputs[group])
            label = f"{part} {name}, our own recipe, {OWN}"
            figures += row_figures(label, more[OWN], {}, mean=EN, over=INTO)
        scores = {
            column.pair: scores_of(metrics["into"], column, inputs)
            for column in columns
            if name.startswith("DA")
        }
        figures += comparisons(
            part, into[name], _means(name), columns, scores, level=EVALUATIONS[name].level
        )
    if len(into) == len(PARTS):
        figures += stability(into, {name: _means(name) for name in PARTS})
    return figures


def _table(name: str, part: str, found: Found) -> list[Figure]:
    """The rows of the objectives: each pair, the mean into English, the mean of the columns."""
    figures = []
    for objective in OBJECTIVES:
        drawn = found[objective]
        row = f"{part} {name}, {objective}"
        known = PAPER.published(row)
        figures += row_figures(row, drawn, known, mean=EN, over=INTO)
        others = [pair for pair in drawn if pair not in INTO]
        if others:
            # The paper averages its columns: rankings have one for English, assessment one a pair.
            shown = [*((EN,) if name.startswith("RR") else INTO), *others]
            into = mean_of(drawn[pair] for pair in INTO)
            whole = mean_of(into if column == EN else drawn[column] for column in shown)
            figures.append(figure(row, AVERAGE, known[AVERAGE], whole))
    return figures


def _own(data: Path, track: Track | None) -> dict[str, Metric]:
    """Our own recipe on the same judgements, where its part is installed."""
    if not is_installed("potion"):
        return {}
    return train_objectives(into_english(data, OWN), {OWN: OBJECTIVES["joint"]}, track=track)


def _means(name: str) -> dict[str, float]:
    """What the paper prints for each objective, on average into English."""
    part, _ = PARTS[name]
    return {each: PAPER.published(f"{part} {name}, {each}")[EN] for each in OBJECTIVES}


EXPERIMENT = Experiment(
    name="stanojevic2017",
    title="Agreement of a linear metric trained for sentences, corpora or both with people, WMT16",
    source="Stanojević and Sima'an 2017, Tables 1 and 2",
    needs=("wmt13", "wmt14", "wmt15", "wmt16", "da16"),
    run=run,
    tables=TABLES,
    note="Into English trained on WMT13, epoch chosen on WMT14; out of English, where those years "
    "are not available, on nine tenths of WMT15's segments, one metric, epoch chosen on the rest. "
    "en is the mean into English; average is that of the columns that both have (no rankings of "
    "en-ru). 1a: people's scores are TrueSkill's, made of the rankings as WMT16's official ones "
    "are; metrics score judged translations alone, in the paper whole systems; intervals are over "
    "systems. 2a: only rated translations whose system is known, all of cs-en and about a quarter "
    "of the others; the paper's are official scores of whole systems. Our own recipe adds potion's "
    "vectors and METEOR to the paper's features.",
)
