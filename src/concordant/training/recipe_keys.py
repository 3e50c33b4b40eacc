"""The keys of a recipe: each with a default, which also gives its type, and a meaning.

The table `KEYS` is the whole of it: the reader, its errors and the documentation are made of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from concordant.models.kinds import KINDS


@dataclass(frozen=True)
class Key:
    """One key of a recipe: its default, which also gives its type, and what it means.

    `allowed` lists the values where only some are; `least` and `most` bound numbers.
    """

    default: Any
    meaning: str
    allowed: tuple[str, ...] = ()
    least: float | None = None
    most: float = math.inf


GRID = [0.01, 0.1, 1.0, 10.0]  # as Shimanaka et al. 2018, §4.1
ALPHAS = [1.0, 10.0, 100.0, 1000.0, 10000.0]

KEYS: dict[str, Key] = {
    "name": Key("metric", "what the metric is called in tables and signatures"),
    "seed": Key(1, "the seed of every random choice", least=0, most=2**32 - 1),
    "data.judgements": Key([], "files or folders of judgements and texts; relative to the recipe"),
    "data.language_pairs": Key([], 'which to take: "de-en", "*-en", "newstest2013 *"; [] is all'),
    "data.kind": Key(
        "all", "which judgements to take", ("all", "rankings", "preferences", "ratings")
    ),
    "data.human": Key("", "which human score to take, where a test set has several"),
    "data.minimum_gap": Key(0.0, "ratings that differ by less make no pair", least=0.0),
    "data.repeats": Key(
        "all", "whether a pair judged repeatedly counts each time or once", ("all", "majority")
    ),
    "data.beside": Key([], "files of rankings to learn from beside ratings (landmarks)"),
    "data.beside_pairs": Key(
        20000, "at most so many of their judged pairs, drawn by the seed", least=1, most=10**9
    ),
    "data.empty": Key(
        0.0,
        "empty outputs to learn from too, as a share of the ratings; they get the lowest one",
        least=0.0,
        most=1.0,
    ),
    "data.segments": Key(
        10**6, "at most so many segments to train on, drawn by the seed", least=1, most=10**9
    ),
    "data.rank_scores": Key(
        "none",
        "whether ratings are also had from rankings: of translations whose ranks agree, or of all",
        ("none", "agreed", "all"),
    ),
    "data.fewest_ranks": Key(4, "how often a translation must be ranked for it", least=1, most=100),
    "validation.judgements": Key([], "other judgements to choose the best epoch on"),
    "validation.share": Key(
        0.1, "else this share of the segments, kept out of training", least=0, most=1
    ),
    "validation.pairs": Key(
        5000, "at most so many judged pairs, drawn by the seed", least=1, most=10**9
    ),
    "test.share": Key(0.1, "the share of the segments that the report is on", least=0, most=1),
    "inputs.features": Key("", "features of output and reference, as in features.md"),
    "inputs.vectors": Key("", "sentence vectors, such as sentence(minilm) or vectors(glove-50)"),
    "inputs.trees": Key("", "trees of words, such as trees(parser-en,glove-840b,glove-100)"),
    "inputs.anchors": Key(["reference"], "what an output is compared with: reference, source"),
    "inputs.scaling": Key("min-max", "how inputs are scaled", ("min-max", "standard", "none")),
    "model.kind": Key("pairwise", "the kind of model", tuple(KINDS)),
    "model.regressor": Key(
        "svr", "how ratings are predicted (regression)", ("svr", "landmarks", "ridge", "mlp")
    ),
    "model.hidden": Key(
        4,
        "nodes of the hidden layer (pairwise: in each group; of an MLP at least 1); 0: none",
        least=0,
        most=1000,
    ),
    "model.calibrated": Key(
        False, "whether scores are 0 to 100: the share of rated outputs that people rate lower"
    ),
    "model.landmarks": Key(
        300, "outputs that landmarks measures distances from", least=1, most=100000
    ),
    "model.memory": Key(150, "numbers that a node keeps (tree-lstm)", least=1, most=10**4),
    "model.structure": Key(
        "tree", "words read along the tree or in a row (tree-lstm)", ("tree", "sequence")
    ),
    "model.output_gate": Key(False, "whether the hidden state has a gate of its own (tree-lstm)"),
    "model.symmetric": Key(False, "whether swapping two outputs flips the decision exactly"),
    "objective.kind": Key(
        "logistic",
        "what is made small: of pairwise models the first three, of linear ones the next three, "
        "then of regression and of tree-lstm",
        (
            *("logistic", "kendall", "logistic+kendall", "sentence", "corpus", "joint"),
            *("ratings", "divergence"),
        ),
    ),
    "objective.gamma": Key(100.0, "how steep the Kendall cost's step is", least=0.0, most=1e6),
    "objective.beta": Key(100.0, "how narrow its term against ties is", least=0.0, most=1e6),
    "objective.alpha": Key(
        0.5,
        "the sentences' share of the joint objective, the rest is the corpora's",
        least=0.0,
        most=1.0,
    ),
    "objective.tune_alpha": Key(False, "whether alpha is chosen on validation, from 0.1 to 0.9"),
    "objective.margin": Key(
        "one",
        "how far apart a pair's scores should be: 1, less where judges disagree, or as their "
        "ratings are",
        ("one", "agreement", "ratings"),
    ),
    "objective.ties": Key(
        "leave-out",
        "whether ties teach: scores of a tied pair should be close",
        ("leave-out", "class"),
    ),
    "objective.tie_width": Key(0.2, "how close, where a pair's margin is 1", least=0.0, most=1.0),
    "objective.beside": Key(
        1.0, "how much all pairs beside the ratings weigh, by all ratings", least=0.0, most=1e6
    ),
    "objective.gap": Key(
        1.0, "how far apart such a pair's ratings should be, in deviations", least=0.0, most=1e6
    ),
    "objective.systems": Key(
        "wins", "people's score of a system: Expected Wins, or its mean rating", ("wins", "ratings")
    ),
    "search.folds": Key(10, "folds of cross-validation (regression)", least=2, most=1000),
    "search.c": Key(GRID, "what is tried as C of an SVR", least=1e-9, most=1e9),
    "search.epsilon": Key(GRID, "what is tried as its ε", least=0.0, most=1e9),
    "search.gamma": Key(GRID, "what is tried as its kernel's γ", least=1e-9, most=1e9),
    "search.alpha": Key(
        ALPHAS, "what is tried as the decay of landmarks, a ridge or an MLP", least=0.0, most=1e12
    ),
    "search.linear": Key(
        [0.03], "what is tried as the share of landmarks' linear kernel", least=1e-9, most=1e9
    ),
    "optimiser.kind": Key("adagrad", "the rule of descent", ("adagrad", "adam")),
    "optimiser.rate": Key(0.01, "the learning rate", least=0.0, most=1e6),
    "optimiser.batch": Key(30, "judged pairs in a mini-batch", least=1, most=10**6),
    "optimiser.steps": Key(
        1, "mini-batches an epoch has at least, going round again (linear)", least=1, most=10**6
    ),
    "optimiser.decay": Key(1e-4, "weight decay (L2)", least=0.0, most=1e6),
    "optimiser.averaged": Key(False, "whether an epoch's weights are averaged over its batches"),
    "optimiser.epochs": Key(30, "the most epochs (of each cost)", least=1, most=10**6),
    "optimiser.patience": Key(
        5, "epochs without a better validation before it stops", least=1, most=10**6
    ),
}


def bounds(key: Key) -> str:
    """Within what a number must be, in words.

    >>> bounds(KEYS["validation.share"]), bounds(KEYS["data.minimum_gap"])
    ('from 0 to 1', 'at least 0')
    """
    if key.least is None:
        return ""
    if key.most == math.inf:
        return f"at least {key.least:,.15g}"
    return f"from {key.least:,.15g} to {key.most:,.15g}"


NAMES = {
    int: "a whole number", float: "a number", str: "a text", bool: "true or false",
    list: "a list of texts",
}  # fmt: skip
