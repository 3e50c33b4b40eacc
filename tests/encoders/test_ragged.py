"""Rows of different length in one array behave like the list of rows they stand for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.ragged import Ragged, join, ragged

ROWS = st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=6)


def arrays(rows, width=None):
    shape = (-1,) if width is None else (-1, width)
    return [
        np.repeat(np.array(row, dtype=np.int64), width or 1).reshape(shape) for row in rows
    ]  # one number, or `width` equal ones, for each


def as_lists(found):
    return [found[i].tolist() for i in range(len(found))]


def same(found, rows, width=None):
    assert as_lists(found) == [row.tolist() for row in arrays(rows, width)]
    assert found.starts.dtype == np.int64
    assert found.lengths.tolist() == [len(row) for row in rows]


@given(ROWS, st.sampled_from([None, 1, 3]))
def test_rows_are_what_was_put_in(rows, width):
    same(ragged(arrays(rows, width)), rows, width)


@given(ROWS, st.lists(st.integers(0, 99), max_size=8))
def test_texts_are_taken_in_any_order_and_more_than_once(rows, places):
    chosen = [place % len(rows) for place in places] if rows else []
    for width in (None, 2):
        found = ragged(arrays(rows, width)).take(chosen)
        same(found, [rows[i] for i in chosen], width)
    assert len(ragged(arrays(rows)).take(np.array(chosen, dtype=np.int64))) == len(chosen)


@given(ROWS, ROWS, st.sampled_from([None, 2]))
def test_two_are_joined_as_lists_are(first, second, width):
    found = join(ragged(arrays(first, width)), ragged(arrays(second, width)))
    same(found, first + second, width)


def test_nothing_joined_to_states_leaves_them_as_they_are():
    states = Ragged(np.ones((3, 2), dtype=np.float32), np.array([0, 1, 3]))
    for found in (join(states, ragged([])), join(ragged([]), states)):
        assert found.values.dtype == np.float32
        assert found.values.shape == (3, 2)
