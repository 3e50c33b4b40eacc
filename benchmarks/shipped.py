"""The metrics that ship against their peers, each on one thread, the same files, one run.

`fast` and `fast-any` from the command line against sacrebleu's chrF of every segment; `base`
against bert-score with the same MiniLM folder, three systems and one file of references. bert-score
is no dependency of ours; where it is not installed (`pip install bert-score==0.3.13`), `base` is
timed alone. It takes any layer, here the last and the one before; `base` needs four of the six.
Times are the processor's, of whole processes, the least of some runs; everything was run once
before, so that no one compiles Python files. Needs CONCORDANT_DATA:

    python benchmarks/shipped.py
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from concordant.resources.places import is_installed, locate, parts_folder

CHRF = """
import sys, sacrebleu
metric = sacrebleu.CHRF()
reference, *systems = sys.argv[1:]
references = open(reference, encoding="utf-8").read().splitlines()
for system in systems:
    lines = open(system, encoding="utf-8").read().splitlines()
    with open(sys.argv[2] + ".chrf", "w") as file:
        for line, text in zip(lines, references):
            file.write(f"{metric.sentence_score(line, [text]).score}\\n")
"""
BERT_SCORE = """
import sys, torch
from bert_score import BERTScorer
torch.set_num_threads(1)
folder, layer, reference, *systems = sys.argv[1:]
scorer = BERTScorer(model_type=folder, num_layers=int(layer), device="cpu", batch_size=64)
references = open(reference, encoding="utf-8").read().splitlines()
for system in systems:
    scorer.score(open(system, encoding="utf-8").read().splitlines(), references)
"""


ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
RUNS, FEW_RUNS = 5, 2  # the encoders take minutes
LAYERS = (5, 6)
LINES = 3000
FEWEST = 100  # for the slowest
RATES = Path(__file__).parent / "shipped.json"  # segments a second, which the cards cite
FEW_AND_MORE = (300, 1000)  # lines for the encoders; the start of a process tells in few


def spent(arguments: list[str], folder: Path, **more: str) -> float:
    """The processor's time of a process, in seconds."""
    bytecode = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    environment = {**os.environ, **ONE_THREAD, **bytecode, **more}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def score(metric: str, reference: Path, systems: list[Path], folder: Path, **more: str) -> float:
    """What `concordant score` takes for segments of some systems."""
    command = [sys.executable, "-m", "concordant.cli.main", "score", "-m", metric, "--quiet"]
    files = [part for system in systems for part in ("-t", str(system))]
    output = ["-o", str(folder / "scores.tsv"), "--format", "tsv", "--level", "segment"]
    arguments = [*command, "-r", str(reference), *files, "--threads", "1", *output]
    return spent(arguments, folder, **more)


def chrf(reference: Path, systems: list[Path], folder: Path) -> float:
    """What sacrebleu's chrF takes for the same."""
    return spent([sys.executable, "-c", CHRF, str(reference), *map(str, systems)], folder)


def bert_score(layer: int, reference: Path, systems: list[Path], folder: Path) -> float:
    """What bert-score takes for the same, up to a layer."""
    model = next(path.parent for path in locate("minilm").rglob("config.json"))
    given = [str(model), str(layer), str(reference), *map(str, systems)]
    return spent([sys.executable, "-c", BERT_SCORE, *given], folder)


def texts(data: Path, lines: int, folder: Path) -> tuple[Path, list[Path]]:
    """The first lines of newstest2012's English reference and of three systems from German."""
    base = data / "wmt12"
    translations = sorted((base / "system-outputs" / "newstest2012" / "de-en").iterdir())[:3]
    reference = next(path for path in (base / "references").iterdir() if path.name.endswith("en"))
    made = []
    for path in (reference, *translations):
        made.append(folder / path.name)
        head = path.read_text("utf-8").splitlines()[:lines]
        made[-1].write_text("\n".join(head) + "\n", encoding="utf-8")
    return made[0], made[1:]


def empty_cache(folder: Path) -> dict[str, str]:
    """A cache that has the parts, and nothing that was encoded."""
    cache = Path(tempfile.mkdtemp(dir=folder))
    (cache / "parts").symlink_to(parts_folder())
    return {"CONCORDANT_CACHE": str(cache)}


