import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.encoders import Request
from concordant.encoders.networks.batching import (
    States,
    Tokens,
    encode_batched,
    plan,
    run_batches,
)
from concordant.encoders.ragged import ragged
from concordant.errors import ConcordantError

lengths = st.lists(st.integers(0, 100), max_size=60)


@given(lengths, st.integers(1, 300), st.sampled_from([1, 4, 8]))
def test_every_text_with_tokens_is_in_one_batch(lengths, budget, step):
    batches = plan(lengths, budget=budget, step=step)
    places = [i for batch in batches for i in batch.texts]
    assert sorted(places) == [i for i, length in enumerate(lengths) if length]


@given(lengths, st.integers(1, 300))
def test_a_shape_follows_from_the_text_alone(lengths, budget):
    for batch in plan(lengths, budget=budget):
        assert 0 < len(batch.texts) <= batch.rows == max(1, budget // batch.length)
        for i in batch.texts:
            (alone,) = plan([lengths[i]], budget=budget)
            assert (alone.length, alone.rows) == (batch.length, batch.rows)
            assert lengths[i] <= batch.length < lengths[i] + 8


@given(lengths, st.integers(1, 300))
def test_packed_batches_leave_no_room_that_a_later_text_would_fill(lengths, budget):
    batches = plan(lengths, budget=budget, packed=True)
    places = [i for batch in batches for i in batch.texts]
    assert sorted(places) == [i for i, length in enumerate(lengths) if length]
    later = []
    for batch in reversed(batches):
        tokens = [lengths[i] for i in batch.texts]
        assert batch.rows == len(tokens)
        assert max(tokens) <= batch.length < max(tokens) + 8
        assert sum(tokens) <= budget or len(tokens) == 1
        assert all(sum(tokens) + other > budget for other in later)
        later += tokens


@given(lengths)
def test_batches_go_from_long_to_short(lengths):
    shapes = [batch.length for batch in plan(lengths)]
    assert shapes == sorted(shapes, reverse=True)


def test_padding_stops_at_the_longest_that_a_model_takes():
    assert [batch.length for batch in plan([9, 12, 3], longest=12)] == [12, 8]


@pytest.mark.parametrize("threads", [1, 3])
def test_all_batches_are_computed_and_shown(threads):
    batches = plan(range(50), budget=16)
    done, shown = [], []

    def track(items, words):
        assert words == "at work"
        for item in items:
            shown.append(item)
            yield item

    run_batches(batches, done.append, threads=threads, track=track, words="at work")
    assert sorted(done, key=batches.index) == batches == shown


def test_a_fault_in_a_batch_comes_out_and_the_next_run_works():
    def broken(batch):
        raise ConcordantError(f"batch of {batch.length}")

    with pytest.raises(ConcordantError, match="batch of 8"):
        run_batches(plan([5]), broken)
    done = []
    run_batches(plan([5]), done.append)
    assert len(done) == 1


# A network whose words are letters: a letter's state is its number and the text's length.
def letters(texts):
    return Tokens(
        ragged([np.array([0, *map(ord, text)][: 1 + len(text)]) for text in texts]),
        ragged([np.array([True, *[False] * len(text)]) for text in texts]),
    )


def forward(ids, mask):
    states = np.stack([ids, np.broadcast_to(mask.sum(1)[:, None], ids.shape)], axis=2)
    states = states.astype(np.float32)
    return States(np.where(mask[:, :, None], states, 0).sum(axis=1), {4: states})


def run(texts, *, tokenise=letters, forward=forward, **options):
    request = Request(layers=[4], **options)
    return encode_batched(texts, tokenise, forward, request, name="letters", dimension=2, budget=32)


@given(st.lists(st.text("abc", max_size=20), max_size=30), st.integers(1, 2))
def test_vectors_and_states_stand_in_the_order_of_the_texts(texts, threads):
    found = run(texts, threads=threads)
    for i, text in enumerate(texts):
        assert found.sentence[i].tolist() == [sum(map(ord, text)), (len(text) + 1) ** 2]
        assert found.layers[4][i].tolist() == [[ord(c), len(text) + 1] for c in text]
        assert found.pieces[i].tolist() == [ord(c) for c in text]


def test_each_distinct_text_is_computed_once():
    seen = []

    def watching(ids, mask):
        seen.append(ids[:, 1].tolist())
        return forward(ids, mask)

    run(["a", "b", "a", "a"], forward=watching)
    assert seen == [[97, 98, 97, 97]]  # the missing rows repeat the first


def test_each_batch_has_one_thread_and_several_run_at_once():
    meeting = threading.Barrier(2, timeout=10)

    def waiting(ids, mask):
        meeting.wait()
        return forward(ids, mask)

    found = run(["a" * 20, "b"], forward=waiting, threads=2)
    assert len(found.sentence) == 2


def test_a_text_without_any_token_has_zeros():
    def bare(texts):
        return Tokens(
            ragged([np.array([ord(c) for c in text], dtype=np.int64) for text in texts]),
            ragged([np.zeros(len(text), dtype=bool) for text in texts]),
        )

    found = run(["", "a"], tokenise=bare)
    assert found.sentence.tolist() == [[0, 0], [97, 1]]
    assert len(found.layers[4][0]) == 0


def test_numbers_that_are_not_finite_are_refused():
    def broken(ids, mask):
        states = forward(ids, mask)
        return States(states.sentence * np.nan, states.layers)

    words = "letters returns numbers that are not finite; its weights may be damaged"
    with pytest.raises(ConcordantError, match=words):
        run(["a"], forward=broken)


def test_no_texts_are_no_texts():
    found = run([])
    assert found.sentence.shape == (0, 2)
    assert len(found.layers[4]) == 0
