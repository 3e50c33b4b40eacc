"""The scores of a trained encoder: the kernel reads the texts, a head judges what it found.

*Joint*: the head reads the state of the first mark and the mean states of both texts. *Apart*: it
reads how well the tokens of two texts match, and how their mean states differ. A raw score of 0 is
an average translation, 1 is better by one deviation of ratings. Several references: the mean of the
raw scores. Where a metric has features, their weighted sum is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.arrays import product, sum_groups
from concordant.encoders.token_matching import match_tokens
from concordant.errors import ConcordantError
from concordant.models.encoder.network_states import TOGETHER, cut_groups, network_of
from concordant.models.encoder.sequences import cut_texts

if TYPE_CHECKING:
    from concordant.encoders.ragged import Ragged
    from concordant.features.preparation import Texts
    from concordant.judgements.judged_translations import Floats
    from concordant.models.encoder.network_states import Network
    from concordant.models.encoder.sequences import CutTexts, Ints
    from concordant.models.functions import Params
    from concordant.models.kind import Fitted

BESIDE = "head.beside"  # the weights of features
CENTRE, SPREAD = 0.8, 10.0  # likenesses lie close together; the head reads them spread out
LEAST = 1e-3  # of precision and recall together
PRECISION, RECALL = 3, 4  # columns of the kernel: means with weights


def raw_scores(metric: Fitted, texts: Texts, features: Floats) -> Floats:
    """The raw score of each translation: the mean over its references."""
    counts = np.array([len(given) for given in texts.references], dtype=np.int64)
    if not len(counts):
        return np.zeros(0)
    flat = [text for given in texts.references for text in given]
    cut = cut_texts([*texts.translations, *flat], threads=texts.threads)
    translations = np.array([cut.place[text] for text in texts.translations], dtype=np.int64)
    references = np.array([cut.place[text] for text in flat], dtype=np.int64)
    pairs = np.stack([np.repeat(translations, counts), references], axis=1)
    beside = np.repeat(features, counts, axis=0)
    network = network_of(metric)
    read = read_joint if metric.options["form"] == "joint" else read_apart
    scores = np.concatenate([
        judge(
            metric.params,
            read(metric.params, network, cut, pairs[first:end], texts.threads),
            beside[first:end],
        )
        for first, end in cut_groups(cut.lengths[pairs].sum(axis=1) + 1, TOGETHER)
    ])  # fmt: skip
    first = np.cumsum(counts) - counts
    sums: Floats = sum_groups(scores[:, None], first)[:, 0]
    return np.asarray(sums / counts)


def judge(params: Params, states: Floats, features: Floats) -> Floats:
    """What the head makes of states, by one hidden layer, and of features, in float64."""
    weights = params["head.hidden"].astype(np.float64).T
    hidden = np.tanh(product(states, weights) + params["head.hidden_bias"])
    out = product(hidden, params["head.out"].astype(np.float64)) + params["head.out_bias"]
    if BESIDE in params:
        out = out + product(features, params[BESIDE].astype(np.float64))
    return np.asarray(out)


def read_joint(_: Params, network: Network, cut: CutTexts, pairs: Ints, threads: int) -> Floats:
    """What a head reads of texts that the network read together."""
    return network.joint_states(cut, pairs, threads).astype(np.float64)


def read_apart(
    params: Params, network: Network, cut: CutTexts, pairs: Ints, threads: int
) -> Floats:
    """What a head reads of texts that the network read one by one, each distinct text once.

    A token's likeness is its largest cosine with a token of the other text. Precision is the mean
    over the translation's tokens, recall over the reference's, with weights that are learned.
    """
    texts, rows = np.unique(pairs, return_inverse=True)
    rows = rows.reshape(pairs.shape)
    states = network.text_states(cut, texts, threads)
    weights = product(states.values, params["match.weight"].astype(np.float32))
    important = np.logaddexp(0.0, weights.astype(np.float64) + params["match.bias"])
    if not np.isfinite(important).all():
        raise ConcordantError("the network's states are not finite: its weights are too large")
    found = match_tokens(states, rows, weights=important, threads=threads)
    precision, recall = np.maximum(found[:, [PRECISION, RECALL]], 0.0).T
    harmonic = 2 * precision * recall / np.maximum(precision + recall, LEAST)
    matched = (np.stack([precision, recall, harmonic], axis=1) - CENTRE) * SPREAD
    means = text_means(states)
    first, second = means[rows[:, 0]], means[rows[:, 1]]
    return np.concatenate([matched, first * second, np.abs(first - second)], axis=1)


def text_means(states: Ragged) -> Floats:
    """The mean state of each text, zeros for one without pieces."""
    counts = states.lengths
    found = np.zeros((len(counts), states.values.shape[1]))
    some = np.flatnonzero(counts)
    if len(some):
        found[some] = sum_groups(states.values, states.starts[:-1][some])
        found[some] /= counts[some, None]
    return found
