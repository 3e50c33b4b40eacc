"""Collections joined: texts of one test set, judgements linked to the only texts there are."""

import pytest

from concordant.errors import DataError
from concordant.judgements.merging import merge
from concordant.records import Collection, Preference, TestSet


def texts(name="t", pair="de-en", **parts):
    return Collection(testsets=(TestSet(name, pair, **parts),))


def test_texts_of_one_test_set_are_joined():
    merged = merge([
        texts(source={1: "ja"}),
        texts(references={"r": {1: "yes"}}, translations={"a": {1: "yes"}}),
        texts(translations={"a": {2: "no"}, "b": {1: "yeah"}}),
    ])
    (testset,) = merged.testsets
    assert testset.source == {1: "ja"}
    assert testset.translations == {"a": {1: "yes", 2: "no"}, "b": {1: "yeah"}}
    assert testset.segments == [1, 2]


def test_two_texts_for_one_segment_are_a_fault():
    with pytest.raises(DataError, match='system a:1: two texts for one segment: "yes" and "no"'):
        merge([texts(translations={"a": {1: "yes"}}), texts(translations={"a": {1: "no"}})])


def test_an_unnamed_judgement_belongs_to_the_only_texts():
    judged = Collection(preferences=(Preference("", "", 1, "a", "b"),))
    (pair,) = merge([texts("news", "de-en"), judged]).preferences
    assert (pair.testset, pair.pair) == ("news", "de-en")


def test_with_several_candidates_it_stays_unnamed():
    judged = Collection(preferences=(Preference("", "de-en", 1, "a", "b"),))
    (pair,) = merge([texts("x"), texts("y"), judged]).preferences
    assert pair.testset == ""


def test_notes_are_kept_once():
    assert merge([Collection(notes=("n",)), Collection(notes=("n", "m"))]).notes == ("n", "m")
