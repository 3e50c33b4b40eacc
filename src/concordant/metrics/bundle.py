"""A metric on disk: `metric.toml`, `weights.safetensors` and `card.md`, verified when loaded.

Nothing in a bundle is executed. People can read `metric.toml` (manifest.py): what the metric is
made of, how it was trained, and the hashes of all three files.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant._version import __version__
from concordant.errors import BundleError, ConcordantError
from concordant.features.extraction import feature_set
from concordant.features.part_names import check_part_names
from concordant.features.preparation import Preparation, check_anchors
from concordant.features.scaling import Scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.features.tree_inputs import tree_reader_named
from concordant.metrics.learned import About, Metric
from concordant.metrics.manifest import (
    CARD,
    FORMAT,
    MANIFEST,
    TABLES,
    WEIGHTS,
    manifest_text,
    read_manifest,
)
from concordant.models.kinds import check_options, kind_of
from concordant.output_files import exchange
from concordant.resources.contents import sha256_of
from concordant.resources.drafts import draft_folder
from concordant.resources.places import MissingPart
from concordant.specs import parse_spec, parse_specs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from concordant.specs import Spec

    Arrays = dict[str, np.ndarray]

SHIPPED = Path(__file__).parent / "shipped"
HISTORY = "history.jsonl"  # the epochs of a training, for people
OWN_FILES = (MANIFEST, WEIGHTS, CARD, HISTORY)


def save(
    metric: Metric,
    folder: Path,
    *,
    training: Mapping[str, Any] | None = None,
    history: str = "",
) -> None:
    """Write a metric as a folder, completely or not at all; an existing bundle is replaced.

    `training` is kept in metric.toml for people: data, recipe, seed, agreement reached. `history`
    is kept next to it. Only a metric made of installed parts can be saved.
    """
    folder = Path(folder).resolve()  # "." or a link → the folder itself
    check_place(folder)
    check_part_names(named_specs(metric.description()["inputs"]))
    with draft_folder(folder.parent) as place:
        draft = place / folder.name
        draft.mkdir()
        _write(metric, draft, training or {})
        if history:
            (draft / HISTORY).write_text(history, encoding="utf-8")
        _replace(folder, draft)


def load(name: str | Path) -> Metric:
    """The metric in a folder, or a shipped metric by its name.

    Damage, another format, a missing part and unknown keys are errors that say so.
    Nothing in a bundle is imported or run, and it can refer to installed parts only.
    """
    folder = place_of(name)
    if folder is None:
        raise BundleError(f"{name} is not a metric: it has no {MANIFEST}")
    tables = read_manifest(folder)
    _check_hashes(folder, tables["sha256"])
    try:
        card = (folder / CARD).read_text("utf-8")
    except UnicodeDecodeError as fault:
        raise BundleError(f"{folder / CARD} is not UTF-8 ({fault.reason})") from fault
    arrays = _arrays(folder / WEIGHTS)
    try:
        return _metric(tables, arrays, card)
    except MissingPart:
        raise
    except ConcordantError as fault:
        raise BundleError(f"{folder}: {fault}") from fault


def training_record(folder: str | Path) -> dict[str, Any]:
    """The training record of a metric's folder: data, recipe, agreement reached."""
    return dict(read_manifest(place_of(folder) or Path(folder))["training"])


def write_about(folder: Path, about: About) -> None:
    """Write what a metric says of itself into its metric.toml; its scores stay the same."""
    said = {**read_manifest(folder), "about": _about_table(about)}
    tables = {key: said[key] for key in TABLES[""] if key in said}
    draft = folder / f"{MANIFEST}.draft"
    draft.write_text(manifest_text(tables), encoding="utf-8")
    draft.replace(folder / MANIFEST)


def shipped() -> list[str]:
    """The names of the metrics that ship with the package."""
    return sorted(each.name for each in SHIPPED.glob("*/") if is_bundle(each))


def about_shipped() -> dict[str, About]:
    """What each shipped metric says of itself, by its name."""
    return {name: _about(read_manifest(SHIPPED / name)) for name in shipped()}


