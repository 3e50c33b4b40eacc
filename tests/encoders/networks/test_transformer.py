import io
import json
import shutil
import socket
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_encoders import bert_folder

from concordant.encoders.encoders import encode
from concordant.encoders.networks import transformer
from concordant.encoders.networks.model_folder import read_settings
from concordant.encoders.networks.transformer import TransformerEncoder
from concordant.errors import ConcordantError, DataError, SpecError

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")

WORDS = "the a house street old new is at of end and , . ##s ##er".split()
TEXTS = [
    "The house is old.",
    "a new house at the end of the street, and the end of the street",
    "",
    "streets and houses",
    "The house is old.",
    "the older " * 30,
    "newer",
]
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_N", "type": "sentence_transformers.models.Normalize"},
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A BERT with random weights: 4 layers of 32, texts up to 44 tokens."""
    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": 44, "do_lower_case": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=44, initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(1)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture
def copied(tiny, tmp_path):
    return shutil.copytree(tiny, tmp_path / "copied")


@pytest.fixture(scope="module")
def encoder(tiny):
    return TransformerEncoder(tiny, name="tiny")


def states_alone(folder, text):
    """The hidden states of a text, by the library itself and without padding."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    with torch.inference_mode():
        given = tokenizer(text, truncation=True, max_length=44, return_tensors="pt")
        found = model(**given, output_hidden_states=True).hidden_states
    return [layer[0].numpy() for layer in found], given["input_ids"][0].numpy()


def add_modules(folder, modules, **pooling):
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


def test_all_layers_are_those_of_the_library(tiny, encoder):
    found = encoder.run(TEXTS, layers=range(5), threads=2)
    for i, text in enumerate(TEXTS):
        layers, ids = states_alone(tiny, text)
        assert found.pieces[i].tolist() == ids[1:-1].tolist()
        np.testing.assert_allclose(found.sentence[i], layers[4].mean(axis=0), atol=1e-5)
        for layer in range(5):
            np.testing.assert_allclose(found.layers[layer][i], layers[layer][1:-1], atol=1e-5)


@pytest.mark.parametrize("deepest", [0, 1, 3])
def test_fewer_layers_give_the_same_bits(encoder, deepest):
    whole = encoder.run(TEXTS, layers=[deepest, 4])
    part = encoder.run(TEXTS, sentence=False, layers=[deepest])
    assert part.sentence is None
    assert np.array_equal(whole.layers[deepest].values, part.layers[deepest].values)


def test_only_the_layers_needed_are_run(encoder):
    assert [len(encoder._first_layers(k).encoder.layer) for k in (0, 1, 3, 4)] == [1, 1, 3, 4]
    shorter, whole = encoder._first_layers(3), encoder._first_layers(4)
    assert shorter.embeddings.word_embeddings.weight is whole.embeddings.word_embeddings.weight


def test_a_model_that_normalises_last_is_not_cut(tmp_path):
    config = transformers.GPT2Config(
        vocab_size=20, n_embd=16, n_layer=3, n_head=2, n_positions=32, initializer_range=0.5
    )
    torch.manual_seed(1)
    transformers.GPT2Model(config).save_pretrained(tmp_path)
    encoder = TransformerEncoder(tmp_path)
    assert (encoder.dimension, encoder.depth) == (16, 3)
    assert encoder._first_layers(2) is encoder._first_layers(3)


@settings(max_examples=15)
@given(st.permutations(range(len(TEXTS))), st.integers(1, len(TEXTS)), st.integers(1, 3))
def test_a_text_has_the_same_bits_in_any_company(encoder, order, count, threads):
    chosen = order[:count]
    whole = encoder.run(TEXTS, layers=[2])
    part = encoder.run([TEXTS[i] for i in chosen], layers=[2], threads=threads)
    assert np.array_equal(part.sentence, whole.sentence[chosen])
    assert np.array_equal(part.layers[2].values, whole.layers[2].take(chosen).values)


def test_the_threads_of_torch_are_given_back(encoder):
    before = torch.get_num_threads()
    encoder.run(TEXTS, threads=2)
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(
    ("pool", "expected"),
    [("mean", lambda s: s.mean(axis=0)), ("cls", lambda s: s[0]), ("max", lambda s: s.max(axis=0))],
)
def test_any_layer_can_be_pooled(tiny, pool, expected):
    encoder = TransformerEncoder(tiny, name="tiny", pool=pool, layer=2)
    found = encoder.run(TEXTS).sentence
    for i, text in enumerate(TEXTS):
        np.testing.assert_allclose(found[i], expected(states_alone(tiny, text)[0][2]), atol=1e-5)
    assert f"|pool:{pool}|layer:2|norm:no|tokens:44" in encoder.signature


