"""The parser's rules on a tiny untrained pipeline; the real one on real segments, where it is."""

import builtins
import shutil
import zlib

import numpy as np
import pytest

from concordant.encoders.cache.cache import Cache, entry_key
from concordant.encoders.syntax import parser as module
from concordant.encoders.syntax.parser import load_parser, parse_cached
from concordant.encoders.syntax.trees import ROOT
from concordant.errors import ConcordantError
from concordant.judgements.files import read_lines
from concordant.resources.places import MissingPart

TEXTS = ["One cat sleeps. Two dogs bark!", "", "a", "  A\tcat \u2028 sleeps ", "A cat sleeps", "a"]


def all_of(parser, texts):
    return list(parser.parse(texts)), parser.vectors(texts)


def test_every_text_has_a_tree_of_its_words(tiny_parser):
    forest = tiny_parser.parse(TEXTS)
    assert len(forest) == len(TEXTS)
    for text, tree in zip(TEXTS, forest, strict=True):
        assert "".join(tree.words) == "".join(text.split())
        assert len(tree) == 0 or np.count_nonzero(tree.heads == ROOT) == 1
    assert forest[3] == forest[4]
    assert forest[2] == forest[5]
    assert len(tiny_parser.parse([])) == 0


def test_later_sentences_hang_on_the_first(tiny_parser):
    doc = tiny_parser.pipeline(TEXTS[0])
    roots = [word.i for word in doc if word.head.i == word.i]
    assert len(roots) > 1, "the pipeline was taught to see two sentences here"
    tree = tiny_parser.parse(TEXTS)[0]
    assert tree.root == roots[0]
    assert [int(tree.heads[root]) for root in roots[1:]] == [roots[0]] * (len(roots) - 1)
    assert tree.labels == tuple(word.dep_ for word in doc)
    assert tree.tags == tuple(word.tag_ for word in doc)


