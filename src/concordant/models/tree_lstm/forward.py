"""How close a translation is to its reference: ReVal, a Tree-LSTM (Gupta et al. 2015, §3 and §4).

A sentence is read along its dependency tree from the leaves to the root by the child-sum Tree-LSTM
of Tai et al. 2015; `sum` goes over the children k of a node with the word x:

    h̃ = sum h_k             i, o = sig(W x + U h̃ + b)     u = tanh(W x + U h̃ + b)
    f_k = sig(W x + U h_k + b)   c = i ⊙ u + sum f_k ⊙ c_k     h = o ⊙ tanh c

On a chain of words these are the equations of a sequential LSTM, and that is how one is built. The
network behind the paper's figures has no output gate (its 203,400 and 541,800 parameters are those
of three gates): then h = tanh c.

The hidden states of the two roots give a distribution over K = 5 grades of similarity and its mean:

    h× = h_ref ⊙ h_tra    h+ = |h_ref - h_tra|    s = sig(W× h× + W+ h+ + b)
    p = softmax(W s + b)    y = r · p,  r = (1, …, K)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arrays import product, sum_groups
from concordant.models.functions import sigmoid
from concordant.models.tree_lstm.batches import batch_of

if TYPE_CHECKING:
    from concordant.encoders.syntax.word_trees import WordTrees
    from concordant.models.functions import Array, Params
    from concordant.models.tree_lstm.batches import Height, TreeBatch

GRADES = 5
PART = 512  # pairs read at once; more would only take more memory


@dataclass(frozen=True)
class TreeShape:
    """The sizes of a network: of a word's vector, of a node's memory, of the hidden layer."""

    word: int
    memory: int = 150
    hidden: int = 50
    output_gate: bool = False

    @property
    def summed(self) -> int:
        """How many gates see the sum of the children: input, update and, if there is one, output.

        One more, the forget gate, sees each child alone. This is their order in all arrays.
        """
        return 3 if self.output_gate else 2


@dataclass(frozen=True)
class Gates:
    """The gates of the nodes of one height; `forget` is that of each edge, `output` None for 1."""

    input: Array
    update: Array
    output: Array | None
    forget: Array


@dataclass(frozen=True)
class NodeStates:
    """The states of all nodes of a batch, (nodes, memory), and the gates they came from."""

    hidden: Array
    cell: Array
    gates: tuple[Gates, ...]


@dataclass(frozen=True)
class Likeness:
    """What the head makes of pairs: both comparisons, the hidden layer, log p of each grade."""

    angle: Array
    distance: Array
    layer: Array
    grades: Array


def sizes(shape: TreeShape) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter.

    >>> found = sizes(TreeShape(word=300, memory=150))
    >>> found["word_weights"], found["sum_weights"], found["forget_weights"]
    ((300, 450), (150, 300), (150, 150))
    """
    memory, gates = shape.memory, shape.summed + 1
    return {
        "word_weights": (shape.word, gates * memory),
        "sum_weights": (memory, shape.summed * memory),
        "forget_weights": (memory, memory),
        "gate_bias": (gates * memory,),
        "angle_weights": (memory, shape.hidden),
        "distance_weights": (memory, shape.hidden),
        "hidden_bias": (shape.hidden,),
        "grade_weights": (shape.hidden, GRADES),
        "grade_bias": (GRADES,),
    }


def initial(shape: TreeShape, rng: np.random.Generator) -> Params:
    """Weights uniform in ±1/sqrt(inputs), as the paper's library begins; biases of zero."""
    params: Params = {}
    for name, size in sizes(shape).items():
        bound = 1.0 / np.sqrt(size[0])
        params[name] = np.zeros(size) if "bias" in name else rng.uniform(-bound, bound, size)
    return params


def states(params: Params, shape: TreeShape, table: Array, batch: TreeBatch) -> NodeStates:
    """The hidden and cell states of every node; `table` has the vectors of all words."""
    memory = shape.memory
    words = product(table[batch.vocabulary], params["word_weights"]) + params["gate_bias"]
    hidden = np.zeros((len(batch.words) + 1, memory), dtype=words.dtype)  # the last is nobody's
    cell = np.zeros((len(batch.words) + 1, memory), dtype=words.dtype)
    gates = []
    for height in batch.heights:
        seen = words[batch.words[height.nodes]]
        own = batch.children[height.edges]
        found = _gates(params, shape, seen, hidden[own], height)
        kept = found.input * found.update
        if len(own):
            kept = kept + sum_groups(found.forget * cell[own], height.first)
        cell[height.nodes] = kept
        open_ = np.tanh(kept)
        hidden[height.nodes] = open_ if found.output is None else found.output * open_
        gates.append(found)
    return NodeStates(hidden, cell, tuple(gates))


