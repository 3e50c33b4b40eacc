"""A small comparison with hostile names and texts, for the tests of its page."""

from functools import cache
from pathlib import Path

from concordant.metrics.find import find
from concordant.report.html import PageFacts
from concordant.report.page import page
from concordant.scoring.comparison import compare
from concordant.scoring.comparison_options import ComparisonOptions
from concordant.scoring.explanations import explain_comparison

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
FEW = ComparisonOptions(resamples=200, permutations=200)
EVIL = '<script>document.title="broken"</script>'
ODD = [
    EVIL,
    '"><img src=x onerror=alert(1)>',
    "",
    "=1+1</script><!--",
    "a\u2028b 'c' &amp; {{ d }}",
]
FACTS = PageFacts(f"title {EVIL}", f"set {EVIL}", "de-en", "2026-01-02")


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


@cache
def small_comparison():
    """Four systems by three metrics, one of them with names and texts that would like to run."""
    translations = {name: lines(f"systems/{name}.txt") for name in ("alder", "birch", "cedar")}
    translations[f"<b>{EVIL}"] = [*ODD, *translations["cedar"][len(ODD) :]]
    both = zip(lines("reference-1.txt"), lines("reference-2.txt"), strict=True)
    references = [list(pair) for pair in both]
    references[0][0] += EVIL
    documents = [f"{EVIL}{name}" for name in lines("documents.txt")]
    metrics = find(["fast", "chrf", "ter"], "en")
    found = compare(
        translations, references, lines("source.txt"), metric=metrics, documents=documents,
        options=FEW,
    )  # fmt: skip
    return found, explain_comparison(found, metrics)


@cache
def small_page():
    found, explained = small_comparison()
    return page(found, FACTS, explained=explained)
