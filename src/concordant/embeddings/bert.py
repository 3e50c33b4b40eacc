"""BERT's layers (Devlin et al. 2019) as one function over the arrays of a folder, in torch.

The numbers are those of transformers' own modules, to the last bit. Queries, keys and values are
one product, nothing is computed that nobody reads, and neither the library is imported nor its
modules built, which takes longer than scoring a hundred segments. Other kinds of models, and BERTs
with unusual settings, are left to the library.

Padding is for attention alone. Everything else sees the tokens of a batch as rows of one matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.embeddings.model_folder import needed, read_json, telling_damage
from concordant.embeddings.packing import Group, Packing, packed
from concordant.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Tensor = Any
    Arrays = Mapping[str, Tensor]

WEIGHTS = "model.safetensors"
# What a folder must say to be read here; None: nothing, which means the same.
_USUAL: dict[str, tuple[Any, ...]] = {
    "model_type": ("bert",),
    "hidden_act": ("gelu",),
    "position_embedding_type": (None, "absolute"),
    "is_decoder": (None, False),
}


@dataclass(frozen=True)
class Bert:
    """The weights of a model: of its embeddings, and of each layer."""

    embeddings: Arrays
    layers: tuple[Arrays, ...]
    heads: int
    epsilon: float


def is_usual(folder: Path) -> bool:
    """Whether a folder of transformers holds a BERT that can be read here."""
    config = read_json(folder / "config.json")
    usual = all(config.get(key) in values for key, values in _USUAL.items())
    return usual and (folder / WEIGHTS).is_file()


def read_bert(folder: Path) -> Bert:
    """The weights of a folder that `is_usual`, in fp32."""
    config = read_json(folder / "config.json")
    torch, safetensors = needed("torch"), needed("safetensors.torch")
    with telling_damage(folder, "model"):
        stored = safetensors.load_file(folder / WEIGHTS)

    def array(name: str) -> Tensor:
        found = stored.get(name, stored.get(f"bert.{name}"))
        if found is None:
            raise DataError.at(folder, None, f"the weights have no {name}; they are damaged")
        return found.float()

    layers = range(int(config["num_hidden_layers"]))
    return Bert(
        _embeddings(array),
        tuple(_layer(array, f"encoder.layer.{number}", torch) for number in layers),
        int(config["num_attention_heads"]),
        float(config.get("layer_norm_eps", 1e-12)),
    )


def _embeddings(array: Callable[[str], Tensor]) -> Arrays:
    return {
        "words": array("embeddings.word_embeddings.weight"),
        "type": array("embeddings.token_type_embeddings.weight")[0],
        "positions": array("embeddings.position_embeddings.weight"),
        "scale": array("embeddings.LayerNorm.weight"),
        "shift": array("embeddings.LayerNorm.bias"),
    }


def _layer(array: Callable[[str], Tensor], prefix: str, torch: Any) -> Arrays:
    seen = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    found = {
        "seen": torch.cat([array(f"{name}.weight") for name in seen]),
        "seen_bias": torch.cat([array(f"{name}.bias") for name in seen]),
    }
    for name, part in (
        ("attended", "attention.output.dense"),
        ("wide", "intermediate.dense"),
        ("narrow", "output.dense"),
        ("attended_norm", "attention.output.LayerNorm"),
        ("norm", "output.LayerNorm"),
    ):
        found[name] = array(f"{prefix}.{part}.weight")
        found[f"{name}_bias"] = array(f"{prefix}.{part}.bias")
    return found


def hidden_states(bert: Bert, ids: Tensor, mask: Tensor, deepest: int) -> list[Tensor]:
    """The states of tokens after the embeddings and after each layer up to `deepest`.

    `ids` and `mask` are (texts, tokens), a state (texts, tokens, width); mask is False for padding,
    whose states are zeros.
    """
    torch = needed("torch")
    normalised, given = torch.nn.functional.layer_norm, bert.embeddings
    packing = packed(mask)
    words = given["words"][ids.reshape(-1)[packing.tokens]]
    x = words + given["type"] + given["positions"][packing.tokens % ids.shape[1]]
    found = [normalised(x, x.shape[-1:], given["scale"], given["shift"], bert.epsilon)]
    for layer in bert.layers[:deepest]:
        found.append(_next(torch, bert, layer, found[-1], packing))
    return [packing.padded(rows, ids.shape) for rows in found]


def _next(torch: Any, bert: Bert, layer: Arrays, x: Tensor, packing: Packing) -> Tensor:
    """The states after one layer, (rows, width)."""
    nn, width = torch.nn.functional, x.shape[-1]

    def linear(name: str, values: Tensor) -> Tensor:
        return nn.linear(values, layer[name], layer[f"{name}_bias"])

    def norm(name: str, values: Tensor) -> Tensor:
        weights = layer[name], layer[f"{name}_bias"]
        return nn.layer_norm(values, (width,), *weights, bert.epsilon)

    def attention(group: Group, seen: Tensor) -> Tensor:
        texts, _, _, tokens = group.hidden.shape
        parts = seen.index_select(0, group.rows).view(texts, tokens, 3, bert.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        found = nn.scaled_dot_product_attention(query, key, value, attn_mask=group.hidden)
        return found.transpose(1, 2).reshape(-1, width)

    seen = linear("seen", x)
    found = torch.cat([attention(group, seen) for group in packing.groups])
    attended = linear("attended", found.index_select(0, packing.attended))
    x = norm("attended_norm", attended + x)
    return norm("norm", linear("narrow", nn.gelu(linear("wide", x))) + x)
