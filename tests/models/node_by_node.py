"""The Tree-LSTM as its equations read, one node at a time: slow and obvious."""

import numpy as np

from concordant.models.functions import sigmoid


def node_states(params, shape, table, words, heads):
    """The (hidden, cell) of every node of one tree, by name; `heads` has -1 for the root."""
    memory, split = shape.memory, shape.summed * shape.memory
    children = [[k for k, head in enumerate(heads) if head == j] for j in range(len(words))]
    found = {}

    def visit(j):
        below = [visit(k) for k in children[j]]
        x = table[words[j]] @ params["word_weights"] + params["gate_bias"]
        gates, forget = x[:split], x[split:]
        kept = 0.0
        if below:
            gates = gates + sum(each["hidden"] for each in below) @ params["sum_weights"]
            kept = sum(
                sigmoid(forget + each["hidden"] @ params["forget_weights"]) * each["cell"]
                for each in below
            )
        cell = sigmoid(gates[:memory]) * np.tanh(gates[memory : 2 * memory]) + kept
        opened = sigmoid(gates[2 * memory :]) if shape.output_gate else 1.0
        found[j] = {"hidden": opened * np.tanh(cell), "cell": cell}
        return found[j]

    for j, head in enumerate(heads):
        if head == -1:
            visit(j)
    return [found[j] for j in range(len(words))]