def place_of(name: str | Path) -> Path | None:
    """The folder of a shipped metric or of a path; None if neither is a metric.

    Write your own folder with the name of a shipped metric as a path: `./fast`.
    """
    if isinstance(name, str) and name in shipped():
        return SHIPPED / name
    folder = Path(name)
    return folder if str(name) and is_bundle(folder) else None


def check_place(folder: Path) -> None:
    """Raise if the place holds anything but a metric, since saving would delete it."""
    if not folder.parent.is_dir():
        raise BundleError(f"there is no folder {folder.parent}; create it first")
    if folder.is_file() or (folder.is_dir() and not is_bundle(folder) and any(folder.iterdir())):
        raise BundleError(f"{folder} exists and is not a metric; name a new folder")
    foreign = sorted(path.name for path in folder.glob("*") if path.name not in OWN_FILES)
    if foreign:
        shown = ", ".join(foreign[:3]) + (f" and {len(foreign) - 3} more" if foreign[3:] else "")
        raise BundleError(
            f"{folder} also holds {shown}, which saving a metric there would delete; move it, or "
            "name a new folder"
        )


def is_bundle(folder: Path) -> bool:
    """Whether a folder holds a metric; False if it cannot be read."""
    try:
        return (folder / MANIFEST).is_file()
    except OSError:
        return False


def _replace(folder: Path, draft: Path) -> None:
    """Replace the folder by the draft; if that fails, the old folder stays."""
    if not folder.exists():
        draft.rename(folder)
        return
    exchange(folder, draft)
    for name in OWN_FILES:
        (draft / name).unlink(missing_ok=True)
    if any(draft.iterdir()):  # added meanwhile by the user
        import tempfile  # noqa: PLC0415 - slow, and hardly ever needed

        draft.rename(tempfile.mkdtemp(prefix=f"{folder.name}.other-files-", dir=folder.parent))


def _write(metric: Metric, folder: Path, training: Mapping[str, Any]) -> None:
    from safetensors.numpy import save as as_bytes  # noqa: PLC0415 - only when a metric is saved

    arrays = {name: np.asarray(value, order="C") for name, value in metric.arrays().items()}
    (folder / WEIGHTS).write_bytes(as_bytes(arrays))  # its own writer makes files private
    (folder / CARD).write_text(metric.card, encoding="utf-8")
    described = metric.description()
    parts = {"parts": metric.parts} if metric.parts else {}
    tables = {
        "format": FORMAT,
        "name": metric.name,
        "concordant": __version__,
        **({"about": _about_table(metric.about)} if metric.about != About() else {}),
        "inputs": {**described["inputs"], **parts},
        "model": described["model"],
        "training": dict(training),
        "sha256": {name: sha256_of(folder / name) for name in (WEIGHTS, CARD)},
    }
    (folder / MANIFEST).write_text(manifest_text(tables), encoding="utf-8")


def _check_hashes(folder: Path, stated: Mapping[str, str]) -> None:
    for name in (WEIGHTS, CARD):
        if not (folder / name).is_file():
            raise BundleError(f"{folder} has no {name}; copy the whole folder again")
        if sha256_of(folder / name) != stated[name]:
            raise BundleError(
                f"{folder / name} is damaged or changed: its hash does not match; copy "
                "or train the metric again"
            )


def _metric(tables: Mapping[str, Any], arrays: Arrays, card: str) -> Metric:
    inputs, options = tables["inputs"], dict(tables["model"])
    kind = options.pop("kind", None)
    check_options(kind, options)
    check_part_names(named_specs(inputs))
    preparation = Preparation(
        feature_set(inputs["features"]) if inputs["features"] else None,
        tuple(sentence_vectors_named(spec) for spec in parse_specs(inputs["vectors"])),
        check_anchors(inputs["anchors"]),
        _fitted_arrays(arrays),
        _scaling(arrays, "features", inputs),
        _scaling(arrays, "vectors", inputs),
        tree_reader_named(inputs["trees"]) if "trees" in inputs else None,
        kind_of(kind).reads_texts,
    )
    params = {k.removeprefix("params."): v for k, v in arrays.items() if k.startswith("params.")}
    metric = Metric(tables["name"], kind, preparation, params, options, card, _about(tables))
    if inputs.get("parts", "") != metric.parts:
        raise BundleError(
            "it was trained with parts that differ from the installed ones (weights of an encoder, "
            "METEOR's data), so its scores would differ: see concordant resources"
        )
    _check_arrays(metric, arrays)
    return metric


