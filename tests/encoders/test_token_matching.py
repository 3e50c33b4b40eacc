"""Token matching against a slow, obvious matcher."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.ragged import Ragged, join, ragged
from concordant.encoders.token_matching import (
    COLUMNS,
    F,
    best_reference,
    fit_idf,
    idf_weights,
    match_tokens,
)
from concordant.errors import ConcordantError

TABLE = np.random.default_rng(7).normal(size=(9, 11)).astype(np.float32)
TABLE[4] = 0
TABLE[5] = -TABLE[6]
TABLE[7] = TABLE[8] * 3

ROWS = st.lists(st.integers(-2, 8), max_size=9)


def rows_of(*texts):
    return Ragged(*_flat(texts, np.int32))


def _flat(texts, kind):
    starts = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    return np.array([token for text in texts for token in text], dtype=kind), starts


def match(translations, references, *, weights=None, **options):
    """Each translation with the reference of its number."""
    n = len(translations)
    pairs = np.stack([np.arange(n), np.arange(n, n + len(references))], axis=1)
    weights = None if weights is None else np.concatenate(weights)
    return match_tokens(join(translations, references), pairs, weights=weights, **options)


def match_rows(translations, references, **options):
    return match(translations, references, table=TABLE, **options)


def similarity(one, other):
    if one == other:
        return 1.0
    if one < 0 or other < 0:
        return 0.0
    return cosine(TABLE[one], TABLE[other])


def cosine(x, y):
    x, y = x.astype(float), y.astype(float)
    lengths = math.sqrt(x @ x) * math.sqrt(y @ y)
    return 0.0 if lengths == 0 else min(1.0, max(-1.0, x @ y / lengths))


def oracle(matrix, weights, threshold=0.5):
    """The columns of one pair from its matrix of similarities."""
    found = dict.fromkeys(COLUMNS, 0.0)
    n, m = matrix.shape
    if n == 0 or m == 0:
        return {**found, "unmatched P": float(n > 0), "unmatched R": float(m > 0)}
    for side, best, weight in zip("PR", (matrix.max(1), matrix.max(0)), weights, strict=True):
        found[side] = best.mean()
        found[f"{side} idf"] = best @ weight / weight.sum() if weight.sum() > 0 else best.mean()
        found[f"weakest {side}"] = best.min()
        found[f"weak quarter {side}"] = np.sort(best)[: math.ceil(len(best) / 4)].mean()
        found[f"unmatched {side}"] = (best < threshold).mean()
    for name in ("", " idf"):
        p, r = found[f"P{name}"], found[f"R{name}"]
        found[f"F{name}"] = 2 * p * r / (p + r) if p > 0 and r > 0 else 0.0
    found["fragmentation"] = fragmentation(matrix, threshold)
    return found


def fragmentation(matrix, threshold):
    """The fewest runs over all choices among equally good matches."""
    choices = [np.flatnonzero(row >= row.max() - 1e-5) for row in matrix if row.max() >= threshold]
    if len(choices) < 2:
        return 0.0
    fewest = min(sum(b != a + 1 for a, b in pairwise(path)) for path in product(*choices))
    return fewest / (len(choices) - 1)


def columns(found):
    """The columns of the only pair, by name."""
    assert found.shape == (1, len(COLUMNS))
    return dict(zip(COLUMNS, found[0].tolist(), strict=True))


def check(found, matrix, weights):
    expected = oracle(matrix, weights)
    assert columns(found) == pytest.approx(expected, abs=2e-6)


@given(translation=ROWS, reference=ROWS, data=st.data())
def test_rows_are_matched_as_the_oracle_matches_them(translation, reference, data):
    weights = [
        np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n)))
        for n in map(len, (translation, reference))
    ]
    matrix = np.array([[similarity(h, r) for r in reference] for h in translation])
    matrix = matrix.reshape(len(translation), len(reference))
    found = match_rows(rows_of(translation), rows_of(reference), weights=(weights[0], weights[1]))
    check(found, matrix, weights)


@given(n=st.integers(0, 6), m=st.integers(0, 6), d=st.integers(0, 20), seed=st.integers(0, 99))
def test_states_are_matched_as_the_oracle_matches_them(n, m, d, seed):
    rng = np.random.default_rng(seed)
    states = [rng.normal(size=(size, d)).astype(np.float32) for size in (n, m)]
    matrix = np.array([[cosine(h, r) for r in states[1]] for h in states[0]]).reshape(n, m)
    found = match(*(Ragged(each, np.array([0, len(each)])) for each in states))
    check(found, matrix, [np.ones(n), np.ones(m)])


def test_a_text_matches_itself_fully():
    found = columns(match_rows(rows_of([3, -1, 4]), rows_of([3, -1, 4])))
    ones = {"P", "R", "F", "weakest P", "weak quarter R", "F idf"}
    assert {name: found[name] for name in ones} == dict.fromkeys(ones, 1.0)
    assert found["unmatched P"] == found["fragmentation"] == 0


def test_order_is_seen_by_fragmentation_alone():
    there, back = rows_of([0, 1, 2, 3]), rows_of([3, 2, 1, 0])
    found = columns(match_rows(there, back))
    assert (found["F"], found["fragmentation"]) == (1.0, 1.0)


def test_a_repeated_token_takes_the_place_that_keeps_the_order():
    found = match_rows(rows_of([0, 2, 3]), rows_of([0, 1, 0, 2, 3]))
    assert found[0, -1] == 0


def test_results_do_not_depend_on_threads_or_neighbours(rng):
    texts = [list(rng.integers(-3, 9, size=size)) for size in rng.integers(0, 30, size=60)]
    pairs = rng.integers(0, 60, size=(200, 2))
    given = rows_of(*texts)
    together = match_tokens(given, pairs, table=TABLE)
    assert np.array_equal(together, match_tokens(given, pairs, table=TABLE, threads=3))
    for row, (i, j) in zip(together[:20], pairs[:20], strict=True):
        assert np.array_equal(row, match_rows(rows_of(texts[i]), rows_of(texts[j]))[0])


def test_rows_and_states_give_the_same_numbers(rng):
    tokens = [rows_of(*[rng.permutation([0, 1, 2, 3, 5, 6, 7])[:5] for _ in range(9)])] * 2
    states = [Ragged(TABLE[each.values], each.starts) for each in tokens]
    assert match_rows(*tokens) == pytest.approx(match(*states), abs=1e-6)


def test_idf_is_that_of_bert_score(rng):
    texts = [rng.integers(-2, 50, size=size) for size in rng.integers(0, 20, size=40)]
    asked = rng.integers(-1, 60, size=200)
    found = idf_weights(ragged([asked]), fit_idf(ragged(texts)))
    for piece, weight in zip(asked, found, strict=True):
        texts_with_it = sum(piece in text for text in texts) if piece >= 0 else 0
        assert weight == pytest.approx(math.log((40 + 1) / (texts_with_it + 1)))


def test_idf_of_nothing_is_0():
    fitted = fit_idf(Ragged(np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)))
    assert idf_weights(ragged([np.array([0, 3])]), fitted).tolist() == [0, 0]


def test_the_reference_with_the_best_f_is_taken(rng):
    values, groups = rng.random((9, len(COLUMNS))), np.array([2, 0, 0, 1, 2, 1, 0, 2, 2])
    values[7] = values[4]
    found = best_reference(values, groups)
    for group in range(3):
        rows = values[groups == group]
        assert np.array_equal(found[group], rows[np.argmax(rows[:, F])])


def test_what_cannot_be_matched_is_refused():
    rows, weights = rows_of([0, 1]), (np.ones(2), np.array([1.0, -1.0]))
    pairs, wrong = np.zeros((1, 2), dtype=np.int64), TABLE.copy()
    wrong[1, 3] = np.nan
    for words, call in {
        "not finite": lambda: match_tokens(rows, pairs, table=wrong),
        "a token is not a row of the table": lambda: match_rows(rows, rows_of([9])),
        "a pair names no text": lambda: match_tokens(rows, pairs + 1, table=TABLE),
        "a weight is negative": lambda: match_rows(rows, rows, weights=weights),
        "each token needs a weight": lambda: match_rows(
            rows, rows, weights=(np.ones(2), np.ones(3))
        ),
    }.items():
        with pytest.raises((ConcordantError, ValueError), match=words):
            call()


def in_windows(one, other, size=512):
    """The windows of two texts, by the rule that docs/measures.md states."""
    number = -(-max(len(one), len(other)) // size)

    def part(text, i):
        return text[len(text) * i // number : len(text) * (i + 1) // number]

    return [(part(one, i), part(other, i)) for i in range(number)]


@pytest.mark.parametrize("shorter", [7, 16_400])
def test_long_texts_are_matched_in_windows(shorter):
    rng = np.random.default_rng(3)
    one, other = rng.integers(0, 9, shorter).tolist(), rng.integers(0, 9, 16_385).tolist()
    found = dict(zip(COLUMNS, match_rows(rows_of(one), rows_of(other))[0], strict=True))
    parts = in_windows(one, other)
    rows = match_rows(rows_of(*(p[0] for p in parts)), rows_of(*(p[1] for p in parts)))
    for column, side in (("P", 0), ("R", 1), ("unmatched P", 0), ("unmatched R", 1)):
        # A window without tokens on the other side matches nothing: 0, and all unmatched.
        weights = [len(part[side]) for part in parts]
        expected = np.average(rows[:, list(COLUMNS).index(column)], weights=weights)
        assert found[column] == pytest.approx(expected, abs=1e-12)


def test_texts_at_the_limit_are_matched_whole():
    one = [0] * 16_383 + [1]
    assert match_rows(rows_of(one), rows_of(one[::-1]))[0, F] == 1.0
    longer = [0] * 16_384 + [1]
    assert match_rows(rows_of(longer), rows_of(longer[::-1]))[0, F] < 1.0
