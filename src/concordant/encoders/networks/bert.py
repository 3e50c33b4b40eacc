"""Layers of BERT (Devlin et al. 2019) and MPNet (Song et al. 2020) as one function, in torch.

The numbers are those of transformers' own modules, to the last bit. Queries, keys and values are
one product, nothing is computed that nobody reads, and neither the library is imported nor its
modules built, which takes longer than scoring a hundred segments. Other kinds of models, and those
with unusual settings, are left to the library.

Padding is for attention alone. Everything else sees the tokens of a batch as rows of one matrix.

MPNet differs in that attention adds a number for how far two tokens stand apart. The library does
not fuse it there, so neither do we.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.encoders.networks.distances import distance_classes
from concordant.encoders.networks.model_folder import read_json, require, telling_damage
from concordant.encoders.networks.packing import Group, Packing, pack
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    Tensor = Any
    Arrays = Mapping[str, Tensor]

WEIGHTS = "model.safetensors"
# What a folder must say to be read here; None: nothing, which means the same.
_USUAL: dict[str, tuple[Any, ...]] = {
    "model_type": ("bert", "mpnet"),
    "hidden_act": ("gelu",),
    "position_embedding_type": (None, "absolute"),
    "is_decoder": (None, False),
    "relative_attention_num_buckets": (None, 32),
}
# What the parts of a layer are called in the files of both kinds.
_BOTH = {"wide": "intermediate.dense", "narrow": "output.dense", "norm": "output.LayerNorm"}
_PARTS = {
    "bert": _BOTH
    | {part: f"attention.self.{part}" for part in ("query", "key", "value")}
    | {"attended": "attention.output.dense", "attended_norm": "attention.output.LayerNorm"},
    "mpnet": _BOTH
    | {part: f"attention.attn.{part[0]}" for part in ("query", "key", "value")}
    | {"attended": "attention.attn.o", "attended_norm": "attention.LayerNorm"},
}
_FIRST_PLACE = 2  # MPNet's
# Products of a single text's queries and keys may round otherwise than those of several.
_FEWEST = 2


@dataclass(frozen=True)
class Bert:
    """The weights of a model: of its embeddings, and of each layer.

    `distances` is what attention adds for classes of distances, (classes, heads); BERT has none.
    """

    embeddings: Arrays
    layers: tuple[Arrays, ...]
    heads: int
    epsilon: float
    distances: Tensor | None = None


def is_usual(folder: Path) -> bool:
    """Whether a folder of transformers holds a BERT or MPNet that can be read here."""
    config = read_json(folder / "config.json")
    usual = all(config.get(key) in values for key, values in _USUAL.items())
    return usual and (folder / WEIGHTS).is_file()


def read_bert(folder: Path) -> Bert:
    """The weights of a folder that `is_usual`, in fp32."""
    config = read_json(folder / "config.json")
    kind = config["model_type"]
    torch, safetensors = require("torch"), require("safetensors.torch")
    with telling_damage(folder, "model"):
        stored = safetensors.load_file(folder / WEIGHTS)

    def array(name: str) -> Tensor:
        found = stored.get(name, stored.get(f"{kind}.{name}"))
        if found is None:
            raise DataError.at(folder, None, f"the weights have no {name}; they are damaged")
        return found.float()

    layers = range(int(config["num_hidden_layers"]))
    return Bert(
        _embeddings(array, kind),
        tuple(_layer(array, f"encoder.layer.{number}", _PARTS[kind], torch) for number in layers),
        int(config["num_attention_heads"]),
        float(config.get("layer_norm_eps", 1e-12)),
        array("encoder.relative_attention_bias.weight") if kind == "mpnet" else None,
    )


def _embeddings(array: Callable[[str], Tensor], kind: str) -> Arrays:
    """Those of words, and of places with what BERT adds for the first of two texts."""
    places = array("embeddings.position_embeddings.weight")
    return {
        "words": array("embeddings.word_embeddings.weight"),
        "type": array("embeddings.token_type_embeddings.weight")[0] if kind == "bert" else 0.0,
        "places": places if kind == "bert" else places[_FIRST_PLACE:],
        "scale": array("embeddings.LayerNorm.weight"),
        "shift": array("embeddings.LayerNorm.bias"),
    }


def _layer(
    array: Callable[[str], Tensor], prefix: str, parts: Mapping[str, str], torch: Any
) -> Arrays:
    seen = [f"{prefix}.{parts[part]}" for part in ("query", "key", "value")]
    found = {
        "seen": torch.cat([array(f"{name}.weight") for name in seen]),
        "seen_bias": torch.cat([array(f"{name}.bias") for name in seen]),
    }
    for name in ("attended", "attended_norm", "wide", "narrow", "norm"):
        found[name] = array(f"{prefix}.{parts[name]}.weight")
        found[f"{name}_bias"] = array(f"{prefix}.{parts[name]}.bias")
    return found


def hidden_states(
    bert: Bert, ids: Tensor, mask: Tensor, layers: Collection[int]
) -> dict[int, Tensor]:
    """The states of tokens after some layers; 0: the embeddings.

    `ids` and `mask` are (texts, tokens), a state (texts, tokens, width); mask is False for padding,
    whose states are zeros.
    """
    torch = require("torch")
    normalised, given = torch.nn.functional.layer_norm, bert.embeddings
    packing = pack(mask, fewest=1 if bert.distances is None else _FEWEST)
    words = given["words"][ids.reshape(-1)[packing.tokens]]
    x = words + given["type"] + given["places"][packing.tokens % ids.shape[1]]
    x = normalised(x, x.shape[-1:], given["scale"], given["shift"], bert.epsilon)
    near = [_nearness(torch, bert.distances, group.hidden.shape[-1]) for group in packing.groups]
    found = {0: packing.padded(x, ids.shape)} if 0 in layers else {}
    for number, layer in enumerate(bert.layers[: max(layers)], start=1):
        x = _next(torch, bert, layer, x, packing, near)
        if number in layers:
            found[number] = packing.padded(x, ids.shape)
    return found


def _nearness(torch: Any, distances: Tensor | None, tokens: int) -> Tensor | None:
    """What attention adds for the places of two tokens, (heads, tokens, tokens)."""
    if distances is None:
        return None
    place = np.arange(tokens)
    classes = distance_classes(place - place[:, None], len(distances))
    return distances[torch.from_numpy(classes)].permute(2, 0, 1)


def _next(
    torch: Any,
    bert: Bert,
    layer: Arrays,
    x: Tensor,
    packing: Packing,
    near: Sequence[Tensor | None],
) -> Tensor:
    """The states after one layer, (rows, width); `near` is each group's nearness of tokens."""
    nn, width = torch.nn.functional, x.shape[-1]

    def linear(name: str, values: Tensor) -> Tensor:
        return nn.linear(values, layer[name], layer[f"{name}_bias"])

    def norm(name: str, values: Tensor) -> Tensor:
        weights = layer[name], layer[f"{name}_bias"]
        return nn.layer_norm(values, (width,), *weights, bert.epsilon)

    def attention(seen: Tensor, group: Group, near: Tensor | None) -> Tensor:
        texts, _, _, tokens = group.hidden.shape
        parts = seen.index_select(0, group.rows).view(texts, tokens, 3, bert.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if near is None:
            found = nn.scaled_dot_product_attention(query, key, value, attn_mask=group.hidden)
        else:
            likeness = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])
            found = nn.softmax(likeness.add_(near).add_(group.hidden), dim=-1) @ value
        return found.transpose(1, 2).reshape(-1, width)

    seen = linear("seen", x)
    groups = zip(packing.groups, near, strict=True)
    found = torch.cat([attention(seen, *group) for group in groups])
    attended = linear("attended", found.index_select(0, packing.attended))
    x = norm("attended_norm", attended + x)
    return norm("norm", linear("narrow", nn.gelu(linear("wide", x))) + x)