def test_vectors_are_those_of_sentence_transformers(copied):
    sentence_transformers = pytest.importorskip("sentence_transformers")
    add_modules(copied, MODULES, word_embedding_dimension=32, pooling_mode_max_tokens=True)
    (copied / "sentence_bert_config.json").write_text('{"max_seq_length": 20}')
    theirs = sentence_transformers.SentenceTransformer(
        str(copied), device="cpu", local_files_only=True
    )
    ours = TransformerEncoder(copied, name="tiny")
    np.testing.assert_allclose(
        ours.run(TEXTS).sentence, theirs.encode(TEXTS, show_progress_bar=False), atol=1e-6
    )
    assert "|pool:max|layer:4|norm:yes|tokens:20" in ours.signature


def test_the_newer_way_to_name_a_pooling_is_understood(copied):
    add_modules(copied, MODULES[:2], embedding_dimension=32, pooling_mode="cls")
    assert "|pool:cls|layer:4|norm:no|" in TransformerEncoder(copied).signature


def test_what_a_folder_says_loads_nothing(tiny, monkeypatch):
    for package in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    encoder = TransformerEncoder(tiny, name="tiny")
    assert (encoder.name, encoder.dimension, encoder.depth) == ("tiny", 32, 4)
    assert encoder.signature == TransformerEncoder(tiny, name="tiny").signature
    words = r"needs torch: pip install 'concordant\[encoders\]'"
    with pytest.raises(ConcordantError, match=words):
        encoder.run(["x"])


def test_other_weights_have_another_signature(tiny, copied):
    file = copied / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"\x01")
    assert (
        TransformerEncoder(copied, name="tiny").signature
        != TransformerEncoder(tiny, name="tiny").signature
    )


def test_nothing_touches_the_network(tiny, monkeypatch):
    def refused(*_):
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert len(TransformerEncoder(tiny).run(["a house"]).sentence) == 1


def test_a_hub_name_is_found_in_the_local_cache(tiny, tmp_path, monkeypatch):
    hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path))
    stored = tmp_path / "models--someone--tiny"
    shutil.copytree(tiny, stored / "snapshots" / "c0ffee")
    (stored / "refs").mkdir()
    (stored / "refs" / "main").write_text("c0ffee")
    encoder = TransformerEncoder("someone/tiny")
    assert encoder.name == "someone/tiny"
    assert encoder.run(["a house"]).sentence.shape == (1, 32)
    with pytest.raises(ConcordantError, match="neither a folder nor in the local hub cache"):
        TransformerEncoder("someone/else")


def test_damaged_weights_are_one_sentence(copied):
    file = copied / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])
    words = "its model cannot be loaded: a file is missing or damaged"
    with pytest.raises(DataError, match=words) as caught:
        TransformerEncoder(copied).run(["x"])
    assert "\n" not in str(caught.value)


def test_weights_of_another_model_are_refused(copied):
    file = copied / "config.json"
    config = json.loads(file.read_text()) | {"num_hidden_layers": 5}
    file.write_text(json.dumps(config))
    with pytest.raises(DataError, match=r"the weights have no encoder\.layer\.4\."):
        TransformerEncoder(copied).run(["x"])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.safetensors", "there is no model.safetensors with the weights"),
        ("config.json", "hidden_size or num_hidden_layers is missing"),
    ],
)
def test_missing_files_are_named(copied, name, words):
    (copied / name).unlink()
    with pytest.raises(DataError, match=words):
        TransformerEncoder(copied).run(["x"])


def test_a_config_that_is_not_json_is_named(copied):
    (copied / "config.json").write_text("{")
    with pytest.raises(DataError, match=r"config\.json: this is not json"):
        TransformerEncoder(copied)


def test_a_module_that_is_not_known_is_refused(copied):
    dense = {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}
    add_modules(copied, [*MODULES[:2], dense], pooling_mode_mean_tokens=True)
    with pytest.raises(DataError, match="module Dense is not one of Normalize, Pooling, Transf"):
        TransformerEncoder(copied)


def test_a_pooling_that_is_not_known_is_refused(tiny, copied):
    with pytest.raises(SpecError, match='pool "maxx" is not one of mean, cls, max; did you mean'):
        TransformerEncoder(tiny, pool="maxx")
    add_modules(copied, MODULES, pooling_mode_mean_tokens=True, pooling_mode_lasttoken=True)
    with pytest.raises(SpecError, match=r'pool "mean\+lasttoken" is not one of'):
        TransformerEncoder(copied)
    assert TransformerEncoder(copied, pool="cls").dimension == 32


def test_a_layer_that_is_not_there_is_refused(tiny, encoder):
    with pytest.raises(SpecError, match="tiny has layers 0 to 4, not 5"):
        encoder.run(["x"], layers=[5])
    with pytest.raises(SpecError, match="has layers 0 to 4, not -1"):
        TransformerEncoder(tiny, layer=-1)


@pytest.mark.parametrize(
    ("config", "tokenizer", "longest"),
    [
        ({"max_position_embeddings": 512}, {"model_max_length": 128}, 128),
        ({"max_position_embeddings": 512}, {"model_max_length": 10**30}, 512),
        ({"max_position_embeddings": 512}, {}, 512),
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}, {}, 512),
    ],
)
def test_how_long_a_text_may_be(tmp_path, config, tokenizer, longest):
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    assert read_settings(tmp_path).longest == longest


