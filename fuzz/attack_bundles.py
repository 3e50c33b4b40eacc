"""Damaged metrics: a changed bundle is refused, scores as before, or says that it is another.

Some have their hashes made right again, as somebody would who means harm. Those may give other
numbers, but only finite ones, and only under another signature.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from commands import check_words
from damage import BYTES, LINES, TOML, damaged
from guards import PLANTED

from concordant.errors import ConcordantError
from concordant.metrics.bundle import CARD, MANIFEST, SHIPPED, WEIGHTS
from concordant.metrics.find import load
from concordant.metrics.manifest import manifest_text
from concordant.resources.contents import sha256_of
from concordant.toml_text import read_toml

if TYPE_CHECKING:
    from random import Random

    from guards import Watch

EXAMPLE = Path(__file__).parents[1] / "examples" / "de-en"
SHIPPED_NAMES = ("fast", "fast-any", "base")  # `base` only where its part is installed
RECIPES = {"lexical": {"optimiser.epochs": 1}, "joint": {"optimiser.epochs": 1}}
TEXTS = ["The house is old.", "", "It rained for 3 days, they say!"]
REFERENCES = [["The old house."], ["Nothing."], ["They say that it has rained for three days."]]
# What stands in the place of features, vectors or trees.
HOSTILE_SPECS = [
    f"trees({PLANTED},v.txt)", f"tokens({PLANTED})", f"sentence({PLANTED})", "tokens(~nosuchuser)",
    "tokens(/etc)", "tokens(../planted)", "vectors(/dev/zero)", "tokens(/dev/stdin)",
    "skipgrams(3)", "ngrams(chars,1-100000)", "bleu " * 20_000, "ngrams(chars,1-5)" * 50, "((((",
    "meteor", "x" * 99_999,
    "skipgrams(inf)", "bleu(tok=none)", "sentence(minilm)", "tokens(minilm,layer=99)",
]  # fmt: skip


@dataclass(frozen=True)
class Sound:
    """An undamaged metric: its files, its scores and their signature."""

    files: dict[str, bytes]
    scores: np.ndarray
    signature: str


def prepare(workspace: Path) -> tuple[Path, list[Sound]]:
    """Metrics that load or train within seconds, and the folder to damage them in."""
    import concordant  # noqa: PLC0415 - slow, and only this attack needs it

    folders = [SHIPPED / name for name in SHIPPED_NAMES]
    for name, changes in RECIPES.items():
        folders.append(workspace / f"trained-{name}")
        concordant.train(name, EXAMPLE, output=folders[-1], changes=changes)
    found = []
    for folder in folders:
        try:
            scored = load(folder).score(TEXTS, REFERENCES)
        except ConcordantError as missing:
            print(f"{folder.name} is left out: {missing}")
            continue
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        found.append(Sound(files, scored.segments, scored.signature))
    return workspace / "damaged", found


def strike(prepared: tuple[Path, list[Sound]], rng: Random, watch: Watch) -> str:
    """Damage one metric and use it."""
    folder, metrics = prepared
    sound = rng.choice(metrics)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in sound.files.items():
        (folder / name).write_bytes(content)
    sealed = rng.random() < 1 / 3
    rng.choice([_damage_file, _damage_about, _damage_arrays, _damage_spec])(folder, rng)
    if sealed:
        try:
            hash_again(folder)
        except (ConcordantError, KeyError, TypeError, OSError):
            sealed = False  # so broken that no hash can be written
    try:
        with watch():
            scored = load(folder).score(TEXTS, REFERENCES)
    except ConcordantError as refusal:
        check_words(refusal)
        return "refused, hashes right" if sealed else "refused"
    assert np.isfinite(scored.segments).all(), f"scores {scored.segments}"
    if np.array_equal(scored.segments, sound.scores):
        return "scores the same, hashes right" if sealed else "scores the same"
    assert sealed, f"other scores, {scored.segments} for {sound.scores}, and the hashes are right"
    assert scored.signature != sound.signature, f"other scores under {scored.signature}"
    return "scores otherwise, under another signature"


def hash_again(folder: Path) -> None:
    """Make all hashes of a saved metric right again."""
    tables = read_toml(folder / MANIFEST)
    tables["sha256"] |= {name: sha256_of(folder / name) for name in (WEIGHTS, CARD)}
    (folder / MANIFEST).write_text(manifest_text(tables), encoding="utf-8")


def _damage_file(folder: Path, rng: Random) -> None:
    path = folder / rng.choice([MANIFEST, WEIGHTS, CARD])
    if rng.random() < 0.1:
        path.unlink()
    else:
        path.write_bytes(damaged(path.read_bytes(), BYTES if path.name == WEIGHTS else LINES, rng))


def _damage_about(folder: Path, rng: Random) -> None:
    path = folder / MANIFEST
    path.write_bytes(damaged(path.read_bytes(), TOML, rng))


def _damage_spec(folder: Path, rng: Random) -> None:
    path, key = folder / MANIFEST, rng.choice(["features", "vectors", "trees"])
    lines = path.read_text(encoding="utf-8").split("\n")
    value = rng.choice(HOSTILE_SPECS)
    place = lines.index("[inputs]") + 1
    lines = [line for line in lines if not line.startswith(f"{key} =")]
    lines.insert(place, f'{key} = "{value}"')
    path.write_text("\n".join(lines), encoding="utf-8")


def _damage_arrays(folder: Path, rng: Random) -> None:
    from safetensors.numpy import load_file, save  # noqa: PLC0415 - only this attack needs it

    arrays: dict[str, Any] = load_file(folder / WEIGHTS)
    for _ in range(rng.randint(1, 2)):
        name = rng.choice(sorted(arrays))
        rng.choice(ARRAY_DAMAGE)(arrays, name, rng)
        if not arrays:
            break
    contiguous = {name: np.ascontiguousarray(value) for name, value in arrays.items()}
    (folder / WEIGHTS).write_bytes(save(contiguous))


def _put_number(arrays: dict[str, Any], name: str, rng: Random) -> None:
    values = arrays[name].copy().reshape(-1)
    if values.size:
        numbers = [np.nan, np.inf, -np.inf, 1e300, -1e300, -1.0, 0.0, 5e-324]
        if values.dtype.kind == "b":
            numbers = [True, False]
        elif values.dtype.kind in "iu":
            numbers = [np.iinfo(values.dtype).min, np.iinfo(values.dtype).max]
        with np.errstate(all="ignore"):
            values[rng.randrange(values.size)] = rng.choice(numbers)
    arrays[name] = values.reshape(arrays[name].shape)


def _change_type(arrays: dict[str, Any], name: str, rng: Random) -> None:
    with np.errstate(all="ignore"):
        kind = rng.choice(["float16", "float32", "float64", "int64", "uint8", "bool"])
        arrays[name] = np.nan_to_num(arrays[name]).astype(kind)


def _change_shape(arrays: dict[str, Any], name: str, rng: Random) -> None:
    value = np.atleast_1d(arrays[name])
    arrays[name] = rng.choice([
        value.reshape(-1)[:-1], value[..., None], value[:0], np.zeros(0), np.zeros(()),
        np.concatenate([value.reshape(-1), value.reshape(-1)]), value.T,
    ])  # fmt: skip


def _drop(arrays: dict[str, Any], name: str, _rng: Random) -> None:
    del arrays[name]


def _rename(arrays: dict[str, Any], name: str, rng: Random) -> None:
    arrays[rng.choice(["x", "params.x", "fitted.x.y", "scaling.x", name + "x"])] = arrays.pop(name)


def _add(arrays: dict[str, Any], _name: str, rng: Random) -> None:
    new = rng.choice([
        "params.more",
        "fitted.bleu.mean",
        "scaling.features.centre",
        "more",
        "fitted.",
    ])
    arrays[new] = np.zeros(rng.choice([0, 1, 3, 1000]))


ARRAY_DAMAGE = [_put_number, _put_number, _change_type, _change_shape, _drop, _rename, _add]
