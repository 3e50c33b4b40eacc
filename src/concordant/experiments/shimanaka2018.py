"""Shimanaka et al. 2018, Table 2 and §4.4: regression on sentence vectors, WMT16 into English.

The data are the paper's own. Its encoders are in no package; others stand in their rows, and its
own run when their files are given. Blend is learned in the same way from the scores that its 28
usable metrics gave, by their own tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.encoders.encoder_names import encoder_named
from concordant.errors import ConcordantError
from concordant.experiments.figures import (
    Experiment,
    Figure,
    chosen_tables,
    difference_of,
    figure,
    mean_of,
    row_figures,
)
from concordant.experiments.paper_tables import paper_tables
from concordant.experiments.regression_errors import GROUPS, error_counts
from concordant.experiments.regression_runs import (
    PAIRS,
    agreement,
    feature_files,
    leave_one_out,
    read_rated,
    sides_for,
    text_inputs,
)
from concordant.resources.places import MissingPart, is_installed
from concordant.specs import parse_specs
from concordant.stats.correlation import pearson
from concordant.stats.significance import williams
from concordant.training.recipe import read_recipe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from concordant.encoders.encoders import Track
    from concordant.experiments.figures import Resampled
    from concordant.experiments.regression_runs import Predicted
    from concordant.features.preparation import Inputs
    from concordant.judgements.judged_translations import Floats, RatedTranslations

FEATURES = "peers/blend-features"
BROKEN = "DPMF"  # 2,935 of 5,360 lines
AVERAGE, BLEU, BLEND, OURS = "average", "SentBLEU", "Blend", "everything together"
BEST, COMBINED = "best single encoder", "encoders together"
PAPER = paper_tables("shimanaka2018")
# The rows of the paper that ours stand for, and those of its own encoders where they are given.
INSTEAD = {
    BEST: f"SVR with InferSent (ours: {BEST})",
    COMBINED: f"SVR with InferSent + Skip-Thought (ours: {COMBINED})",
}
GIVEN = {
    "infersent": "SVR with InferSent",
    "skip-thought": "SVR with Skip-Thought",
    "infersent + skip-thought": "SVR with InferSent + Skip-Thought",
}
PRINTED = {
    GIVEN["infersent"]: INSTEAD[BEST],
    GIVEN["infersent + skip-thought"]: INSTEAD[COMBINED],
}
OWN = "regression-full"  # the recipe of the last row
ENCODERS = ("minilm", "use-m3", "gte-small")
ON_REQUEST = ("mpnet",)  # encodes the texts in 7 minutes, where the others together take 3
TOTAL = "total"
TABLES = {
    1: "how many translations were rated",
    2: "agreement with direct assessment",
    3: "translations that one metric alone rates high, §4.4",
}


def run(
    data: Path,
    tables: Sequence[int] | None = None,
    *,
    track: Track | None = None,
    encoders: Mapping[str, str | None] | None = None,
) -> list[Figure]:
    """The tables asked for, the paper's figures and ours.

    `encoders` are further ones by name. A part, which has no path (None), joins ours; one that has,
    and the paper's own InferSent and Skip-Thought in any case, get a row of their own.
    """
    chosen = chosen_tables(tables, TABLES)
    rated = read_rated(data)
    figures = _counts(rated) if 1 in chosen else []
    if not {2, 3} & set(chosen):
        return figures
    given = {
        name: name if path is None and name in GIVEN else path
        for name, path in (encoders or {}).items()
    }
    joined = [name for name, path in given.items() if path is None]
    own = {name: path for name, path in given.items() if path is not None}
    installed = [name for name in ENCODERS if is_installed(name)]
    installed += [name for name in joined if name not in installed]
    if not installed:
        raise ConcordantError(
            f"none of {', '.join(ENCODERS)} is installed: concordant resources install minilm"
        )
    for name in (*joined, *own.values()):
        encoder_named(name)  # before the long work, for what it says where there is none
    everything = _everything(rated, installed, track) if 2 in chosen else None
    files = feature_files(data / FEATURES, rated, [BROKEN])
    rows = {BLEND: leave_one_out(rated, files, track=track)}
    needed = [] if 2 not in chosen else installed
    singles = {name: _sentences(rated, [name], track) for name in needed}
    rows |= {f"SVR with {name}": found for name, found in singles.items()}
    rows[COMBINED] = _sentences(rated, installed, track)
    if 2 in chosen:
        rows |= _given(rated, own, track)
    if everything is not None:
        rows[OURS] = leave_one_out(rated, everything, track=track)
    if 2 in chosen:
        figures += _table(rated, rows, singles, [name for name in joined if name in ON_REQUEST])
    if 3 in chosen:
        figures += _errors(rated, rows)
    return figures


def _everything(
    rated: RatedTranslations, encoders: Sequence[str], track: Track | None
) -> Inputs | None:
    """The inputs of the last row, or None where a part of them is not installed.

    They come first: one pass of an encoder gives its tokens and the sentence vectors of all rows.
    """
    recipe = read_recipe(OWN)
    unasked = set(ON_REQUEST) - set(encoders)
    features, vectors = (
        " ".join(str(spec) for spec in parse_specs(recipe[key]) if not unasked & {*spec.arguments})
        for key in ("inputs.features", "inputs.vectors")
    )
    try:
        return text_inputs(rated, features, vectors, track=track)
    except MissingPart:
        return None


def _sentences(rated: RatedTranslations, names: Sequence[str], track: Track | None) -> Predicted:
    vectors = " ".join(f"sentence({name})" for name in names)
    return leave_one_out(rated, text_inputs(rated, "", vectors, track=track), track=track)


def _given(
    rated: RatedTranslations, encoders: Mapping[str, str], track: Track | None
) -> dict[str, Predicted]:
    """The paper's own encoders, where their files are given: each, and all together."""
    rows = {name: _sentences(rated, [path], track) for name, path in encoders.items()}
    if len(encoders) > 1:
        rows[" + ".join(sorted(encoders))] = _sentences(rated, list(encoders.values()), track)
    return rows


