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
    "name": Key("metric", "the metric's name in tables and signatures"),
    "seed": Key(1, "the seed of every random choice", least=0, most=2**32 - 1),
    "data.judgements": Key([], "files or folders of judgements and texts; relative to the recipe"),
    "data.language_pairs": Key([], 'which to use: "de-en", "*-en", "newstest2013 *"; [] means all'),
    "data.kind": Key(
        "all", "which judgements to use", ("all", "rankings", "preferences", "ratings")
    ),
    "data.human": Key("", "which human score to use, if a test set has several"),
    "data.minimum_gap": Key(0.0, "ratings that differ by less make no pair", least=0.0),
    "data.repeats": Key(
        "all", "whether a pair judged repeatedly counts each time or once", ("all", "majority")
    ),
    "data.beside": Key([], "files of rankings to learn from in addition to ratings (landmarks)"),
    "data.beside_pairs": Key(
        20000, "maximum number of their judged pairs, drawn at random", least=1, most=10**9
    ),
    "data.empty": Key(
        0.0,
        "empty translations to add, as a share of the ratings; they get the lowest rating",
        least=0.0,
        most=1.0,
    ),
    "data.segments": Key(
        10**6, "maximum number of training segments, drawn at random", least=1, most=10**9
    ),
    "data.rank_scores": Key(
        "none",
        "whether to compute ratings from rankings: for translations whose ranks agree, or all",
        ("none", "agreed", "all"),
    ),
    "data.fewest_ranks": Key(4, "how often it must be ranked for that", least=1, most=100),
    "validation.judgements": Key([], "other judgements to choose the best epoch on"),
    "validation.share": Key(
        0.1, "otherwise, the share of segments held out for validation", least=0, most=1
    ),
    "validation.pairs": Key(
        5000, "maximum number of judged pairs, drawn at random", least=1, most=10**9
    ),
    "test.share": Key(0.1, "share of segments held out for the final test", least=0, most=1),
    "inputs.features": Key("", "features of translation and reference, see features.md"),
    "inputs.vectors": Key("", "sentence vectors, such as sentence(minilm) or vectors(glove-50)"),
    "inputs.trees": Key("", "trees of words, such as trees(parser-en,glove-840b,glove-100)"),
    "inputs.anchors": Key(["reference"], "what a translation is compared with: reference, source"),
    "inputs.longest": Key(
        160,
        "segments with more tokens in translation and reference teach nothing (encoder)",
        least=8,
        most=512,
    ),
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
        False, "whether scores are 0 to 100: the share of translations that people rate lower"
    ),
    "model.landmarks": Key(300, "number of landmarks (landmarks)", least=1, most=100000),
    "model.memory": Key(150, "size of a node's memory (tree-lstm)", least=1, most=10**4),
    "model.structure": Key(
        "tree", "read words along the tree or in sequence (tree-lstm)", ("tree", "sequence")
    ),
    "model.output_gate": Key(False, "whether the hidden state has a gate of its own (tree-lstm)"),
    "model.start": Key("", "what an encoder starts from: a metric of this kind, or a part"),
    "model.form": Key(
        "joint", "whether it reads both texts at once, or each by itself", ("joint", "apart")
    ),
    "model.depth": Key(0, "the first layers of a part that are used; 0: all", least=0, most=100),
    "model.symmetric": Key(False, "whether swapping two translations exactly flips the decision"),
    "objective.kind": Key(
        "logistic",
        "the cost to minimise: the first three for pairwise models, the next three for linear, "
        "then regression, tree-lstm and encoder",
        (
            *("logistic", "kendall", "logistic+kendall", "sentence", "corpus", "joint"),
            *("ratings", "divergence", "judgements"),
        ),
    ),
    "objective.gamma": Key(100.0, "steepness of the Kendall cost", least=0.0, most=1e6),
    "objective.beta": Key(0.0, "steepness of its term against ties, 0: none", least=0.0, most=1e6),
    "objective.alpha": Key(
        0.5,
        "weight of the sentences in the joint objective; the rest is the corpora's",
        least=0.0,
        most=1.0,
    ),
    "objective.tune_alpha": Key(False, "whether alpha is chosen on validation, from 0.1 to 0.9"),
    "objective.temperature": Key(
        1.0,
        "what divides the sum before the sigmoid (linear); higher is gentler",
        least=0.01,
        most=1e3,
    ),
    "objective.margin": Key(
        "one",
        "how far apart a pair's scores should be: 1, less where judges disagree, or as their "
        "ratings are",
        ("one", "agreement", "ratings"),
    ),
    "objective.ties": Key(
        "leave-out",
        "whether to learn from ties: scores of a tied pair should be close",
        ("leave-out", "class"),
    ),
    "objective.tie_width": Key(0.2, "how close, where a pair's margin is 1", least=0.0, most=1.0),
    "objective.beside": Key(
        1.0, "weight of all additional pairs, relative to all ratings", least=0.0, most=1e6
    ),
    "objective.gap": Key(
        1.0, "how far apart such a pair's ratings should be, in deviations", least=0.0, most=1e6
    ),
    "objective.systems": Key(
        "wins", "people's score of a system: Expected Wins, or its mean rating", ("wins", "ratings")
    ),
    "search.folds": Key(10, "folds of cross-validation (regression)", least=2, most=1000),
    "search.c": Key(GRID, "values of C to try (svr)", least=1e-9, most=1e9),
    "search.epsilon": Key(GRID, "values of ε to try (svr)", least=0.0, most=1e9),
    "search.gamma": Key(GRID, "values of the kernel's γ to try (svr)", least=1e-9, most=1e9),
    "search.alpha": Key(
        ALPHAS, "values of the decay to try (landmarks, ridge, mlp)", least=0.0, most=1e12
    ),
    "search.linear": Key(
        [0.03], "shares of the linear kernel to try (landmarks)", least=1e-9, most=1e9
    ),
    "optimiser.kind": Key("adagrad", "the optimiser", ("adagrad", "adam")),
    "optimiser.rate": Key(0.01, "the learning rate", least=0.0, most=1e6),
    "optimiser.batch": Key(30, "judged pairs in a mini-batch", least=1, most=10**6),
    "optimiser.steps": Key(
        1, "minimum number of mini-batches per epoch (linear)", least=1, most=10**6
    ),
    "optimiser.decay": Key(1e-4, "weight decay (L2)", least=0.0, most=1e6),
    "optimiser.averaged": Key(False, "whether an epoch's weights are averaged over its batches"),
    "optimiser.epochs": Key(30, "maximum number of epochs (of each cost)", least=1, most=10**6),
    "optimiser.patience": Key(
        5, "epochs without a better validation score before stopping", least=1, most=10**6
    ),
}


def bounds(key: Key) -> str:
    """The allowed range of a number, as text.

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
