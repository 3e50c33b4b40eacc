"""How well the metrics of many languages agree with people, on judgements they did not learn from.

    python benchmarks/languages.py [rankings] [mqm] [sources]

`rankings`: strict tau on WMT16 out of English, mean of five languages. `mqm`: Pearson's r on the
MQM of 2022, English to Russian, which is for tests only. `sources`: Pearson's r of qe on the tenth
of mlqepe's segments that shipping/judged_rows.py holds out, and how often a translation is above
that of another sentence, above a copy of its source, and above nothing. Needs CONCORDANT_DATA.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from concordant.metrics.find import load
from concordant.training.held_out import pearson_estimate, tau_estimate

sys.path.insert(0, str(Path(__file__).parent.parent / "shipping"))
from judged_rows import is_held_out, ranked_pairs, rated_rows
from multilingual import MLQEPE

ALL = 10**9
WITH_REFERENCE = ("fast-any", "chrf")


def rankings(data: Path) -> None:
    """Strict tau on WMT16 out of English."""
    pairs = ranked_pairs(data, ["wmt16"], ["en-*"])
    languages = np.array(pairs.language_pair)
    references = [list(given) for given in pairs.references]
    for name in WITH_REFERENCE:
        scores = load(name).score(pairs.translations, references).segments
        gaps = scores[pairs.better] - scores[pairs.worse]
        found = {
            pair: tau_estimate(gaps[languages == pair], pairs.segment[languages == pair])
            for pair in sorted(set(languages))
        }
        print(name, *(f"{pair} {each}" for pair, each in found.items()), sep="\n  ")
        print("  mean", round(np.mean([each.value for each in found.values()]), 3))


def mqm(data: Path) -> None:
    """Pearson's r on mqm22."""
    rows = rated_rows(data, ["mqm22/en-ru"], ALL)
    segments = np.array([row.place[2] for row in rows])
    human = np.array([row.rating for row in rows])
    for name in WITH_REFERENCE:
        found = load(name).score(
            [row.translation for row in rows], [[row.reference] for row in rows]
        )
        print(name, pearson_estimate(found.segments, human, segments))


def sources(data: Path) -> None:
    """How qe does without references."""
    metric, means = load("qe"), []
    for name in MLQEPE:
        rows = [row for row in rated_rows(data, [name], ALL) if is_held_out(row)]
        texts, given = [row.translation for row in rows], [row.source for row in rows]
        own = metric.score(texts, (), given).segments
        wrong = {"another": [*texts[1:], texts[0]], "a copy": given, "nothing": [""] * len(rows)}
        above = {
            kind: (own > metric.score(each, (), given).segments).mean()
            for kind, each in wrong.items()
        }
        human, segments = (np.array(each) for each in zip(*((r.rating, r.place[2]) for r in rows),
                                                          strict=True))  # fmt: skip
        found = pearson_estimate(own, human, segments)
        means.append([found.value, *above.values()])
        print(name, found, {kind: round(float(share), 3) for kind, share in above.items()})
    print("mean", np.mean(means, axis=0).round(3).tolist())


if __name__ == "__main__":
    measures = {"rankings": rankings, "mqm": mqm, "sources": sources}
    for each in sys.argv[1:] or measures:
        measures[each](Path(os.environ["CONCORDANT_DATA"]))
