"""What an encoder starts from: a pretrained network, a new head, adapters that add nothing yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.encoders.networks.bert import WEIGHTS, is_usual, read_bert
from concordant.encoders.networks.model_folder import read_json, require
from concordant.errors import SpecError
from concordant.models.encoder.network import LINEAR, NetworkShape
from concordant.models.encoder.texts import SURFACES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Tensor = Any

# Numbers that a head reads, by the form: of three states; of matches and two states compared.
READ = {"joint": (3, 0), "apart": (2, 3)}
# By the kind of network: the ids of the first token and of the mark between texts, and what is
# added to BERT's ids.
MARKS = {"bert": (101, 102, 0), "mpnet": (0, 2, 4)}


def start_options(folder: Path, form: str, depth: int) -> dict[str, Any]:
    """What a metric keeps that starts from a folder's network, of its first `depth` layers."""
    config = read_json(folder / "config.json")
    kind = config.get("model_type")
    if kind not in MARKS or not is_usual(folder):
        raise SpecError(
            f"{folder.name} is not a BERT or MPNet that an encoder can start from; take minilm or "
            "mpnet"
        )
    layers = int(config["num_hidden_layers"])
    if depth > layers:
        raise SpecError(f"model.depth = {depth}, but {folder.name} has {layers} layers")
    first, between, moved = MARKS[kind]
    return {
        "form": form,
        "layers": depth or layers,
        "heads": int(config["num_attention_heads"]),
        "epsilon": str(config.get("layer_norm_eps", 1e-12)),
        "first": first,
        "between": between,
        "moved": moved,
    }


def read_network(
    folder: Path, form: str, layers: Sequence[int] = ()
) -> tuple[NetworkShape, dict[str, Tensor], int]:
    """Shape and weights of a folder's network (some of its layers), what ids are moved by."""
    torch = require("torch")
    kind = read_json(folder / "config.json")["model_type"]
    bert = read_bert(folder)
    chosen = [bert.layers[i] for i in layers] if len(layers) else list(bert.layers)
    first, between, moved = MARKS[kind]
    shape = NetworkShape(form, len(chosen), bert.heads, bert.epsilon, first, between)
    given = bert.embeddings
    words = given["words"]
    types = _types(folder) if kind == "bert" else torch.zeros(2, words.shape[1])
    weights = {
        "embeddings.words": words,
        "embeddings.places": given["places"].clone(),
        "embeddings.types": types.repeat_interleave(SURFACES, 0),
        "embeddings.scale": given["scale"],
        "embeddings.shift": given["shift"],
    }
    if bert.distances is not None:
        weights["distances"] = bert.distances
    for number, layer in enumerate(chosen):
        weights |= {f"layer.{number}.{name}": value for name, value in layer.items()}
    return shape, weights, moved


def _types(folder: Path) -> Tensor:
    stored = require("safetensors.torch").load_file(folder / WEIGHTS)
    name = "embeddings.token_type_embeddings.weight"
    return stored.get(name, stored.get(f"bert.{name}")).float()


def new_head(form: str, width: int, hidden: int, seed: int) -> dict[str, Tensor]:
    """A head for states of a width: one hidden layer."""
    torch = require("torch")
    rng = torch.Generator().manual_seed(seed)
    states, numbers = READ[form]
    read = states * width + numbers
    match = {"match.weight": torch.zeros(width), "match.bias": torch.zeros(1)}
    return (match if form == "apart" else {}) | {
        "head.hidden": torch.randn(hidden, read, generator=rng) / read**0.5 * 0.5,
        "head.hidden_bias": torch.zeros(hidden),
        "head.out": torch.randn(hidden, generator=rng) / hidden**0.5 * 0.2,
        "head.out_bias": torch.zeros(1),
    }


def new_beside(features: int) -> dict[str, Tensor]:
    """The weights of so many features beside the network; at first they add nothing."""
    return {"head.beside": require("torch").zeros(features)} if features else {}


def new_adapters(
    shape: NetworkShape, weights: dict[str, Tensor], rank: int, seed: int
) -> dict[str, Tensor]:
    """Adapters of a rank for every linear matrix; at first they add nothing."""
    torch = require("torch")
    rng = torch.Generator().manual_seed(seed)
    found = {}
    for layer in range(shape.layers):
        for name in LINEAR:
            at = f"layer.{layer}.{name}"
            wide, narrow = weights[at].shape
            found[f"{at}.down"] = torch.randn(rank, narrow, generator=rng) / narrow**0.5
            found[f"{at}.up"] = torch.zeros(wide, rank)
    return found
