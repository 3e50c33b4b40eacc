"""InferSent on tiny files of the official shape, against an LSTM written out word by word."""

import math
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import pytest

from concordant.encoders.networks.infersent import WEIGHTS, open_infersent
from concordant.errors import ConcordantError, DataError, SpecError

torch = pytest.importorskip("torch")

WIDTH, SIZE = 5, 7
KNOWN = ["cats", "sleep", "dogs", "bark", ",", "n't", "do"]
TEXTS = [
    "cats sleep",
    "",
    "dogs do n't bark, cats do",
    "unheard",
    "dogs unheard bark",
    "cats sleep",
]


@dataclass
class Table:
    """Word vectors as encoders/words/words.py gives them."""

    words: list
    vectors: np.ndarray
    signature: str = "tiny#1"

    def lookup(self, words):
        return np.array([self.words.index(w) if w in self.words else -1 for w in words])


def random_weights(rng, width=WIDTH, size=SIZE):
    shapes = {"weight_ih": (4 * size, width), "weight_hh": (4 * size, size)}
    shapes |= {"bias_ih": (4 * size,), "bias_hh": (4 * size,)}
    return OrderedDict(
        (f"enc_lstm.{key}_l0{end}", torch.tensor(rng.normal(size=shape), dtype=torch.float32))
        for end in ("", "_reverse")
        for key, shape in shapes.items()
    )


@pytest.fixture
def weights(rng):
    return random_weights(rng)


@pytest.fixture
def table(rng):
    words = [*KNOWN, "<s>", "</s>"]
    return Table(words, rng.normal(size=(len(words), WIDTH)).astype(np.float32))


@pytest.fixture
def encoder(tmp_path, weights, table):
    torch.save(weights, tmp_path / WEIGHTS)
    return open_infersent(tmp_path, words=table)


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def states_of(vectors, weights, end):
    """The hidden state after each vector; gates in PyTorch's order: input, forget, cell, output."""
    w_ih, w_hh, b_ih, b_hh = (
        weights[f"enc_lstm.{key}_l0{end}"].double().tolist()
        for key in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    size = len(w_hh[0])
    hidden, cell = [0.0] * size, [0.0] * size
    states = []
    for vector in vectors:
        gates = [
            sum(w * x for w, x in zip(w_ih[row], vector, strict=True))
            + sum(w * h for w, h in zip(w_hh[row], hidden, strict=True))
            + b_ih[row]
            + b_hh[row]
            for row in range(4 * size)
        ]
        for k in range(size):
            i, f, g = (gates[part * size + k] for part in range(3))
            cell[k] = sigmoid(f) * cell[k] + sigmoid(i) * math.tanh(g)
        hidden = [sigmoid(gates[3 * size + k]) * math.tanh(cell[k]) for k in range(size)]
        states.append(hidden)
    return states


def slow_vector(words, weights, table):
    rows = [table.words.index(w) for w in ["<s>", *words, "</s>"] if w in table.words]
    vectors = table.vectors[rows].astype(float).tolist()
    forward = states_of(vectors, weights, "")
    backward = states_of(vectors[::-1], weights, "_reverse")
    return [max(column) for states in (forward, backward) for column in zip(*states, strict=True)]


def test_vectors_are_those_of_the_slow_lstm(encoder, weights, table):
    cut = [text.replace(",", " ,").split() for text in TEXTS]
    expected = np.array([slow_vector(words, weights, table) for words in cut])
    found = encoder.run(TEXTS)
    assert found.sentence.dtype == np.float32
    assert found.sentence.shape == (len(TEXTS), 2 * SIZE) == (len(TEXTS), encoder.dimension)
    assert found.sentence == pytest.approx(expected, abs=1e-6)
    assert (found.layers, found.pieces, encoder.depth) == ({}, None, None)


def test_torch_itself_agrees(encoder, weights, table):
    network = torch.nn.LSTM(WIDTH, SIZE, bidirectional=True, batch_first=True)
    network.load_state_dict({
        key.removeprefix("enc_lstm."): value for key, value in weights.items()
    })
    rows = table.lookup(["<s>", "cats", "sleep", "</s>"])
    with torch.no_grad():
        expected = network(torch.from_numpy(table.vectors[rows])[None])[0].max(dim=1).values[0]
    assert encoder.run(["cats sleep"]).sentence[0] == pytest.approx(expected.numpy(), abs=1e-6)


def test_unknown_words_are_left_out(encoder):
    found = encoder.run(["dogs unheard bark", "dogs bark", "unheard", ""]).sentence
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[2], found[3])
    assert found[3].any()  # <s> and </s> are words, too


