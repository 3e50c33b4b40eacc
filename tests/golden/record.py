"""Record every number that Concordant computes, so that a change of its code can be held to them.

    python tests/golden/record.py before.json
    … change the code …
    python tests/golden/record.py after.json --against before.json

runs the command as users do, on `examples/` and, where `CONCORDANT_DATA` is set, on a sample of the
WMT data. Of each command it keeps a hash of all numbers in what it prints as json, in their order
and to the last bit, and of trained metrics a hash of their weights. Words, names and the order of
keys may change; a number may not.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "de-en"
SYSTEMS = [EXAMPLE / "systems" / f"{name}.txt" for name in ("alder", "birch", "cedar", "dogwood")]
METRICS = [
    "fast", "fast(scale=raw)", "fast-any", "base", "bleu", "bleu(tok=intl,case=lc)",
    "bleu(smooth=add-k)", "bleu(smooth=floor)", "bleu(tok=char)", "chrf", "chrf(case=lc,beta=1)",
    "chrf++", "ter", "ter(norm=yes,case=mixed)", "wer", "per", "character", "nist", "meteor",
    "meteor(modules=exact+stem)", "rouge-l", "rouge-s", "tokens(potion)", "tokens(minilm,layer=3)",
    "sentence(minilm)", "sentence(use-m3)", "sentence(glove-50)", "reval", "pair",
]  # fmt: skip
SEGMENT_STATISTICS = ["tau-wmt12", "tau-wmt13", "tau-wmt14", "accuracy", "accuracy-ties"]
SYSTEM_STATISTICS = ["accuracy", "pearson", "spearman", "tau-a", "tau-b", "tau-c"]
OF_RATINGS = ["acc-eq", "pearson", "spearman", "tau-a", "tau-b", "tau-c"]  # of segments
SYSTEM_SCORES = ("expected-wins", "better", "better-or-equal", "strictly-better", "bradley-terry",
                 "trueskill")  # fmt: skip
# Recipe → what keeps its training short.
RECIPES = {
    "lexical": ["optimiser.epochs=3"],
    "joint": ["optimiser.epochs=3"],
    "regression": ["inputs.features=bleu chrf length", "inputs.vectors="],
    "reval": ["optimiser.epochs=1", "inputs.trees=trees(parser-en,glove-50)", "model.memory=8",
              "data.rank_scores=all", "data.fewest_ranks=1"],
}  # fmt: skip
NOT_RANKED = ("ratings.csv", "quality.tsv", "preferences.csv")  # reval takes grades or rankings
LINES = 150  # of the WMT texts


def main() -> None:
    """Record, and compare with another record if there is one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--against", type=Path, help="a record to compare with")
    parser.add_argument("--only", default="", help="only commands whose name has this in it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = record(Path(folder), options.only)
    options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} recorded in {options.output}")
    if options.against is not None:
        sys.exit(compare(json.loads(options.against.read_text(encoding="utf-8")), found))


def record(folder: Path, only: str) -> dict[str, Any]:
    """The hash of all numbers of every command."""
    asked = commands(folder)
    found = {}
    for name, command in asked.items():
        if only not in name:
            continue
        begun = time.monotonic()
        found[name] = numbers_of(command)
        print(f"{time.monotonic() - begun:6.1f} s  {name}: {str(found[name])[:90]}", flush=True)
    for recipe, changes in RECIPES.items():
        name = f"train {recipe}"
        if only in name:
            found[name] = weights_of(recipe, changes, folder / recipe)
            print(f"          {name}: {str(found[name])[:90]}", flush=True)
    return found


def commands(folder: Path) -> dict[str, list[str]]:
    """Every command by a name that stays."""
    files = ["-r", EXAMPLE / "reference-1.txt", "-r", EXAMPLE / "reference-2.txt"]
    files += ["-s", EXAMPLE / "source.txt"]
    found: dict[str, list[Any]] = {}
    for metric in METRICS:
        each = ["score", "-m", metric, *files, "-t", SYSTEMS[1], "-t", SYSTEMS[3]]
        found[f"segments {metric}"] = [*each, "--level", "segment", "--format", "jsonl"]
        found[f"systems {metric}"] = [*each, "--format", "json"]
    for metric in ("fast", "bleu", "ter", "nist"):
        named = ["compare", *SYSTEMS, *files, "-m", metric, "--format", "json"]
        found[f"compare {metric}"] = named
        documents = ["--documents", EXAMPLE / "documents.txt"]
        found[f"compare {metric} by document"] = [*named, *documents]
    found["compare two"] = [
        "compare",
        *SYSTEMS,
        *files,
        "-m",
        "chrf",
        "-m",
        "ter",
        "--format",
        "json",
    ]
    for kind in ("ratings", "rankings", "preferences"):
        judged = ["-j", ROOT / "examples", "--judged", kind]
        found |= evaluations(f"examples {kind}", judged, rated=kind == "ratings")
    found["explain fast"] = ["score", "-m", "fast", *files, "-t", SYSTEMS[1], "--explain",
                             "--level", "segment", "--format", "jsonl"]  # fmt: skip
    for variant in SYSTEM_SCORES:
        found[f"data systems {variant}"] = ["data", "systems", ROOT / "examples", "--judged",
            "rankings", "--method", variant, "--format", "json"]  # fmt: skip
    found["data agreement"] = ["data", "agreement", ROOT / "examples", "--format", "json"]
    if "CONCORDANT_DATA" in os.environ:
        found |= wmt(folder, Path(os.environ["CONCORDANT_DATA"]))
    return {name: [*map(str, each)] for name, each in found.items()}


