"""A comparison as one self-contained HTML page: no network, no other file.

The page is rendered from the same records as the tables. The template escapes all texts, so a
word that looks like markup is shown as written. Of a large test set, the segments that differ
most are shown, and the page says so.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant._version import __version__
from concordant.metrics.flags.flags import FLAGS
from concordant.report.comparison import p_of, pair_records, significance
from concordant.report.plots import by_length, distributions, interval_bar, key, length_groups
from concordant.report.tables import rank_words
from concordant.report.word_diff import nearest_reference, word_diff
from concordant.scoring.verdict import decimals, verdict
from concordant.stats.quantiles import score_quantiles

if TYPE_CHECKING:
    import numpy.typing as npt
    from markupsafe import Markup

    from concordant.scoring.comparison_result import Comparison, MetricResult

TEMPLATES = Path(__file__).parent / "templates"
MOST_SEGMENTS, MOST_OUTPUTS = 200, 1000
FLAGGED_SHARE = 4  # at most a quarter of the segments are shown for their flags alone


Values = dict[str, Any]  # what the template reads, by name


def page(comparison: Comparison, *, most: int | None = None) -> str:
    """The page as HTML, with at most `most` segments; None: as many as keep the page small."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - slow

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    main = comparison.metrics[0]
    order = main.order
    if most is None:
        most = min(MOST_SEGMENTS, MOST_OUTPUTS // len(order))
    shown = telling_segments(comparison, most)
    style, script = _inline("comparison.css"), _inline("comparison.js")
    return environment.get_template("comparison.html").render(
        verdict=verdict(replace(comparison, baseline=None)),
        p_of=p_of,
        significance=significance,
        comparison=comparison,
        sections=[_section(comparison, each) for each in comparison.metrics],
        systems=[comparison.systems[i] for i in order],
        keys=[key(i) for i in order],
        segments=[_segment(comparison, i) for i in shown],
        total=len(comparison.references),
        digits=decimals(main),
        flag_words=FLAGS,
        version=__version__,
        style=style,
        style_hash=_content_hash(style),
        script=script,
        script_hash=_content_hash(script),
    )


def _inline(name: str) -> Markup:
    """One of our style sheets or scripts, to be embedded unchanged."""
    from markupsafe import Markup  # noqa: PLC0415 - slow

    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - our own file


def _content_hash(text: str) -> str:
    """The hash by which the Content-Security-Policy allows one style sheet or script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def telling_segments(comparison: Comparison, most: int) -> list[int]:
    """The segments to show: all, or those where the systems differ most, and some flagged ones."""
    total = len(comparison.references)
    if total <= most:
        return list(range(total))
    scores = comparison.metrics[0].segments
    by_spread = np.argsort(scores.min(axis=0) - scores.max(axis=0), kind="stable").tolist()
    flagged = {i for found in comparison.flags.values() for i, names in enumerate(found) if names}
    chosen = [i for i in by_spread if i in flagged][: most // FLAGGED_SHARE]
    rest = [i for i in by_spread if i not in set(chosen)]
    return sorted([*chosen, *rest[: most - len(chosen)]])


def _section(comparison: Comparison, metric: MetricResult) -> Values:
    """The results of one metric."""
    order, digits = metric.order, decimals(metric)
    systems = [comparison.systems[i] for i in order]
    scores = metric.sign * metric.segments[order]
    groups = length_groups(comparison.lengths, scores)
    quartiles = score_quantiles(scores, [0.0, 0.25, 0.5, 0.75, 1.0], axis=1).T
    title = f"Scores of segments by {metric.name}."
    by_words = f"{metric.name} against the length of the reference."
    return {
        "name": metric.name,
        "about": metric.scale,
        "lower": metric.sign < 0,
        "warnings": metric.warnings,
        "signature": comparison.signature(metric),
        "detectable": None if metric.detectable is None else f"{metric.detectable:.{digits}f}",
        "rows": _rows(comparison, metric),
        "matrix": _matrix(comparison, metric),
        "pairs": pair_records(comparison, metric),
        "distributions": distributions(systems, scores, order, title),
        "quartiles": [[f"{value:.{digits}f}" for value in row] for row in quartiles],
        "lengths": by_length(systems, groups, order, by_words),
        "groups": groups,
        "digits": digits,
    }


def _rows(comparison: Comparison, metric: MetricResult) -> list[Values]:
    """The lines of a ranking."""
    digits = decimals(metric)
    standings = metric.contest.standings
    bounds = [metric.shown(v) for each in standings for v in (each.low, each.high)]
    ends = (min(bounds), max(bounds))
    rows = []
    for i in metric.order:
        each = standings[i]
        low, high = sorted((metric.shown(each.low), metric.shown(each.high)))
        score = metric.shown(each.score)
        name = comparison.systems[i]
        rows.append({
            "system": name, "score": f"{score:.{digits}f}",
            "low": f"{low:.{digits}f}", "high": f"{high:.{digits}f}",
            "ranks": rank_words(each.best_rank, each.worst_rank), "cluster": each.cluster,
            "flagged": sum(map(bool, comparison.flags[name])),
            "bar": interval_bar(score, low, high, ends), "key": key(i),
        })  # fmt: skip
    return rows


def _matrix(comparison: Comparison, metric: MetricResult) -> list[list[Values | None]]:
    """The matrix of pairs, in the order of the ranking; positive above the diagonal."""
    digits = decimals(metric)
    known: dict[tuple[str, str], dict[str, Any]] = {
        (r["better"], r["worse"]): r for r in pair_records(comparison, metric)
    }
    systems = [comparison.systems[i] for i in metric.order]

    def cell(row: str, column: str) -> Values | None:
        if row == column:
            return None
        ahead = (row, column) in known
        record = known[(row, column) if ahead else (column, row)]
        wins, losses = (record["wins"], record["losses"])[:: 1 if ahead else -1]
        sure = "significant" if record["significant"] else "not significant"
        sign = "" if not record["difference"] else "+" if ahead else "−"
        kind = ("better" if ahead else "worse") if record["significant"] else "unsure"
        words = (
            f"{sure}; p: {p_of(record, 'bootstrap')} (bootstrap), "
            f"{p_of(record, 'randomisation')} (randomisation); "
            f"ahead on {wins}, behind on {losses}, equal on {record['ties']} segments"
        )
        text = f"{sign}{record['difference']:.{digits}f}"
        return {"text": text, "kind": kind, "words": words}

    return [[cell(row, column) for column in systems] for row in systems]


def _segment(comparison: Comparison, i: int) -> Values:
    """A shown segment, and each system's translation compared with its nearest reference.

    `spread` is the difference between its best and worst score; `best` and `worst` are the ranking
    positions, from 0, of the systems with these scores; empty if all systems score the same.
    """
    metric = comparison.metrics[0]
    digits = decimals(metric)
    scores = metric.segments[:, i]
    references = comparison.references[i]
    translations: list[Values] = []
    for k in metric.order:
        name = comparison.systems[k]
        text = comparison.translations[name][i]
        translations.append({
            "system": name, "key": key(k), "score": f"{metric.shown(float(scores[k])):.{digits}f}",
            "runs": word_diff(text, nearest_reference(text, references)),
            "flags": comparison.flags[name][i],
        })  # fmt: skip
    found = {flag for each in translations for flag in each["flags"]}
    apart = scores.max() > scores.min()
    return {
        "number": i + 1,
        "words": int(comparison.lengths[i]),
        "mean": metric.shown(float(scores.mean())),
        "spread": float(scores.max() - scores.min()),
        "flags": [name for name in FLAGS if name in found],
        "best": _places(apart & (scores[metric.order] == scores.max())),
        "worst": _places(apart & (scores[metric.order] == scores.min())),
        "source": None if comparison.sources is None else comparison.sources[i],
        "references": references,
        "translations": translations,
    }


def _places(where: npt.NDArray[np.bool_]) -> str:
    return " ".join(str(i) for i in np.flatnonzero(where))
