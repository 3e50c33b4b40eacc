"""The metrics that ship against their peers, each on one thread, the same files, one run.

`fast` from the command line against sacrebleu's chrF of every segment; `base` against bert-score
with the same MiniLM folder (where bert-score is installed), three systems and one file of
references. Times are the processor's, of whole processes. Needs CONCORDANT_DATA:

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/shipped.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from concordant.resources.places import is_installed, locate

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
folder, reference, *systems = sys.argv[1:]
scorer = BERTScorer(model_type=folder, num_layers=5, device="cpu", batch_size=64)
references = open(reference, encoding="utf-8").read().splitlines()
for system in systems:
    scorer.score(open(system, encoding="utf-8").read().splitlines(), references)
"""


def spent(arguments: list[str], **more: str) -> float:
    """The processor's time of a process, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, **one, **more})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def score(metric: str, reference: Path, systems: list[Path], folder: Path, **more: str) -> float:
    """What `concordant score` takes for segments of some systems."""
    command = [sys.executable, "-m", "concordant.cli.main", "score", "-m", metric, "--quiet"]
    files = [part for system in systems for part in ("-t", str(system))]
    output = ["-o", str(folder / "scores.tsv"), "--format", "tsv", "--level", "segment"]
    return spent([*command, "-r", str(reference), *files, "--threads", "1", *output], **more)


def texts(data: Path, lines: int, folder: Path) -> tuple[Path, list[Path]]:
    """The first lines of newstest2012's English reference and of three systems from German."""
    base = data / "wmt12"
    outputs = sorted((base / "system-outputs" / "newstest2012" / "de-en").iterdir())[:3]
    reference = next(path for path in (base / "references").iterdir() if path.name.endswith("en"))
    made = []
    for path in (reference, *outputs):
        made.append(folder / path.name)
        head = path.read_text("utf-8").splitlines()[:lines]
        made[-1].write_text("\n".join(head) + "\n", encoding="utf-8")
    return made[0], made[1:]


def main() -> None:
    """Print the times and their ratios."""
    data = Path(os.environ["CONCORDANT_DATA"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference, systems = texts(data, 3000, folder)
        peer = spent([sys.executable, "-c", CHRF, str(reference), *map(str, systems)])
        ours = score("fast", reference, systems, folder)
        print(f"sacrebleu chrF {peer:.2f} s, fast {ours:.2f} s: {peer / ours:.2f} times as fast")
        few, one = texts(data, 100, folder)
        begin = time.perf_counter()
        score("fast", few, one[:1], folder)
        waited = time.perf_counter() - begin
        print(f"100 lines with fast, from the command to the result: {waited:.2f} s")
        if find_spec("bert_score") is None or not is_installed("minilm"):
            print("bert-score or minilm is not installed; base is left out")
            return
        reference, systems = texts(data, 300, folder)
        model = next(path.parent for path in locate("minilm").rglob("config.json"))
        peer = spent([
            sys.executable,
            "-c",
            BERT_SCORE,
            str(model),
            str(reference),
            *map(str, systems),
        ])
        links = folder / "cache"
        links.mkdir()
        (links / "parts").symlink_to(locate("minilm").parent)
        ours = score("base", reference, systems, folder, CONCORDANT_CACHE=str(links))
        print(f"bert-score {peer:.2f} s, base {ours:.2f} s: {peer / ours:.2f} times as fast")


if __name__ == "__main__":
    main()
