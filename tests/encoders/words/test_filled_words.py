"""One vocabulary filled by another: known words as they are, others by the map."""

import numpy as np
import pytest

from concordant.encoders.words.filled_words import (
    UNKNOWN,
    UNKNOWN_NAME,
    UNKNOWN_SHARE,
    FilledWords,
    filled_words,
)
from concordant.encoders.words.words import open_mapped, write_mapped
from concordant.errors import ConcordantError

WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture
def both(tmp_path, rng):
    """A vocabulary of 40 words, and one of 60 that is the same space, turned and moved."""
    small = rng.normal(size=(60, 4)).astype(np.float32)
    turn, move = rng.normal(size=(4, 6)), rng.normal(size=6)
    large = (small @ turn + move).astype(np.float32)
    write_mapped(tmp_path / "large", WORDS[:40], large[:40])
    write_mapped(tmp_path / "small", WORDS, small)
    opened = (open_mapped(tmp_path / name, name=name) for name in ("large", "small"))
    return *opened, large


def test_a_map_brings_words_to_where_they_belong(both):
    large, small, truth = both
    filled = FilledWords(large, (small,))
    maps = filled.fit()
    assert maps["small"].shape == (5, 6)
    found = filled.vectors([*WORDS, "unheard"], maps)
    assert np.array_equal(found[60], maps[UNKNOWN])
    assert np.array_equal(found[:40], truth[:40])
    assert found[40:60] == pytest.approx(truth[40:], abs=1e-4)


def test_words_that_none_knows_share_a_vector(both):
    large, small, _ = both
    filled = FilledWords(large, (small,))
    maps = filled.fit()
    one, two, known = filled.vectors(["unheard", "unseen", "w0"], maps)
    assert np.array_equal(one, two)
    assert not np.array_equal(one, known)
    assert np.array_equal(maps[UNKNOWN], filled.fit()[UNKNOWN])
    assert 0 < np.abs(one).max() <= np.sqrt(3.0) * UNKNOWN_SHARE * large.vectors.std()


def test_names_and_numbers_that_none_knows_have_a_shorter_one(both):
    large, small, _ = both
    filled = FilledWords(large, (small,))
    maps = filled.fit()
    found = filled.vectors(["Unheard", "Éa", "x-2", "unheard", "éa", "बात", "", "W0", "w0"], maps)
    assert np.array_equal(found[:3], np.tile(maps[UNKNOWN_NAME], (3, 1)))
    assert maps[UNKNOWN_NAME] == pytest.approx(0.5 * maps[UNKNOWN])
    assert np.array_equal(found[3:7], np.tile(maps[UNKNOWN], (4, 1)))
    assert np.array_equal(found[7], found[8])


@pytest.mark.parametrize(("name", "word"), [(UNKNOWN, "unheard"), (UNKNOWN_NAME, "Unheard")])
def test_a_metric_from_before_these_vectors_has_zeros(both, name, word):
    large, small, _ = both
    filled = FilledWords(large, (small,))
    maps = filled.fit()
    assert filled.vectors([word], maps).any()
    del maps[name]
    assert not filled.vectors([word], maps).any()


def test_a_word_has_the_same_bits_beside_any_other(both):
    large, small, _ = both
    filled = FilledWords(large, (small,))
    maps = filled.fit()
    whole = filled.vectors(WORDS, maps)
    for i in (0, 45, 59):
        assert np.array_equal(filled.vectors([WORDS[i]], maps)[0], whole[i])
    assert filled.vectors([], maps).shape == (0, 6)


def test_names_are_opened_in_order(both):
    large, small, _ = both
    found = filled_words([str(large.folder), str(small.folder)])
    assert found.dimension == 6
    assert found.signature == f"{large.signature}+{small.signature}"


def test_a_vocabulary_without_its_map_is_refused(both):
    large, small, _ = both
    with pytest.raises(ConcordantError, match="small has not been mapped to large"):
        FilledWords(large, (small,)).vectors(WORDS, {})
