"""How well the tokens of a translation and a reference match: BERTScore and more.

Every token takes the most similar token of the other side, by the cosine of their vectors (Zhang et
al. 2020). The mean over the translation is precision, over the reference recall. Beside them: both
weighted by idf, the weakest matches, the share of tokens that find nothing similar, and how far the
matches are out of order. The kernel gives the same bits for any number of threads.

Where a side is empty every column is 0, except that all tokens of the other side are unmatched (1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders import _native
from concordant.encoders.fitted_arrays import check_ids, check_numbers
from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from concordant.encoders.ragged import Ragged

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

COLUMNS = {
    "P": "mean similarity of the translation's tokens with their best match, at most 1",
    "R": "the same of the reference's tokens",
    "F": "harmonic mean of P and R, 0 unless both are above 0",
    "P idf": "P with each token weighted; P where there are no weights, or only 0",
    "R idf": "R with each token weighted",
    "F idf": "harmonic mean of P idf and R idf",
    "weakest P": "the least of the similarities that P is the mean of",
    "weakest R": "the least of the similarities that R is the mean of",
    "weak quarter P": "the mean of the least quarter of them, rounded up to whole tokens",
    "weak quarter R": "the same of the reference's tokens",
    "unmatched P": "share of the translation's tokens whose best similarity is below 0.5",
    "unmatched R": "the same of the reference's tokens",
    "fragmentation": "(runs - 1) / (matches - 1): 0 when the reference tokens that the matched "
    "translation tokens chose are one run in order, 1 when no two follow each other",
}
F = list(COLUMNS).index("F")
MOST_PIECES = 1 << 24  # no vocabulary has more


def match_tokens(
    tokens: Ragged,
    pairs: Integers,
    *,
    table: npt.NDArray[np.float32] | None = None,
    weights: Floats | None = None,
    threads: int = 1,
) -> Floats:
    """The COLUMNS of pairs of texts, (pairs, 13); a pair is a translation and a reference.

    Tokens are vectors (float32), or rows of a table of vectors; `weights` has one number for each.
    A vector of zeros has similarity 0 with all. A row's similarity with itself is 1. Negative rows
    are tokens without a vector: similarity 1 with the same number, 0 with all others.

    >>> from concordant.encoders.ragged import ragged
    >>> states = [np.array(rows, dtype=np.float32) for rows in ([[1, 0], [0, 2]], [[0, 1]])]
    >>> match_tokens(ragged(states), np.array([[0, 1]]))[0, :3].round(3).tolist()
    [0.5, 1.0, 0.667]
    >>> rows = ragged([np.array(rows, dtype=np.int32) for rows in ([0, -7], [1, -7, -8])])
    >>> table = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    >>> match_tokens(rows, np.array([[0, 1]]), table=table)[0, :3].round(3).tolist()
    [0.8, 0.533, 0.64]
    """
    vectors, rows = (tokens.values, None) if table is None else (table, tokens.values)
    return _native.match_tokens(vectors, tokens.starts, pairs, rows, weights, threads)


def fit_idf(pieces: Ragged) -> dict[str, npt.NDArray[np.generic]]:
    """How rare each piece is among the texts: log((N + 1) / (texts with it + 1)), from 0 up.

    "ids" are the pieces in order, "idf" their values, "unseen" the value of all others, which is
    the greatest. N is the number of texts (usually the references). Negative pieces are unknown to
    the encoder, so they are left out and count as unseen.

    >>> from concordant.encoders.ragged import ragged
    >>> fitted = fit_idf(ragged([np.array([4, 4, 5]), np.array([4])]))
    >>> fitted["ids"].tolist(), fitted["idf"].round(3).tolist(), fitted["unseen"].round(3).tolist()
    ([4, 5], [0.0, 0.405], [1.099])
    """
    texts = np.repeat(np.arange(len(pieces)), pieces.lengths)
    order = np.lexsort((texts, pieces.values))
    order = order[pieces.values[order] >= 0]
    ids, texts = pieces.values[order], texts[order]
    new_id = np.diff(ids, prepend=ids[:1] - 1) != 0
    new = new_id | (np.diff(texts, prepend=-1) != 0)  # each piece once a text
    counts = np.bincount((np.cumsum(new_id) - 1)[new])
    idf = np.log((len(pieces) + 1) / (counts + 1))
    return {"ids": ids[new_id], "idf": idf, "unseen": np.log([len(pieces) + 1.0])}


def check_idf(fitted: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Raise unless these are numbers that `fit_idf` can have given."""
    if set(fitted) != {"ids", "idf", "unseen"}:
        found = ", ".join(sorted(fitted)) or "nothing"
        raise ConcordantError(f"ids, idf and unseen are needed, not {found}")
    check_ids(fitted["ids"], MOST_PIECES)
    for name, size in (("idf", fitted["ids"].shape), ("unseen", (1,))):
        check_numbers(fitted[name], size, name)
        if not (fitted[name] >= 0).all():  # type: ignore[operator]
            raise ConcordantError(f"{name} has numbers below 0")


def idf_weights(pieces: Ragged, fitted: Mapping[str, npt.NDArray[np.generic]]) -> Floats:
    """The idf of each token, in the order of `pieces.values`; unseen ones have the greatest.

    >>> from concordant.encoders.ragged import ragged
    >>> fitted = fit_idf(ragged([np.array([4, 4, 5]), np.array([4])]))
    >>> idf_weights(ragged([np.array([5, 6])]), fitted).round(3).tolist()
    [0.405, 1.099]
    """
    ids = fitted["ids"]
    beyond = int(ids[-1]) + 1 if len(ids) else 0  # stands for every piece that was not seen
    table = np.full(beyond + 1, fitted["unseen"][0], dtype=np.float64)
    table[ids] = fitted["idf"]
    known = (pieces.values >= 0) & (pieces.values < beyond)
    return table[np.where(known, pieces.values, beyond)]


def best_reference(values: Floats, groups: Integers, column: int = F) -> Floats:
    """The rows with the greatest value in a column of each group, the first of equal ones.

    `groups` says which translation each row of `values` is of; translations come out in order of
    their numbers.

    >>> values = np.zeros((3, len(COLUMNS)))
    >>> values[:, F] = [0.4, 0.6, 0.5]
    >>> best_reference(values, np.array([0, 0, 1]))[:, F].tolist()
    [0.6, 0.5]
    """
    if np.array_equal(groups, np.arange(len(values))):
        return values
    order = np.lexsort((-values[:, column], groups))
    _, first = np.unique(groups[order], return_index=True)
    return values[order[first]]
