"""Random arguments for every function of the encoders kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from inputs import alphabet, damaged, random_numbers, random_starts, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    from inputs import Keywords, Row

LETTERS = (
    "n't",
    "'s",
    "'ll",
    "-",
    "--",
    "...",
    "U.S.",
    "1,000.5",
    "a",
    "B",
    " ",
    " ",
    "\u2019",
    ".",
)
DIGITS = ("1", "0", "9", ".", "-", "+", "e", "E-", " ", " ", "nan", "inf", "_", "\0", "x", "0.25 ")


def _vectors(rng: Random, rows: int, dimension: int) -> np.ndarray:
    scale = rng.choice((1.0, 1.0, 1.0, 1e-30, 1e18, 1e30, float("inf"), float("nan")))
    numbers = [rng.choice((0.0, scale, -scale, rng.random())) for _ in range(rows * dimension)]
    return np.array(numbers, dtype=np.float32).reshape(rows, dimension)


def _match_tokens(rng: Random, _: ModuleType) -> Keywords:
    """Tokens that are vectors, or rows of a table of them."""
    starts = random_starts(rng, rng.randint(1, 4), rng.choice((0, 1, 3, 30))).astype(np.int64)
    tokens, dimension = int(starts[-1]), rng.choice((0, 1, 7, 8, 9, 40))
    pairs = random_numbers(rng, 2 * rng.randint(0, 5), len(starts) - 1).astype(np.int64)
    arrays: Keywords = {"starts": starts}
    table = rng.random() < 0.5
    rows = rng.randint(1, 20) if table else tokens
    if table:
        arrays["rows"] = random_numbers(rng, tokens, rows + 3) - 3
    if rng.random() < 0.2:
        arrays = damaged(rng, arrays)
    if rng.random() < 0.5:
        arrays["weights"] = np.array([rng.choice((0.0, 0.5, 3.0))] * tokens)
    given = {"pairs": pairs.reshape(-1, 2), "threads": rng.choice((0, 1, 3))}
    return {"vectors": _vectors(rng, rows, dimension), **arrays, **given}


def _word_pieces(rng: Random, native: ModuleType) -> Keywords:
    """A vocabulary of what stands in the texts, and characters that become anything."""
    symbols = alphabet(rng)
    pieces = [text(rng, 4, symbols) for _ in range(rng.choice((1, 5, 50)))]
    pieces += [f"##{each}" for each in rng.choices(pieces, k=5)]
    characters = np.arange(0x110000, dtype=np.uint32)
    for _ in range(20):
        change = rng.choice((0, 0x20, 0x61, 1 << 24 | 0x61, 2**32 - 1))
        characters[rng.randrange(0x110000) : rng.randrange(0x110000)] = change
    specials = [each for each in pieces[:3] if each]
    numbers = np.arange(len(specials), dtype=np.int32)
    longest = rng.choice((0, 3, 100, 2**60))
    made = native.WordPieces(pieces, characters, specials, numbers, 0, longest)
    texts = [text(rng, 3_000, symbols) for _ in range(rng.choice((0, 1, 3, 200)))]
    return {"vocabulary": made, "texts": texts, "threads": rng.choice((0, 1, 3))}


def _unigram_pieces(rng: Random, _: ModuleType) -> Keywords:
    """Pieces of what stands in the texts, and rules that rewrite some of it."""
    symbols = alphabet(rng)
    pieces = list(dict.fromkeys(text(rng, 4, symbols) for _ in range(rng.choice((1, 5, 50)))))
    scores = np.array([-rng.expovariate(0.2) for _ in pieces], dtype=np.float32)
    if rng.random() < 0.1:
        scores = np.append(scores, np.float32(rng.choice((0.0, float("nan")))))
    rules_from = [text(rng, 3, symbols) for _ in range(rng.choice((0, 1, 8)))]
    return {
        "pieces": pieces,
        "scores": scores,
        "rules_from": rules_from,
        "rules_to": [text(rng, 3, symbols) for _ in rules_from],
        "texts": [text(rng, 3_000, symbols) for _ in range(rng.choice((0, 1, 3, 200)))],
        "threads": rng.choice((0, 1, 3)),
    }


def _lines(rng: Random, _: ModuleType) -> Keywords:
    return {"texts": _word_texts(rng, alphabet(rng))}


def _word_texts(rng: Random, symbols: list[str]) -> list[str]:
    """Texts with clitics, compounds and marks in them."""
    return [text(rng, 2_000, [*symbols, *LETTERS]) for _ in range(rng.choice((0, 1, 3, 50)))]


def _vocabulary(rng: Random, words: list[str]) -> Keywords:
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    bounds = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    joined = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    arrays = {"word_bytes": joined, "starts": bounds}
    return damaged(rng, arrays) if rng.random() < 0.2 else arrays


def _slots(rng: Random, _: ModuleType) -> Keywords:
    symbols = alphabet(rng)
    return _vocabulary(rng, [text(rng, 6, symbols) for _ in range(rng.choice((0, 1, 5, 200)))])


def _word_index(rng: Random, native: ModuleType) -> Keywords:
    """A vocabulary of what stands in the texts, with a table that may have been damaged on disk."""
    symbols = alphabet(rng)
    words = [text(rng, 6, [*symbols, *LETTERS]) for _ in range(rng.choice((0, 1, 5, 200)))]
    arrays = _vocabulary(rng, words)
    arrays["slots"] = native.word_slots(**arrays)
    if rng.random() < 0.3:
        arrays = damaged(rng, arrays)
    return {
        "index": native.WordIndex(**arrays),
        "texts": [*_word_texts(rng, symbols), *words],
        "row": rng.choice((*range(len(words)), len(words), 2**63)),
        "threads": rng.choice((0, 1, 3)),
    }


def _use_index(native: ModuleType, given: Keywords) -> Any:
    """The rows of the texts, which are as many as there are tokens."""
    index, texts = given["index"], given["texts"]
    found = native.WordIndex.rows(index, texts, given["threads"])
    tokens = native.WordIndex.tokens(index, texts)
    assert np.diff(found[1]).tolist() == [len(each) for each in tokens], "rows are not tokens"
    native.WordIndex.find(index, texts)
    native.WordIndex.word(index, given["row"])
    return found


def _number_text(rng: Random, _: ModuleType) -> Keywords:
    return {"text": text(rng, 3_000, list(DIGITS)).encode()}


def _row_sums(rng: Random, _: ModuleType) -> Keywords:
    rows, bounds = rng.randint(1, 20), random_starts(rng, rng.randint(1, 4), 30).astype(np.int64)
    tokens = int(bounds[-1])
    arrays = {"rows": random_numbers(rng, tokens, rows + 3) - 3, "starts": bounds}
    if rng.random() < 0.2:
        arrays = damaged(rng, arrays)
    weights = np.array([rng.choice((0.0, 0.5, -3.0, 1e300)) for _ in range(tokens)])
    table = _vectors(rng, rows, rng.choice((0, 1, 7, 8, 9, 40)))
    options = {"weights": rng.choice((None, weights)), "threads": rng.choice((0, 1, 3))}
    return {"vectors": table, **arrays, **options}


def _floats(rng: Random, *size: int) -> np.ndarray:
    """Numbers of a layer; now and then one that is not finite."""
    odd = rng.choice((1.0, 1.0, 1.0, 1e30, float("nan")))
    count = int(np.prod(size))
    numbers = [rng.choice((0.0, odd, -1.0, rng.random())) for _ in range(count)]
    return np.array(numbers, dtype=np.float32).reshape(size)


def _transformer(rng: Random, native: ModuleType) -> Keywords:
    """A network of one or no layer, and sequences whose numbers may be out of range."""
    heads, words, longest = rng.choice((1, 2)), rng.randint(1, 9), rng.randint(1, 12)
    width = heads * rng.choice((1, 4, 8))
    wide = rng.choice((1, 8, 24))

    def matrix(rows: int, columns: int) -> np.ndarray:
        whole = [rng.randint(-127, 127) for _ in range(rows * columns)]
        return np.array(whole, dtype=np.int8).reshape(rows, columns)

    norm = _floats(rng, width), _floats(rng, width)
    types, places = _floats(rng, 2, width), _floats(rng, longest, width)
    parts = matrix(words, width), _floats(rng, words), types, places, norm
    network = native.Transformer(*parts, heads, 1e-12, rng.choice(native.transformer_paths()))
    sizes = ((3 * width, width), (width, width), (wide, width), (width, wide))
    for _ in range(rng.choice((0, 1))):
        dense = [(matrix(*size), _floats(rng, size[0]), _floats(rng, size[0])) for size in sizes]
        network.add_layer(dense, [norm, norm])
    starts = random_starts(rng, rng.randint(1, 4), longest).astype(np.int64)
    tokens = int(starts[-1])
    given: Keywords = {
        "words": random_numbers(rng, tokens, words),
        "types": random_numbers(rng, tokens, 2),
        "places": random_numbers(rng, tokens, longest),
        "starts": starts,
    }
    given = {
        name: each if name == "starts" else each.astype(np.int32) for name, each in given.items()
    }
    if rng.random() < 0.3:
        given = damaged(rng, given)
    return {"network": network, **given, "spans": None, "threads": rng.choice((0, 1, 3))}


def _no_arguments(_rng: Random, _native: ModuleType) -> Keywords:
    return {}


ARGUMENTS: dict[str, Row] = {
    "Transformer": _transformer,
    "transformer_paths": _no_arguments,
    "match_tokens": _match_tokens,
    "WordPieces": _word_pieces,
    "UnigramPieces": _unigram_pieces,
    "word_slots": _slots,
    "WordIndex": _word_index,
    "word_tokens": _lines,
    "read_numbers": _number_text,
    "row_sums": _row_sums,
}
# How a class is called; functions take their arguments by name.
CALLS: dict[str, Callable[[ModuleType, Keywords], Any]] = {
    "WordPieces": lambda native, given: native.WordPieces.encode(*given.values()),
    "UnigramPieces": lambda native, given: native.UnigramPieces(*[*given.values()][:-2]).encode(
        *[*given.values()][-2:]
    ),
    "WordIndex": _use_index,
    "Transformer": lambda native, given: native.Transformer.states(*given.values()),
}
EXPECTED = (TypeError, ValueError, RuntimeError)  # the last where files are damaged
ANY_NUMBER = frozenset({
    "read_numbers",
    "row_sums",
    "Transformer",
})  # results that need not be finite
