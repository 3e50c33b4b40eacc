"""The forward pass of a transformer that judges translations, in torch, as a function of arrays.

*Joint*: `[first] translation [between] reference [between]`, one sequence; a head reads the state
of the first token and the means of both texts' tokens. *Apart*: `[first] text [between]`, each text
by itself; tokens are matched across texts, and a head reads what the matches come to.

Layers are BERT's (Devlin et al. 2019), with MPNet's distances (Song et al. 2020) where the weights
have them. A linear matrix may have an adapter of low rank beside it (Hu et al. 2022).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.distances import distance_classes
from concordant.encoders.networks.model_folder import require
from concordant.models.encoder.texts import SURFACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Tensor = Any
    Text = tuple[Any, Any]  # the ids of a text's tokens, and their surfaces
    Weights = Mapping[str, Tensor]

HIDDEN = -1e4  # what attention adds for padding
CENTRE, SPREAD = 0.8, 10.0  # likenesses lie close together; the head reads them spread out
LINEAR = ("seen", "attended", "wide", "narrow")


@dataclass(frozen=True)
class NetworkShape:
    """What the weights do not say: heads, the constant of normalisation, the form, the marks."""

    form: str
    layers: int
    heads: int
    epsilon: float
    first: int
    between: int


def shape_of(options: Mapping[str, Any]) -> NetworkShape:
    """The shape that a metric's options say."""
    whole = ("layers", "heads", "first", "between")
    numbers = {name: int(options[name]) for name in whole}
    return NetworkShape(form=str(options["form"]), epsilon=float(options["epsilon"]), **numbers)


@dataclass(frozen=True)
class Sequences:
    """Token ids as one matrix: `ids`, `types` and `text` are (sequences, tokens).

    `text` says which text a token is of: 0 the translation, 1 the reference, -1 a mark or padding.
    `hidden` is True for padding.
    """

    ids: Tensor
    types: Tensor
    text: Tensor
    hidden: Tensor


def joint_sequences(
    shape: NetworkShape, translations: Sequence[Text], references: Sequence[Text]
) -> Sequences:
    """Each translation with its reference as one sequence."""
    rows = []
    for (ids, surfaces), (other_ids, other_surfaces) in zip(translations, references, strict=True):
        parts = [shape.first], ids, [shape.between], other_ids, [shape.between]
        kinds = [0], surfaces, [0], other_surfaces + SURFACES, [SURFACES]
        text = np.repeat([-1, 0, -1, 1, -1], [1, len(ids), 1, len(other_ids), 1])
        rows.append((np.concatenate(parts), np.concatenate(kinds), text))
    return _sequences(rows)


def single_sequences(shape: NetworkShape, texts: Sequence[Text]) -> Sequences:
    """Each text as a sequence."""
    rows = []
    for ids, surfaces in texts:
        text = np.repeat([-1, 0, -1], [1, len(ids), 1])
        parts = [shape.first], ids, [shape.between]
        rows.append((np.concatenate(parts), np.concatenate([[0], surfaces, [0]]), text))
    return _sequences(rows)


def _sequences(rows: Sequence[tuple[Any, Any, Any]]) -> Sequences:
    """Rows of ids, types and texts as matrices."""
    torch = require("torch")
    size = len(rows), max(len(ids) for ids, _, _ in rows)
    ids, types = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    text, hidden = np.full(size, -1), np.ones(size, dtype=bool)
    for i, row in enumerate(rows):
        end = len(row[0])
        ids[i, :end], types[i, :end], text[i, :end] = row
        hidden[i, :end] = False
    return Sequences(*(torch.from_numpy(each) for each in (ids, types, text, hidden)))


def hidden_states(shape: NetworkShape, weights: Weights, given: Sequences) -> Tensor:
    """The states of all tokens after the last layer, (sequences, tokens, width)."""
    torch = require("torch")
    rows, tokens = given.ids.shape
    at = (~given.hidden).reshape(-1).nonzero()[:, 0]
    words = torch.nn.functional.embedding(given.ids.reshape(-1)[at], weights["embeddings.words"])
    types = torch.nn.functional.embedding(given.types.reshape(-1)[at], weights["embeddings.types"])
    x = words + types + weights["embeddings.places"][:tokens].repeat(rows, 1)[at]
    x = _norm(torch, shape, x, weights["embeddings.scale"], weights["embeddings.shift"])
    mask = torch.zeros((rows, 1, 1, tokens), dtype=x.dtype)
    mask.masked_fill_(given.hidden[:, None, None, :], HIDDEN)
    if "distances" in weights:
        mask = mask + nearness(torch, weights["distances"], tokens)
    for layer in range(shape.layers):
        x = _next(torch, shape, weights, f"layer.{layer}.", x, at, mask)
    return _padded(x, at, rows, tokens)


def _padded(x: Tensor, at: Tensor, rows: int, tokens: int) -> Tensor:
    """Rows of tokens at their places among padding, (rows, tokens, numbers); zeros elsewhere."""
    return x.new_zeros((rows * tokens, x.shape[1])).index_copy(0, at, x).view(rows, tokens, -1)


