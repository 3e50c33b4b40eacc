"""A metric on disk: it comes back to the last bit, and what is not what it says is refused."""

import contextlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from attack_bundles import hash_again
from own_parts import own_part
from small_encoders import static_folder
from small_metrics import (
    HYPOTHESES,
    REFERENCES,
    SOURCES,
    lexical_metric,
    vector_metric,
)

from concordant import output_files
from concordant.encoders import encoder_names
from concordant.errors import BundleError, ConcordantError, SpecError
from concordant.features.encoded_features import ENCODED_KINDS
from concordant.features.part_names import NAMING_KINDS
from concordant.features.sentence_vectors import VECTOR_KINDS
from concordant.metrics import bundle
from concordant.metrics.bundle import CARD, MANIFEST, WEIGHTS, is_bundle, load, save
from concordant.resources.places import MissingPart
from concordant.toml_text import read_toml


@pytest.fixture
def folder(tmp_path):
    save(lexical_metric(), tmp_path / "metric", training={"tau": "0.5"})
    return tmp_path / "metric"


def edit(folder, old, new):
    path = folder / MANIFEST
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
    metric = vector_metric("static", **options)
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
    about = read_toml(folder / MANIFEST)
    assert (about["format"], about["name"]) == (2, "small")
    assert about["inputs"] == {
        "features": "bleu length", "vectors": "", "anchors": ["reference"],
        "features_scaling": "min-max",
    }  # fmt: skip
    assert about["model"] == {"kind": "pairwise", "hidden": 4, "symmetric": False}
    assert about["training"] == {"tau": "0.5"}
    assert set(about["sha256"]) == {WEIGHTS, CARD, MANIFEST}
    assert (folder / CARD).read_text() == "# A card\n"
    modes = {(folder / name).stat().st_mode for name in (MANIFEST, WEIGHTS, CARD)}
    assert len(modes) == 1  # whoever may read one may read all


@pytest.mark.parametrize("name", [WEIGHTS, CARD])
def test_a_changed_byte_is_seen(folder, name):
    data = bytearray((folder / name).read_bytes())
    for place in (0, len(data) // 2, len(data) - 1):
        data[place] ^= 1
        (folder / name).write_bytes(data)
        assert fault_of(folder) == (
            f"/{name} is damaged or changed: its hash does not match; copy or train the "
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
    assert fault_of(tmp_path) == " is not a metric: it has no metric.toml"
    assert "is not a metric" in fault_of(tmp_path / "absent")
    (folder / MANIFEST).write_text("format: 1\n")
    with pytest.raises(ConcordantError, match=r"metric\.toml: is not TOML"):
        load(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 2", "format = 3", " has format 3, made by concordant "),
        ("format = 2", "format = 1", " has format 1, whose metric.toml has no hash of itself; "),
        (
            "format = 2",
            "formal = 2",
            "/metric.toml: no format number; this is not a concordant metric",
        ),
        ("format = 2", "format = true", "/metric.toml: no format number"),
        ("format = 2", "format = 0", "/metric.toml: no format number"),
        ("format = 2", "format = inf", "/metric.toml: no format number"),
        ('name = "small"', "name = 5", "/metric.toml: name must be a text"),
        ('name = "small"', 'name = ""', "/metric.toml: name must have 1 to 200 printable"),
        ('name = "small"', 'name = "\\u001b[31m"', "/metric.toml: name must have 1 to 200 print"),
        ("[sha256]", "[sha]", '/metric.toml: the file has an unknown key "sha"'),
        ('"card.md"', '"cart.md"', '/metric.toml: [sha256] has an unknown key "cart.md"; did you'),
        ("[inputs]", "[input]", '/metric.toml: the file has an unknown key "input"; did you mean'),
        ("[inputs]", "[inputs]\nx = 1", '/metric.toml: [inputs] has an unknown key "x"'),
        ("[training]", "[training]\n[training.a]", "/metric.toml: a of [training] must be a plain"),
        ("anchors = [", "anchors = [3, ", "/metric.toml: anchors must be a list of texts"),
        ('["reference"]', '"reference"', "/metric.toml: anchors must be a list of texts"),
        ("hidden = 4", "hidden = [[[]]]", "/metric.toml: hidden of [model] must be a plain value"),
        ("hidden = 4", "hidden = 3", "/metric.toml is damaged or changed: its hash does not match"),
        ('"bleu length"', '"bleu"', "/metric.toml is damaged or changed: its hash does not match"),
        ("features_scaling", "vectors_scaling", "/metric.toml is damaged or changed"),
    ],
)
def test_a_metric_toml_that_says_other_things(folder, old, new, message):
    edit(folder, old, new)
    assert fault_of(folder).startswith(message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("symmetric", "summetric", ': a pairwise model has no option "summetric"; it has hidden'),
        ("symmetric = false", "", ": a pairwise model needs the option symmetric"),
        ("symmetric = false", "symmetric = 0", ": symmetric = 0 must be one of false, true"),
        ("hidden = 4", 'hidden = "many"', ': hidden = "many" must be a whole number from 0 to'),
        ("hidden = 4", "hidden = inf", ": hidden = inf must be a whole number from 0 to 1,000,000"),
        ("hidden = 4", "hidden = nan", ": hidden = nan must be a whole number"),
        ("hidden = 4", "hidden = -4", ": hidden = -4 must be a whole number"),
        ("hidden = 4", f"hidden = {10**12}", f": hidden = {10**12} must be a whole number"),
        ('"pairwise"', '"pairwine"', ': model "pairwine" is not one of pairwise, linear, regress'),
        ('"pairwise"', "7", ": model 7 is not one of pairwise"),
        ('"pairwise"', '"linear"', ': a linear model has no option "symmetric"; it has hidden'),
        ('"bleu length"', '"bleu"', ": output_weights is (6,), but must be (2,)"),
        ('"bleu length"', '""', ": output_weights is (6,), but must be (0,)"),
        ('"bleu length"', '"blue length"', ': feature "blue" is not one of '),
        ('"bleu length"', '"bleu("', ": "),
        ('["reference"]', '["sauce"]', ": anchors sauce are not some of reference, source"),
        ('["reference"]', '["reference", "reference"]', ": anchors reference, reference are not"),
        ("features_scaling", "vectors_scaling", ": there is no scaling.vectors.centre; copy or"),
        (
            'features_scaling = "min-max"',
            "",
            ": scaling.features.centre is not part of it",
        ),
        ('"min-max"', '"max-min"', ': scaling "max-min" is not one of min-max, standard'),
        ('vectors = ""', 'parts = "0"\nvectors = ""', ": it was trained with parts that differ"),
    ],
)
def test_what_is_hashed_again_must_still_be_a_metric(folder, old, new, message):
    edit(folder, old, new)
    hash_again(folder)
    assert fault_of(folder).startswith(message)


