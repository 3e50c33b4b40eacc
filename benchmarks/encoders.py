"""Encoders: how far each one agrees with people, and how fast it is beside a plain loop.

`agreement` makes a table of every installed encoder, layer and pooling: Pearson's r with WMT16's
direct assessments, the mean of six pairs into English, nothing trained; and sentences a second of
processor time, on one thread. `speed` encodes newstest2012's de-en outputs and reference as a plain
loop would (in the order of the files, 32 at a time), then as we do, with the first layers only, and
from the cache; it also times the matching of static vectors. Without CONCORDANT_DATA there is
nothing to run on.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from timing import seconds

from concordant.encoders.cache.cache import Cache
from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.encoders import encode
from concordant.encoders.networks.pooling import POOLS
from concordant.encoders.token_matching import match_tokens
from concordant.encoders.words.averages import POOLS as AVERAGES
from concordant.errors import UndefinedStatistic
from concordant.features.extraction import feature_set
from concordant.judgements.files import read_lines
from concordant.resources.places import is_installed, locate
from concordant.resources.table import PARTS
from concordant.stats.correlation import pearson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAIRS = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
SLOW = ("mpnet",)  # only with --slow
HEADLINES = (" F", " cosine")  # how the column that stands for a feature ends
BATCH, ONE_IN = 32, 8
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Row:
    """A feature of an encoder, with one headline column for each layer (None: no layers)."""

    spec: str
    encoder: str
    layers: tuple[int | None, ...] = (None,)


def word_rows(name: str) -> list[Row]:
    averages = [Row(f"vectors({name},pool={pool})", name) for pool in AVERAGES]
    return [Row(f"tokens({name})", name), *averages]


def network_rows(name: str) -> list[Row]:
    """All layers' tokens from one pass, and all poolings of all layers but for the slow ones."""
    layers = tuple(range((encoder_named(name).depth or 0) + 1))
    tokens = Row(f"tokens({name},layer={'+'.join(map(str, layers))})", name, layers)
    if name in SLOW:
        return [tokens, Row(f"sentence({name})", name)]
    pooled = [
        Row(f"sentence({name},layer={layer},pool={pool})", name, (layer,))
        for pool in POOLS
        for layer in layers
    ]
    return [tokens, *pooled]


def export_rows(name: str) -> list[Row]:
    pooled = [Row(f"sentence({name},pool={pool})", name) for pool in POOLS]
    return [Row(f"tokens({name})", name), *pooled]


# What a part is → every layer and pooling of it.
ROWS: dict[str, Callable[[str], list[Row]]] = {
    "word-vectors": word_rows,
    "static": lambda name: [Row(f"tokens({name})", name), Row(f"sentence({name})", name)],
    "transformers": network_rows,
    "onnx": export_rows,
    "universal": lambda name: [Row(f"sentence({name})", name)],
    "spacy": lambda name: [Row("syntax(25)", name)],
}


def agreement(data: Path, *, slow: bool) -> None:
    """(a) The table of encoders."""
    judged = {pair: direct_assessments(data, pair) for pair in PAIRS}
    sample = [text for translations, _, _ in judged.values() for text in translations[:50]]
    rates: dict[tuple[str, int | None], float] = {}
    print(f"{'feature':42s} {'r':>7s} {'sentences/s':>12s}")
    for name in [name for name, part in PARTS.items() if part.shape in ROWS]:
        if not is_installed(name) or (name in SLOW and not slow):
            print(f"{name}: left out ({'slow' if is_installed(name) else 'not installed'})")
            continue
        for row in ROWS[PARTS[name].shape](name):
            for (column, r), layer in zip(correlations(row.spec, judged), row.layers, strict=True):
                if (name, layer) not in rates:
                    rates[name, layer] = rate(name, layer, sample)
                print(f"{column:42s} {r:7.3f} {rates[name, layer]:12,.0f}", flush=True)


def direct_assessments(data: Path, pair: str) -> tuple[list[str], list[list[str]], np.ndarray]:
    translations, references, human = (
        read_lines(data / "da16" / f"DAseg.newstest2016.{kind}.{pair}")
        for kind in ("mt-system", "reference", "human")
    )
    return translations, [[text] for text in references], np.array(human, dtype=np.float64)


def correlations(
    spec: str, judged: dict[str, tuple[list[str], list[list[str]], np.ndarray]]
) -> list[tuple[str, float]]:
    """Pearson's r of the headline columns, the mean over the pairs; what is fitted is by pair."""
    features = feature_set(spec)
    found = []
    for translations, references, human in judged.values():
        values = features.extract(translations, references, threads=CORES)
        found.append([r_or_nan(column, human) for column in values.T])
    means = np.mean(found, axis=0).tolist()
    both = zip(features.columns, means, strict=True)
    return [(name, r) for name, r in both if name.endswith(HEADLINES)]


def r_or_nan(scores: np.ndarray, human: np.ndarray) -> float:
    """NaN where all scores are the same, as of the first token before the first layer."""
    try:
        return pearson(scores, human)
    except UndefinedStatistic:
        return float("nan")


def rate(name: str, layer: int | None, texts: Sequence[str]) -> float:
    """Sentences a second of processor time: a text's vector, or its tokens' states at a layer."""
    encoder = encoder_named(name)
    wanted = {"sentence": True} if layer is None else {"sentence": False, "layers": (layer,)}
    encoder.run(texts[:1], **wanted)  # loads what is loaded once
    task = partial(encoder.run, texts, **wanted)
    return len(texts) / seconds(task, repeats=2, clock=time.process_time)


