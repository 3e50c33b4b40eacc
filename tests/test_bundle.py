"""A metric on disk: it comes back to the last bit, and what is not what it says is refused."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from small_encoders import static_folder
from small_metrics import HYPOTHESES, REFERENCES, SOURCES, lexical_metric, vector_metric

from concordant import bundle
from concordant.bundle import ABOUT, CARD, WEIGHTS, is_bundle, load, save
from concordant.embeddings import encoder_names
from concordant.errors import BundleError, ConcordantError, SpecError
from concordant.toml_text import read_toml


@pytest.fixture
def folder(tmp_path):
    save(lexical_metric(), tmp_path / "metric", training={"tau": "0.5"})
    return tmp_path / "metric"


def edit(folder, old, new):
    path = folder / ABOUT
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def fault_of(folder):
    with pytest.raises(BundleError) as caught:
        load(folder)
    return str(caught.value).removeprefix(str(folder))


@pytest.mark.parametrize(
    "options", [{}, {"hidden": 0}, {"symmetric": True}, {"anchors": ("reference", "source")}],
    ids=str,
)  # fmt: skip
def test_a_metric_comes_back_to_the_last_bit(tmp_path, monkeypatch, options):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    metric = vector_metric(tmp_path / "static", **options)
    save(metric, tmp_path / "metric")
    again = load(tmp_path / "metric")
    arrays, loaded = metric.arrays(), again.arrays()
    assert arrays.keys() == loaded.keys()
    for name, value in arrays.items():
        assert loaded[name].dtype == value.dtype
        assert loaded[name].tobytes() == value.tobytes()
    assert any(name.startswith("fitted.") for name in arrays)
    assert (again.name, again.kind, again.options) == (metric.name, metric.kind, metric.options)
    assert (again.card, again.signature()) == (metric.card, metric.signature())
    given = REFERENCES, SOURCES
    assert again.prefer(HYPOTHESES, HYPOTHESES[::-1], *given).tobytes() == metric.prefer(
        HYPOTHESES, HYPOTHESES[::-1], *given
    ).tobytes()  # fmt: skip
    assert again.score(HYPOTHESES, *given) .segments.tobytes() == (
        metric.score(HYPOTHESES, *given).segments.tobytes()
    )  # fmt: skip


def test_what_a_person_can_read(folder):
    about = read_toml(folder / ABOUT)
    assert (about["format"], about["name"]) == (1, "small")
    assert about["inputs"] == {
        "features": "bleu length", "vectors": "", "anchors": ["reference"],
        "features_scaling": "min-max",
    }  # fmt: skip
    assert about["model"] == {"kind": "pairwise", "hidden": 4, "symmetric": False}
    assert about["training"] == {"tau": "0.5"}
    assert set(about["sha256"]) == {WEIGHTS, CARD}
    assert (folder / CARD).read_text() == "# A card\n"
    modes = {(folder / name).stat().st_mode for name in (ABOUT, WEIGHTS, CARD)}
    assert len(modes) == 1  # whoever may read one may read all


@pytest.mark.parametrize("name", [WEIGHTS, CARD])
def test_a_changed_byte_is_seen(folder, name):
    data = bytearray((folder / name).read_bytes())
    for place in (0, len(data) // 2, len(data) - 1):
        data[place] ^= 1
        (folder / name).write_bytes(data)
        assert fault_of(folder) == (
            f"/{name} is damaged or changed: its hash is not the stated one; copy or train the "
            "metric again"
        )
        data[place] ^= 1


@pytest.mark.parametrize("name", [WEIGHTS, CARD])
def test_a_missing_file_is_told(folder, name):
    (folder / name).unlink()
    assert fault_of(folder) == f" has no {name}; copy the whole folder again"


def test_what_is_no_bundle_is_told(folder, tmp_path):
    assert is_bundle(folder)
    assert not is_bundle(tmp_path)
    assert fault_of(tmp_path) == " is no metric: it has no metric.toml"
    assert "is no metric" in fault_of(tmp_path / "absent")
    (folder / ABOUT).write_text("format: 1\n")
    with pytest.raises(ConcordantError, match=r"metric\.toml: is not TOML"):
        load(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", " has format 2, made by concordant "),
        ("format = 1", "formal = 1", "/metric.toml: no format number; this is no metric of ours"),
        ("format = 1", "format = true", "/metric.toml: no format number"),
        ("format = 1", "format = 0", "/metric.toml: no format number"),
        ("[sha256]", "[sha]", "/metric.toml states no hash of weights.safetensors"),
        ('"card.md"', '"cart.md"', "/metric.toml states no hash of card.md"),
        ("[inputs]", "[input]", ": metric.toml or weights.safetensors lacks 'inputs'"),
        ("symmetric", "summetric", ": metric.toml or weights.safetensors lacks 'symmetric'"),
        ("hidden = 4", 'hidden = "many"', ": metric.toml or weights.safetensors lacks"),
        ('"pairwise"', '"pairwine"', 'model "pairwine" is not one of pairwise'),
        ('"bleu length"', '"bleu"', "output_weights is (6,), where (2,) is needed"),
        ('"bleu length"', '""', "output_weights is (6,), where (0,) is needed"),
    ],
)
def test_a_metric_toml_that_says_other_things(folder, old, new, message):
    edit(folder, old, new)
    assert fault_of(folder).startswith(message)


def test_an_unknown_feature_or_anchor_is_told(folder):
    edit(folder, '"bleu length"', '"blue length"')
    with pytest.raises(SpecError, match="did you mean"):
        load(folder)
    edit(folder, '"blue length"', '"bleu length"')
    edit(folder, '["reference"]', '["sauce"]')
    with pytest.raises(SpecError, match="are not some of reference, source"):
        load(folder)


def test_only_a_metric_or_an_empty_folder_is_replaced(folder, tmp_path):
    save(lexical_metric(seed=1), folder)
    assert load(folder).digest == lexical_metric(seed=1).digest
    (tmp_path / "empty").mkdir()
    save(lexical_metric(), tmp_path / "empty")
    save(lexical_metric(), tmp_path / "new" / "below")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("words")
    for name in ("mine", "file"):
        with pytest.raises(BundleError, match="is there and is no metric; name a new folder"):
            save(lexical_metric(), tmp_path / name)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_folder_may_be_named_by_a_dot_or_a_link(folder, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(folder)
    save(lexical_metric(seed=2), tmp_path / "link")
    assert load(folder).digest == lexical_metric(seed=2).digest
    monkeypatch.chdir(folder)
    save(lexical_metric(seed=3), Path())
    assert load(folder).digest == lexical_metric(seed=3).digest


def test_a_failure_leaves_what_was_there(folder, tmp_path, monkeypatch):
    before = load(folder).digest

    def fail(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(bundle, "_write", fail)
        with pytest.raises(OSError, match="no space left"):
            save(lexical_metric(seed=1), folder)
    assert load(folder).digest == before
    rename = Path.rename
    moves = []

    def fail_second(path, target):
        moves.append(path)
        if len(moves) == 2:
            raise OSError("a bad moment")
        return rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", fail_second)
        with pytest.raises(OSError, match="a bad moment"):
            save(lexical_metric(seed=1), folder)
    assert load(folder).digest == before
    assert [path.name for path in tmp_path.iterdir()] == ["metric"]


def test_further_files_are_kept_beside_it(tmp_path):
    save(lexical_metric(), tmp_path / "metric", files={"history.jsonl": "{}\n"})
    assert (tmp_path / "metric" / "history.jsonl").read_text() == "{}\n"
    assert load(tmp_path / "metric").name == "small"


def test_loading_needs_no_torch_and_runs_nothing_of_the_bundle(folder):
    for name in ("__init__.py", "metric.py", "sitecustomize.py"):
        (folder / name).write_text("raise SystemExit('code of the bundle was run')\n")
    program = textwrap.dedent("""
        import sys
        for name in ("torch", "sklearn", "transformers"):
            sys.modules[name] = None  # an import of it fails
        banned = {"exec", "os.system", "subprocess.Popen", "pickle.find_class"}
        def watch(event, arguments):
            inside = str(arguments[0].co_filename) if event == "exec" else ""
            if event in banned and (event != "exec" or sys.argv[1] in inside):
                raise SystemExit(f"{event} {arguments}")
        sys.addaudithook(watch)
        from concordant.bundle import load
        metric = load(sys.argv[1])
        print(metric.prefer(["the house"], ["a"], [["the old house"]])[0])
        print(metric.score(["the house"], [["the old house"]]).segments[0])
    """)
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        capture_output=True, text=True, check=False, env={**os.environ}, cwd=folder.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    metric = load(folder)
    expected = metric.prefer(["the house"], ["a"], [["the old house"]])[0]
    assert float(done.stdout.split()[0]) == expected


def test_a_metric_does_not_run_with_other_parts_than_it_was_trained_with(tmp_path):
    save(vector_metric(tmp_path / "static"), tmp_path / "metric")
    assert load(tmp_path / "metric").parts
    shutil.rmtree(tmp_path / "static")
    static_folder(tmp_path / "static", np.random.default_rng(4))
    encoder_names._opened.cache_clear()
    with pytest.raises(BundleError, match="was trained with other parts than are installed here"):
        load(tmp_path / "metric")
