"""Static vectors of word pieces, on a model of model2vec's form that is written here."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from concordant.encoders.pieces.static_pieces import load_static
from concordant.errors import DataError, SpecError

PIECES = ("[PAD]", "[UNK]", "un", "##cut", "cut", "the", ".")
VECTORS = np.random.default_rng(3).normal(size=(len(PIECES), 4)).astype(np.float32)
TEXTS = ["The cut.", "", "Uncut ☃ the the", "☃"]
TOKENS = [[5, 4, 6], [], [2, 3, 5, 5], []]


def folder_with(path, *, config=None, pieces=PIECES, **tensors):
    """A model2vec folder."""
    save_file(tensors or {"embeddings": VECTORS}, path / "model.safetensors")
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    normaliser = {"clean_text": True, "handle_chinese_chars": True, "lowercase": True}
    settings = {
        "added_tokens": [{"id": 1, "content": "[UNK]", **flags}],
        "normalizer": {"type": "BertNormalizer", "strip_accents": None, **normaliser},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "vocab": {piece: i for i, piece in enumerate(pieces)},
        },
    }
    (path / "tokenizer.json").write_text(json.dumps(settings), "utf-8")
    if config is not None:
        (path / "config.json").write_text(json.dumps(config), "utf-8")
    return path


def test_a_text_is_the_mean_of_its_known_pieces(tmp_path):
    encoder = load_static(folder_with(tmp_path), name="small")
    encoded = encoder.run(TEXTS, layers=[0])
    assert (encoder.name, encoder.dimension, encoder.depth) == ("small", 4, 0)
    for i, tokens in enumerate(TOKENS):
        assert encoded.pieces[i].tolist() == tokens
        assert np.array_equal(encoded.layers[0][i], VECTORS[tokens])
        mean = VECTORS[tokens].mean(axis=0) if tokens else np.zeros(4)
        assert encoded.sentence[i] == pytest.approx(mean, abs=1e-6)
    assert encoded.sentence.dtype == np.float32


def test_vectors_have_length_1_where_the_model_says_so(tmp_path):
    encoder = load_static(folder_with(tmp_path, config={"normalize": True}), name="small")
    lengths = np.linalg.norm(encoder.run(TEXTS).sentence, axis=1)
    assert lengths == pytest.approx([1, 0, 1, 0], abs=1e-6)


def test_pieces_may_share_vectors(tmp_path):
    mapping = np.array([0, 0, 1, 2, 1, 2, 0])
    factors = np.linspace(0.5, 2.0, len(PIECES))
    tensors = {"embeddings": VECTORS[:3], "mapping": mapping, "weights": factors}
    encoder = load_static(folder_with(tmp_path, **tensors), name="small")
    encoded = encoder.run(TEXTS, layers=[0])
    whole = VECTORS[mapping] * factors[:, None]
    for i, tokens in enumerate(TOKENS):
        assert encoded.layers[0][i] == pytest.approx(whole[tokens], abs=1e-6)
        assert encoder.rows(encoded.pieces)[i].tolist() == mapping[tokens].tolist()
        mean = whole[tokens].mean(axis=0) if tokens else np.zeros(4)
        assert encoded.sentence[i] == pytest.approx(mean, abs=1e-6)


def test_only_what_is_asked_for_is_given(tmp_path):
    encoder = load_static(folder_with(tmp_path), name="small")
    encoded = encoder.run(TEXTS, sentence=False)
    assert encoded.sentence is None
    assert encoded.layers == {}
    with pytest.raises(SpecError, match="small has only layer 0, not 1"):
        encoder.run(TEXTS, layers=[1])
    assert encoder.run([]).sentence.shape == (0, 4)


def test_neighbours_and_threads_change_nothing(tmp_path, rng):
    encoder = load_static(folder_with(tmp_path, config={"normalize": True}), name="small")
    texts = [" ".join(rng.choice(PIECES, size=size)) for size in rng.integers(0, 40, size=50)]
    together = encoder.run(texts, threads=2).sentence
    alone = np.concatenate([encoder.run([text]).sentence for text in texts])
    assert np.array_equal(together, alone)


def test_the_signature_tells_weights_apart(tmp_path):
    folder = folder_with(tmp_path)
    one = load_static(folder, name="small").signature
    folder_with(tmp_path, embeddings=VECTORS + 1)
    assert one.startswith("small@")
    assert one != load_static(folder, name="small").signature
    two = load_static(folder, name="small").signature
    with (folder / "tokenizer.json").open("a") as file:
        file.write(" ")
    assert two != load_static(folder, name="small").signature  # other words, other numbers


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        ({"other": VECTORS}, 'there is no matrix "embeddings" in it'),
        ({"embeddings": VECTORS[0]}, 'there is no matrix "embeddings" in it'),
        ({"embeddings": VECTORS[:5]}, r"embeddings has 5 rows, but tokenizer.json has 7 pieces"),
        ({"embeddings": VECTORS * np.float32(np.inf)}, "numbers that are not finite"),
        ({"embeddings": VECTORS, "weights": np.ones(3)}, "weights has 3 rows"),
        ({"embeddings": VECTORS, "mapping": np.full(7, 7)}, "mapping names rows beyond the 7"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path, tensors, words):
    with pytest.raises(DataError, match=words):
        load_static(folder_with(tmp_path, **tensors), name="small")


def test_damaged_files_are_refused(tmp_path):
    folder = folder_with(tmp_path, config=["normalize"])
    with pytest.raises(DataError, match=r"config\.json: not a JSON object"):
        load_static(folder, name="small")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"model\.safetensors: not a safetensors file"):
        load_static(folder, name="small")
    weights.unlink()
    with pytest.raises(DataError, match=r"model\.safetensors: not a safetensors file"):
        load_static(folder, name="small")


def test_potion_has_the_vectors_that_model2vec_gives(part):
    encoder = load_static(part("potion"), name="potion")
    vectors = encoder.run(["The house is small.", "The home is little."]).sentence
    assert vectors.shape == (2, 256)
    # model2vec 0.10.0: StaticModel.from_pretrained(folder).encode(texts)
    assert vectors[0, :4] == pytest.approx([0.0591074, -0.0593595, -0.0884372, 0.1038738], abs=1e-6)
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.7050641, abs=1e-6)
