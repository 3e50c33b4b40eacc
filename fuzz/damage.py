"""Damage done to good files: flipped bits, lost lines, hostile values. Pure functions of bytes.

Every function takes the content and a random generator, so that a case is made again from its seed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Damage = Callable[[bytes, Random], bytes]

TOKENS = [
    b"", b"\n", b"\r", b",", b"\t", b'"', b"\0", b"\xff", b"nan", b"-1", b"1e999", b"9" * 5000,
    b"\xef\xbb\xbf", b"{", b"}", b"[" * 3000, b"<", b">", b"&", b" ", b"0", b"1e308", b"null",
    b"1e160", b"-1e308", b"1_0", b"\x1b[31m", b"=1+1", b"''", b"(" * 300, b"inf", b"true",
    "\u2028é".encode(), "\u202e".encode(), "\u0664".encode(), b"\xed\xa0\x80",
]  # fmt: skip

# Values of TOML that nobody would write into a metric or a recipe.
TOML_VALUES = [
    "inf", "-inf", "nan", "-1", "0", "1e308", "1_000_000_000_000", "9" * 400, '""', '"x"', "[]",
    "[[[[]]]]", "{}", "{a = {a = {a = 1}}}", "true", "1979-05-27", '"' + "(" * 2000 + '"',
    '"' + "a," * 2000 + '"', '"~nosuchuser"', '"../../x"', '"\\u0000"', '"\\u001b[31m"',
    '[1, "a"]', "[" * 900 + "]" * 900,
]  # fmt: skip


def flip_bit(content: bytes, rng: Random) -> bytes:
    """One bit is another."""
    if not content:
        return b"\1"
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def cut_off(content: bytes, rng: Random) -> bytes:
    """The end is missing."""
    return content[: rng.randrange(len(content) + 1)]


def put_token(content: bytes, rng: Random) -> bytes:
    """A token in the place of some bytes."""
    begin = rng.randrange(len(content) + 1)
    return content[:begin] + rng.choice(TOKENS) + content[begin + rng.choice([0, 1, 3, 10]) :]


def repeat_bytes(content: bytes, rng: Random) -> bytes:
    """Some bytes twice."""
    begin = rng.randrange(len(content) + 1)
    return content[: begin + rng.choice([1, 6, 40])] + content[begin:]


def drop_line(content: bytes, rng: Random) -> bytes:
    """A line is missing."""
    lines = content.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def repeat_line(content: bytes, rng: Random) -> bytes:
    """A line twice."""
    lines = content.split(b"\n")
    place = rng.randrange(len(lines))
    return b"\n".join([*lines[:place], lines[place], *lines[place:]])


def shuffle_lines(content: bytes, rng: Random) -> bytes:
    """All lines in another order."""
    lines = content.split(b"\n")
    return b"\n".join(rng.sample(lines, len(lines)))


def change_toml_value(content: bytes, rng: Random) -> bytes:
    """A key with a hostile value."""
    keys = list(re.finditer(rb"(?m)^([\w\"'.-]+ *= *)(.*)$", content))
    if not keys:
        return content
    found = rng.choice(keys)
    return content[: found.start(2)] + rng.choice(TOML_VALUES).encode() + content[found.end(2) :]


def change_toml_key(content: bytes, rng: Random) -> bytes:
    """A key of another name, as one flipped bit would give it."""
    keys = list(re.finditer(rb"(?m)^([\w.-]+) *=", content))
    if not keys:
        return content
    found = rng.choice(keys)
    return content[: found.start(1)] + flip_bit(found[1], rng) + content[found.end(1) :]


BYTES: list[Damage] = [flip_bit, cut_off, put_token, repeat_bytes]
LINES: list[Damage] = [*BYTES, drop_line, repeat_line, shuffle_lines]
TOML: list[Damage] = [*LINES, *[change_toml_value] * 4, change_toml_key]


def damaged(content: bytes, ways: list[Damage], rng: Random) -> bytes:
    """The content after one to three of the ways."""
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(ways)(content, rng)
    return content
