"""A metric on disk: `metric.toml`, `weights.safetensors` and `card.md`, verified when loaded.

Nothing in a bundle is executed. `metric.toml` can be read by a person: what the metric is made of,
how it was trained, and the hashes of the other two files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant._version import __version__
from concordant.errors import BundleError
from concordant.features.extraction import feature_set
from concordant.features.preparation import Preparation, check_anchors
from concordant.features.scaling import Scaling
from concordant.features.sentence_vectors import sentence_vectors_named
from concordant.features.tree_inputs import tree_reader_named
from concordant.metric import MODELS, Metric
from concordant.specs import parse_specs
from concordant.toml_text import read_toml, toml_text

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 1
SHIPPED = Path(__file__).parent / "metrics"
ABOUT, WEIGHTS, CARD = "metric.toml", "weights.safetensors", "card.md"


def save(
    metric: Metric,
    folder: Path,
    *,
    training: Mapping[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
) -> None:
    """Write a metric as a folder, whole or not at all; a bundle that is there is replaced.

    `training` is kept in metric.toml for the reader: data, recipe, seed, agreement reached. `files`
    are further texts to keep beside it.
    """
    import shutil  # noqa: PLC0415 - slow, and only a metric that is saved needs them
    import tempfile  # noqa: PLC0415

    folder = Path(folder).resolve()  # of "." or a link, the folder itself
    check_place(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        _write(metric, draft, training or {})
        for name, text in (files or {}).items():
            (draft / name).write_text(text, encoding="utf-8")
        draft.chmod(0o755)
        _replace(folder, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def load(name: str | Path) -> Metric:
    """The metric of a folder, or one that ships with the package, by its name.

    Damage, a newer format or a missing part is an error that says so.
    """
    folder = place_of(name)
    if folder is None:
        raise BundleError(f"{name} is no metric: it has no {ABOUT}")
    about = read_toml(folder / ABOUT)
    _check(folder, about)
    try:
        return _metric(about, _arrays(folder / WEIGHTS), (folder / CARD).read_text("utf-8"))
    except (KeyError, TypeError, ValueError) as fault:
        raise BundleError(f"{folder}: {ABOUT} or {WEIGHTS} lacks {fault}") from fault


def training_record(folder: str | Path) -> dict[str, Any]:
    """What the metric of a folder says of its training: data, recipe, agreement reached."""
    place = place_of(folder) or Path(folder)
    return dict(read_toml(place / ABOUT).get("training", {}))


def shipped() -> list[str]:
    """The names of the metrics that ship with the package."""
    return sorted(each.name for each in SHIPPED.glob("*/") if is_bundle(each))


def place_of(name: str | Path) -> Path | None:
    """The folder of a metric that ships under a name, or the folder named; None if neither is one.

    A folder of one's own that has the name of a shipped metric is spelled as a path: `./fast`.
    """
    if isinstance(name, str) and name in shipped():
        return SHIPPED / name
    folder = Path(name)
    return folder if str(name) and is_bundle(folder) else None


def check_place(folder: Path) -> None:
    """Refuse a place where something else than a metric is."""
    if folder.is_file() or (folder.is_dir() and not is_bundle(folder) and any(folder.iterdir())):
        raise BundleError(f"{folder} is there and is no metric; name a new folder")


def is_bundle(folder: Path) -> bool:
    """Whether a folder holds a metric; what may not be looked into does not."""
    try:
        return (folder / ABOUT).is_file()
    except OSError:
        return False


def _replace(folder: Path, draft: Path) -> None:
    """Put the draft in the folder's place; if that fails, what was there stays."""
    import shutil  # noqa: PLC0415 - as above

    old = draft.with_name(f"{draft.name}.old")
    if folder.exists():
        folder.rename(old)
    try:
        draft.rename(folder)
    except BaseException:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write(metric: Metric, folder: Path, training: Mapping[str, Any]) -> None:
    from safetensors.numpy import save as as_bytes  # noqa: PLC0415 - only when a metric is saved

    arrays = {name: np.ascontiguousarray(value) for name, value in metric.arrays().items()}
    (folder / WEIGHTS).write_bytes(as_bytes(arrays))  # its own writer lets nobody else read
    (folder / CARD).write_text(metric.card, encoding="utf-8")
    prepared = metric.preparation
    scalings = {"features": prepared.feature_scaling, "vectors": prepared.vector_scaling}
    about = {
        "format": FORMAT,
        "name": metric.name,
        "concordant": __version__,
        "inputs": {
            "features": "" if prepared.features is None else str(prepared.features),
            "vectors": " ".join(str(each.spec) for each in prepared.vectors),
            "anchors": list(prepared.anchors),
            **({"trees": str(prepared.trees.spec)} if prepared.trees is not None else {}),
            **({"parts": metric.parts} if metric.parts else {}),
            **{f"{k}_scaling": each.method for k, each in scalings.items() if each is not None},
        },
        "model": {"kind": metric.kind, **metric.options},
        "training": dict(training),
        "sha256": {name: _sha256(folder / name) for name in (WEIGHTS, CARD)},
    }
    (folder / ABOUT).write_text(toml_text(about), encoding="utf-8")


