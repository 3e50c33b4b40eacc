"""Build the small table of byte n-grams by which languages are told, from py3langid's model.

The model of py3langid 0.4.0 has 100,053 n-grams, 142 classes and a weight for each of both. The
table keeps the classes that ISO 639-1 has, for each the n-grams that say most of it, and of their
weights those that stand clearly above the class's floor, in 8 bits (decision 62). Needs the
package, whose own NumPy is not installed:

    pip install --no-deps py3langid==0.4.0
    python shipping/compact_languages.py
"""

from __future__ import annotations

import hashlib

import numpy as np
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
from safetensors.numpy import save

from concordant.metrics.flags.languages_seen import TABLE

EACH = 800  # n-grams of a language
CLEAR = 1.5  # how far a log probability is above the floor, if it is kept
STEP = 1 / 25.5  # 8 bits reach 10 above the floor
ONE = {"nn": "no", "nb": "no"}  # written standards of one language


def grams(model: LanguageIdentifier) -> dict[bytes, int]:
    """The n-grams that the model's automaton spells, with their rows."""
    rows = np.asarray(model.tk_nextmove).reshape(-1, 256)
    moves = rows[np.asarray(model.tk_row)]
    spelled, front = {0: b""}, [0]
    while front:
        found = [(state, byte) for state in front for byte in _onward(moves, state)]
        front = []
        for state, byte in found:
            target = int(moves[state, byte])
            if target not in spelled:
                spelled[target] = spelled[state] + bytes([byte])
                front.append(target)
    return {text: model.tk_output[s] for s, text in spelled.items() if model.tk_output[s] >= 0}


def _onward(moves: np.ndarray, state: int) -> list[int]:
    """The bytes that lead from a state to one that the start does not have."""
    known = moves[0] if state else np.zeros(256, dtype=moves.dtype)
    return np.flatnonzero(moves[state] != known).tolist()


def key(text: bytes) -> int:
    """The bytes of an n-gram, and its length above them."""
    return int.from_bytes(text, "big") | len(text) << 56


def table(model: LanguageIdentifier) -> tuple[dict[str, np.ndarray], list[str]]:
    """The arrays of the table, and the language of each of its columns."""
    codes = [ONE.get(code, code) for code in model.nb_classes]
    order = sorted((code, i) for i, code in enumerate(codes) if len(code) == 2)
    kept = [i for _, i in order]
    logs = np.asarray(model.nb_ptc, dtype=np.float64)[:, kept]
    shares, floor = np.exp(logs), logs.min(axis=0)
    tells = shares * (logs - np.log(shares.mean(axis=1, keepdims=True)))
    chosen = set(np.argsort(-tells, axis=0, kind="stable")[:EACH].ravel().tolist())
    above = logs - floor
    weights = np.where(above > CLEAR, np.clip(np.round(above / STEP), 1, 255), 0).astype(np.uint8)
    found = sorted((key(text), row) for text, row in grams(model).items() if row in chosen)
    rows = weights[[row for _, row in found]]
    arrays = {
        "keys": np.array([each for each, _ in found], dtype=np.uint64),
        "starts": np.cumsum([0, *(rows > 0).sum(axis=1)]).astype(np.uint32),
        "languages": np.nonzero(rows)[1].astype(np.uint8),
        "weights": rows[rows > 0],
        "floor": floor.astype(np.float32),
        "prior": np.asarray(model.nb_pc)[kept].astype(np.float32),
        "step": np.array([STEP]),
    }
    return arrays, [code for code, _ in order]


if __name__ == "__main__":
    arrays, codes = table(LanguageIdentifier.from_model_file(MODEL_FILE))
    digest = hashlib.sha256((MODEL_DIR / MODEL_FILE).read_bytes()).hexdigest()
    source = {"languages": " ".join(codes), "source": "py3langid 0.4.0", "sha256": digest}
    TABLE.write_bytes(save(arrays, source))
    print(f"{len(arrays['keys']):,} n-grams, {len(arrays['weights']):,} weights, "
          f"{TABLE.stat().st_size:,} bytes")  # fmt: skip
