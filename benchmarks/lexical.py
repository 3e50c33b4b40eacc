"""Speed of the lexical kernel beside its peers: one process, the same 3,000 segments, one thread.

Prints segments a second and ratios; promises nothing. METEOR's peer, the jar, is timed where Java
and the part meteor-en are there; its start is left out by taking the difference of a run
on three times the segments.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer
from timing import seconds

from concordant.features.extraction import feature_set
from concordant.features.registry import BEER_FEATURES
from concordant.judgements.files import read_lines
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.measures import measure_named
from concordant.metrics.lexical.meteor.data import JAR, load_resources
from concordant.metrics.scorer import Batch

SEGMENTS = 3000
TER_SEGMENTS = 300  # sacrebleu's TER needs half a minute for 3,000


def texts() -> tuple[list[str], list[list[str]]]:
    """Newstest translations and references where there is data, else made-up sentences."""
    folder = os.environ.get("CONCORDANT_DATA")
    if folder is None:
        print("CONCORDANT_DATA is not set: sentences made up of the example's words")
        words = Path("examples/de-en/reference-1.txt").read_text(encoding="utf-8").split()
        draw = random.Random(0)
        lines = [" ".join(draw.choices(words, k=draw.randint(8, 45))) for _ in range(2 * SEGMENTS)]
        return lines[:SEGMENTS], [[line] for line in lines[SEGMENTS:]]
    base = Path(folder) / "wmt12"
    translations = base / "system-outputs/newstest2012/de-en/newstest2012.de-en.onlineB"
    references = read_lines(base / "references/newstest2012-ref.en")
    return read_lines(translations)[:SEGMENTS], [[line] for line in references[:SEGMENTS]]


def show(name: str, ours: float, peer_name: str, peer: float) -> None:
    print(f"{name:28s} {ours:10,.0f} /s   {peer_name:18s} {peer:8,.0f} /s   {ours / peer:7.1f} ×")


def rate(
    name: str, translations: list[str], references: list[list[str]], threads: int = 1
) -> float:
    """Segments a second of a measure's counts and sentence scores."""
    measure = measure_named(name)

    def task() -> None:
        prepared = measure.prepare(references)
        batch = Batch(translations, references)
        measure.segment_scores(measure.counts(batch, threads=threads, prepared=prepared))

    task()  # loads what a measure loads once
    return len(translations) / seconds(task, repeats=5)


def peer_rate(metric: object, translations: list[str], references: list[list[str]]) -> float:
    """Segments a second of sacrebleu's sentence scores."""

    def task() -> None:
        for translation, given in zip(translations, references, strict=True):
            metric.sentence_score(translation, given)

    return len(translations) / seconds(task)


def beside_sacrebleu(translations: list[str], references: list[list[str]]) -> float:
    peers = {
        "bleu": BLEU(effective_order=True),
        "chrf": CHRF(),
        "chrf++": CHRF(word_order=2),
        "ter": TER(),
    }
    chrf = 0.0
    for name, metric in peers.items():
        n = TER_SEGMENTS if name == "ter" else SEGMENTS
        peer = peer_rate(metric, translations[:n], references[:n])
        chrf = peer if name == "chrf" else chrf
        show(name, rate(name, translations, references), "sacrebleu", peer)
    return chrf


def beside_sacrebleus_chinese() -> None:
    """BLEU of made-up sentences of the Chinese example: new to sacrebleu, which remembers lines."""
    folder = Path(__file__).parent.parent / "examples" / "languages" / "zh"
    draw = random.Random(0)
    names = ("maple", "reference")
    known = [read_lines(folder / f"{name}.txt") for name in names]
    made = [["".join(draw.sample(lines, 2)) + str(i) for i in range(SEGMENTS)] for lines in known]
    references = [[line] for line in made[1]]
    peer = peer_rate(BLEU(tokenize="zh", effective_order=True), made[0], references)
    show("bleu(tok=zh)", rate("bleu(tok=zh)", made[0], references), "sacrebleu", peer)
    cut = _get_tokenizer("zh")()
    lines = [line * 2 for line in made[0]]
    peer = len(lines) / seconds(lambda: [cut(line).split() for line in lines])
    ours = len(lines) / seconds(lambda: _native.tokenise(lines, "zh"), repeats=5)
    show("zh tokens alone", ours, "sacrebleu", peer)


def features(translations: list[str], references: list[list[str]], chrf: float) -> None:
    wanted = feature_set(BEER_FEATURES)
    ours = len(translations) / seconds(lambda: wanted.extract(translations, references), repeats=5)
    show("features of Stanojević 2017", ours, "sacrebleu's chrF", chrf)


def beside_the_jar(translations: list[str], references: list[list[str]]) -> None:
    """METEOR with exact, stem and synonym matches beside the Java program, its start left out."""
    folder = load_resources().folder
    if folder is None or shutil.which("java") is None:
        print("meteor: no Java, or no jar (concordant resources install meteor-en): not compared")
        return
    jar = folder / JAR
    many, given = translations * 3, references * 3
    took = jar_seconds(jar, many, given) - jar_seconds(jar, translations, references)
    ours = rate("meteor(modules=exact+stem+synonym)", translations, references)
    show(
        "meteor exact+stem+synonym", ours, "METEOR 1.5 jar", (len(many) - len(translations)) / took
    )


def jar_seconds(jar: Path, translations: list[str], references: list[list[str]]) -> float:
    """How long the jar takes, start included."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("hyp", "ref")]
        for path, lines in zip(
            paths, (translations, [given[0] for given in references]), strict=True
        ):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        command = ["java", "-Xmx2G", "-jar", jar, *paths, "-l", "en", "-norm", "-t", "rank",
                   "-m", "exact stem synonym"]  # fmt: skip
        return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def threads(translations: list[str], references: list[list[str]]) -> None:
    many, given = translations * 5, references * 5
    for name in ("bleu", "chrf", "ter"):
        # Taken in turn, the best of each: another program on the machine then slows both or none.
        both = [[rate(name, many, given, n) for n in (1, 2)] for _ in range(4)]
        one, two = (max(rates) for rates in zip(*both, strict=True))
        print(f"{name:28s} two threads {two / one:.2f} × one")


def memory() -> None:
    """Peak memory of the `score` command on 10⁴ and on 10⁶ segments."""
    translations, references = texts()
    with tempfile.TemporaryDirectory() as folder:
        for size in (10_000, 1_000_000):
            paths = []
            for name, lines in (("hyp", translations), ("ref", [given[0] for given in references])):
                path = Path(folder) / f"{name}.{size}"
                with path.open("w", encoding="utf-8") as stream:
                    for i in range(size):
                        stream.write(lines[i % len(lines)] + "\n")
                paths.append(str(path))
            command = [sys.executable, "-m", "concordant.cli.main", "score", "-t", paths[0],
                       "-r", paths[1], "-m", "chrf", "-m", "bleu"]  # fmt: skip
            begin = time.perf_counter()
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(child.pid, 0)
            took = time.perf_counter() - begin
            peak = usage.ru_maxrss / 1024
            print(f"score, {size:9,d} segments      {took:7.1f} s   peak memory {peak:6.0f} MB")


def main() -> None:
    translations, references = texts()
    chrf = beside_sacrebleu(translations, references)
    beside_sacrebleus_chinese()
    features(translations, references, chrf)
    beside_the_jar(translations, references)
    threads(translations, references)
    memory()


if __name__ == "__main__":
    main()