def evaluations(name: str, judged: list[Any], *, rated: bool) -> dict[str, list[Any]]:
    """Both levels, with every statistic and test."""
    common = ["evaluate", "-m", "bleu", "-m", "chrf", "-m", "fast", *judged, "--resamples", 200,
              "--permutations", 200, "--format", "json"]  # fmt: skip
    of_segments = ",".join([*SEGMENT_STATISTICS, *(OF_RATINGS if rated else [])])
    of_systems = ",".join([*SYSTEM_STATISTICS, *(["spa"] if rated else [])])
    return {
        f"evaluate {name} segments": [*common, "--statistic", of_segments],
        f"evaluate {name} systems": [*common, "--level", "system", "--statistic", of_systems],
        f"evaluate {name} baseline": [*common, "--baseline", "bleu"],
    }


def wmt(folder: Path, data: Path) -> dict[str, list[Any]]:
    """Commands on a sample of the WMT data."""
    texts = data / "wmt12"
    systems = sorted((texts / "system-outputs" / "newstest2012" / "de-en").iterdir())[:3]
    cut = {}
    for path in [texts / "references" / "newstest2012-ref.en", *systems]:
        cut[path] = folder / path.name
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            cut[path].write_text("".join(islice(lines, LINES)), encoding="utf-8")
    reference, *outputs = cut.values()
    translations = [each for path in outputs for each in ("-t", path)]
    found: dict[str, list[Any]] = {
        f"wmt12 {metric}": ["score", "-m", metric, "-r", reference, *translations, "--level",
                            "segment", "--format", "jsonl"]
        for metric in METRICS
    }  # fmt: skip
    found |= evaluations("da16", ["-j", data / "da16", "--pairs", "de-en,ru-en"], rated=True)
    found |= evaluations("wmt14", ["-j", data / "wmt14", "--pairs", "hi-en"], rated=False)
    found["wmt12 systems"] = ["data", "systems", data / "wmt12", "--format", "json"]
    return found


def numbers_of(command: list[str]) -> dict[str, Any] | str:
    """How many numbers a command prints, their hash and the first ones; or its refusal."""
    run = subprocess.run(
        [sys.executable, "-c", "from concordant.cli.main import main; main()", *command, "-q"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr.strip().splitlines()[-1][:200]}"
    numbers = [each for part in documents_in(run.stdout) for each in numbers_in(part)]
    text = "\n".join(map(repr, numbers))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"numbers": len(numbers), "sha256": digest, "first": numbers[:4]}


def documents_in(text: str) -> list[Any]:
    """The json values that follow one another in a text."""
    decoder, found, place = json.JSONDecoder(), [], 0
    while place < len(text.rstrip()):
        value, place = decoder.raw_decode(text, place)
        found.append(value)
        place += len(text[place:]) - len(text[place:].lstrip())
    return found


def numbers_in(value: Any) -> list[float]:
    """All numbers of a json value; keys are sorted, so that their order does not count."""
    if isinstance(value, dict):
        return [each for key in sorted(value) for each in numbers_in(value[key])]
    if isinstance(value, list):
        return [each for item in value for each in numbers_in(item)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def weights_of(recipe: str, changes: list[str], folder: Path) -> list[str] | str:
    """The hashes of the arrays of a metric trained on the examples, whatever they are called."""
    from safetensors.numpy import load_file

    settings = [each for change in changes for each in ("--set", change)]
    judged = folder.with_name(f"{folder.name}-judgements") / "examples"
    left_out = shutil.ignore_patterns(*NOT_RANKED) if recipe == "reval" else None
    shutil.copytree(ROOT / "examples", judged, ignore=left_out)
    command = ["train", "--recipe", recipe, "--judgements", str(judged), "-o", str(folder)]
    run = subprocess.run(
        [sys.executable, "-c", "from concordant.cli.main import main; main()", *command, *settings],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr.strip().splitlines()[-1][:200]}"
    arrays = load_file(folder / "weights.safetensors").values()
    return sorted(hashlib.sha256(each.tobytes()).hexdigest() for each in arrays)


def compare(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print what differs; 1 if anything does."""
    names = [name for name in before if name in after]
    differ = [name for name in names if before[name] != after[name]]
    for name in differ:
        print(f"{name}\n  before {str(before[name])[:200]}\n  after  {str(after[name])[:200]}")
    print(f"{len(names) - len(differ)} of {len(names)} the same")
    return int(bool(differ))


if __name__ == "__main__":
    main()
