"""Random arguments for every function of the lexical kernel: mostly right, sometimes wrong.

A function that has no row in ARGUMENTS stops the run: whoever adds one adds a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType
    from typing import Any

    Keywords = dict[str, Any]

# Ranges of code points, each as likely as any other.
RANGES = (
    (0x00, 0x20), (0x21, 0x2F), (0x30, 0x39), (0x3A, 0x40), (0x61, 0x64), (0x41, 0x5A),
    (0x5B, 0x7F), (0x80, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x2000, 0x206F), (0x4E00, 0x9FFF),
    (0xD800, 0xDFFF), (0xFFF0, 0xFFFF), (0x1F600, 0x1F64F), (0x10000, 0x10FFFF),
)  # fmt: skip
PIECES = (
    " ",
    " ",
    " ",
    "\n",
    "-\n",
    "\u3000",
    "<skipped>",
    "&quot;",
    "&amp;",
    "'s",
    "1,000.5",
    "ing",
)
TOKENISERS = ("13a", "intl", "char", "none", "chrf")
WRONG = (
    None,
    b"bytes",
    "text",
    1,
    -1,
    2**70,
    0.5,
    float("nan"),
    [],
    [None],
    [[None]],
    {},
    object(),
)


def arguments(function: str, native: ModuleType, rng: Random) -> Keywords:
    """Arguments by name; one of them is wrong in every twentieth call."""
    given = ARGUMENTS[function](rng, native)
    if given and rng.random() < 0.05:
        given[rng.choice(list(given))] = rng.choice(WRONG)
    return given


def piece(rng: Random) -> str:
    """A character of any kind, or a piece that means something to a tokeniser."""
    return rng.choice(PIECES) if rng.random() < 0.4 else chr(rng.randint(*rng.choice(RANGES)))


def alphabet(rng: Random) -> list[str]:
    """The pieces of some texts, few or many; what shares them shares n-grams."""
    return [piece(rng) for _ in range(rng.choice((1, 2, 5, 20, 20, 2_000)))]


def text(rng: Random, longest: int, pieces: list[str] | None = None) -> str:
    """A text of some pieces; short ones are as likely as long ones."""
    length = int((longest + 1) ** rng.random()) - 1
    return "".join(rng.choices(alphabet(rng) if pieces is None else pieces, k=length))


def batch(rng: Random, longest: int) -> Keywords:
    """Hypotheses and their references, some of them copies of each other."""
    pieces = alphabet(rng)
    references = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        many = rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 17))
        references.append([text(rng, longest, pieces) for _ in range(many)])
    if references and rng.random() < 0.02:
        references[-1] *= rng.choice((0, 100, 300))
    hypotheses = [text(rng, longest, pieces) for _ in references]
    for i, given in enumerate(references):
        if given and rng.random() < 0.3:
            hypotheses[i] = given[0][: rng.randint(0, longest)] + hypotheses[i][:10]
    if rng.random() < 0.02:
        hypotheses.append("")
    return {"hypotheses": hypotheses, "references": references, "threads": rng.choice((0, 1, 2, 5))}


def _bleu(rng: Random, _: ModuleType) -> Keywords:
    options = {"tokeniser": rng.choice(TOKENISERS), "order": rng.choice((0, 1, 2, 3, 4, 4, 4, 5))}
    return {**batch(rng, 5_000), **options}


def _chrf(rng: Random, _: ModuleType) -> Keywords:
    options = {
        "char_order": rng.choice((0, 1, 2, 5, 6, 6, 6, 7)),
        "word_order": rng.choice((0, 0, 1, 2, 2, 4, 5)),
        "beta": rng.choice((1.0, 2.0, 3.0, 0.0, -1.0, float("inf"), float("nan"))),
        "whitespace": rng.random() < 0.5,
        "tokeniser": rng.choice(TOKENISERS),
    }
    return {**batch(rng, 5_000), **options}


def _skip(rng: Random, _: ModuleType) -> Keywords:
    skip = rng.choice((-1, -1, 0, 1, 2, 50, 2**63 - 1, -(2**63)))
    return {**batch(rng, 2_000), "tokeniser": rng.choice(TOKENISERS), "skip": skip}


def _lcs(rng: Random, _: ModuleType) -> Keywords:
    return {**batch(rng, 5_000), "tokeniser": rng.choice(TOKENISERS)}


def _edits(rng: Random, _: ModuleType) -> Keywords:
    return batch(rng, 600)


def _tokenise(rng: Random, _: ModuleType) -> Keywords:
    texts = [text(rng, 20_000) for _ in range(3)]
    return {"texts": texts, "tokeniser": rng.choice((*TOKENISERS, "", "zh", "\ud800"))}


def _classes(rng: Random, _: ModuleType) -> Keywords:
    size = rng.choice((0, 1, 0x80, 0x3000, 0x110000))
    return {"classes": (bytes(rng.choices(range(6), k=500)) * (size // 500 + 1))[:size]}


def _nist(rng: Random, native: ModuleType) -> Keywords:
    """The weights are made from some references and asked about others."""
    given = batch(rng, 2_000)
    known = [
        refs for refs in (given if rng.random() < 0.5 else batch(rng, 500))["references"] if refs
    ]
    return {**given, "weights": native.NistWeights(known, rng.choice(TOKENISERS))}


def _normalise(rng: Random, _: ModuleType) -> Keywords:
    prefixes = [text(rng, 5) for _ in range(4)]
    return {
        "lines": [text(rng, 5_000) for _ in range(3)],
        "apostrophes": rng.choice(("english", "french", "apart", "other")),
        "prefixes": prefixes[:2],
        "numeric_prefixes": prefixes[2:],
        "keep_punctuation": rng.random() < 0.5,
        "threads": rng.choice((0, 1, 3)),
    }


def _lines(rng: Random, _: ModuleType) -> Keywords:
    pieces = alphabet(rng)
    return {"lines": [text(rng, 5_000, pieces) for _ in range(rng.randint(0, 5))]}


def _stems(rng: Random, _: ModuleType) -> Keywords:
    letters = "aeiouyyslngdtcbrm'Yxw\u00e9"
    endings = ("ed", "ing", "ingly", "ational", "sses", "ies", "ly", "iviti", "fulness", "'s'", "")
    words = ["".join(rng.choices(letters, k=rng.randint(0, 12))) for _ in range(50)]
    return {"words": [word + rng.choice(endings) for word in words] + [text(rng, 50)]}


def _numbers(rng: Random, size: int, below: int) -> np.ndarray:
    return np.array([rng.randrange(below) for _ in range(size)], dtype=np.int32)


def _starts(rng: Random, parts: int, most: int) -> np.ndarray:
    return np.cumsum([0, *(rng.randint(0, most) for _ in range(parts))])


def _paraphrases(rng: Random, one_word: int) -> Keywords:
    """A trie whose nodes are numbered level by level, as the kernel wants them."""
    nodes = one_word
    children = []
    while len(children) < nodes:
        children.append(rng.choice((0, 0, 1, 2)) if nodes < 40 else 0)
        nodes += children[-1]
    words = [sorted(rng.sample(range(one_word), k=min(n, one_word))) for n in children]
    entry_starts = _starts(rng, nodes, 3).astype(np.int32)
    return {
        "child_starts": np.cumsum([0, *map(len, words)]).astype(np.int32),
        "child_words": np.array([word for some in words for word in some], dtype=np.int32),
        "entry_starts": entry_starts,
        "entries": _numbers(rng, int(entry_starts[-1]), nodes),
    }


def _damaged(rng: Random, arrays: Keywords) -> Keywords:
    """The same arrays, one of them wrong in one place or cut short."""
    name = rng.choice([name for name, array in arrays.items() if isinstance(array, np.ndarray)])
    array = arrays[name].copy()
    if array.size and rng.random() < 0.7:
        limits = np.iinfo(array.dtype)
        array.flat[rng.randrange(array.size)] = rng.choice((limits.min, limits.max, 0, 1, 5))
        return {**arrays, name: array}
    return {**arrays, name: array[: rng.randint(0, len(array))]}


def _table(rng: Random, _: ModuleType) -> Keywords:
    arrays = _paraphrases(rng, rng.randint(2, 10))
    return _damaged(rng, arrays) if rng.random() < 0.7 else arrays


def _meteor(rng: Random, native: ModuleType) -> Keywords:
    words, texts, one_word = rng.choice((2, 3, 50)), rng.randint(2, 6), rng.randint(2, 10)
    starts = _starts(rng, texts, rng.choice((3, 20, 80)))
    synset_starts = _starts(rng, words, 3).astype(np.int32)
    arrays = {
        "tokens": _numbers(rng, int(starts[-1]), words),
        "starts": starts,
        "pairs": _numbers(rng, 2 * rng.randint(0, 5), texts).astype(np.int64).reshape(-1, 2),
        "function_words": _numbers(rng, words, 2).astype(np.uint8),
        "keys": _numbers(rng, words, rng.choice((words, 2**31 - 1))),
        "stems": _numbers(rng, words, 5),
        "synset_starts": synset_starts,
        "synsets": _numbers(rng, int(synset_starts[-1]), 6),
        "phrases": _numbers(rng, words, one_word + 1) - 1,
    }
    if rng.random() < 0.2:
        arrays = _damaged(rng, arrays)
    for name in ("stems", "synset_starts", "synsets", "phrases"):
        if rng.random() < 0.1:
            arrays[name] = None
    table = native.Paraphrases(**_paraphrases(rng, one_word)) if rng.random() < 0.8 else None
    options = {"beam": rng.choice((0, 1, 2, 40)), "threads": rng.choice((0, 1, 3))}
    return {**arrays, **options, "paraphrases": table}


def _ragged(rng: Random, name: str) -> Keywords:
    """Where the tokens of some texts begin; the last number is how many there are."""
    most = rng.choice((0, 1, 3, 30))
    return {f"{name}_starts": _starts(rng, rng.randint(1, 4), most).astype(np.int64)}


def _matched(rng: Random, starts: Keywords) -> Keywords:
    """What both ways of matching take beside the tokens."""
    texts = min(map(len, starts.values())) - 1
    options = {
        "pairs": _numbers(rng, 2 * rng.randint(0, 5), texts).astype(np.int64).reshape(-1, 2),
        "threshold": rng.choice((0.5, 0.5, 0.0, -2.0, 2.0, float("nan"))),
        "threads": rng.choice((0, 1, 3)),
    }
    if rng.random() < 0.5:
        for side in ("hypothesis", "reference"):
            tokens = int(starts[f"{side}_starts"][-1])
            options[f"{side}_weights"] = np.array([rng.choice((0.0, 0.5, 3.0))] * tokens)
    return options


def _vectors(rng: Random, rows: int, dimension: int) -> np.ndarray:
    scale = rng.choice((1.0, 1.0, 1.0, 1e-30, 1e18, 1e30, float("inf"), float("nan")))
    numbers = [rng.choice((0.0, scale, -scale, rng.random())) for _ in range(rows * dimension)]
    return np.array(numbers, dtype=np.float32).reshape(rows, dimension)


def _match_rows(rng: Random, _: ModuleType) -> Keywords:
    starts = {**_ragged(rng, "hypothesis"), **_ragged(rng, "reference")}
    rows = rng.randint(1, 20)
    arrays = {
        f"{side}_rows": _numbers(rng, int(starts[f"{side}_starts"][-1]), rows + 3) - 3
        for side in ("hypothesis", "reference")
    }
    arrays = {**starts, **arrays}
    if rng.random() < 0.2:
        arrays = _damaged(rng, arrays)
    table = _vectors(rng, rows, rng.choice((0, 1, 7, 8, 9, 40)))
    return {"table": table, **arrays, **_matched(rng, starts)}


def _match_states(rng: Random, _: ModuleType) -> Keywords:
    starts = {**_ragged(rng, "hypothesis"), **_ragged(rng, "reference")}
    dimension = rng.choice((0, 1, 7, 8, 9, 40))
    states = {
        f"{side}_states": _vectors(rng, int(starts[f"{side}_starts"][-1]), dimension)
        for side in ("hypothesis", "reference")
    }
    given = _damaged(rng, starts) if rng.random() < 0.2 else starts
    return {**states, **given, **_matched(rng, starts)}


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


ARGUMENTS: dict[str, Callable[[Random, ModuleType], Keywords]] = {
    "bleu_counts": _bleu,
    "chrf_counts": _chrf,
    "skip_counts": _skip,
    "lcs_counts": _lcs,
    "tokenise": _tokenise,
    "set_character_classes": _classes,
    "ter_counts": _edits,
    "wer_counts": _edits,
    "per_counts": _edits,
    "character_counts": _edits,
    "NistWeights": _nist,
    "meteor_counts": _meteor,
    "meteor_normalise": _normalise,
    "meteor_tokens": _lines,
    "porter2_stems": _stems,
    "java_hashes": _stems,
    "Paraphrases": _table,
    "match_rows": _match_rows,
    "match_states": _match_states,
    "WordPieces": _word_pieces,
}