def test_nothing_known_is_zeros(tmp_path, weights, table):
    torch.save(weights, tmp_path / "other.pkl")
    bare = Table(KNOWN, table.vectors[: len(KNOWN)])
    found = open_infersent(tmp_path / "other.pkl", words=bare).run(["unheard", "", "cats"]).sentence
    assert not found[:2].any()
    assert found[2].any()


@pytest.mark.parametrize("size", [3, 16, 33])
def test_a_text_has_its_numbers_in_any_company(tmp_path, rng, table, size):
    torch.save(random_weights(rng, size=size), tmp_path / WEIGHTS)
    encoder = open_infersent(tmp_path, words=table)
    texts = [" ".join(rng.choice(KNOWN, size=rng.integers(0, 30))) for _ in range(60)]
    together = encoder.run(texts, threads=2).sentence
    alone = np.concatenate([encoder.run([text]).sentence for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(encoder.run(texts[::-1]).sentence[::-1], together)
    assert encoder.run([]).sentence.shape == (0, 2 * size)


def test_only_sentences_have_vectors(encoder):
    assert encoder.run(TEXTS, sentence=False).sentence is None
    with pytest.raises(SpecError, match="infersent gives no token states"):
        encoder.run(TEXTS, layers=[1])


def test_the_signature_names_weights_words_and_rules(encoder, tmp_path, rng, table):
    name, digest, words, rules = encoder.signature.split("|")
    assert (name, words, rules) == ("infersent", "words:tiny#1", "tokens:1")
    torch.save(random_weights(rng), tmp_path / WEIGHTS)
    assert digest not in open_infersent(tmp_path, words=table).signature


def test_vectors_of_another_width_are_refused(tmp_path, weights):
    torch.save(weights, tmp_path / WEIGHTS)
    other = Table(["a"], np.zeros((1, 4), dtype=np.float32))
    with pytest.raises(ConcordantError, match="word vectors of 5 dimensions, and tiny#1 has 4"):
        open_infersent(tmp_path, words=other)


class Anything:
    """What a pickled model would bring along."""


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda found: found.pop("enc_lstm.bias_hh_l0_reverse"), "no enc_lstm.bias_hh_l0_reverse"),
        (lambda found: found.update({"enc_lstm.bias_ih_l0": torch.zeros(3)}), "do not fit an LSTM"),
        (lambda found: found.update(model=Anything()), "could run anything"),
    ],
)
def test_files_of_another_shape_are_refused(tmp_path, weights, table, made, words):
    made(weights)
    torch.save(weights, tmp_path / WEIGHTS)
    with pytest.raises(DataError, match=words) as caught:
        open_infersent(tmp_path, words=table)
    assert WEIGHTS in str(caught.value)


def test_damaged_and_missing_files_are_refused(tmp_path, weights, table):
    path = tmp_path / WEIGHTS
    with pytest.raises(DataError, match=r"there is no such file; infersent1\.pkl is needed"):
        open_infersent(tmp_path, words=table)
    torch.save(weights, path)
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(DataError, match="these are not InferSent's weights"):
        open_infersent(tmp_path, words=table)
    torch.save([1, 2], path)
    with pytest.raises(DataError, match="a dict of tensors is needed, not list"):
        open_infersent(tmp_path, words=table)
