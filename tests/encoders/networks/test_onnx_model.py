import json
import struct
import sys

import numpy as np
import pytest

from concordant.encoders.networks.onnx_model import OnnxEncoder
from concordant.encoders.networks.transformer import TransformerEncoder
from concordant.errors import ConcordantError, DataError, SpecError

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "new", "old", "house", "street", "."]
TEXTS = ["A new house.", "", "an old street", "a house. " * 9, "A new house."]
TABLE = np.random.default_rng(3).normal(size=(len(WORDS), 16)).astype(np.float32)
FLOATS, INTEGERS = 1, 7  # onnx.TensorProto's numbers for float32 and int64


# An ONNX file is a protocol buffer: fields of number and kind (0 an integer, 2 bytes).
def varint(value):
    low, high = value & 127, value >> 7
    return bytes([low | 128]) + varint(high) if high else bytes([low])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def value_info(name, kind, *sizes):
    dimensions = [field(1, field(2 if isinstance(size, str) else 1, size)) for size in sizes]
    tensor = field(1, kind) + field(2, b"".join(dimensions))
    return field(1, name) + field(2, field(1, tensor))


def onnx_file(*, inputs=("input_ids", "attention_mask"), output=("texts", "tokens", 16)):
    """A model that looks the tokens up in TABLE (one node, Gather) and takes nothing else."""
    node = b"".join([
        field(1, "table"),
        field(1, "input_ids"),
        field(2, "states"),
        field(4, "Gather"),
    ])
    weights = struct.pack(f"<{TABLE.size}f", *TABLE.ravel())
    table = b"".join(field(1, size) for size in TABLE.shape)
    table += field(2, FLOATS) + field(8, "table") + field(9, weights)
    graph = field(1, node) + field(2, "tiny") + field(5, table)
    graph += b"".join(field(11, value_info(each, INTEGERS, "texts", "tokens")) for each in inputs)
    graph += field(12, value_info("states", FLOATS, *output))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


@pytest.fixture
def tiny(tmp_path):
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_padding(length=128)  # exports often come with one that must not be used
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    config = {"hidden_size": 16, "num_hidden_layers": 3, "max_position_embeddings": 12}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "model.onnx").write_bytes(onnx_file())
    return tmp_path


def numbers(text):
    known = [WORDS.index(w) if w in WORDS else 1 for w in text.lower().replace(".", " .").split()]
    return [2, *known[:10], 3]


def test_vectors_are_means_of_length_one(tiny):
    encoder = OnnxEncoder(tiny, name="tiny")
    assert (encoder.name, encoder.dimension, encoder.depth) == ("tiny", 16, 3)
    found = encoder.run(TEXTS, layers=[3], threads=2)
    for i, text in enumerate(TEXTS):
        states = TABLE[numbers(text)]
        mean = states.mean(axis=0)
        np.testing.assert_allclose(found.sentence[i], mean / np.linalg.norm(mean), atol=1e-6)
        assert found.layers[3][i].tolist() == states[1:-1].tolist()
        assert found.pieces[i].tolist() == numbers(text)[1:-1]


def test_a_folder_of_sentence_transformers_is_obeyed(tiny):
    modules = [{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"}]
    (tiny / "modules.json").write_text(json.dumps(modules))
    (tiny / "1_Pooling").mkdir()
    (tiny / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    encoder = OnnxEncoder(tiny)
    assert "|pool:cls|norm:no|tokens:12" in encoder.signature
    assert encoder.run(["a"]).sentence[0].tolist() == TABLE[2].tolist()


def test_the_file_tells_the_width_where_nothing_else_does(tiny):
    (tiny / "config.json").unlink()
    encoder = OnnxEncoder(tiny)
    assert (encoder.dimension, encoder.depth) == (16, 1)
    assert len(encoder.run(["a"], layers=[1]).layers[1]) == 1


def test_other_weights_have_another_signature(tiny):
    before = OnnxEncoder(tiny, name="tiny").signature
    (tiny / "model.onnx").write_bytes(onnx_file(inputs=["input_ids"]))
    assert OnnxEncoder(tiny, name="tiny").signature != before


def test_a_single_file_may_have_any_name(tiny):
    (tiny / "model.onnx").rename(tiny / "quantised.onnx")
    assert len(OnnxEncoder(tiny).run(["a"]).sentence) == 1
    (tiny / "other.onnx").write_bytes(b"")
    with pytest.raises(DataError, match=r"model\.onnx is missing; found other\.onnx, qu"):
        OnnxEncoder(tiny)


def test_only_the_last_layer_has_states(tiny):
    words = "is an ONNX model, which has the states of its last layer, 3, and not of 2"
    with pytest.raises(SpecError, match=words):
        OnnxEncoder(tiny).run(["a"], layers=[2])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.onnx", r"model\.onnx is missing; found no \.onnx file"),
        ("tokenizer.json", r"has its tokenizer\.json here"),
    ],
)
def test_missing_files_are_named(tiny, name, words):
    (tiny / name).unlink()
    with pytest.raises(DataError, match=words):
        OnnxEncoder(tiny)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_damaged_files_are_one_sentence(tiny, name):
    (tiny / name).write_bytes((tiny / name).read_bytes()[:100])
    with pytest.raises(DataError, match="cannot be loaded: a file is missing or damaged") as caught:
        OnnxEncoder(tiny).run(["a"])
    assert "\n" not in str(caught.value)


def test_a_model_of_something_else_is_refused(tiny):
    (tiny / "model.onnx").write_bytes(onnx_file(inputs=["input_ids", "pixels"]))
    with pytest.raises(
        ConcordantError, match="wants an input pixels; a text encoder has input_ids"
    ):
        OnnxEncoder(tiny).run(["a"])
    (tiny / "model.onnx").write_bytes(onnx_file(output=()))
    with pytest.raises(ConcordantError, match="has no output"):
        OnnxEncoder(tiny).run(["a"])


def test_without_onnxruntime_it_tells_how_to_get_it(tiny, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert OnnxEncoder(tiny).dimension == 16
    with pytest.raises(ConcordantError, match=r"onnxruntime: pip install 'concordant\[encoders\]'"):
        OnnxEncoder(tiny).run(["a"])


def test_a_text_has_the_same_bits_in_any_company(part, rng):
    encoder = OnnxEncoder(part("gte-small"), name="gte-small")
    texts = [" ".join(rng.choice(WORDS[4:], size=size)) for size in rng.integers(1, 40, size=20)]
    whole = encoder.run(texts, layers=[12], threads=2)
    assert np.allclose(np.linalg.norm(whole.sentence, axis=1), 1)
    for threads in (1, 2):
        chosen = rng.permutation(20)[:7]
        some = encoder.run([texts[i] for i in chosen], layers=[12], threads=threads)
        assert np.array_equal(some.sentence, whole.sentence[chosen])
        assert np.array_equal(some.layers[12].values, whole.layers[12].take(chosen).values)


def test_an_export_agrees_with_its_model(part):
    pytest.importorskip("torch")
    export = OnnxEncoder(part("minilm-onnx")).run(TEXTS, layers=[6])
    model = TransformerEncoder(part("minilm")).run(TEXTS, layers=[6])
    np.testing.assert_allclose(export.sentence, model.sentence, atol=1e-5)
    np.testing.assert_allclose(export.layers[6].values, model.layers[6].values, atol=1e-4)
