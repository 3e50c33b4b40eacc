"""CoNLL-U in and out, and a line for every fault."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.embeddings.conllu import Sentence, conllu, read_conllu, write_conllu
from concordant.embeddings.trees import Tree
from concordant.errors import ConcordantError, DataError

GERMAN = """# sent_id = 1
# text = Er ging zum Haus
1\tEr\ter\tPRON\tPPER\t_\t2\tnsubj\t_\t_
2\tging\tgehen\tVERB\t_\t_\t0\troot\t_\t_
3-4\tzum\t_\t_\t_\t_\t_\t_\t_\t_
3\tzu\tzu\tADP\tAPPR\t_\t5\tcase\t_\t_
4\tdem\tder\tDET\tART\t_\t5\tdet\t_\t_
4.1\tleer\t_\t_\t_\t_\t_\t_\t_\t_
5\tHaus\tHaus\tNOUN\tNN\t_\t2\tobl\t_\tSpaceAfter=No

1\tJa\tja\tINTJ\tITJ\t_\t0\troot\t_\t_
"""


def written(tmp_path, text):
    path = tmp_path / "trees.conllu"
    path.write_text(text, encoding="utf-8")
    return path


def row(number, head, form="w"):
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_"


def faults(tmp_path, *lines):
    with pytest.raises(DataError) as caught:
        read_conllu(written(tmp_path, "\n".join(lines) + "\n"))
    return [(fault.line, fault.message) for fault in caught.value.faults]


def test_ranges_and_empty_nodes_are_passed_over_and_comments_kept(tmp_path):
    first, second = read_conllu(written(tmp_path, GERMAN))
    assert first.comments == ("sent_id = 1", "text = Er ging zum Haus")
    assert first.tree.words == ("Er", "ging", "zu", "dem", "Haus")
    assert first.tree.heads.tolist() == [1, -1, 4, 4, 1]
    assert first.tree.labels == ("nsubj", "root", "case", "det", "obl")
    assert first.tree.tags == ("PPER", "VERB", "APPR", "ART", "NN")
    assert (first.line, second.line) == (1, 11)
    assert second.comments == ()


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["1 w _ _"], 1, "1 columns where 10 are needed, split by tabs"),
        ([row(1, 0), "2\tw\t_"], 2, "3 columns where 10"),
        (["# c", row(1, "_")], 2, 'HEAD "_" is not a number; 0 is for the root'),
        ([row(1, "-1")], 1, 'HEAD "-1" is not a number'),
        ([row(1, 0), "", row(1, 0), row(2, 3)], 4, "HEAD 3 is out of range; the sentence has 2"),
        ([row(1, 0), row(3, 1)], 2, 'ID "3" where word 2 of the sentence is due'),
        ([row(1, 0, form="")], 1, 'column FORM is empty; "_" stands for nothing'),
        (["", "# c", row(1, 2), row(2, 1)], 2, "the sentence is no tree: one root is needed"),
        ([row(1, 0), row(2, 3), row(3, 2)], 1, "words 2, 3 depend on each other in a circle"),
        ([row(1, 0), row(2, 0)], 1, "words 1, 2 are roots"),
        (["# lost", "", row(1, 0)], 1, "comments without words"),
    ],
)
def test_faults_have_their_line(tmp_path, lines, line, words):
    ((found, message),) = faults(tmp_path, *lines)
    assert found == line
    assert words in message


def test_every_fault_of_a_file_is_told(tmp_path):
    found = faults(tmp_path, "bad", "", row(1, "x"), row(2, "y"), "", row(1, 1))
    assert [line for line, _ in found] == [1, 3, 4, 6]


def test_the_file_is_named(tmp_path):
    path = written(tmp_path, "bad\n")
    with pytest.raises(DataError, match=r"trees\.conllu:1: 1 columns"):
        read_conllu(path)
    with pytest.raises(DataError, match="there is no such file"):
        read_conllu(tmp_path / "none")


def test_no_words_are_written_as_a_comment(tmp_path):
    none = Tree((), np.array([]), (), ())
    assert conllu(none) == "# text =\n\n"
    assert conllu(none, ["text = "]) == "# text = \n\n"
    write_conllu(tmp_path / "out", [Sentence(none), Sentence(none, ("id = 2",))])
    again = read_conllu(tmp_path / "out")
    assert [each.tree for each in again] == [none, none]
    assert again[1].comments == ("id = 2", "text =")


@pytest.mark.parametrize("word", ["a\tb", "a\nb", ""])
def test_what_cannot_be_written_is_refused(word):
    tree = Tree((word,), np.array([-1]), ("root",), ("X",))
    with pytest.raises(ConcordantError, match=r"cannot stand in a (field|line) of CoNLL-U"):
        conllu(tree)


def test_a_comment_is_one_line():
    tree = Tree(("a",), np.array([-1]), ("root",), ("X",))
    with pytest.raises(ConcordantError, match="cannot stand in a line"):
        conllu(tree, ["two\nlines"])


PRINTABLE = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)


@given(st.lists(st.tuples(PRINTABLE, PRINTABLE, PRINTABLE), max_size=6), st.lists(PRINTABLE))
def test_what_is_written_is_read_again(tmp_path_factory, words, comments):
    forms, labels, tags = zip(*words, strict=True) if words else ((), (), ())
    tree = Tree(forms, np.arange(len(words)) - 1, labels, tags)
    path = tmp_path_factory.mktemp("conllu") / "out"
    write_conllu(path, [Sentence(tree, tuple(comments))])
    (again,) = read_conllu(path)
    assert again.tree == tree
    assert again.comments[: len(comments)] == tuple(comments)