def fast_metrics(data: Path, folder: Path) -> dict[str, float]:
    """`fast` and `fast-any` against chrF; their segments a second."""
    few, one = texts(data, 100, folder)
    score("fast", few, one, folder)
    chrf(few, one, folder)
    begin = time.perf_counter()
    score("fast", few, one[:1], folder)
    waited = time.perf_counter() - begin
    print(f"100 lines with fast, from the command to the result: {waited:.2f} s")
    reference, systems = texts(data, LINES, folder)
    segments = LINES * len(systems)
    spans: dict[str, list[float]] = {"chrF": [], "fast": [], "fast-any": []}
    for _ in range(RUNS):  # in turns, so that what else the machine does falls on all
        spans["chrF"].append(chrf(reference, systems, folder))
        for metric in ("fast", "fast-any"):
            spans[metric].append(score(metric, reference, systems, folder))
    peer = min(spans["chrF"])
    print(f"sacrebleu chrF {peer:.2f} s, {segments / peer:,.0f} segments/s")
    for metric in ("fast", "fast-any"):
        ours = min(spans[metric])
        words = f"{ours:.2f} s, {segments / ours:,.0f} segments/s"
        print(f"{metric} {words}: {peer / ours:.2f} times as fast as chrF")
    return {metric: segments / min(spans[metric]) for metric in ("fast", "fast-any")}


def base_metric(data: Path, folder: Path) -> float:
    """`base` against bert-score, with nothing in the cache; its segments a second."""
    beside = find_spec("bert_score") is not None
    for lines in (10, *FEW_AND_MORE):  # the first of them to have Python's files compiled
        reference, systems = texts(data, lines, folder)
        spans: list[float] = []
        peers: dict[int, list[float]] = {layer: [] for layer in LAYERS if beside}
        for _ in range(FEW_RUNS):
            spans.append(score("base", reference, systems, folder, **empty_cache(folder)))
            for layer, times in peers.items():
                times.append(bert_score(layer, reference, systems, folder))
        ours = min(spans)
        rate = lines * len(systems) / ours
        if lines in FEW_AND_MORE:
            print(f"{lines} lines: base {ours:.2f} s, {rate:,.0f} segments/s")
            for layer, times in peers.items():
                words = f"{min(times):.2f} s, {min(times) / ours:.2f} times as much"
                print(f"  bert-score, layer {layer}: {words}")
    return rate


def pair_metric(data: Path, folder: Path) -> float:
    """`pair` by itself, with nothing in the cache; its segments a second."""
    reference, systems = texts(data, FEWEST, folder)
    rate = FEWEST * len(systems) / score("pair", reference, systems, folder, **empty_cache(folder))
    print(f"{FEWEST} lines: pair {rate:,.1f} segments/s")
    return rate


def reval_metric(data: Path, folder: Path) -> float:
    """`reval` by itself, every text parsed and none in the cache; its segments a second."""
    lines = FEW_AND_MORE[-1]
    reference, systems = texts(data, lines, folder)
    rate = lines * len(systems) / score("reval", reference, systems, folder, **empty_cache(folder))
    print(f"{lines} lines: reval {rate:,.0f} segments/s")
    return rate


def main() -> None:
    """Print the times and their ratios."""
    if "CONCORDANT_DATA" not in os.environ:
        print("CONCORDANT_DATA is not set: the metrics that ship are not timed")
        return
    data = Path(os.environ["CONCORDANT_DATA"])
    with tempfile.TemporaryDirectory() as name:
        rates = fast_metrics(data, Path(name))
        for metric, parts, timed in (
            ("base", "minilm", base_metric),
            ("pair", "mpnet", pair_metric),
            ("reval", "parser-en glove-840b glove-100 glove-50", reval_metric),
        ):
            missing = [each for each in parts.split() if not is_installed(each)]
            if missing:
                print(f"{', '.join(missing)} not installed: {metric} is left out")
            else:
                rates[metric] = timed(data, Path(name))
    RATES.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
