"""A tree as bytes and back, for the cache on disk: a mark with the version, then packed columns.

Layout, all numbers little-endian: the mark; the number of words as uint32; the heads as int32; for
words, labels and tags the length of each string in UTF-8 as uint32, then the strings one after the
other. All after the mark is packed by zlib, which halves it.
"""

from __future__ import annotations

import zlib

import numpy as np

from concordant.encoders.syntax.trees import Tree
from concordant.errors import ConcordantError

MARK = b"TREE1"
LARGEST = 1 << 28  # bytes; the longest text that a parser takes has a tree of a tenth of it
_NUMBER = np.dtype("<u4")
_HEAD = np.dtype("<i4")


def tree_to_bytes(tree: Tree) -> bytes:
    """The bytes of a tree; equal trees have equal bytes.

    >>> tree = Tree(("cats", "sleep"), np.array([1, -1]), ("nsubj", "ROOT"), ("NNS", "VBP"))
    >>> tree_from_bytes(tree_to_bytes(tree)) == tree
    True
    """
    columns = (tree.words, tree.labels, tree.tags)
    strings = [each.encode("utf-8") for column in columns for each in column]
    lengths = np.array([len(each) for each in strings], dtype=_NUMBER)
    size = np.array([len(tree)], dtype=_NUMBER)
    numbers = size.tobytes() + tree.heads.astype(_HEAD).tobytes() + lengths.tobytes()
    return MARK + zlib.compress(numbers + b"".join(strings))


def tree_from_bytes(data: bytes) -> Tree:
    """The tree of its bytes; anything else is refused."""
    if not data.startswith(MARK):
        raise ConcordantError(
            f"these {len(data)} bytes are not a tree of this version ({MARK.decode()}); parse again"
        )
    try:
        return _unpack(_decompress(data[len(MARK) :]))
    except (zlib.error, ValueError, ConcordantError) as fault:
        raise ConcordantError(f"a stored tree is damaged ({fault}); parse again") from fault


def _decompress(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(data, LARGEST)
    if not unpacker.eof:
        raise ValueError(f"it is cut off, or unpacks to more than {LARGEST:,} bytes")
    return found


def _unpack(packed: bytes) -> Tree:
    size = int(np.frombuffer(packed, _NUMBER, 1)[0])
    heads = np.frombuffer(packed, _HEAD, size, offset=4)
    lengths = np.frombuffer(packed, _NUMBER, 3 * size, offset=4 + 4 * size)
    ends = 4 + 16 * size + np.cumsum(lengths, dtype=np.int64)
    if len(packed) != (ends[-1] if size else 4):
        raise ValueError("its length is not what it says")
    cuts = zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    strings = [packed[begin:end].decode("utf-8") for begin, end in cuts]
    words, labels, tags = (tuple(strings[i * size : (i + 1) * size]) for i in range(3))
    return Tree(words, heads, labels, tags)
