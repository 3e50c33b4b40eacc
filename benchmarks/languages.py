"""How well the metrics of many languages agree with people, on judgements they did not learn from.

    python benchmarks/languages.py [rankings] [english] [unseen] [mqm] [sources]

`rankings`: strict tau on WMT16 out of English. `english`: the same on every eighth segment of WMT12
and WMT14 into English. `unseen`: fast-any trained without a language, and measured on it: strict
tau on every fourth segment of WMT15 out of English, Pearson's r on the ratings of Chinese and
Tamil. `mqm`: Pearson's r and tau-b on the MQM of 2022, English to Russian, which is for tests only.
`sources`: Pearson's r of qe on the tenth of mlqepe's segments that shipping/judged_rows.py holds
out, and how often a translation is above that of another sentence, above a copy of its source, and
above nothing. Intervals are of 95 %, by a bootstrap of segments. Needs CONCORDANT_DATA.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import kendalltau

from concordant.metrics.find import load
from concordant.stats.measured import moments, pearson_from_moments
from concordant.stats.resampling import bootstrap_weights, estimate_from
from concordant.stats.tau import strict_outcomes

sys.path.insert(0, str(Path(__file__).parent.parent / "shipping"))
from judged_rows import is_held_out, ranked_pairs, rated_rows
from multilingual import MLQEPE, OUT_OF_ENGLISH, learn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judged_rows import Row

    from concordant.judgements.judged_translations import JudgedPairs
    from concordant.metrics.feature_metric import FeatureMetric
    from concordant.metrics.learned import Metric
    from concordant.metrics.lexical.measure import Measure

    Scores = Measure | FeatureMetric | Metric

ALL = 10**9
RESAMPLES = 1000
WITH_REFERENCE = ("fast-any", "chrf")


def rankings(data: Path) -> None:
    """Strict tau on WMT16 out of English."""
    pairs = ranked_pairs(data, ("wmt16",), "en-*", majority=False)
    show_taus(pairs, {name: scores_of(load(name), pairs) for name in WITH_REFERENCE})


def english(data: Path) -> None:
    """Strict tau on rankings into English."""
    for folder in ("wmt12", "wmt14"):
        print(folder)
        pairs = every(8, ranked_pairs(data, (folder,), "*-en", majority=False))
        names = (*WITH_REFERENCE, "fast")
        show_taus(pairs, {name: scores_of(load(name), pairs) for name in names})


def unseen(data: Path) -> None:
    """fast-any on a language that it has not learned from."""
    pairs = every(4, ranked_pairs(data, ("wmt15",), "en-*", majority=False))
    languages = np.array(pairs.language_pair)
    without = np.full(len(pairs.translations), np.nan)
    for pair in sorted(set(languages)):
        own = pairs.take(np.flatnonzero(languages == pair))
        without[own.judged] = scores_of(learn("fast-any", data, pair)[1].metric, own)[own.judged]
    scores = {name: scores_of(load(name), pairs) for name in WITH_REFERENCE[::-1]}
    show_taus(pairs, {"without the language": without, **scores})
    for pair in ("en-zh", "en-ta"):
        files = [name for name in OUT_OF_ENGLISH if name.endswith(f"/{pair}")]
        metrics = {"without the language": learn("fast-any", data, pair)[1].metric}
        show_ratings(pair, rated_rows(data, files, ALL), {**metrics, "chrf": load("chrf")})


def mqm(data: Path) -> None:
    """Pearson's r and tau-b on mqm22, whose ratings are as they are, none cut off."""
    rows = rated_rows(data, ["mqm22/en-ru"], ALL, cut=False)
    show_ratings("en-ru", rows, {name: load(name) for name in WITH_REFERENCE})