def nearness(torch: Any, distances: Tensor, tokens: int) -> Tensor:
    """What attention adds for the places of two tokens, (1, heads, tokens, tokens)."""
    place = np.arange(tokens)
    classes = distance_classes(place - place[:, None], len(distances))
    return distances[torch.from_numpy(classes)].permute(2, 0, 1)[None]


def _norm(torch: Any, shape: NetworkShape, x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[-1:], scale, shift, shape.epsilon)


def _next(
    torch: Any, shape: NetworkShape, weights: Weights, own: str, x: Tensor, at: Tensor, mask: Tensor
) -> Tensor:
    """The states after one layer; `own` begins the names of its weights.

    Only attention sees padding; all else sees the tokens as rows of one matrix.
    """
    nn = torch.nn.functional

    def linear(name: str, values: Tensor) -> Tensor:
        found = nn.linear(values, weights[f"{own}{name}"], weights[f"{own}{name}_bias"])
        down = weights.get(f"{own}{name}.down")
        if down is None:
            return found
        return found + nn.linear(nn.linear(values, down), weights[f"{own}{name}.up"])

    def norm(name: str, values: Tensor) -> Tensor:
        return _norm(torch, shape, values, weights[f"{own}{name}"], weights[f"{own}{name}_bias"])

    rows, tokens = len(mask), mask.shape[-1]
    parts = _padded(linear("seen", x), at, rows, tokens).view(rows, tokens, 3, shape.heads, -1)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    likeness = (query / math.sqrt(query.shape[-1])) @ key.transpose(2, 3) + mask
    found = nn.softmax(likeness, dim=-1) @ value
    found = found.transpose(1, 2).reshape(rows * tokens, -1).index_select(0, at)
    x = norm("attended_norm", linear("attended", found) + x)
    return norm("norm", linear("narrow", nn.gelu(linear("wide", x))) + x)


def means(states: Tensor, chosen: Tensor) -> Tensor:
    """The mean state of the chosen tokens of each sequence; zeros where there are none."""
    there = chosen.to(states.dtype)[:, None, :]
    return (there @ states)[:, 0] / there.sum(-1).clamp(min=1)


def _precise(torch: Any, states: Tensor) -> Tensor:
    """States as the head takes them: what was computed in bfloat16 in fp32."""
    return states.float() if states.dtype == torch.bfloat16 else states


def joint_scores(
    shape: NetworkShape, weights: Weights, given: Sequences, features: Tensor | None = None
) -> Tensor:
    """A number for each sequence, higher is better; 0 is an average translation."""
    torch = require("torch")
    states = _precise(torch, hidden_states(shape, weights, given))
    read = torch.cat(
        [states[:, 0], means(states, given.text == 0), means(states, given.text == 1)], dim=1
    )
    return _judge(torch, weights, read, features)


def apart_scores(
    shape: NetworkShape,
    weights: Weights,
    given: Sequences,
    translations: Tensor,
    references: Tensor,
    features: Tensor | None = None,
) -> Tensor:
    """A number for each pair of texts, by their rows among the sequences.

    A token's likeness is the largest cosine with a token of the other text. Precision is the mean
    over the translation's tokens, recall over the reference's, both with weights that are learned.
    """
    torch = require("torch")
    states = _precise(torch, hidden_states(shape, weights, given))
    there = given.text == 0
    said, meant = states[translations], states[references]
    spoken, intended = there[translations], there[references]
    unit = torch.nn.functional.normalize
    likeness = unit(said, dim=-1) @ unit(meant, dim=-1).transpose(1, 2)
    precision = _matched(torch, weights, said, spoken, likeness, intended)
    recall = _matched(torch, weights, meant, intended, likeness.transpose(1, 2), spoken)
    harmonic = 2 * precision * recall / (precision + recall).clamp(min=1e-3)
    first, second = means(said, spoken), means(meant, intended)
    matched = (torch.stack([precision, recall, harmonic], dim=1) - CENTRE) * SPREAD
    read = torch.cat([matched, first * second, (first - second).abs()], dim=1)
    return _judge(torch, weights, read, features)


def _matched(
    torch: Any, weights: Weights, states: Tensor, there: Tensor, likeness: Tensor, others: Tensor
) -> Tensor:
    """The weighted mean of the tokens' best likenesses, from 0 to 1; 0 where a text is empty."""
    best = likeness.masked_fill(~others[:, None, :], 0.0).amax(-1).clamp(min=0.0)
    important = torch.nn.functional.softplus(
        states @ weights["match.weight"] + weights["match.bias"]
    )
    important = important * there
    return (important * best).sum(-1) / important.sum(-1).clamp(min=1e-6)


def _judge(torch: Any, weights: Weights, read: Tensor, features: Tensor | None) -> Tensor:
    """What the head makes of the numbers that it reads, (rows, numbers), and of features."""
    hidden = torch.tanh(read @ weights["head.hidden"].T + weights["head.hidden_bias"])
    found = hidden @ weights["head.out"] + weights["head.out_bias"]
    return found if features is None else found + features.to(read.dtype) @ weights["head.beside"]
