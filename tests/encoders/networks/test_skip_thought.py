"""Skip-Thought on tiny files of the official shape, against a GRU written out word by word."""

import math

import numpy as np
import pytest

from concordant.encoders.networks.skip_thought import FILES, open_skip_thought
from concordant.errors import DataError, SpecError

pytest.importorskip("torch")

WIDTH, UNI, BI = 5, 6, 3
WORDS = ["<eos>", "UNK", "cats", "sleep", "dogs", "bark", ",", "Cats"]
TEXTS = ["cats sleep", "", "dogs bark, cats sleep", "unheard dogs", "Cats", "cats sleep", "   "]


def random_gru(rng, prefix, size, width=WIDTH):
    shapes = {"W": (width, 2 * size), "U": (size, 2 * size), "b": (2 * size,)}
    shapes |= {"Wx": (width, size), "Ux": (size, size), "bx": (size,)}
    return {f"{prefix}_{k}": rng.normal(size=s).astype(np.float32) for k, s in shapes.items()}


def write_model(folder, rng, uni=UNI, bi=BI):
    arrays = {
        "utable": rng.normal(size=(len(WORDS), WIDTH)).astype(np.float32),
        "btable": rng.normal(size=(len(WORDS), WIDTH)).astype(np.float32),
        "uni_skip": {"Wemb": np.zeros((2, 2)), **random_gru(rng, "encoder", uni)},
        "bi_skip": random_gru(rng, "encoder", bi) | random_gru(rng, "encoder_r", bi),
    }
    (folder / "dictionary.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    for name in ("utable", "btable"):
        np.save(folder / f"{name}.npy", arrays[name])
    for name in ("uni_skip", "bi_skip"):
        np.savez(folder / f"{name}.npz", **arrays[name])
    (folder / "uni_skip.npz.pkl").write_bytes(b"options that are not read")
    return arrays


@pytest.fixture
def model(tmp_path, rng):
    return write_model(tmp_path, rng)


@pytest.fixture
def encoder(tmp_path, model):
    assert model
    return open_skip_thought(tmp_path)


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def dot(vector, matrix, column):
    return sum(float(x) * float(row[column]) for x, row in zip(vector, matrix, strict=True))


def end_of(vectors, weights, prefix):
    """The state after the last vector, in the order of the authors' gru_layer."""
    w, u, b, wx, ux, bx = (weights[f"{prefix}_{key}"] for key in ("W", "U", "b", "Wx", "Ux", "bx"))
    size = len(ux)
    state = [0.0] * size
    for vector in vectors:
        new = []
        for k in range(size):
            r = sigmoid(dot(state, u, k) + dot(vector, w, k) + float(b[k]))
            z = sigmoid(dot(state, u, size + k) + dot(vector, w, size + k) + float(b[size + k]))
            h = math.tanh(dot(state, ux, k) * r + dot(vector, wx, k) + float(bx[k]))
            new.append(z * state[k] + (1 - z) * h)
        state = new
    return state


def slow_vector(words, model):
    rows = [WORDS.index(word) if word in WORDS else WORDS.index("UNK") for word in words]
    uni, bi = model["utable"][rows], model["btable"][rows]
    halves = [
        end_of(uni, model["uni_skip"], "encoder"),
        [
            *end_of(bi, model["bi_skip"], "encoder"),
            *end_of(bi[::-1], model["bi_skip"], "encoder_r"),
        ],
    ]
    lengths = [math.sqrt(sum(x * x for x in half)) for half in halves]
    return [x / length for half, length in zip(halves, lengths, strict=True) for x in half]


def test_vectors_are_those_of_the_slow_gru(encoder, model):
    found = encoder.run(TEXTS)
    assert found.sentence.dtype == np.float32
    assert found.sentence.shape == (len(TEXTS), UNI + 2 * BI) == (len(TEXTS), encoder.dimension)
    for text, vector in zip(TEXTS, found.sentence, strict=True):
        words = text.replace(",", " ,").split()
        expected = slow_vector(words, model) if words else np.zeros(encoder.dimension)
        assert vector == pytest.approx(expected, abs=1e-6)
    assert (found.layers, found.pieces, encoder.depth) == ({}, None, None)


def test_case_matters_and_unknown_words_are_one(encoder):
    found = encoder.run(["cats", "Cats", "CATS", "unheard", "UNK"]).sentence
    assert not np.array_equal(found[0], found[1])
    assert np.array_equal(found[2], found[3])
    assert np.array_equal(found[3], found[4])


@pytest.mark.parametrize("size", [3, 16, 33])
def test_a_text_has_its_numbers_in_any_company(tmp_path, rng, size):
    write_model(tmp_path, rng, uni=size, bi=size)
    encoder = open_skip_thought(tmp_path)
    texts = [" ".join(rng.choice(WORDS[2:], size=rng.integers(0, 30))) for _ in range(60)]
    together = encoder.run(texts, threads=2).sentence
    alone = np.concatenate([encoder.run([text]).sentence for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(encoder.run(texts[::-1]).sentence[::-1], together)


def test_only_sentences_have_vectors(encoder):
    assert encoder.run(TEXTS, sentence=False).sentence is None
    with pytest.raises(SpecError, match="skip-thought gives no token states"):
        encoder.run(TEXTS, layers=[0])


def test_the_signature_follows_the_files(encoder, tmp_path, model):
    before = encoder.signature
    assert before.startswith("skip-thought|weights:")
    np.save(tmp_path / "utable.npy", model["utable"] + 1)
    assert open_skip_thought(tmp_path).signature != before


@pytest.mark.parametrize("file", FILES)
def test_every_file_is_needed(tmp_path, model, file):
    assert model
    (tmp_path / file).unlink()
    with pytest.raises(DataError, match=f"there is no {file}; Skip-Thought has dictionary.txt"):
        open_skip_thought(tmp_path)


@pytest.mark.parametrize("file", FILES[1:])
def test_files_cut_short_are_refused(tmp_path, model, file):
    assert model
    path = tmp_path / file
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match="cannot be read as NumPy's format") as caught:
        open_skip_thought(tmp_path)
    assert file in str(caught.value)


def test_python_objects_are_not_unpickled(tmp_path, model):
    objects = np.array([{"a": 1}], dtype=object)
    np.savez(tmp_path / "bi_skip.npz", **(model["bi_skip"] | {"encoder_r_U": objects}))
    with pytest.raises(DataError, match=r"bi_skip\.npz: holds Python objects, which"):
        open_skip_thought(tmp_path)
    np.save(tmp_path / "utable.npy", objects)
    with pytest.raises(DataError, match=r"utable\.npy: holds Python objects"):
        open_skip_thought(tmp_path)


def test_weights_of_another_shape_are_refused(tmp_path, model):
    short = {k: v for k, v in model["bi_skip"].items() if k != "encoder_r_bx"}
    np.savez(tmp_path / "bi_skip.npz", **short)
    with pytest.raises(DataError, match="there is no encoder_r_bx; there are encoder_W, encoder_U"):
        open_skip_thought(tmp_path)
    np.savez(tmp_path / "bi_skip.npz", **(model["bi_skip"] | {"encoder_r_bx": np.zeros(9)}))
    with pytest.raises(DataError, match="do not fit words of 5 dimensions"):
        open_skip_thought(tmp_path)


def test_a_table_has_a_row_for_each_word(tmp_path, model):
    np.save(tmp_path / "btable.npy", model["btable"][:-1])
    with pytest.raises(DataError, match=r"btable.npy: is \(7, 5\), but dictionary.txt has 8 words"):
        open_skip_thought(tmp_path)


def test_unknown_words_need_their_row(tmp_path, model):
    assert model
    (tmp_path / "dictionary.txt").write_text("\n".join("abcdefgh"))
    with pytest.raises(DataError, match=r'dictionary\.txt: there is no "UNK"'):
        open_skip_thought(tmp_path)
