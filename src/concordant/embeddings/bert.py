"""BERT's layers (Devlin et al. 2019) as one function over the arrays of a folder, in torch.

The numbers are those of transformers' own modules, to the last bit. Queries, keys and values are
one product, nothing is computed that nobody reads, and neither the library is imported nor its
modules built, which takes longer than scoring a hundred segments. Other kinds of models, and BERTs
with unusual settings, are left to the library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concordant.embeddings.model_folder import needed, read_json, telling_damage
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

    `ids` and `mask` are (texts, tokens), a state (texts, tokens, width); mask is False for padding.
    """
    torch = needed("torch")
    normalised, given = torch.nn.functional.layer_norm, bert.embeddings
    x = given["words"][ids] + given["type"] + given["positions"][: ids.shape[1]]
    x = normalised(x, x.shape[-1:], given["scale"], given["shift"], bert.epsilon)
    hidden = torch.where(mask[:, None, None, :], 0.0, torch.finfo(x.dtype).min)
    found = [x]
    for layer in bert.layers[:deepest]:
        found.append(_next(torch.nn.functional, bert, layer, found[-1], hidden))
    return found


def _next(nn: Any, bert: Bert, layer: Arrays, x: Tensor, hidden: Tensor) -> Tensor:
    """The states after one layer; `hidden` is added to what tokens see of padding."""
    texts, tokens, width = x.shape

    def linear(name: str, values: Tensor) -> Tensor:
        return nn.linear(values, layer[name], layer[f"{name}_bias"])

    def norm(name: str, values: Tensor) -> Tensor:
        weights = layer[name], layer[f"{name}_bias"]
        return nn.layer_norm(values, (width,), *weights, bert.epsilon)

    shape = (texts, tokens, 3, bert.heads, width // bert.heads)
    query, key, value = linear("seen", x).view(shape).permute(2, 0, 3, 1, 4)
    seen = nn.scaled_dot_product_attention(query, key, value, attn_mask=hidden)
    attended = linear("attended", seen.transpose(1, 2).reshape(x.shape))
    x = norm("attended_norm", attended + x)
    return norm("norm", linear("narrow", nn.gelu(linear("wide", x))) + x)
