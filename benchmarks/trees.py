"""A Tree-LSTM trained and scoring: whole heights of many trees at a time, and node by node.

The trees are drawn, as many and as large as the paper's set L+Sick has: 14,000 pairs, sentences of
about 22 words, mini-batches of 25, 300 numbers a word, memory 150. The peer is the same network
under torch's autograd, one node after the other in Python, as its equations read; it runs for a few
mini-batches. Scoring is of parsed texts.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.encoders.syntax.trees import Tree
from concordant.encoders.syntax.word_trees import word_trees
from concordant.models.tree_lstm.fitting import TreeSide, train_trees
from concordant.models.tree_lstm.forward import (
    TreeShape,
    divergence,
    grades_of,
    initial,
    likeness,
    sparse_target,
)
from concordant.training.recipe import read_recipe

PAIRS, BATCH, PEER_STEPS, WORDS = 14_000, 25, 4, 8_000
SHAPE = TreeShape(300, 150, 50)


def drawn(rng: np.random.Generator) -> TreeSide:
    """Pairs of random trees, each word below one that stands near it."""
    trees = []
    for size in rng.poisson(21, size=2 * PAIRS) + 1:
        heads = np.array([-1, *(rng.integers(max(0, i - 4), i) for i in range(1, size))])
        trees.append(Tree(("w",) * size, heads, ("x",) * size, ("x",) * size))
    forest, _ = word_trees(trees)
    words = np.minimum(rng.zipf(1.2, size=len(forest.heads)), WORDS) - 1
    table = rng.normal(size=(WORDS, SHAPE.word)).astype(np.float32)
    pairs = np.arange(2 * PAIRS).reshape(PAIRS, 2)
    scores = rng.uniform(1, 5, size=PAIRS)
    return TreeSide(replace(forest, words=words), table, pairs, scores, np.zeros(PAIRS, dtype=int))


def some(side: TreeSide, rows: slice) -> TreeSide:
    return TreeSide(side.trees, side.table, side.pairs[rows], side.scores[rows], side.group[rows])


def ours(side: TreeSide) -> float:
    """Seconds of processor time for an epoch; validation on 1,500 pairs included."""
    recipe = read_recipe("reval").with_values(optimiser__epochs=1)
    begin = time.process_time()
    train_trees(recipe, SHAPE, side, some(side, slice(1500)), seeds=[1])
    return time.process_time() - begin


def node_by_node(side: TreeSide) -> float:
    """The same for torch, one node at a time, from the time of a few mini-batches."""
    import torch  # noqa: PLC0415 - the peer

    torch.set_num_threads(1)
    start = initial(SHAPE, np.random.default_rng(1))
    params = {k: torch.tensor(v, dtype=torch.float32, requires_grad=True) for k, v in start.items()}
    optimiser = torch.optim.Adagrad(params.values(), lr=0.05, weight_decay=1e-4)
    table = torch.from_numpy(side.table)
    begin = time.process_time()
    for step in range(PEER_STEPS):
        rows = slice(step * BATCH, (step + 1) * BATCH)
        both = [
            torch.stack([_root(params, table, side, int(i)) for i in side.pairs[rows, place]])
            for place in (0, 1)
        ]
        target = torch.from_numpy(sparse_target(side.scores[rows]).astype(np.float32))
        optimiser.zero_grad()
        divergence(likeness(params, *both).grades, target).backward()
        optimiser.step()
    return (time.process_time() - begin) * PAIRS / BATCH / PEER_STEPS


def _root(params: dict[str, Any], table: Any, side: TreeSide, tree: int) -> Any:
    """The hidden state of a tree's root, by a walk over its nodes."""
    nodes = slice(side.trees.starts[tree], side.trees.starts[tree + 1])
    words, heads = side.trees.words[nodes], side.trees.heads[nodes]
    children = [np.flatnonzero(heads == node) for node in range(len(heads))]
    memory = SHAPE.memory

    def visit(node: int) -> tuple[Any, Any]:
        hidden, cell = (
            zip(*map(visit, children[node]), strict=True) if len(children[node]) else ((), ())
        )
        seen = table[int(words[node])] @ params["word_weights"] + params["gate_bias"]
        gates, forget = seen[: 2 * memory], seen[2 * memory :]
        kept = 0.0
        if hidden:
            gates = gates + sum(hidden) @ params["sum_weights"]
            for state, memory_of in zip(hidden, cell, strict=True):
                kept = kept + (forget + state @ params["forget_weights"]).sigmoid() * memory_of
        own = gates[:memory].sigmoid() * gates[memory:].tanh() + kept
        return own.tanh(), own

    return visit(int(np.argmin(heads)))[0]


def main() -> None:
    """Print times and ratios."""
    side = drawn(np.random.default_rng(0))
    params = {k: v.astype(np.float32) for k, v in initial(SHAPE, np.random.default_rng(1)).items()}
    fast, slow = ours(side), node_by_node(side)
    begin = time.process_time()
    grades_of(params, SHAPE, side.trees, side.table, side.pairs[:5000])
    scoring = time.process_time() - begin
    print(f"{PAIRS:,} pairs, an epoch: {fast:.1f} s; ten epochs {10 * fast / 60:.1f} minutes")
    print(f"node by node in Python: {slow:.0f} s; ratio {slow / fast:.0f}")
    print(f"scoring, once parsed: {5000 / scoring:,.0f} segments a second")


if __name__ == "__main__":
    main()