def test_vectors_are_means_of_the_states(tiny_parser):
    found = tiny_parser.vectors(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (len(TEXTS), tiny_parser.width)
    for text, vector in zip(TEXTS, found, strict=True):
        states = tiny_parser.pipeline(" ".join(text.split())).tensor
        expected = np.mean(states, axis=0) if len(states) else np.zeros(tiny_parser.width)
        assert vector == pytest.approx(expected, abs=1e-6)
    assert tiny_parser.vectors([]).shape == (0, tiny_parser.width)


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_neither_batch_nor_order_nor_repetition_matters(tiny_parser, monkeypatch, batch):
    trees, vectors = all_of(tiny_parser, TEXTS)
    monkeypatch.setattr(module, "BATCH", batch)
    again, same = all_of(tiny_parser, TEXTS[::-1] + TEXTS)
    assert again == trees[::-1] + trees
    assert np.array_equal(same, np.concatenate([vectors[::-1], vectors]))


def test_batches_can_be_tracked(tiny_parser, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 2)
    seen = []

    def track(batches, words):
        seen.append((len(batches), words))
        return batches

    tiny_parser.parse(TEXTS, track=track)
    assert seen == [(2, "parsing")]  # four distinct texts


def test_what_was_parsed_is_not_parsed_again(tiny_parser, tmp_path, monkeypatch):
    store = Cache(tmp_path / "entries.sqlite")
    first = parse_cached(tiny_parser, TEXTS, store=store)
    assert list(first) == list(tiny_parser.parse(TEXTS))
    monkeypatch.setattr(module, "_tree", None)
    assert list(parse_cached(tiny_parser, TEXTS[::-1], store=store)) == list(first)[::-1]
    store.close()


def test_texts_that_cannot_be_parsed_are_named(tiny_parser):
    with pytest.raises(ConcordantError, match="1,000,001 characters is too long for"):
        tiny_parser.parse(["a" * 1_000_001])
    with pytest.raises(ConcordantError, match=r"lone surrogate: 'a\\ud800'"):
        tiny_parser.parse(["a\ud800"])


ODD = ["word " * 300, "これは日本語の文です。", "🙂🙂 ¿?", "\x00 \x7f", "<b>"]


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_trees(tiny_parser, text):
    (tree,) = tiny_parser.parse([text])
    assert "".join(tree.words) == "".join(text.split())


def test_the_signature_follows_the_files_not_their_place(tiny_parser, tiny_pipeline, tmp_path):
    copy = tmp_path / tiny_pipeline.name
    shutil.copytree(tiny_pipeline, copy)
    assert load_parser(copy).signature == tiny_parser.signature
    (copy / "meta.json").write_bytes((copy / "meta.json").read_bytes() + b"\n")
    assert load_parser(copy).signature != tiny_parser.signature


def test_a_missing_part_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    with pytest.raises(MissingPart, match="concordant resources install parser-en"):
        load_parser()
    with pytest.raises(ConcordantError, match='parser "parser-xx" is neither an installed part'):
        load_parser("parser-xx")


def test_a_folder_that_is_no_pipeline_is_refused(tmp_path):
    with pytest.raises(ConcordantError, match="cannot be loaded as a spaCy pipeline") as caught:
        load_parser(tmp_path)
    assert "config.cfg" in str(caught.value)


def test_damaged_weights_are_refused(tiny_pipeline, tmp_path):
    shutil.copytree(tiny_pipeline, tmp_path, dirs_exist_ok=True)
    weights = tmp_path / "parser" / "model"
    weights.write_bytes(weights.read_bytes()[:50])
    with pytest.raises(ConcordantError, match="cannot be loaded as a spaCy pipeline"):
        load_parser(tmp_path)


def test_a_pipeline_without_parser_is_refused(tmp_path):
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(ConcordantError, match="has no dependency parser; its components are: none"):
        load_parser(tmp_path)


def test_without_spacy_the_extra_is_named(monkeypatch):
    whole = builtins.__import__

    def without(name, *rest):
        if name == "spacy":
            raise ImportError(name)
        return whole(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConcordantError, match=r"pip install 'concordant\[parse\]'"):
        load_parser()


@pytest.fixture(scope="module")
def english(part):
    part("parser-en")
    return load_parser()


def test_a_plain_sentence_is_parsed_as_people_would(english):
    (tree,) = english.parse(["The cat saw a dog."])
    assert tree.words == ("The", "cat", "saw", "a", "dog", ".")
    assert tree.heads.tolist() == [1, 2, -1, 4, 2, 2]
    assert tree.labels == ("det", "nsubj", "ROOT", "det", "dobj", "punct")
    assert tree.tags == ("DT", "NN", "VBD", "DT", "NN", ".")
    assert english.width == 96


@pytest.mark.data
def test_real_segments_have_trees_whatever_the_batch(english, data, monkeypatch):
    files = [data / f"da16/DAseg.newstest2016.{kind}.cs-en" for kind in ("reference", "mt-system")]
    texts = [text for file in files for text in read_lines(file)][::4]
    trees, vectors = all_of(english, texts)  # a tree that is none would have been refused
    assert all(len(tree) for tree in trees)
    monkeypatch.setattr(module, "BATCH", 7)
    again, same = all_of(english, texts)
    assert again == trees
    assert np.array_equal(same, vectors)


EVIL = "raise SystemExit('the code of the package was run')\n"


def test_a_package_is_read_and_never_run(tmp_path, monkeypatch, tiny_pipeline, tiny_parser):
    package = tmp_path / "own_pipeline"
    package.mkdir()
    (package / "__init__.py").write_text(EVIL)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConcordantError, match='"own_pipeline" is neither an installed part, nor'):
        load_parser("own_pipeline")
    shutil.copytree(tiny_pipeline, package / "own_pipeline-1.0")
    found = load_parser("own_pipeline")
    assert list(found.parse(TEXTS)) == list(tiny_parser.parse(TEXTS))
    with pytest.raises(ConcordantError, match="is neither an installed part"):
        load_parser("own_pipeline.deeper")


def test_a_damaged_tree_in_the_cache_is_parsed_again(tmp_path, tiny_parser):
    store = Cache(tmp_path / "entries.sqlite")
    expected = list(parse_cached(tiny_parser, TEXTS, store=store))
    for value in (b"", b"TREE1", b"TREE1" + zlib.compress(bytes(1 << 29)), b"TREE2" + bytes(9)):
        store.store([entry_key(f"{tiny_parser.signature}|tree", TEXTS[0])], [value])
        assert list(parse_cached(tiny_parser, TEXTS, store=store)) == expected
    assert store.damaged == 4
    store.close()