def _check(folder: Path, about: Mapping[str, Any]) -> None:
    found = about.get("format")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise BundleError(f"{folder / ABOUT}: no format number; this is no metric of ours")
    if found > FORMAT:
        raise BundleError(
            f"{folder} has format {found}, made by concordant {about.get('concordant', '?')}; "
            f"this is {__version__}, which reads up to {FORMAT}: install a newer one"
        )
    stated = about.get("sha256")
    for name in (WEIGHTS, CARD):
        if not isinstance(stated, dict) or name not in stated:
            raise BundleError(f"{folder / ABOUT} states no hash of {name}")
        if not (folder / name).is_file():
            raise BundleError(f"{folder} has no {name}; copy the whole folder again")
        if _sha256(folder / name) != stated[name]:
            raise BundleError(
                f"{folder / name} is damaged or changed: its hash is not the stated one; copy "
                "or train the metric again"
            )


def _metric(about: Mapping[str, Any], arrays: dict[str, np.ndarray], card: str) -> Metric:
    inputs, model = about["inputs"], dict(about["model"])
    kind = model.pop("kind")
    if kind not in MODELS:
        raise BundleError(f'model "{kind}" is not one of {", ".join(MODELS)}')
    features = feature_set(inputs["features"]) if inputs["features"] else None
    preparation = Preparation(
        features,
        tuple(sentence_vectors_named(spec) for spec in parse_specs(inputs["vectors"])),
        check_anchors(inputs["anchors"]),
        _fitted(arrays),
        _scaling(arrays, "features", inputs),
        _scaling(arrays, "vectors", inputs),
        tree_reader_named(inputs["trees"]) if "trees" in inputs else None,
    )
    params = {k.removeprefix("params."): v for k, v in arrays.items() if k.startswith("params.")}
    metric = Metric(about["name"], kind, preparation, params, model, card)
    if inputs.get("parts", metric.parts) != metric.parts:
        raise BundleError(
            f"{about['name']} was trained with other parts than are installed here (weights of an "
            "encoder, METEOR's data), and its scores would be others: see concordant resources"
        )
    for name, size in MODELS[kind].sizes(metric).items():
        if params[name].shape != size:
            raise BundleError(f"{name} is {params[name].shape}, where {size} is needed")
    return metric


def _arrays(path: Path) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError  # noqa: PLC0415 - only when a metric is loaded
    from safetensors.numpy import load_file  # noqa: PLC0415

    try:
        arrays: dict[str, np.ndarray] = load_file(path)
    except SafetensorError as fault:
        raise BundleError(f"{path} is no safetensors file: {fault}") from fault
    return arrays


def _fitted(arrays: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    fitted: dict[str, dict[str, np.ndarray]] = {}
    for name, value in arrays.items():
        if name.startswith("fitted."):
            spec, _, part = name.removeprefix("fitted.").rpartition(".")
            fitted.setdefault(spec, {})[part] = value
    return fitted


def _scaling(
    arrays: Mapping[str, np.ndarray], place: str, inputs: Mapping[str, Any]
) -> Scaling | None:
    method = inputs.get(f"{place}_scaling")
    if method is None:
        return None
    centre, spread, constant = (
        arrays[f"scaling.{place}.{part}"] for part in ("centre", "spread", "constant")
    )
    return Scaling(method, centre, spread, tuple(int(i) for i in constant))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
