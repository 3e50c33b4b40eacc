"""What a user's file or folder is, by its files."""

import pytest

from concordant.errors import DataError
from concordant.resources.shapes import SHAPES, detect_shape, missing_files


def folder_of(path, *names):
    path.mkdir()
    for name in names:
        (path / name).write_text("{}")
    return path


@pytest.mark.parametrize("shape", [name for name, each in SHAPES.items() if each.files])
def test_a_folder_with_its_files_is_found(tmp_path, shape):
    files = [names.split("|")[-1] for names in SHAPES[shape].files]
    folder = folder_of(tmp_path / "x", *files)
    if SHAPES[shape].mark:
        (folder / "config.json").write_text('{"model_type": "model2vec"}')
    assert detect_shape(folder) == shape
    assert detect_shape(folder, kind=SHAPES[shape].kind) == shape
    (folder / files[0]).unlink()
    assert missing_files(shape, folder) == [SHAPES[shape].files[0].replace("|", " or ")]


def test_a_transformer_with_a_fast_tokenizer_is_not_static(tmp_path):
    names = ["config.json", "model.safetensors", "tokenizer.json"]
    assert detect_shape(folder_of(tmp_path / "x", *names)) == "transformers"


def test_a_file_is_word_vectors(tmp_path):
    path = tmp_path / "glove.txt"
    path.write_text("a 1 2\n")
    assert detect_shape(path) == "word-vectors"
    with pytest.raises(DataError, match=r"not a known part of the kind parser; known are: "
                       r"a spaCy pipeline \(meta.json, config.cfg\)$"):  # fmt: skip
        detect_shape(path, kind="parser")


def test_an_unknown_folder_is_told_what_is_known(tmp_path):
    with pytest.raises(DataError, match=r"not a known part; .*an ONNX model \(model.onnx, "
                       r"tokenizer.json\).*word vectors \(one file\)"):  # fmt: skip
        detect_shape(folder_of(tmp_path / "x", "pytorch_model.bin", "config.json"))
