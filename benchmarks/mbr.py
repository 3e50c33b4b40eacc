"""Minimum Bayes risk: 100 candidates × 100 pseudo-references a sentence, one thread.

Peers in the same run: fastchrf and a loop over sacreBLEU's sentence chrF (a share of it is timed).
The lists are references with words dropped, replaced and added at random, no two alike. Prints
processor time, ratios, and how often the aggregate chooses what all pairs choose.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import numpy as np
from sacrebleu.metrics import CHRF
from timing import seconds

from concordant.metrics.find import load
from concordant.reranking.choices import Consensus
from concordant.reranking.lists import CandidateList
from concordant.reranking.rerank import rerank

SENTENCES = 100
CANDIDATES = 100
SOME = 10  # sentences for what takes long
SACREBLEU_PAIRS = 2000
ENCODED = ("fast", "sentence(compact-pieces)")


def lists() -> list[list[str]]:
    """Noisy copies of newstest's references where there is data, else of the example's."""
    folder = os.environ.get("CONCORDANT_DATA")
    file = Path("examples/de-en/reference-1.txt")
    if folder is not None:
        file = Path(folder) / "wmt12/references/newstest2012-ref.en"
    lines = [line for line in file.read_text(encoding="utf-8-sig").split("\n") if line]
    draw = random.Random(0)
    vocabulary = " ".join(lines[: 20 * SENTENCES]).split()
    chosen = [lines[i % len(lines)] for i in range(SENTENCES)]
    return [[noisy(line, vocabulary, draw) for _ in range(CANDIDATES)] for line in chosen]


def noisy(line: str, vocabulary: list[str], draw: random.Random) -> str:
    words = []
    for word in line.split():
        chance = draw.random()
        if chance < 0.1:
            continue
        if chance < 0.15:
            words.append(draw.choice(vocabulary))
        words.append(draw.choice(vocabulary) if 0.15 <= chance < 0.3 else word)
    return " ".join(words) or draw.choice(vocabulary)


def choose(name: str, texts: list[list[str]], *, aggregate: bool = False) -> list[int]:
    how = Consensus(aggregate=aggregate, resamples=0)
    given = [CandidateList(str(i), tuple(each)) for i, each in enumerate(texts)]
    return [choice.place for _, choice in rerank(given, load(name), consensus=how)]


def show(name: str, spent: float, sentences: int, base: float | None = None) -> None:
    each = spent / sentences
    ratio = "" if base is None else f"   {base / each:8.1f} × as fast as"
    print(f"{name:44s} {1000 * each:10.2f} ms a sentence{ratio}")


def timed(task: object, repeats: int = 1) -> float:
    return seconds(task, repeats, time.process_time)  # type: ignore[arg-type]


def main() -> None:
    texts = lists()
    pairs = CANDIDATES * CANDIDATES
    ours = timed(lambda: choose("chrf", texts), 3)
    show("chrf, all pairs", ours, SENTENCES)
    sacrebleu = CHRF()
    loop = [(a, b) for a in texts[0] for b in texts[0]][:SACREBLEU_PAIRS]
    peer = timed(lambda: [sacrebleu.sentence_score(a, [b]) for a, b in loop])
    peer *= pairs / SACREBLEU_PAIRS
    show("  a loop over sacreBLEU", peer, 1)
    print(f"  chrf, all pairs: {peer * SENTENCES / ours:.0f} × as fast")
    aggregate = timed(lambda: choose("chrf", texts, aggregate=True), 3)
    show("chrf, aggregate", aggregate, SENTENCES)
    try:
        import fastchrf  # noqa: PLC0415 - a peer, which may not be there
    except ImportError:
        print("fastchrf is not installed: pip install fastchrf")
    else:
        some = texts[:SOME]
        peer = timed(lambda: fastchrf.pairwise_chrf(some, some))
        show("  fastchrf, pairwise", peer, len(some))
        print(f"  chrf, all pairs: {peer / len(some) * SENTENCES / ours:.1f} × as fast")
        peer = timed(lambda: fastchrf.aggregate_chrf(some, some))
        show("  fastchrf, aggregate", peer, len(some))
        print(f"  chrf, aggregate: {peer / len(some) * SENTENCES / aggregate:.1f} × as fast")
    certain = Consensus()
    given = [CandidateList(str(i), tuple(each)) for i, each in enumerate(texts[:SOME])]
    drawn = timed(lambda: list(rerank(given, load("chrf"), consensus=certain)))
    show("chrf, all pairs, with certainty (1,000 draws)", drawn, SOME)
    choose("fast", [each[:2] for each in texts[:1]])
    for name in ENCODED:
        spent = timed(lambda name=name: choose(name, texts[:SOME]))
        show(f"{name}, all pairs", spent, SOME)
        print(f"  {60 * SOME / spent:.0f} sentences a minute")
    for name in ("chrf", "chrf++", "sentence(compact-pieces)"):
        same = np.equal(choose(name, texts), choose(name, texts, aggregate=True))
        print(f"{name}: the aggregate chooses the same in {int(same.sum())} of {len(same)} lists")


if __name__ == "__main__":
    main()
