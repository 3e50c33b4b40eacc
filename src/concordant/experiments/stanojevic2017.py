"""Stanojević and Sima'an 2017, Tables 1 and 2: one linear metric, three objectives, WMT16.

What can be computed from public data: rankings (RR) of eleven pairs, en-ru's are not there; direct
assessment (DA) of sentences of seven. Of systems there are no official DA scores: a system's score
is the mean over its rated sentences, on both sides, and those have names in cs-en alone; for other
pairs they are found by their texts (see `da_systems`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
# The columns of Tables 1 and 2; `en` is the mean of INTO.
_RR = ("en", "en-cs", "en-de", "en-fi", "en-ro", "en-ru", "en-tr")
_DA = ("en-ru", *INTO)


def _printed(columns: tuple[str, ...], table: str) -> dict[str, dict[str, float]]:
    """A part of a table: objective → column → what the paper prints."""
    rows = (map(float, line.split()) for line in table.strip().splitlines())
    return {
        objective: dict(zip(columns, row, strict=True))
        for objective, row in zip(OBJECTIVES, rows, strict=True)
    }


PUBLISHED = {
    "RR corpus": _printed(_RR, """
        0.963 0.977 0.737 0.938 0.922 0.905 0.937
        0.944 0.982 0.765 0.940 0.917 0.907 0.954
        0.963 0.983 0.748 0.951 0.933 0.905 0.946
    """),
    "RR sentence": _printed(_RR, """
        0.347 0.405 0.345 0.304 0.293 0.382 0.304
        0.337 0.414 0.349 0.307 0.292 0.385 0.325
        0.350 0.410 0.356 0.296 0.299 0.396 0.312
    """),
    "DA corpus": _printed(_DA, """
        0.9113 0.9839 0.8483 0.9556 0.8348 0.8888 0.9706
        0.9086 0.9790 0.8032 0.9121 0.7933 0.8857 0.9011
        0.9111 0.9844 0.8488 0.9545 0.8399 0.8935 0.9647
    """),
    "DA sentence": _printed(_DA, """
        0.6655 0.6478 0.4930 0.4608 0.5066 0.5535 0.5800
        0.5632 0.5676 0.3913 0.3644 0.3771 0.4306 0.4579
        0.6668 0.6631 0.5019 0.4608 0.5276 0.5564 0.5830
    """),
}  # fmt: skip
# Evaluation → the part of the paper's tables, and the pairs out of English that the data have.
PARTS = {
    "RR corpus": ("1a", OUT_RANKED),
    "RR sentence": ("1b", OUT_RANKED),
    "DA corpus": ("2a", ()),
    "DA sentence": ("2b", ("en-ru",)),
}
# What the joint metric must reach on average into English.
AT_LEAST = {"RR corpus": 0.95, "RR sentence": 0.350, "DA sentence": 0.549}
TABLES = {1: "agreement with rankings", 2: "agreement with direct assessment"}


def run(
    data: Path, tables: Sequence[int] | None = None, *, track: Track | None = None
) -> list[Figure]:
    """The tables asked for (both, if none is), the paper's figures and ours."""
    chosen = chosen_tables(tables, TABLES)
    metrics = {
        "into": train_objectives(into_english(data), track=track),
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
        into[name] = found
        if out_of:
            more, _ = measure_metrics(metrics["out"], EVALUATIONS[name], data, out_of, inputs)
            found = {each: {**found[each], **more[each]} for each in found}
        figures += _table(name, part, found)
        if own:
            more, _ = measure_metrics(own, EVALUATIONS[name], data, INTO, own_inputs[group])
            label = f"{part} {name}, our own recipe, {OWN}"
            least = AT_LEAST.get(name)
            figures += row_figures(label, more[OWN], {}, mean=EN, over=INTO, least=least)
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
        known = {**PUBLISHED[name][objective], EN: _means(name)[objective]}
        least = AT_LEAST.get(name) if objective == "joint" else None
        label = f"{part} {name}, {objective}"
        figures += row_figures(label, drawn, known, mean=EN, over=INTO, least=least)
        others = [pair for pair in drawn if pair not in INTO]
        if others:
            # The paper averages its columns: rankings have one for English, assessment one a pair.
            shown = [*((EN,) if EN in PUBLISHED[name][objective] else INTO), *others]
            mean = float(np.mean([known[column] for column in shown]))
            into = mean_of(drawn[pair] for pair in INTO)
            whole = mean_of(into if column == EN else drawn[column] for column in shown)
            figures.append(figure(label, AVERAGE, mean, whole))
    return figures


def _own(data: Path, track: Track | None) -> dict[str, Metric]:
    """Our own recipe on the same judgements, where its part is installed."""
    if not is_installed("potion"):
        return {}
    return train_objectives(into_english(data, OWN), {OWN: "joint"}, track=track)


def _means(name: str) -> dict[str, float]:
    """What the paper prints for each objective, on average into English."""
    return {
        objective: printed[EN] if EN in printed else float(np.mean([printed[p] for p in INTO]))
        for objective, printed in PUBLISHED[name].items()
    }


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
