"""GloVe 6B as its authors published it: the first numbers of words in glove.6B.50d.txt."""

import pytest

from concordant.encoders.words.words import open_vectors
from concordant.errors import SpecError

PUBLISHED = {
    "the": (0.418, 0.24968, -0.41242, 0.1217, 0.34527, -0.044457, -0.49688, -0.17862),
    ",": (0.013441, 0.23682, -0.16899, 0.40951, 0.63812, 0.47709, -0.42852, -0.55641),
    ".": (0.15164, 0.30177, -0.16763, 0.17684, 0.31719, 0.33973, -0.43478, -0.31086),
    "of": (0.70853, 0.57088, -0.4716, 0.18048, 0.54449, 0.72603, 0.18157, -0.52393),
    "to": (0.68047, -0.039263, 0.30186, -0.17792, 0.42962, 0.032246, -0.41376, 0.13228),
    "and": (0.26818, 0.14346, -0.27877, 0.016257, 0.11384, 0.69923, -0.51332, -0.47368),
    "in": (0.33042, 0.24995, -0.60874, 0.10923, 0.036372, 0.151, -0.55083, -0.074239),
    "a": (0.21705, 0.46515, -0.46757, 0.10082, 1.0135, 0.74845, -0.53104, -0.26256),
    "king": (0.50451, 0.68607, -0.59517, -0.022801, 0.60046, -0.13498, -0.08813, 0.47377),
    "man": (-0.094386, 0.43007, -0.17224, -0.45529, 1.6447, 0.40335, -0.37263, 0.25071),
    "woman": (-0.18153, 0.64827, -0.5821, -0.49451, 1.5415, 1.345, -0.43305, 0.58059),
    "queen": (0.37854, 1.8233, -1.2648, -0.1043, 0.35829, 0.60029, -0.17538, 0.83767),
}


@pytest.mark.parametrize("word", PUBLISHED)
def test_glove_is_as_published(part, word):
    part("glove-50")
    vectors = open_vectors("glove-50")
    (row,) = vectors.lookup([word])
    first = vectors.vectors[row][: len(PUBLISHED[word])]
    assert first.tolist() == pytest.approx(PUBLISHED[word], rel=1e-6)


def test_a_part_of_another_kind_is_no_word_vectors(part):
    part("potion")
    with pytest.raises(SpecError, match="potion is not a part with word vectors"):
        open_vectors("potion")
