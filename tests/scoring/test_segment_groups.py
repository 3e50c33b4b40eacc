"""Segments grouped by their references: every segment is in one group of each way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concordant.scoring.segment_groups import length_groups, segment_groups

TEXTS = [
    "The mayor did not come.", "Is it 20 or 30?", "“Never,” she said.", "It rained in Paris.",
    "a; b, c: d.", "the house is old and the roof is new",
]  # fmt: skip


def groups(texts):
    found = segment_groups(texts, np.array([len(text.split()) for text in texts]))
    return {each.name: [each.labels[k] for k in each.of] for each in found}


def test_each_way_asks_one_thing_of_the_reference():
    found = groups(TEXTS)
    assert found["Number"] == ["without", "with", *["without"] * 4]
    assert found["Negation"] == ["with", "without", "with", *["without"] * 3]
    assert found["Question"].index("with") == 1
    assert found["Quotation"].index("with") == 2
    assert found["Name"] == [*["without"] * 3, "with", *["without"] * 2]
    assert found["Much punctuation"] == [*["without"] * 2, "with", "without", "with", "without"]


def test_a_way_that_tells_nothing_apart_is_left_out():
    assert "Number" not in groups(["one", "two words"])
    assert groups(["same here", "same here"]) == {}


def test_negation_needs_a_language_that_is_known():
    german = ["das ist nicht der Hund und die Katze", "das ist der Hund mit der Katze"]
    assert groups(german)["Negation"] == ["with", "without"]
    assert "Negation" not in groups(["xqz never", "xqz zzz"])


@given(st.lists(st.integers(0, 60), min_size=1, max_size=50), st.integers(1, 8))
def test_groups_by_length_hold_every_segment_once(lengths, most):
    lengths = np.array(lengths)
    labels, of = length_groups(lengths, most)
    assert len(labels) <= most
    assert sorted(set(of.tolist())) == list(range(len(labels)))
    for k, label in enumerate(labels):
        ends = list(map(int, label.split("–")))
        assert (ends[0], ends[-1]) == (lengths[of == k].min(), lengths[of == k].max())
    assert all(lengths[of == k].max() < lengths[of == k + 1].min() for k in range(len(labels) - 1))
