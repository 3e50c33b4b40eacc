"""Scores of encoders: the same for any batch, order and threads; odd texts; windows; no torch."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from odd_texts import PIECES
from small_transformers import encoder_metric

from concordant.encoders.pieces.uncased import uncased_pieces
from concordant.models.encoder import network_states
from concordant.models.encoder.network_states import network_of
from concordant.models.encoder.quantised import is_large, merge_adapters, pack, unpack
from concordant.models.encoder.sequences import Marks, cut_texts, cut_windows, join_tokens

FORMS = ("joint", "apart")
SENTENCES = ["The cat sat on the mat.", "A dog barked at NATO!", "", "2,000 men", "Über allem",
             "the the the the", "What makes a thing a thing, and not another?"]  # fmt: skip


def raw(metric, translations, references, threads=1):
    given = metric.preparation.inputs(translations, references, threads=threads)
    return metric.raw_scores(given)


def drawn(rng, count):
    texts = [" ".join(rng.choice(SENTENCES, size=rng.integers(1, 4))) for _ in range(2 * count)]
    return texts[:count], [[text] for text in texts[count:]]


@pytest.mark.parametrize("features", ["", "chrf facts"])
@pytest.mark.parametrize("form", FORMS)
def test_scores_do_not_depend_on_batch_order_or_threads(form, features, rng, monkeypatch):
    metric = encoder_metric(form, features=features)
    translations, references = drawn(rng, 60)
    together = raw(metric, translations, references)
    order = rng.permutation(60).tolist()
    shuffled = raw(metric, [translations[i] for i in order], [references[i] for i in order], 3)
    assert shuffled.tolist() == together[order].tolist()
    monkeypatch.setattr(network_states, "REMEMBERED", 20)
    monkeypatch.setattr("concordant.models.encoder.forward.TOGETHER", 50)
    metric = encoder_metric(form, features=features)  # nothing is remembered of this one
    alone = [raw(metric, [t], [r])[0] for t, r in zip(translations, references, strict=True)]
    assert alone == together.tolist() == raw(metric, translations, references).tolist()


@pytest.mark.parametrize("form", FORMS)
def test_several_references_count_as_their_mean(form):
    metric = encoder_metric(form)
    translations, references = SENTENCES, SENTENCES[::-1]
    one = raw(metric, translations, [[text] for text in references])
    other = raw(metric, translations, [[text.upper()] for text in references])
    both = raw(metric, translations, [[text, text.upper()] for text in references])
    np.testing.assert_allclose(both, (one + other) / 2, rtol=1e-14)
    mixed = raw(metric, translations, [[t, t.upper()] if i % 2 else [t]
                                       for i, t in enumerate(references)])  # fmt: skip
    assert mixed.tolist() == np.where(np.arange(7) % 2, both, one).tolist()


@pytest.mark.parametrize("form", FORMS)
def test_the_weighted_sum_of_features_is_added(form):
    metric = encoder_metric(form, features="length")
    plain = replace(metric, params={**metric.params, "head.beside": np.zeros(2, np.float32)})
    texts = SENTENCES, [[text] for text in SENTENCES[::-1]]
    more = metric.preparation.inputs(*texts).features @ metric.params["head.beside"]
    assert more.any()
    np.testing.assert_allclose(raw(metric, *texts), raw(plain, *texts) + more, rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_odd_texts_have_a_score(form):
    metric = encoder_metric(form)
    texts = [*PIECES, "", " ", "\ufeff", "\u0301", "a", "\ue000" * 30, "\U0001f600 " * 20]
    found = metric.score(texts, [[text] for text in texts[::-1]])
    assert np.isfinite(found.segments).all()
    assert ((found.segments >= 0) & (found.segments <= 100)).all()


@pytest.mark.parametrize("form", FORMS)
def test_no_piece_of_a_long_text_is_left_out(form):
    metric = encoder_metric(form, places=40)
    words = ["house"] * 3000
    before = raw(metric, [" ".join(words)], [["house"]])
    for place in (0, 1500, 2999):
        changed = [*words[:place], "dog", *words[place + 1 :]]
        assert raw(metric, [" ".join(changed)], [["house"]]) != before


def test_a_text_of_50_000_pieces_is_scored():
    metric = encoder_metric("joint", places=512)
    assert np.isfinite(raw(metric, ["word " * 50_000], [["word " * 20_000]])).all()


def test_windows_hold_every_piece_once_and_fit(rng):
    sizes = np.concatenate([rng.integers(0, 90, (200, 2)), [[0, 0], [1, 0], [5000, 3], [0, 777]]])
    for texts in (1, 2):
        given = sizes[:, :texts]
        parts = cut_windows(given, 40)
        assert (parts.size.sum(axis=1) + 1 + texts <= 40).all()
        sums = np.zeros_like(given)
        np.add.at(sums, parts.of, parts.size)
        assert sums.tolist() == given.tolist()
        ends = np.zeros_like(given)
        for of, begin, size in zip(parts.of, parts.begin, parts.size, strict=True):
            assert begin.tolist() == ends[of].tolist()
            ends[of] += size


def test_sequences_have_marks_types_and_places():
    cut = cut_texts(["A b", "c!"])
    a, b, c, mark = uncased_pieces().encode(["a b c !"]).values.tolist()
    pairs = np.array([[0, 1]])
    found = join_tokens(cut, pairs, cut_windows(cut.lengths[pairs], 512), Marks(0, 2, 4))
    assert found.words.tolist() == [0, a + 4, b + 4, 2, c + 4, mark + 4, 2]
    assert found.types.tolist() == [0, 1, 0, 0, 6, 9, 6]
    assert found.places.tolist() == list(range(7))
    assert found.spans.tolist() == [[[0, 1], [1, 3], [4, 6]]]
    alone = join_tokens(cut, np.array([[1]]), cut_windows(cut.lengths[[[1]]], 512), Marks(101, 102))
    assert alone.words.tolist() == [101, c, mark, 102]
    assert alone.types.tolist() == [0, 0, 3, 0]


def test_marks_in_a_text_are_ordinary_characters():
    """A translation cannot write the mark that ends it."""
    assert not {101, 102} & set(cut_texts(["[CLS] a [SEP] b [SEP]"]).ids.values.tolist())


def test_a_network_that_numbers_pieces_otherwise_is_the_same():
    plain, moved = encoder_metric("joint"), encoder_metric("joint", moved=3)
    words = "embeddings.words"
    for name in (words, f"{words}.scale"):
        moved.params[name] = np.concatenate([moved.params[name][:3], plain.params[name]])
    for name, value in plain.params.items():
        moved.params[name] = moved.params[name] if name.startswith(words) else value
    references = [[text] for text in SENTENCES[::-1]]
    assert raw(moved, SENTENCES, references).tolist() == raw(plain, SENTENCES, references).tolist()


def test_adapters_are_merged(rng):
    metric = encoder_metric("joint")
    weights = unpack(metric.params)
    down, up = rng.standard_normal((2, 8)) * 0.3, rng.standard_normal((24, 2)) * 0.3
    name = "layer.0.seen"
    apart = {**pack(weights), f"{name}.down": down, f"{name}.up": up}
    whole = pack({**weights, name: (weights[name] + up @ down).astype(np.float32)})
    found = merge_adapters(apart)
    assert found.keys() == whole.keys()
    assert all(np.array_equal(found[key], whole[key]) for key in whole)
    assert sum(is_large(key) for key in whole) == 9


def test_the_network_is_prepared_once():
    metric = encoder_metric("joint")
    assert network_of(metric) is network_of(metric.uncalibrated())
    assert network_of(metric) is not network_of(encoder_metric("joint"))


def test_a_preference_follows_the_raw_scores():
    metric = encoder_metric("apart")
    references = [[text] for text in SENTENCES[::-1]]
    first, second = raw(metric, SENTENCES, references), raw(metric, SENTENCES[::-1], references)
    found = metric.prefer(SENTENCES, SENTENCES[::-1], references)
    assert np.sign(found - 0.5).tolist() == np.sign(first - second).tolist()


def test_nothing_to_score():
    assert raw(encoder_metric("joint"), [], []).tolist() == []


def test_scoring_imports_neither_torch_nor_a_tokenizer():
    program = (
        "import sys; sys.path.insert(0, 'tests'); from small_transformers import encoder_metric; "
        "encoder_metric('apart').score(['a'], [['b']]); "
        "print([name for name in ('torch', 'tokenizers', 'transformers') if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