@pytest.mark.parametrize(
    "spec",
    [
        "tokens(/abs/path)", "tokens(./static)", "sentence(../static)", "vectors(~/vectors.txt)",
        "tokens(~nosuchuser)", "sentence(org/model)", "vectors(static/vectors.txt)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("table", ["features", "vectors"])
def test_a_bundle_names_parts_and_never_paths_or_packages(folder, monkeypatch, spec, table):
    monkeypatch.chdir(folder.parent)
    static_folder(folder.parent / "static", np.random.default_rng(4))
    old = 'features = "bleu length"' if table == "features" else 'vectors = ""'
    edit(folder, old, f'{table} = "{spec}"')
    hash_again(folder)
    name = spec.partition("(")[2].rstrip(")")
    assert fault_of(folder).startswith(
        f': {spec}: "{name}" is not the name of a part. A saved metric names parts, never paths or '
        "packages: `concordant resources add NAME PATH` makes a part of your files"
    )


@pytest.mark.parametrize("parser", ["evilpkg", "evil_pkg", "evil.pkg", "./evilpkg"])
def test_no_package_that_a_bundle_names_is_imported(folder, tmp_path, monkeypatch, parser):
    for name in ("evilpkg", "evil_pkg"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('code was run')\n")
        about = tmp_path / f"{name}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.txt").write_text("a 1 2\n")
    edit(folder, 'vectors = ""', f'vectors = ""\ntrees = "trees({parser},v.txt)"')
    hash_again(folder)
    with pytest.raises(ConcordantError, match=r'no part "|not the name of a part'):
        load(folder)
    assert "evilpkg" not in sys.modules


def test_a_metric_made_with_paths_cannot_be_saved(tmp_path):
    words = r'tokens\(.*\): ".*static" is not the name of a part\. .*`concordant resources add NAME'
    with pytest.raises(SpecError, match=words):
        save(vector_metric(tmp_path / "static"), tmp_path / "metric")
    assert not (tmp_path / "metric").exists()


def test_only_a_metric_or_an_empty_folder_is_replaced(folder, tmp_path):
    save(lexical_metric(seed=1), folder)
    assert load(folder).digest == lexical_metric(seed=1).digest
    (tmp_path / "empty").mkdir()
    save(lexical_metric(), tmp_path / "empty")
    save(lexical_metric(), tmp_path / "new")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("words")
    for name in ("mine", "file"):
        with pytest.raises(BundleError, match="exists and is not a metric; name a new folder"):
            save(lexical_metric(), tmp_path / name)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_files_of_the_user_beside_a_metric_are_never_deleted(folder):
    mine = {folder / "thesis.txt": "years of work", folder / "data" / "a": "b", folder / ".x": "y"}
    for path, text in mine.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    before = load(folder).digest
    words = r"also holds \.x, data, thesis\.txt, which saving a metric there would delete; move it"
    with pytest.raises(BundleError, match=words):
        save(lexical_metric(seed=1), folder)
    assert load(folder).digest == before
    assert {path: path.read_text() for path in mine} == mine


def test_what_came_into_a_folder_at_the_last_moment_stays(folder, tmp_path, monkeypatch):
    write = bundle._write

    def late(*given):
        write(*given)
        (folder / "thesis.txt").write_text("years of work")

    monkeypatch.setattr(bundle, "_write", late)
    save(lexical_metric(seed=1), folder)
    (kept,) = tmp_path.rglob("thesis.txt")
    assert kept.read_text() == "years of work"
    assert load(folder).digest == lexical_metric(seed=1).digest


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
        with pytest.raises(ConcordantError, match="no space left; name a folder on a disk"):
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
        patched.setattr(output_files, "_exchange_at_once", lambda *_: False)
        with pytest.raises(ConcordantError, match="a bad moment"):
            save(lexical_metric(seed=1), folder)
    assert load(folder).digest == before
    assert [path.name for path in tmp_path.iterdir()] == ["metric"]


def test_the_history_is_kept_beside_it(tmp_path):
    save(lexical_metric(), tmp_path / "metric", history="{}\n")
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
        from concordant.metrics.bundle import load
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


def test_a_metric_does_not_run_with_other_parts_than_it_was_trained_with(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    save(vector_metric("static"), tmp_path / "metric")
    assert load(tmp_path / "metric").parts
    own_part("static", "static", lambda folder: static_folder(folder, np.random.default_rng(4)))
    encoder_names._open_once.cache_clear()
    with pytest.raises(BundleError, match="was trained with parts that differ from the installed"):
        load(tmp_path / "metric")
    edit(tmp_path / "metric", 'parts = "', '# parts = "')
    hash_again(tmp_path / "metric")
    with pytest.raises(BundleError, match="was trained with parts that differ from the installed"):
        load(tmp_path / "metric")


def test_a_part_that_is_missing_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    save(vector_metric("static"), tmp_path / "metric")
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "empty"))
    with pytest.raises(MissingPart, match="`concordant resources add static PATH` adds your own"):
        load(tmp_path / "metric")


def test_every_kind_that_names_parts_is_known():
    pieces = {"rarity", "piecegrams"}  # of a vocabulary
    naming = {*ENCODED_KINDS, *VECTOR_KINDS, *pieces, "trees"} - {"syntax"}  # of dimensions
    assert naming == NAMING_KINDS


@pytest.mark.parametrize("name", ["fast", "fast-any"])
def test_any_flipped_bit_of_metric_toml_is_seen_or_changes_nothing(tmp_path, rng, name):
    folder = shutil.copytree(bundle.SHIPPED / name, tmp_path / name)
    text = (folder / MANIFEST).read_bytes()
    before = load(folder).signature()
    for place in rng.choice(len(text), 60, replace=False).tolist():
        data = bytearray(text)
        data[place] ^= 1 << int(rng.integers(8))
        (folder / MANIFEST).write_bytes(data)
        with contextlib.suppress(ConcordantError):
            assert load(folder).signature() == before
            assert set(bytes([data[place], text[place]])) <= set(b" \t\r\n")


def test_the_signature_tells_any_other_value_apart(folder):
    before = load(folder).signature()
    edit(folder, '"min-max"', '"standard"')
    hash_again(folder)
    assert load(folder).signature() != before
    edit(folder, '"standard"', '"min-max"')
    edit(folder, "symmetric = false", "symmetric = true")
    hash_again(folder)
    assert load(folder).signature() != before


def test_files_that_came_late_find_a_place_of_their_own_every_time(folder, tmp_path, monkeypatch):
    write = bundle._write
    for number in (1, 2):

        def late(*given, number=number):
            write(*given)
            (folder / "thesis.txt").write_text(f"year {number}")

        with monkeypatch.context() as patched:
            patched.setattr(bundle, "_write", late)
            save(lexical_metric(seed=number), folder)
    kept = sorted(path.read_text() for path in tmp_path.rglob("thesis.txt"))
    assert kept == ["year 1", "year 2"]


def test_a_missing_folder_is_not_created(tmp_path):
    with pytest.raises(BundleError, match=r"there is no folder .*x; create it first"):
        save(lexical_metric(), tmp_path / "x" / "metric")