def _about(tables: Mapping[str, Any]) -> About:
    said = tables.get("about", {})
    return About(**{**said, "languages": tuple(said.get("languages", ()))})


def _about_table(about: About) -> dict[str, Any]:
    """What a metric says of itself, as a bundle keeps it; nothing where nothing is said."""
    said = {key: value for key, value in asdict(about).items() if value}
    return {key: list(value) if key == "languages" else value for key, value in said.items()}


def named_specs(inputs: Mapping[str, str]) -> list[Spec]:
    """Every spec among a metric's inputs."""
    trees = [parse_spec(inputs["trees"])] if inputs.get("trees") else []
    return [*parse_specs(inputs["features"]), *parse_specs(inputs["vectors"]), *trees]


def _check_arrays(metric: Metric, arrays: Arrays) -> None:
    """Raise unless the arrays are exactly those of the metric, with valid shapes and values."""
    sizes = kind_of(metric.kind).sizes(metric)
    known = {*(f"params.{name}" for name in sizes), *metric.preparation.arrays()}
    foreign = sorted(arrays.keys() - known)
    missing = sorted(known - arrays.keys())
    if foreign or missing:
        fault = f"there is no {missing[0]}" if missing else f"{foreign[0]} is not part of it"
        raise BundleError(f"{fault}; copy or train the metric again")
    for name, size in sizes.items():
        if metric.params[name].shape != size:
            raise BundleError(f"{name} is {metric.params[name].shape}, but must be {size}")
    whole = kind_of(metric.kind).whole(metric)
    for name, values in metric.params.items():
        if (values.dtype == np.int8) != (name in whole):
            needed = "int8" if name in whole else "float32 or float64"
            raise BundleError(f"{name} is {values.dtype}; {needed} is needed")
    metric.preparation.check_fitted()
    check = kind_of(metric.kind).check
    if check is not None:
        check(metric)


def _arrays(path: Path) -> Arrays:
    """The arrays of a file of weights; all their numbers are finite.

    Parameters are floats or whole numbers of 8 bits, as their kind says; what was fitted may be
    whole numbers of any size.
    """
    from safetensors.numpy import load_file  # noqa: PLC0415 - only when a metric is loaded

    try:
        arrays: Arrays = load_file(path)
    except Exception as fault:  # of several kinds, from the library
        raise BundleError(f"{path} is not a safetensors file: {fault}") from fault
    for name, values in arrays.items():
        floats = values.dtype in {np.dtype("f4"), np.dtype("f8")}
        small = values.dtype == np.int8 or not name.startswith("params.")
        if not floats and not (values.dtype.kind == "i" and small):
            raise BundleError(f"{path}: {name} is {values.dtype}; float32 or float64 is needed")
        if floats and not np.isfinite(values).all():
            raise BundleError(f"{path}: {name} has numbers that are not finite")
    return arrays


def _fitted_arrays(arrays: Arrays) -> dict[str, dict[str, np.ndarray]]:
    fitted: dict[str, dict[str, np.ndarray]] = {}
    for name, value in arrays.items():
        if name.startswith("fitted."):
            spec, _, part = name.removeprefix("fitted.").rpartition(".")
            fitted.setdefault(spec, {})[part] = value
    return fitted


def _scaling(arrays: Arrays, place: str, inputs: Mapping[str, Any]) -> Scaling | None:
    method = inputs.get(f"{place}_scaling")
    if method is None:
        return None
    names = [f"scaling.{place}.{part}" for part in ("centre", "spread", "constant")]
    missing = [name for name in names if name not in arrays]
    if missing:
        raise BundleError(f"there is no {missing[0]}; copy or train the metric again")
    centre, spread, constant = (arrays[name] for name in names)
    if constant.ndim != 1 or constant.dtype.kind != "i":
        raise BundleError(f"{names[2]} is {constant.dtype} {constant.shape}, not a list of columns")
    return Scaling(method, centre, spread, tuple(int(i) for i in constant))
