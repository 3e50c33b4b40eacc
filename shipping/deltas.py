"""How often people agreed with a difference between systems' scores: the table in the package.

Reads judged systems of past campaigns (CONCORDANT_DATA), scores them by each metric, fits a curve
for each direction, and leaves each year out to see whether its chances come true. Rows go to
src/concordant/scoring/past_campaigns.json, figures to benchmarks/deltas.json; `make docs` then
writes docs/deltas.md. A metric that was retrained needs a new row (`base`: about three minutes):

    python shipping/deltas.py [--metric NAME …] [--threads N]

A metric is not measured on judgements that it learned from; PLANS names them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judged_tests import CAMPAIGNS, judged_tests
from past_curves import leave_years_out, row_of
from past_differences import differences_of

from concordant.metrics.find import in_language, load
from concordant.scoring.past_campaigns import ENGLISH, FILE, FORMAT, INTO, OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from past_differences import PastDifferences

FIGURES = Path(__file__).parent.parent / "benchmarks" / "deltas.json"
ALL = 1_000_000
FEWEST_YEARS = 3  # with fewer there is no leaving a year out


@dataclass(frozen=True)
class Plan:
    """What a metric learned from, as patterns of test names; and how many segments are scored.

    Of a larger test set a random sample is scored, the same for every system.
    """

    learned: tuple[str, ...] = ()
    most: int = ALL


REGRESSION = ("wmt13.*-en", "wmt15.*-en", "wmt16.*-en")
PLANS = {
    "bleu": Plan(),
    "chrf": Plan(),
    "chrf++": Plan(),
    "ter": Plan(),
    "meteor": Plan(most=600),
    "fast": Plan(REGRESSION, most=1200),
    "fast-any": Plan(("wmt12.en-*", "wmt15.en-*", "mqm20.*", "mqm21.*", "da21x.*"), most=1200),
    # MQM judged the same Chinese systems in 2021 as direct assessment did.
    "qe": Plan(("mqm20.*", "mqm21.*", "da21x.*", "da21.zh-en"), most=1200),
    "base": Plan((*REGRESSION, "mqm20.*", "mqm21.*", "da21.zh-en"), most=300),
    "reval": Plan(REGRESSION, most=60),
    "pair": Plan(("wmt13.*",), most=40),
}


def differences(names: Sequence[str], data: Path, threads: int) -> dict[str, list[PastDifferences]]:
    """Each metric's differences on all tests that it is made for and did not learn from."""
    found: dict[str, list[PastDifferences]] = {name: [] for name in names}
    folders = [e for e in CAMPAIGNS if not all(_is_learned(name, f"{e}.*") for name in names)]
    for test in judged_tests(data, folders):
        target = test.pair.partition("-")[2]
        print(f"{test.name}: {len(test.systems)} systems", file=sys.stderr)
        for name in names:
            languages = load(in_language(name, target)).scope.languages
            if (not languages or target in languages) and not _is_learned(name, test.name):
                found[name].append(differences_of(name, test, PLANS[name].most, threads))
    return found


def _is_learned(name: str, test: str) -> bool:
    test = test.rpartition("/")[2]
    return any(fnmatch(test, pattern) for pattern in PLANS[name].learned)


def measure(
    name: str, tests: Sequence[PastDifferences]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of a metric, and the figures of its curves on years left out."""
    ordered = sorted(tests, key=lambda each: (each.year, each.test))
    rows, figures = [], []
    for direction in (INTO, OUT):
        into = direction == INTO
        own = [e for e in ordered if e.pair.endswith(f"-{ENGLISH}") == into and len(e.rows)]
        if len({each.year for each in own}) < FEWEST_YEARS:
            continue
        found = leave_years_out(own)
        measured = found.figures()
        if measured["log_loss"] >= measured["constant_log_loss"]:
            print(f"{name} {direction}: no better than a constant guess; left out", file=sys.stderr)
            continue
        rows.append(row_of(name, direction, own))
        figures.append({
            "metric": name, "direction": direction, **measured,
            "reliability": [[round(x, 4) for x in each] for each in found.reliability()],
        })  # fmt: skip
    return rows, figures


def replace_rows(path: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """Write a metric's rows over its old ones, the others as they were, in the order of PLANS."""
    before = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else []
    kept = [each for each in before if each["metric"] != name and each["metric"] in PLANS]
    order = list(PLANS)
    every = sorted(
        [*kept, *rows], key=lambda each: (order.index(each["metric"]), each["direction"])
    )
    lines = ",\n".join(json.dumps(each) for each in every)
    version = f"{FORMAT}.{hashlib.sha256(lines.encode()).hexdigest()[:8]}"
    head = f'{{"format": {FORMAT}, "version": "{version}", "rows": [\n'
    path.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")


def main() -> None:
    """Measure the metrics asked for, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--metric", action="append", choices=list(PLANS))
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    data = Path(os.environ["CONCORDANT_DATA"])
    for name, tests in differences(given.metric or list(PLANS), data, given.threads).items():
        rows, figures = measure(name, tests)
        replace_rows(FILE, name, rows)
        replace_rows(FIGURES, name, figures)
        print(f"{name}: {len(rows)} rows written", file=sys.stderr)


if __name__ == "__main__":
    main()