def test_no_texts(encoder):
    found = encoder.run([], layers=[1])
    assert found.sentence.shape == (0, 32)
    assert len(found.layers[1]) == 0


def test_minilm_is_that_of_sentence_transformers(part):
    sentence_transformers = pytest.importorskip("sentence_transformers")
    texts = [*TEXTS, "Ein Haus in der Straße, 3,5 % teurer: “naïve” café.", "word " * 400]
    theirs = sentence_transformers.SentenceTransformer(
        str(part("minilm")), device="cpu", local_files_only=True
    )
    ours = TransformerEncoder(part("minilm"), name="minilm").run(texts, threads=2).sentence
    expected = theirs.encode(texts, show_progress_bar=False)
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)


CODE = "from pathlib import Path\nPath(__file__).with_name('was run').touch()\n"


@pytest.mark.parametrize(
    ("settings", "kind"),
    [("config.json", "bert"), ("config.json", "own"), ("tokenizer_config.json", "bert")],
)
def test_code_in_a_models_folder_is_never_run(tmp_path, monkeypatch, kind, settings):
    folder = bert_folder(tmp_path / "own")
    (folder / "own_code.py").write_text(CODE)
    told = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**told, "model_type": kind}))
    told = json.loads((folder / settings).read_text())
    classes = dict.fromkeys(["AutoConfig", "AutoModel"], "own_code.Own")
    told["auto_map"] = {**classes, "AutoTokenizer": ["own_code.Own", None]}
    (folder / settings).write_text(json.dumps(told))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))  # an answer to any question
    with pytest.raises(DataError, match=rf"{settings}: the model has its own code .* run"):
        encode(TransformerEncoder(folder), TEXTS)
    assert sys.stdin.read(1) == "y"
    assert not list(tmp_path.rglob("was run"))


def test_the_library_is_told_to_run_no_code(tmp_path, monkeypatch):
    asked = []

    def from_pretrained(*_, **options):
        asked.append(options["trust_remote_code"])
        raise OSError("enough")

    for name in ("AutoModel", "AutoTokenizer"):
        monkeypatch.setattr(getattr(transformers, name), "from_pretrained", from_pretrained)
    folder = bert_folder(tmp_path / "own", kind="MPNet")
    monkeypatch.setattr(transformer, "is_usual", lambda _: False)
    encoder = TransformerEncoder(folder)
    for part in ("_model", "_tokenizer"):
        with pytest.raises(DataError, match="enough"):
            getattr(encoder, part)
    assert asked == [False, False]


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ('[{"type": "Transformer", "path": "../other"}]', 'path "../other" leaves the model'),
        ('[{"type": "Transformer", "path": "/etc"}]', 'path "/etc" leaves the model'),
        ("[3]", "a list of modules with type and path is needed"),
        ("3", "a list of modules with type and path is needed"),
        ('{"a": 3}', "a list of modules with type and path is needed"),
        ("[" * 100_000, "this is not json"),
    ],
)
def test_odd_modules_are_told(tmp_path, modules, words):
    folder = bert_folder(tmp_path / "own")
    (folder / "modules.json").write_text(modules)
    with pytest.raises(DataError, match=words):
        TransformerEncoder(folder)


@pytest.mark.parametrize("value", ["inf", "-1", '"many"', "null", "1.5", "[1]"])
def test_odd_sizes_are_told(tmp_path, value):
    folder = bert_folder(tmp_path / "own")
    text = (folder / "config.json").read_text()
    odd = value.replace("inf", "Infinity")
    (folder / "config.json").write_text(text.replace('"hidden_size": 16', f'"hidden_size": {odd}'))
    with pytest.raises(ConcordantError, match="hidden_size in a model's settings is"):
        TransformerEncoder(folder)


@pytest.mark.parametrize("kind", ["Bert", "MPNet"])
def test_in_eight_bits_states_are_nearly_those_of_fp32(kind, tmp_path):
    folder = bert_folder(tmp_path / kind, kind=kind)
    layers = (1, 3)
    exact = TransformerEncoder(folder).run(TEXTS, layers=layers)
    found = TransformerEncoder(folder, bits="8").run(TEXTS, layers=layers, threads=2)
    for layer in layers:
        one, other = exact.layers[layer].values, found.layers[layer].values
        assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.995
    alone = TransformerEncoder(folder, bits="8").run(TEXTS[1:2], layers=layers)
    assert np.array_equal(alone.layers[3].values, found.layers[3][1])
    assert TransformerEncoder(folder, bits="8").signature.count("|bits:8|") == 1


def test_other_bits_are_refused(tiny):
    with pytest.raises(SpecError, match="only a BERT or MPNet has 8"):
        TransformerEncoder(tiny, bits="4")
