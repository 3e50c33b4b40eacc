"""Tiny encoders that need no download: folders of each kind, and one that counts its texts."""

import json

import numpy as np

from concordant.encoders.encoders import Encoded, Encoder
from concordant.encoders.ragged import ragged

WORDS = "the a house street old new is at of end and , . ##s ##er".split()
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
TEXTS = [
    "The house is old.",
    "a new house at the end of the street, and the end of the street",
    "",
    "streets and houses",
    "The house is old.",
    "newer",
]


def bert_folder(folder, layers=3, kind="Bert"):
    """A transformers folder with random weights, of BERT or MPNet: layers of 16."""
    import torch
    import transformers

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join([*MARKS, *WORDS]) + "\n")
    settings = {
        "tokenizer_class": "BertTokenizer",
        "model_max_length": 44,
        "do_lower_case": True,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(MARKS) + len(WORDS), hidden_size=16, num_hidden_layers=layers,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=46,
        initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(1)
    getattr(transformers, f"{kind}Model")(config).save_pretrained(folder)
    return folder


def static_folder(folder, rng):
    """A model2vec folder, one vector for each word piece."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    pieces = ["[PAD]", "[UNK]", *WORDS]
    table = rng.normal(size=(len(pieces), 6)).astype(np.float32)
    save_file({"embeddings": table}, folder / "model.safetensors")
    normaliser = {"clean_text": True, "handle_chinese_chars": True, "lowercase": True}
    settings = {
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "strip_accents": None, **normaliser},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "vocab": {piece: i for i, piece in enumerate(pieces)},
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(settings))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec"}))
    return folder


def skip_thought_folder(folder, rng, width=4, size=3):
    """Skip-Thought's files, with a vocabulary of WORDS."""
    folder.mkdir(parents=True, exist_ok=True)

    def gru(prefix):
        shapes = {"W": (width, 2 * size), "U": (size, 2 * size), "b": (2 * size,)}
        shapes |= {"Wx": (width, size), "Ux": (size, size), "bx": (size,)}
        return {f"{prefix}_{k}": rng.normal(size=s).astype(np.float32) for k, s in shapes.items()}

    words = ["<eos>", "UNK", *WORDS]
    (folder / "dictionary.txt").write_text("\n".join(words) + "\n")
    for name in ("utable", "btable"):
        table = rng.normal(size=(len(words), width)).astype(np.float32)
        np.save(folder / f"{name}.npy", table)
    np.savez(folder / "uni_skip.npz", **gru("encoder"))
    np.savez(folder / "bi_skip.npz", **gru("encoder"), **gru("encoder_r"))
    return folder


class CountingEncoder(Encoder):
    """States made of characters; remembers every text that went through its layers."""

    name, signature, dimension, depth = "counting", "counting@1", 5, 4

    def __init__(self):
        self.encoded = []
        self.runs = 0

    def compute(self, texts, request):
        sentence, layers = request.sentence, request.layers
        assert request.threads >= 1
        assert request.track is None or callable(request.track)
        if sentence or layers:
            self.encoded += texts
            self.runs += 1
        rows = [self.state(text) for text in texts]
        return Encoded(
            np.array([row.sum(axis=0) for row in rows]).reshape(-1, 5) if sentence else None,
            {layer: ragged([np.zeros((0, 5), np.float32), *(r**layer for r in rows)]).take(
                range(1, len(texts) + 1)) for layer in layers},
            ragged([np.zeros(0, np.int64), *(np.array([*map(ord, t)], np.int64) for t in texts)])
            .take(range(1, len(texts) + 1)),
        )  # fmt: skip

    @staticmethod
    def state(text):
        """One row for each character: powers of a number below 1 that belongs to it."""
        shares = np.array([(ord(c) * 7919 % 1009) / 1009 for c in text]).reshape(-1, 1)
        return (shares ** np.arange(1, 6)).astype(np.float32)
