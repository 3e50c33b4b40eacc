"""The cache of encoded texts: vectors, token features and parses on disk.

One file in the user's cache folder (`cache_store.py` here), keyed by a hash of the encoder's
signature and the text. What it lacks is computed.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from concordant.encoders.cache.cache_store import DEFAULT_LIMIT, Cache, CacheSummary
from concordant.errors import ConcordantError
from concordant.resources.places import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    Compute = Callable[[list[int]], "Sequence[bytes]"]
    ComputeRows = Callable[[list[int]], npt.NDArray[np.generic]]

Decoded = TypeVar("Decoded")
FORMAT = 1  # increase when an encoder's numbers change but its signature does not
LIMIT_VARIABLE = "CONCORDANT_CACHE_LIMIT"
PIECE = 4096  # entries computed before they are stored: what an interruption can lose


def entry_key(signature: str, text: str) -> bytes:
    """The key of a text under a signature, 20 bytes.

    >>> entry_key("a", "b") == entry_key("a", "b") != entry_key("ab", "")
    True
    """
    digest = hashlib.blake2b(digest_size=20)
    digest.update(len(signature).to_bytes(4, "big"))
    digest.update(signature.encode("utf-8", "surrogatepass"))
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def cached(
    signature: str,
    texts: Sequence[str],
    compute: Compute,
    decode: Callable[[bytes], Decoded],
    *,
    store: Cache | None = None,
) -> list[Decoded]:
    """The decoded value of each text; `compute` is called once for each text not in the cache.

    A stored value that `decode` refuses is computed again, as if it were not there.
    """
    store = default_cache() if store is None else store
    distinct, place = list(dict.fromkeys(texts)), {text: i for i, text in enumerate(texts)}
    values = store.fetch([entry_key(signature, text) for text in distinct])
    found: dict[str, Decoded] = {}
    for text, value in zip(distinct, values, strict=True):
        if value is not None:
            try:
                found[text] = decode(value)
            except (ValueError, ConcordantError):
                store.damaged += 1
    missing = [text for text in distinct if text not in found]
    missing.sort(key=len)  # so that pieces are alike in length, and batches are full
    for first in range(0, len(missing), PIECE):
        piece = missing[first : first + PIECE]
        computed = [bytes(value) for value in compute([place[text] for text in piece])]
        try:
            found.update(zip(piece, map(decode, computed), strict=True))
        except ValueError as fault:
            raise ConcordantError(f"the output of the encoder cannot be used: {fault}") from fault
        store.store([entry_key(signature, text) for text in piece], computed)
    return [found[text] for text in texts]


def cached_rows(
    signature: str,
    texts: Sequence[str],
    compute: ComputeRows,
    *,
    width: int,
    dtype: npt.DTypeLike = np.float32,
    store: Cache | None = None,
) -> npt.NDArray[np.generic]:
    """A row of `width` numbers for each text, computed only where it is not known."""
    kind = np.dtype(dtype)

    def whole_row(value: bytes) -> bytes:
        if len(value) != width * kind.itemsize or not np.isfinite(np.frombuffer(value, kind)).all():
            raise ValueError(f"not {width} finite numbers")
        return value

    values = cached(
        f"{signature}|{kind.str}{width}",
        texts,
        lambda places: [row.tobytes() for row in np.ascontiguousarray(compute(places), kind)],
        whole_row,
        store=store,
    )
    return np.frombuffer(bytearray().join(values), dtype=kind).reshape(len(texts), width)


def remember_rows(
    signature: str, texts: Sequence[str], rows: npt.NDArray[np.generic], *, store: Cache
) -> None:
    """Store rows that another pass has computed, where `cached_rows` will find them."""
    full = f"{signature}|{rows.dtype.str}{rows.shape[1]}"
    store.store([entry_key(full, text) for text in texts], [row.tobytes() for row in rows])


def cache_path() -> Path:
    """The file of the cache."""
    return cache_folder() / "encoded" / f"entries-v{FORMAT}.sqlite"


_opened: dict[tuple[Path, int, int], Cache] = {}


def default_cache() -> Cache:
    """The user's cache, opened once in a process."""
    key = _key()
    if key not in _opened:
        _opened[key] = Cache(key[0], limit=key[1])
    return _opened[key]


def cache_notes() -> list[str]:
    """Notes on the cache, if it was opened: damage, no space."""
    opened = _opened.get(_key())
    if opened is None:
        return []
    again = f"{opened.damaged:,} damaged entries of the cache {opened.path} were recomputed"
    return [*opened.notes, *([again] if opened.damaged else [])]


def _key() -> tuple[Path, int, int]:
    return cache_path(), cache_limit(), os.getpid()  # a connection must not outlive a fork


def cache_limit() -> int:
    """How large the cache may grow in bytes: CONCORDANT_CACHE_LIMIT in megabytes, or 8 GB."""
    given = os.environ.get(LIMIT_VARIABLE)
    if given is None:
        return DEFAULT_LIMIT
    if not given.isdecimal():
        raise ConcordantError(f'{LIMIT_VARIABLE} is "{given}", not a number of megabytes')
    return int(given) << 20


def cache_summary() -> CacheSummary:
    """How much the user's cache holds; nothing where there is none yet."""
    if not cache_path().is_file():
        return CacheSummary(cache_path(), 0, 0, cache_limit())
    return default_cache().summary()


def clear_cache() -> None:
    """Delete everything in the user's cache."""
    if cache_path().is_file():
        default_cache().clear()
