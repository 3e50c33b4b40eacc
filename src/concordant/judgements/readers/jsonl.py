"""Our own lossless format: one judgement per line as a JSON object.

Each object has `"record": "ranking" | "preference" | "rating"` and the fields of that record, as
`records` defines them; fields at their default are left out. Where a record was read (`file`,
`line`) belongs to this run alone and is never written. For example, on one line:

    {"record": "preference", "testset": "newstest2014", "pair": "cs-en", "segment": 1,
     "better": "A", "worse": "B"}
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO, TypeAlias

from concordant.errors import nearest
from concordant.judgements.files import read_nonempty_lines
from concordant.judgements.readers.fields import (
    LARGEST,
    LAST_LINE,
    LONGEST_DIGITS,
    MOST,
    SHOWN_CHARACTERS,
    build_each,
    is_sane,
    list_words,
    quote,
)
from concordant.judgements.readers.formats import Format, Head
from concordant.records import Collection, Preference, Ranking, Rating
from concordant.safe_text import json_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Record: TypeAlias = Ranking | Preference | Rating

RECORDS: dict[str, type[Record]] = {
    "ranking": Ranking,
    "preference": Preference,
    "rating": Rating,
}
MOST_RANKED = 100  # each two make a pair, and nobody can rank more
NOT_WRITTEN = ("file", "line")


def _is_text(value: Any) -> bool:
    """A string that can be written as UTF-8, which half a surrogate pair cannot."""
    return isinstance(value, str) and value == value.encode("utf-8", "replace").decode()


def _is_name(value: Any) -> bool:
    return value != "" and _is_text(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST


def _is_line(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LAST_LINE


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return is_sane(value)


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(check(each) for each in value)


def _or_null(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _is_text_pair(value: Any) -> bool:
    return _list_of(_is_text)(value) and len(value) == 2


def _pairs(value: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair) for pair in value)


class _Kind(NamedTuple):
    """What a field may be, in words and as a test, and how JSON becomes the record's value."""

    words: str
    check: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value


_TEXT = _Kind("a string", _is_text)
_TEXT_OR_NULL = _Kind("a string or null", _or_null(_is_text))
_NAME = _Kind("a name", _is_name)
_COUNT = _Kind(f"a whole number from 1 to {MOST:,}", _is_whole)
_FINITE = f"a finite number, at most ±{LARGEST:g}"
KINDS: dict[str, _Kind] = {
    "testset": _TEXT,
    "pair": _TEXT,
    "segment": _Kind(f"a line number from 1 to {LAST_LINE:,}", _is_line),
    "systems": _Kind("a list of names", _list_of(_is_name), tuple),
    "ranks": _Kind(f"a list of whole numbers from 1 to {MOST:,}", _list_of(_is_whole), tuple),
    "group": _TEXT_OR_NULL,
    "judge": _TEXT_OR_NULL,
    "better": _NAME,
    "worse": _NAME,
    "tie": _Kind("true or false", lambda value: isinstance(value, bool)),
    "count": _COUNT,
    "system": _NAME,
    "score": _Kind(_FINITE, _is_finite, float),
    "raw": _Kind(
        f"{_FINITE}, or null",
        _or_null(_is_finite),
        lambda value: None if value is None else float(value),
    ),
    "weight": _Kind(f"{_FINITE}, above 0", lambda v: _is_finite(v) and v > 0, float),
    "extra": _Kind("a list of pairs of strings", _list_of(_is_text_pair), _pairs),
}
# A rating without a segment is of the whole system.
RATING_SEGMENT = _Kind(f"a line number from 1 to {LAST_LINE:,}, or null", _or_null(_is_line))


def looks_like(head: Head) -> str | None:
    """Why this is our own format, or None."""
    first = next((line for line in head.lines if line.strip()), "")
    if first.lstrip().startswith("{") and '"record"' in first:
        return 'its lines are JSON objects with the key "record"'
    return None


def read(path: Path) -> Collection:
    """The rankings, preferences and ratings of a file; blank lines are skipped."""
    lines = enumerate(read_nonempty_lines(path), start=1)
    written = ((line, text) for line, text in lines if text.strip())
    records = build_each(path, written, lambda line, text: _record(text, str(path), line))
    return Collection(
        rankings=tuple(each for each in records if isinstance(each, Ranking)),
        preferences=tuple(each for each in records if isinstance(each, Preference)),
        ratings=tuple(each for each in records if isinstance(each, Rating)),
    )