def speed(data: Path, *, whole: bool) -> None:
    """(b) A plain loop, ours, the first layers only, the cache; matching of static vectors."""
    outputs, references = newstest(data)
    texts = [*outputs, *references]
    print(f"{len(texts):,} sentences, {len(set(texts)):,} different, {CORES} threads")
    if is_installed("minilm"):
        beside_a_plain_loop(texts, whole=whole)
    segments = [[text] for text in references * (len(outputs) // len(references))]
    for name in ("potion", "glove-50", "glove-100", "glove-840b"):
        if is_installed(name):
            static_matching(name, outputs, segments)


def newstest(data: Path) -> tuple[list[str], list[str]]:
    """The outputs of all systems, one system after the other, and the reference."""
    base = data / "wmt12"
    files = sorted((base / "system-outputs/newstest2012/de-en").iterdir())
    outputs = [line for file in files for line in read_lines(file)]
    return outputs, read_lines(base / "references/newstest2012-ref.en")


def beside_a_plain_loop(texts: list[str], *, whole: bool) -> None:
    every = 1 if whole else ONE_IN
    starts = range(0, len(texts), BATCH * every)
    rows = [i for start in starts for i in range(start, min(start + BATCH, len(texts)))]
    plain, theirs = plain_loop([texts[start : start + BATCH] for start in starts])
    plain = Spent(*(spent * len(texts) / len(rows) for spent in plain))
    show(f"plain loop, batches of {BATCH}" + ("" if whole else f", 1 in {every}"), plain)
    with tempfile.TemporaryDirectory() as folder:
        ours, vectors = ours_in(None, texts, Path(folder) / "all")
        show("ours", ours, plain, "the plain loop")
        for layer in (3, 2):
            first, _ = ours_in(layer, texts, Path(folder) / str(layer))
            show(f"ours, layers 1 to {layer}", first, ours, "ours")
        again, cached = ours_in(None, texts, Path(folder) / "all")
    show("ours, a second time", again, ours, "ours")
    print(f"greatest difference: {np.abs(theirs - vectors[rows]).max():.1e} from the plain loop, "
          f"{np.abs(cached - vectors).max():.0e} from the cache")  # fmt: skip


class Spent(NamedTuple):
    """Seconds on the clock, and those that the processor spent on it."""

    clock: float
    processor: float


def spent_on(task: Callable[[], object]) -> Spent:
    begin = time.perf_counter(), time.process_time()
    task()
    return Spent(time.perf_counter() - begin[0], time.process_time() - begin[1])


def show(name: str, spent: Spent, other: Spent | None = None, than: str = "") -> None:
    words = f"{name:36s} {spent.clock:8.2f} s   {spent.processor:8.2f} s of processor"
    if other is not None:
        words += f"   {other.clock / spent.clock:6.2f} × {than}"
        words += f" ({other.processor / spent.processor:.2f} ×)"
    print(words, flush=True)


def plain_loop(batches: Sequence[list[str]]) -> tuple[Spent, np.ndarray]:
    """Time and vectors of the model as its documentation has it run, one batch after another."""
    import torch  # noqa: PLC0415 - only this needs it
    from transformers import AutoModel, AutoTokenizer  # noqa: PLC0415

    torch.set_num_threads(CORES)
    tokenizer = AutoTokenizer.from_pretrained(locate("minilm"))
    model = AutoModel.from_pretrained(locate("minilm")).eval()
    found = []

    def task() -> None:
        for batch in batches:
            given = tokenizer(
                batch, padding=True, truncation=True, max_length=256, return_tensors="pt"
            )
            with torch.inference_mode():
                states = model(**given).last_hidden_state
            mask = given["attention_mask"][:, :, None].float()
            means = (states * mask).sum(1) / mask.sum(1)
            found.append(torch.nn.functional.normalize(means).numpy())

    return spent_on(task), np.concatenate(found)


def ours_in(layer: int | None, texts: list[str], path: Path) -> tuple[Spent, np.ndarray]:
    """Time and vectors of ours, with what the cache at the path knows and will know."""
    encoder = encoder_named("minilm", None if layer is None else {"layer": str(layer)})
    encoder.run(texts[:1])  # loads the model, as it is loaded for the plain loop
    store = Cache(path)
    found = []
    spent = spent_on(lambda: found.append(encode(encoder, texts, threads=CORES, store=store)))
    store.close()
    return spent, found[0]


def static_matching(name: str, translations: list[str], references: list[list[str]]) -> None:
    """Segments a second on one thread: the kernel alone, and all that the feature does."""
    features = feature_set(f"tokens({name})")
    fitted = features.fit([text for given in references for text in given])
    whole = seconds(lambda: features.extract(translations, references, fitted=fitted), repeats=2)
    encoder = encoder_named(name)
    pieces = encoder.run(
        [*translations, *(given[0] for given in references)], sentence=False
    ).pieces
    rows = encoder.rows(pieces)
    count = len(translations)
    pairs = np.stack([np.arange(count), np.arange(count, 2 * count)], axis=1)
    kernel = seconds(lambda: match_tokens(rows, pairs, table=encoder.table), repeats=2)
    print(f"tokens({name}), one thread: {count / kernel:10,.0f} segments/s matched, "
          f"{count / whole:10,.0f} from text to features", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("agreement", "speed"))
    parser.add_argument("--slow", action="store_true", help="mpnet too")
    parser.add_argument("--whole", action="store_true", help="the plain loop on all sentences")
    given = parser.parse_args()
    folder = os.environ.get("CONCORDANT_DATA")
    if folder is None:
        print("CONCORDANT_DATA is not set: encoders are not compared")
        return
    if given.only != "speed":
        agreement(Path(folder), slow=given.slow)
    if given.only != "agreement":
        speed(Path(folder), whole=given.whole)


if __name__ == "__main__":
    main()
