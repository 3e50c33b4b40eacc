"""Hostile judgements: every format damaged, of extreme size, oddly packed. Read, or refused."""

from __future__ import annotations

import gzip
import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

from commands import outcome_of
from damage import LINES, damaged

if TYPE_CHECKING:
    from random import Random

    from guards import Watch

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "de-en"
COMMANDS = (
    "data {path}", "data systems {path}", "data agreement {path}", "data convert {path}",
    "evaluate -m {scores} -j {path} --resamples 20", "evaluate -m chrf -j {path} --resamples 20",
    "data {path} --standardise", "score -r {text} -t {path} -m chrf",
    "compare -r {text} {path} {text} -m chrf --resamples 100 --permutations 100",
)  # fmt: skip


def prepare(workspace: Path) -> tuple[Path, dict[str, bytes]]:
    """A good file of every format."""
    spec = importlib.util.spec_from_file_location(
        "examples_of_readers", ROOT / "tests" / "judgements" / "readers" / "test_all_readers.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {name: text.encode() for name, (_, text) in module.EXAMPLES.items()}
    for path in EXAMPLE.iterdir():
        if path.suffix in {".csv", ".tsv", ".jsonl"}:
            found[path.name] = path.read_bytes()
    folder = workspace / "tables"
    folder.mkdir()
    (folder / "scores.txt").write_text("".join(f"{i}\n" for i in range(240)))
    (folder / "text.txt").write_text("a line\n" * 60)
    return folder, found


def strike(prepared: tuple[Path, dict[str, bytes]], rng: Random, watch: Watch) -> str:
    """Damage one file and have a command read it."""
    folder, examples = prepared
    name = rng.choice(sorted(examples))
    content = rng.choice([_damage, _damage, _damage, *EXTREMES])(examples[name], rng)
    if rng.random() < 0.2:
        content, name = rng.choice(PACKINGS)(content, rng), f"{name}.gz"
    path = folder / name
    path.write_bytes(content)
    words = rng.choice(COMMANDS).split()
    fill = {"path": path, "scores": folder / "scores.txt", "text": folder / "text.txt"}
    with watch():
        outcome = outcome_of(*(word.format(**fill) for word in words))
    path.unlink()
    return f"{words[0]} {outcome}"


def _damage(content: bytes, rng: Random) -> bytes:
    return damaged(content, LINES, rng)


def _many_columns(content: bytes, rng: Random) -> bytes:
    count = rng.choice([1000, 100_000])
    names = b",".join(b"c%d" % (i if rng.random() < 0.9 else 0) for i in range(count))
    first, _, rest = content.partition(b"\n")
    return first + b"," + names + b"\n" + rest


def _long_field(content: bytes, rng: Random) -> bytes:
    return content + rng.choice([b"x", b'"', b",", b"\t", b"(", "字".encode()]) * 2_000_000


def _deep_json(_content: bytes, rng: Random) -> bytes:
    depth = rng.choice([900, 100_000])
    return b'{"type": "rating", "score": ' + b"[" * depth + b"]" * depth + b"}\n"


def _numbers(content: bytes, rng: Random) -> bytes:
    value = rng.choice([b"1e160", b"-1e308", b"1.7e308", b"nan", b"1" * 5000, b"5e-324", b"1e15"])
    return b"".join(
        value if part.isdigit() and rng.random() < 0.3 else part for part in _words_of(content)
    )


def _words_of(content: bytes) -> list[bytes]:
    parts, word = [], b""
    for i in range(len(content)):
        sign = content[i : i + 1]
        if sign.isdigit():
            word += sign
        else:
            parts += [word, sign]
            word = b""
    return [*parts, word]


def _many_rows(content: bytes, rng: Random) -> bytes:
    head, _, rest = content.partition(b"\n")
    return head + b"\n" + rest * rng.choice([3, 500])


def _other_encoding(content: bytes, rng: Random) -> bytes:
    text = content.decode("utf-8", errors="replace")
    return text.encode(
        rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "utf-8-sig"])
    )


def _records(_content: bytes, rng: Random) -> bytes:
    values = [1e160, -1, None, "x", [], {}, True, 10**400 if rng.random() < 0.1 else 7, 0.5, ""]
    keys = ["type", "testset", "pair", "system", "segment", "score", "ranks", "systems", "better"]
    kinds = ["rating", "ranking", "preference", "x", 5]
    rows = [
        {"type": rng.choice(kinds), **{k: rng.choice(values) for k in keys[1:]}} for _ in range(5)
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


EXTREMES = [_many_columns, _long_field, _deep_json, _numbers, _many_rows, _other_encoding, _records]


def _packed(content: bytes, _rng: Random) -> bytes:
    return gzip.compress(content)


def _cut_pack(content: bytes, rng: Random) -> bytes:
    packed = gzip.compress(content)
    return packed[: rng.randrange(2, len(packed))]


def _bomb(content: bytes, rng: Random) -> bytes:
    """Some megabytes that unpack to gigabytes."""
    megabyte = gzip.compress(
        (content[:20] or b"x") + bytes(rng.choice([b" ", b"a", b"\n"])) * (1 << 20), 9
    )
    return megabyte * rng.choice([10, 2000])


PACKINGS = [_packed, _packed, _cut_pack, _bomb]
