"""The house stands: imports run downhill only, files stay small, and a first import stays light."""

import ast
import importlib.util
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import concordant
from concordant.models.kinds import KINDS

# From the roof down; names on one step don't know each other. A module stands on the step of the
# longest name here that it belongs to.
STEPS = [
    {"__main__"}, {"batches"},
    {"cli"}, {"judging"}, {"report"}, {"experiments"}, {"reranking"},
    {"evaluation", "training", "scoring"},
    {"metrics"}, {"models"}, {"features"}, {"metrics.lexical", "encoders"}, {"metrics.scorer"},
    {"metrics.batch"}, {"metrics.scope"}, {"metrics.signs"}, {"metrics.flags"},
    {"metrics.lexical.texts"}, {"metrics.lexical.tokenisers"}, {"metrics.lexical._native"},
    {"resources"}, {"judgements", "stats"},
    {"records", "specs", "toml_text", "languages", "files", "output_files", "arguments", "arrays"},
    {"tabular"},
    {"errors", "file_kinds", "file_locks", "safe_text", "brief"}, {"_version", "_native"},
]  # fmt: skip
HEIGHT = {name: len(STEPS) - i for i, step in enumerate(STEPS) for name in step}
LONGEST = 320
VAGUE = {"utils", "util", "helpers", "helper", "misc", "common"}
HEAVY = ("numpy", "scipy", "rich", "sacrebleu", "torch", "jinja2", "safetensors", "spacy",
         "transformers", "onnxruntime", "sklearn", "starlette", "uvicorn")  # fmt: skip

ROOT = Path(concordant.__file__).parent
FILES = [*sorted(ROOT.rglob("*.py")), ROOT / "_native.pyi"]  # a stub: the shared kernel


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FILES}


def imports_of(name, path):
    """The package's own modules that a module imports anywhere, as (module, line)."""
    package = ["concordant", *name.split(".")] if name else ["concordant"]
    if path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *filter(None, [node.module])])
            found = [f"{stem}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((each, node.lineno) for each in found if each.split(".")[0] == "concordant")


def module_of(imported):
    """The module that an imported name belongs to: "" for the package's root."""
    parts = imported.split(".")[1:]
    while parts and parts[-1] != "_native" and ".".join(parts) not in MODULES:
        parts = parts[:-1]
    return ".".join(parts)


def room_of(module):
    """The longest name of a step that a module belongs to; "" if there is none."""
    parts = module.split(".")
    while parts and ".".join(parts) not in HEIGHT:
        parts = parts[:-1]
    return ".".join(parts)


def test_the_parser_sees_every_kind_of_import(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(
        "import concordant.stats.tau\n"
        "def f():\n"
        "    from concordant import records\n"
        "    from . import errors\n"
        "    from .judgements import merging\n"
        "    import numpy\n"
    )
    found = [(module_of(each), line) for each, line in imports_of("x", path)]
    assert sorted(found, key=lambda each: each[1]) == [
        ("stats.tau", 1), ("records", 3), ("errors", 4), ("judgements.merging", 5),
    ]  # fmt: skip


def test_every_part_has_its_step():
    lost = [name for name in MODULES if name and not room_of(name)]
    assert not lost, f"put {lost} on a step"


@pytest.mark.parametrize("name", [name for name in MODULES if name])
def test_imports_run_downhill(name):
    here = room_of(name)
    for imported, line in imports_of(name, MODULES[name]):
        assert module_of(imported), (
            f"{MODULES[name]}:{line}: a part must not import the whole, {imported}"
        )
        there = room_of(module_of(imported))
        assert there == here or HEIGHT[there] < HEIGHT[here], (
            f"{MODULES[name]}:{line}: {here} must not know {there}"
        )


def test_no_module_imports_itself_by_a_detour():
    graph = {
        name: {module_of(each) for each, _ in imports_of(name, path)} - {name}
        for name, path in MODULES.items()
        if name
    }
    assert list(TopologicalSorter(graph).static_order())  # CycleError names the circle


@pytest.mark.parametrize("name", MODULES)
def test_files_stay_small_and_have_a_name(name):
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{MODULES[name]} has {lines} lines; more than one thing?"
    assert not VAGUE & set(name.split(".")), f"{name}: a file's name says what is in it"


KIND_NAMES = set(KINDS)


@pytest.mark.parametrize("name", [name for name in MODULES if name != "models.kinds"])
def test_only_one_table_enumerates_kinds_of_models(name):
    """No other module writes two kinds' names in one tuple, list, set, table or comparison."""
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        texts = {each.value for each in parts if isinstance(each, ast.Constant)}
        assert len(texts & KIND_NAMES) < 2, f"{MODULES[name]}:{node.lineno}: kinds are enumerated"


# What turns a metric's name into what scores, and who may call it.
RESOLVERS = {
    "metrics.lexical.measures.measure_named": {"metrics.find", "features.lexical_features"},
    "metrics.bundle.load": {"metrics.find"},
    "metrics.feature_metric.FeatureMetric": {"metrics.find", "report.explanations"},
}


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_find_alone_resolves_names(resolver):
    callers = {
        name
        for name, path in MODULES.items()
        for imported, _ in imports_of(name, path)
        if imported == f"concordant.{resolver}"
    }
    assert callers <= RESOLVERS[resolver]


TRAINED = {
    "lexical": ["optimiser.epochs=1"],
    "joint": ["optimiser.epochs=1"],
    "regression": ["inputs.features=bleu length", "inputs.vectors=", "search.folds=2"],
}


@pytest.mark.parametrize("recipe", TRAINED)
def test_training_needs_no_torch(recipe, tmp_path):
    settings = [each for change in TRAINED[recipe] for each in ("--set", change)]
    examples = str(Path(__file__).parents[1] / "examples")
    command = ["concordant", "train", "--recipe", recipe, "--judgements", examples, *settings]
    code = (
        "import sys\n"
        "class NoTorch:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.split('.')[0] == 'torch':\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, NoTorch())\n"
        "from concordant.cli.main import main\n"
        f"sys.argv = {[*command, '-o', str(tmp_path / 'metric')]!r}\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def loaded_after(code):
    """Which heavy packages a fresh interpreter has loaded after the code."""
    report = f"import sys; print([each for each in {HEAVY} if each in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return run.stdout


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_after("import concordant") == "[]\n"


@pytest.mark.skipif(
    importlib.util.find_spec("concordant.cli") is None, reason="there is no command line yet"
)
def test_help_loads_nothing_heavy():
    code = (
        "import sys\n"
        "from concordant.cli.main import main\n"
        "sys.argv = ['concordant', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as stop:\n"
        "    assert not stop.code\n"
    )
    printed = loaded_after(code)
    assert "evaluate" in printed
    assert printed.endswith("[]\n")


def test_no_two_public_classes_share_a_name():
    places = {}
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert not shared, f"one name, one meaning: {shared}"