def sources(data: Path) -> None:
    """How qe does without references."""
    metric, shares, correlations, total = load("qe"), [], [], 0
    for name in MLQEPE:
        rows = [row for row in rated_rows(data, [name], ALL) if is_held_out(row)]
        texts, given = [row.translation for row in rows], [row.source for row in rows]
        own = metric.score(texts, (), given).segments
        wrong = {"another": [*texts[1:], texts[0]], "a copy": given, "nothing": [""] * len(rows)}
        above = {
            kind: (own > metric.score(each, (), given).segments).mean()
            for kind, each in wrong.items()
        }
        correlations.append(resampled_r(rows, own))
        shares.append(list(above.values()))
        total += len(rows)
        print({kind: round(float(share), 3) for kind, share in above.items()})
        show(name, {"qe": correlations[-1]}, len(rows))
    show("mean", {"qe": np.mean(correlations, axis=0)}, total)
    print(np.mean(shares, axis=0).round(3).tolist())


def every(step: int, pairs: JudgedPairs) -> JudgedPairs:
    """The pairs of every so many segments."""
    chosen = np.unique(pairs.segment)[::step]
    return pairs.take(np.flatnonzero(np.isin(pairs.segment, chosen)))


def scores_of(metric: Scores, pairs: JudgedPairs) -> np.ndarray:
    """The scores of the judged translations; NaN for others."""
    found, rows = np.full(len(pairs.translations), np.nan), pairs.judged
    texts = [pairs.translations[i] for i in rows]
    found[rows] = metric.score(texts, [list(pairs.references[i]) for i in rows]).segments
    return found


def show_taus(pairs: JudgedPairs, scores: Mapping[str, np.ndarray]) -> None:
    """The tau of each language pair and the mean, and how far each metric is above chrF."""
    languages, place = np.unique(pairs.language_pair, return_inverse=True)
    _, unit = np.unique(pairs.segment, return_inverse=True)
    shape = unit.max() + 1, len(languages)

    def sums(numbers: np.ndarray) -> np.ndarray:
        found = np.zeros(shape)
        np.add.at(found, (unit, place), numbers * pairs.weight)
        return np.concatenate([found.sum(axis=0, keepdims=True), weights @ found])

    weights = bootstrap_weights(shape[0], RESAMPLES, np.random.default_rng(0))
    counted, taus = sums(np.ones(len(pairs))), {}
    for name, each in scores.items():
        tau = sums(strict_outcomes(each[pairs.better] - each[pairs.worse])) / counted
        taus[name] = np.column_stack([tau, tau.mean(axis=1)])
    for column, title in enumerate([*languages, "mean"]):
        n = int(counted[0, column] if column < len(languages) else counted[0].sum())
        show(title, {name: tau[:, column] for name, tau in taus.items()}, n)


def show_ratings(title: str, rows: list[Row], metrics: Mapping[str, Scores]) -> None:
    """Pearson's r with ratings, how far it is above chrF's, and tau-b."""
    texts, references = [row.translation for row in rows], [[row.reference] for row in rows]
    human, found = [row.rating for row in rows], {}
    for name, metric in metrics.items():
        scores = metric.score(texts, references).segments
        print(name, "tau-b", round(kendalltau(scores, human).statistic, 3))
        found[name] = resampled_r(rows, scores)
    show(title, found, len(rows))


def resampled_r(rows: list[Row], scores: np.ndarray) -> np.ndarray:
    """Pearson's r with ratings, then that of each resample of segments."""
    _, unit = np.unique([row.place[2] for row in rows], return_inverse=True)
    human, units = np.array([row.rating for row in rows]), int(unit.max()) + 1
    counts = moments(human - human.mean(), scores - scores.mean(), unit, units)
    weights = bootstrap_weights(units, RESAMPLES, np.random.default_rng(0))
    return pearson_from_moments(np.concatenate([counts.sum(axis=0)[None], weights @ counts]))


def show(title: str, found: Mapping[str, np.ndarray], n: int) -> None:
    """Values with their intervals (a value stands before its resamples), and those over chrF's."""
    print(title)
    for name, each in found.items():
        print(" ", name, estimate_from(each[0], each[1:], n))
        if "chrf" in found and name != "chrf":
            gain = each - found["chrf"]
            print("    over chrf", estimate_from(gain[0], gain[1:], n))


if __name__ == "__main__":
    measures = {
        "rankings": rankings, "english": english, "unseen": unseen, "mqm": mqm, "sources": sources
    }  # fmt: skip
    for each in sys.argv[1:] or measures:
        measures[each](Path(os.environ["CONCORDANT_DATA"]))