def write_jsonl(collection: Collection, stream: TextIO) -> None:
    """Write all rankings, preferences and ratings; texts and scores of metrics have other formats.

    >>> import sys
    >>> rating = Rating("", "de-en", "A", 1, 0.5)
    >>> write_jsonl(Collection(ratings=(rating,)), sys.stdout)
    {"record": "rating", "testset": "", "pair": "de-en", "system": "A", "segment": 1, "score": 0.5}
    """
    records: list[Record] = [
        *collection.rankings,
        *collection.preferences,
        *collection.ratings,
    ]
    for record in records:
        kind = next(name for name, cls in RECORDS.items() if isinstance(record, cls))
        values = {
            field.name: (getattr(record, field.name), field.default) for field in fields(record)
        }
        changed = {
            name: value
            for name, (value, default) in values.items()
            if name not in NOT_WRITTEN and value != default
        }
        stream.write(json_text({"record": kind, **changed}) + "\n")


def _record(text: str, file: str, line: int) -> Record:
    values = _object(text)
    kind = values.pop("record", None)
    if not isinstance(kind, str) or kind not in RECORDS:
        known = list(RECORDS)
        hint = nearest(kind, known) if isinstance(kind, str) else ""
        raise ValueError(f"record must be one of {', '.join(known)}, not {_describe(kind)}{hint}")
    made_of = {
        field.name: field for field in fields(RECORDS[kind]) if field.name not in NOT_WRITTEN
    }
    for name, value in values.items():
        if name not in made_of:
            raise ValueError(f"a {kind} has no key {quote(name)}{nearest(name, list(made_of))}")
        allowed = RATING_SEGMENT if (kind, name) == ("rating", "segment") else KINDS[name]
        if not allowed.check(value):
            raise ValueError(f"{name} must be {allowed.words}, not {_describe(value)}")
    needed = [name for name, field in made_of.items() if field.default is MISSING]
    missing = [name for name in needed if name not in values]
    if missing:
        raise ValueError(f"a {kind} needs the key {', '.join(missing)}")
    converted = {name: KINDS[name].convert(value) for name, value in values.items()}
    record = RECORDS[kind](**converted, file=file, line=line)
    _check_sense(record)
    return record


def _check_sense(record: Record) -> None:
    """Raise for fields that are valid one by one but contradict each other."""
    if isinstance(record, Preference) and record.better == record.worse:
        raise ValueError(f"better and worse are the same system {record.better}")
    if isinstance(record, Ranking) and len(record.systems) != len(record.ranks):
        raise ValueError(f"{len(record.systems)} systems but {len(record.ranks)} ranks")
    if isinstance(record, Ranking) and len(record.systems) > MOST_RANKED:
        raise ValueError(
            f"{len(record.systems)} systems in a ranking; at most {MOST_RANKED} are read"
        )
    if isinstance(record, Ranking) and len(set(record.systems)) != len(record.systems):
        raise ValueError("a system is ranked twice in one ranking")


def _object(text: str) -> dict[str, Any]:
    """The keys and values of one line; what JSON itself forbids or leaves open is an error."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_int=_integer,
                           object_pairs_hook=_unique)  # fmt: skip
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object {…}")  # noqa: TRY004 - all faults are ValueErrors
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a finite number")


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_DIGITS:
        raise ValueError(f"{quote(digits)[1:-1]} is too large, a number of {len(digits)} digits")
    return int(digits)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        repeated = sorted(name for name, count in counts.items() if count > 1)
        raise ValueError(f"key {list_words(repeated)} appears more than once")
    return values


def _describe(value: Any) -> str:
    """A value as JSON writes it, cut where it is too long for a message."""
    if isinstance(value, str):
        return quote(value)
    text = json.dumps(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


FORMAT = Format(
    name="jsonl",
    title="concordant's own judgements",
    example='{"record": "preference", "testset": "", "pair": "de-en", "segment": 1, …}',
    looks_like=looks_like,
    read=read,
)