def _gates(params: Params, shape: TreeShape, seen: Array, below: Array, height: Height) -> Gates:
    """The gates of one height: `seen` of the words, `below` the children's hidden states."""
    memory, split = shape.memory, shape.summed * shape.memory
    summed, forget = seen[:, :split], seen[:0, split:]
    if len(below):
        total = sum_groups(below, height.first)
        summed = summed + product(total, params["sum_weights"])
        forget = sigmoid(seen[:, split:][height.rows] + product(below, params["forget_weights"]))
    return Gates(
        input=sigmoid(summed[:, :memory]),
        update=np.tanh(summed[:, memory : 2 * memory]),
        output=sigmoid(summed[:, 2 * memory :]) if shape.output_gate else None,
        forget=forget,
    )


def likeness(params: Params, reference: Array, translation: Array) -> Likeness:
    """What the head makes of the sentences' hidden states, (pairs, memory) each."""
    angle, distance = reference * translation, abs(reference - translation)
    turned = product(angle, params["angle_weights"]) + product(distance, params["distance_weights"])
    layer = sigmoid(turned + params["hidden_bias"])
    raw = product(layer, params["grade_weights"]) + params["grade_bias"]
    return Likeness(angle, distance, layer, _log_softmax(raw))


def forward(
    params: Params,
    shape: TreeShape,
    table: Array,
    batch: TreeBatch,
    pairs: Any,
) -> Array:
    """The log p of each grade of each pair, (pairs, grades).

    `pairs` is (pairs, 2): the places of reference and translation among the batch's trees.
    """
    found = states(params, shape, table, batch).hidden[batch.roots]
    return likeness(params, found[pairs[:, 0]], found[pairs[:, 1]]).grades


def grades_of(
    params: Params, shape: TreeShape, trees: WordTrees, table: np.ndarray, pairs: np.ndarray
) -> np.ndarray:
    """The expected grade of each pair of trees, (pairs,), a part of them at a time.

    `pairs` are rows of `trees`, (pairs, 2): reference and translation. A tree that stands in
    several pairs of a part is read once. What a pair gets does not depend on those beside it.
    """
    order = np.argsort(pairs[:, 0], kind="stable")  # those of one reference together
    found = np.zeros(len(pairs))
    for start in range(0, len(pairs), PART):
        part = order[start : start + PART]
        rows, places = np.unique(pairs[part], return_inverse=True)
        batch = batch_of(trees, rows)
        grades = forward(params, shape, table, batch, places.reshape(-1, 2))
        found[part] = expected_grade(grades)
    return found


def expected_grade(grades: Array) -> Array:
    """The mean of the distribution, in [1, K], of log p; higher is closer.

    >>> expected_grade(np.log(np.array([[0.1, 0.1, 0.1, 0.1, 0.6]]))).round(3).tolist()
    [4.0]
    """
    return sum(float(grade + 1) * np.exp(grades[:, grade]) for grade in range(GRADES))


def sparse_target(scores: np.ndarray) -> np.ndarray:
    """The distribution over two neighbouring grades whose mean is the score (§4), (pairs, K).

    >>> sparse_target(np.array([2.7, 5.0])).round(3).tolist()
    [[0.0, 0.3, 0.7, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]]
    """
    scores = np.asarray(scores, dtype=np.float64)
    low = np.minimum(np.floor(scores).astype(np.int64), GRADES - 1)
    target = np.zeros((len(scores), GRADES))
    rows = np.arange(len(scores))
    target[rows, low] = scores - low
    target[rows, low - 1] = 1.0 - (scores - low)
    return target


def divergence(grades: Array, target: Array) -> Array:
    """The mean Kullback-Leibler divergence KL(target ‖ p), at least 0 (eq. 3, without the decay).

    >>> float(divergence(np.log(np.full((1, 5), 0.2)), sparse_target(np.array([3.0]))).round(4))
    1.6094
    """
    known = np.where(target > 0, target, np.ones_like(target))
    return (target * (np.log(known) - grades)).sum(axis=-1).mean()


def _log_softmax(raw: Array) -> Array:
    moved = raw - raw.max(axis=-1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=-1)[:, None])
