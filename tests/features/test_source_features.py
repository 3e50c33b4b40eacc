"""Features that compare a translation with its source: transfer, rarity, n-grams of pieces."""

import numpy as np
import pytest

from concordant.errors import SpecError
from concordant.features.extraction import feature_set
from concordant.features.transfer_features import COLUMNS

SOURCE = 'Anna paid 45 euros (on 3 May): "see https://example.org/bill"!'
RIGHT = 'Anna zahlte 45 Euro (am 3. Mai): "siehe https://example.org/bill"!'


def transfer(translation, source=SOURCE):
    found = feature_set("transfer").extract([translation], [[source]])[0].tolist()
    return dict(zip(COLUMNS, found, strict=True))


def test_what_comes_through():
    found = transfer(RIGHT)
    same = {"numbers": 1, "numbers lost": 0, "addresses": 1, "brackets": 0, "quotes": 0}
    assert {name: found[name] for name in same} == same
    assert found["scripts"] == 1


def test_what_is_lost():
    found = transfer("Anna zahlte 54 Euro")
    assert (found["numbers"], found["numbers added"], found["numbers lost"]) == (0, 1, 2)
    assert (found["addresses"], found["brackets"], found["quotes"]) == (0, -2, -2)


def test_a_copy_has_all_words_and_another_script_has_none():
    assert transfer(SOURCE)["copied words"] == 1
    other = transfer("Анна заплатила")
    assert (other["copied words"], other["scripts"], other["Latin"]) == (0, 0, 0)


def test_repetition():
    found = transfer("das Haus das Haus das das")
    assert found["doubled"] == 1
    assert found["repeated pairs"] == pytest.approx(2 / 5)


@pytest.mark.parametrize("text", ["", " ", "☃", "。", "5"])
def test_values_are_finite_for_any_texts(text):
    features = feature_set("transfer rarity(compact-any) piecegrams(compact-any)")
    for pair in ((text, SOURCE), (SOURCE, text), (text, text)):
        assert np.isfinite(features.extract([pair[0]], [[pair[1]]])).all()


def test_rare_pieces_surprise_more():
    features = feature_set("rarity(compact-any)")
    plain, odd = features.extract(["the man is in the house", "zyxqw vvkrj"], [["a"], ["a"]])
    assert odd[0] > plain[0]


def test_piece_grams_see_words_where_there_are_no_spaces():
    features = feature_set("piecegrams(compact-any)")
    near, far = features.extract(["我们今天去学校", "他昨天在家睡觉"], [["我们今天去公园"]] * 2)
    assert near[2] > 0.5 > far[2]


def test_only_tables_of_pieces_will_do():
    with pytest.raises(SpecError, match="does not say how probable"):
        feature_set("rarity(compact-pieces)")
