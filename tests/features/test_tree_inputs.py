"""Trees as inputs: which tree belongs to which output, and choosing some translations."""

import numpy as np
import pytest

from concordant.encoders.syntax.trees import Tree
from concordant.encoders.syntax.word_trees import word_trees
from concordant.errors import SpecError
from concordant.features.preparation import Inputs
from concordant.features.tree_inputs import TreeReader, tree_reader_named
from concordant.specs import parse_spec


def flat_trees(texts, _fitted, _track):
    """Each word but the first depends on the first."""
    trees = [
        Tree(tuple(words), np.array([-1, *[0] * (len(words) - 1)][: len(words)]),
             ("x",) * len(words), ("x",) * len(words))
        for words in map(str.split, texts)
    ]  # fmt: skip
    return word_trees(trees)[0], np.eye(9, dtype=np.float32)


READER = TreeReader(parse_spec("trees(none,none)"), 9, "flat", dict, len, flat_trees)
HYPOTHESES = ["a b", "c", "", "a b"]
REFERENCES = [["a"], ["c", "d e"], ["a"], ["c"]]


def texts_of(inputs):
    """The sizes of both trees of every comparison, by output."""
    sizes = inputs.trees.sizes
    return [
        (int(o), int(sizes[r]), int(sizes[h]))
        for o, (r, h) in zip(inputs.output, inputs.pairs, strict=True)
    ]


def test_every_output_is_compared_with_each_of_its_references():
    found = READER.read(HYPOTHESES, REFERENCES, {})
    assert len(found) == 4
    assert len(found.trees) == 5  # distinct texts
    assert texts_of(found) == [(0, 1, 2), (1, 1, 1), (1, 2, 1), (2, 1, 0), (3, 1, 2)]


def test_entities_are_the_characters_they_stand_for():
    found = READER.read(
        ["&quot; it &#39;s &quot;", "R&D &pipe;"], [['" it \'s "'], ["R&amp;D"]], {}
    )
    assert texts_of(found) == [(0, 4, 4), (1, 1, 2)]
    assert len(found.trees) == 3


def test_some_outputs_are_taken_with_their_references():
    found = READER.read(HYPOTHESES, REFERENCES, {})
    some = found.take(np.array([3, 1, 1]))
    assert texts_of(some) == [(0, 1, 2), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 1)]
    whole = Inputs(np.zeros((4, 0)), np.zeros((4, 1, 0)), found)
    assert texts_of(whole.take(slice(2, None)).trees) == [(0, 1, 0), (1, 1, 2)]
    assert whole.take(np.array([0])).features.shape == (1, 0)


@pytest.mark.parametrize("text", ["trees(parser-en)", "trees", "vectors(glove-50)"])
def test_a_spec_without_parser_or_words_is_refused(text):
    with pytest.raises(SpecError, match="trees need a parser and word vectors; as in trees"):
        tree_reader_named(text)
