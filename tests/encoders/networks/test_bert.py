"""Layers of BERT and MPNet by our own function, against the library's modules."""

import json
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import PIECES
from small_encoders import bert_folder

from concordant.encoders.networks.batching import STEP
from concordant.encoders.networks.bert import hidden_states, is_usual, read_bert
from concordant.encoders.networks.model_tokenizer import open_tokenizer
from concordant.encoders.networks.packing import BLOCK
from concordant.encoders.networks.transformer import TransformerEncoder

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
nn = torch.nn.functional
IDS = torch.tensor([[2, 5, 9, 7, 3, 0, 0], [2, 8, 3, 0, 0, 0, 0], [2, 5, 6, 7, 8, 9, 3]])


@pytest.fixture(params=["Bert", "MPNet"])
def folder(tmp_path, request):
    return bert_folder(tmp_path / "tiny", kind=request.param)


def by_the_library(folder, ids, mask):
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    with torch.inference_mode():
        found = model(input_ids=ids, attention_mask=mask.long(), output_hidden_states=True)
    return found.hidden_states


def test_every_layer_is_the_librarys(folder):
    ours = hidden_states(read_bert(folder), IDS, IDS > 0, layers=range(4))
    theirs = by_the_library(folder, IDS, IDS > 0)
    assert len(ours) == len(theirs) == 4
    for one, two in zip(ours.values(), theirs, strict=True):
        seen = (IDS > 0).numpy()  # what padding gets is nobody's
        np.testing.assert_allclose(one.numpy()[seen], two.numpy()[seen], rtol=0, atol=1e-6)


@pytest.fixture(scope="module", params=["Bert", "MPNet"])
def bert(tmp_path_factory, request):
    return read_bert(bert_folder(tmp_path_factory.mktemp("packed") / "tiny", kind=request.param))


def padded_to(width, *lengths):
    """Texts of so many tokens, each with its own words, and their masks."""
    mask = torch.arange(width) < torch.tensor(lengths)[:, None]
    words = torch.tensor([[5 + (i * length) % 14 for i in range(width)] for length in lengths])
    return torch.where(mask, words, 0), mask


@given(st.lists(st.integers(1, 44), min_size=1, max_size=12), st.integers(0, 3))
def test_neither_company_nor_padding_changes_a_bit(bert, lengths, more):
    widest = -(-max(lengths) // STEP) * STEP + more * STEP
    together = hidden_states(bert, *padded_to(widest, *lengths), layers=range(4))
    for i, length in enumerate(lengths):
        alone = hidden_states(bert, *padded_to(-(-length // STEP) * STEP, length), layers=range(4))
        for one, two in zip(together.values(), alone.values(), strict=True):
            assert torch.equal(one[i, :length], two[0, :length])
            assert not one[i, length:].any()


@given(st.lists(st.integers(1, 44), min_size=1, max_size=30))
def test_products_have_a_height_that_does_not_follow_from_the_texts(bert, lengths):
    with mock.patch.object(nn, "linear", wraps=nn.linear) as linear:
        hidden_states(bert, *padded_to(48, *lengths), layers=range(4))
    heights = {call.args[0].shape[0] for call in linear.call_args_list}
    assert heights == {-(-sum(lengths) // BLOCK) * BLOCK}


def test_no_layer_beyond_the_deepest_is_run(folder):
    bert = read_bert(folder)
    whole = hidden_states(bert, IDS, IDS > 0, layers=range(4))
    with mock.patch.object(nn, "gelu", wraps=nn.gelu) as gelu:
        part = hidden_states(bert, IDS, IDS > 0, layers=[2])
    assert gelu.call_count == 2
    assert list(part) == [2]
    assert torch.equal(part[2], whole[2])


def test_names_with_a_prefix_are_the_same_weights(folder):
    safetensors = pytest.importorskip("safetensors.torch")
    file = folder / "model.safetensors"
    stored = safetensors.load_file(file)
    before = hidden_states(read_bert(folder), IDS, IDS > 0, layers=range(4))
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    named = {f"{kind}.{name}": array for name, array in stored.items()}
    safetensors.save_file(named, file, metadata={"format": "pt"})
    after = hidden_states(read_bert(folder), IDS, IDS > 0, layers=range(4))
    assert torch.equal(before[3], after[3])


@pytest.mark.parametrize(
    "unusual",
    [
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"relative_attention_num_buckets": 16},
        {"model_type": "xlm-roberta"},
    ],
)
def test_what_is_unusual_is_left_to_the_library(folder, unusual):
    assert is_usual(folder)
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | unusual))
    assert not is_usual(folder)


def test_an_unusual_model_is_run_by_the_library(folder):
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"hidden_act": "relu"}))
    encoder = TransformerEncoder(folder)
    found = encoder.run(["the old house"], layers=[2]).layers[2][0]
    ids = torch.tensor([encoder._tokenizer.numbers(["the old house"])[0][0]])
    expected = by_the_library(folder, ids, ids > 0)[2][0, 1:-1]
    np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=1e-6)
    assert "_bert" not in vars(encoder)


@pytest.mark.parametrize("name", ["minilm", "mpnet"])
def test_a_part_and_its_tokenizer_are_the_librarys(part, name):
    folder = part(name)
    library = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    odd = [text for text in PIECES if text.isprintable() or text.isspace()]  # no lone surrogates
    texts = [*odd, "A plain sentence, with (brackets) and 3.5 %.", "word " * 300]
    ids, marks = open_tokenizer(folder, 40).numbers(texts)
    given = library(texts, truncation=True, max_length=40, return_special_tokens_mask=True)
    assert ids == given["input_ids"]
    assert marks == given["special_tokens_mask"]
    pad = library.pad_token_id
    padded = torch.tensor([row + [pad] * (40 - len(row)) for row in ids])
    mask = torch.arange(40) < torch.tensor([[len(row)] for row in ids])
    bert = read_bert(folder)
    ours = hidden_states(bert, padded, mask, layers=range(len(bert.layers) + 1))
    for one, two in zip(ours.values(), by_the_library(folder, padded, mask), strict=True):
        seen = mask.numpy()
        np.testing.assert_allclose(one.numpy()[seen], two.numpy()[seen], rtol=0, atol=1e-5)