def _counts(rated: RatedTranslations) -> list[Figure]:
    """How many translations of each year and language pair were rated."""
    counts: dict[tuple[str, str], int] = {}
    for row in rated.rows:
        pair, testset, _ = rated.places[row]
        year = f"1 WMT-{testset[-4:]}"
        for column in (pair, TOTAL):
            counts[year, column] = counts.get((year, column), 0) + 1
    return [
        Figure(year, column, PAPER.published(year).get(column), float(number))
        for (year, column), number in sorted(counts.items())
    ]


def _table(
    rated: RatedTranslations,
    rows: Mapping[str, Predicted],
    singles: Mapping[str, Predicted],
    further: Sequence[str],
) -> list[Figure]:
    measured = {name: row.scores for name, row in rows.items()}
    if singles:
        measured = {BEST: _best_by_pair(list(singles.values())), **measured}
    measured = {BLEU: _bleu(rated), **measured}
    drawn = {name: agreement(rated, scores) for name, scores in measured.items()}
    figures = []
    for name, found in drawn.items():
        title = _title(name, further)
        known = PAPER.published(f"2 {PRINTED.get(title, title)}")
        figures += row_figures(f"2 {title}", found, known)
    for name in measured:
        if name != BLEND:
            figures += _against_blend(rated, name, measured, drawn)
    return figures


def _title(name: str, further: Sequence[str]) -> str:
    """A row's title; with further encoders the rows of all of them are others."""
    if further and name in (BEST, COMBINED, OURS):
        return f"{name}, with {' and '.join(further)}"
    return {**INSTEAD, **GIVEN}.get(name, name)


def _best_by_pair(rows: Sequence[Predicted]) -> dict[str, Floats]:
    """For each pair the scores of the row that crossed best without it: no look at the test."""
    return {pair: max(rows, key=lambda row: row.crossed[pair]).scores[pair] for pair in PAIRS}


def _bleu(rated: RatedTranslations) -> dict[str, Floats]:
    """BLEU of segments as WMT's SentBLEU smooths it, which is Moses' sentence-bleu: by adding 1."""
    bleu = text_inputs(rated, "bleu(smooth=add-k)", "").features[:, 0]
    return {pair: bleu[rated.rows[sides_for(rated, pair)[1]]] for pair in PAIRS}


def _against_blend(
    rated: RatedTranslations,
    name: str,
    measured: Mapping[str, Mapping[str, Floats]],
    drawn: Mapping[str, Mapping[str, Resampled]],
) -> list[Figure]:
    """How much better a row is than Blend on average, and Williams' p of one side for each pair."""
    gap = mean_of(difference_of(drawn[name][pair], drawn[BLEND][pair]) for pair in PAIRS)
    figures = [figure(f"{name} minus {BLEND}", AVERAGE, None, gap)]
    for pair in PAIRS:
        human = rated.ratings[rated.rows[sides_for(rated, pair)[1]]]
        one, two = measured[name][pair], measured[BLEND][pair]
        r = pearson(one, human), pearson(two, human), pearson(one, two)
        p = williams(*r, len(human)).p_one_sided
        figures.append(Figure(f"{name} over {BLEND}: Williams' p", pair, None, p))
    return figures


def _errors(rated: RatedTranslations, rows: Mapping[str, Predicted]) -> list[Figure]:
    counts = error_counts(rated, rows[BLEND].scores, rows[COMBINED].scores)
    figures = []
    for name, found in zip((BLEND, COMBINED), counts, strict=True):
        row = f"§4.4 rated high by {name} alone"
        known = PAPER.published(row)
        figures += [
            Figure(row, group, known[group], float(ours))
            for group, ours in zip(GROUPS, found, strict=True)
        ]
    return figures


EXPERIMENT = Experiment(
    name="shimanaka2018",
    title="Agreement of regressions with direct assessment, WMT16 into English",
    source="Shimanaka et al. 2018, Table 2 and §4.4",
    needs=("da15", "da16", FEATURES),
    run=run,
    tables=TABLES,
    takes_encoders=True,
    parts=(*ENCODERS, "potion", "glove-100", "meteor-en"),
    note="The paper's data and split: each pair of WMT16 is tested by a model of the 4,800 others. "
    "Its encoders are not available: the row InferSent has the best of ours by cross-validation "
    "on the training side, the row of both has all of ours; --encoder mpnet adds the largest. "
    "Blend is learned from the scores of its own metrics except DPMF, whose file is broken. Of "
    "§4.4: the top fifth of each pair by people; a metric rates an output high if it is in the "
    "metric's own top fifth; the paper's rule for that, and for a low overlap, is not printed.",
)
