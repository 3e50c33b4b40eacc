"""Where parts are, what their records say, and what is said of those that are not there."""

from pathlib import Path

import pytest

from concordant.encoders.networks.model_folder import folder_digest
from concordant.errors import DataError
from concordant.resources.places import (
    RECORD,
    MissingPart,
    Record,
    cache_folder,
    installed_folder,
    installed_names,
    is_installed,
    locate,
    parts_folder,
    read_record,
    require,
    write_record,
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    return tmp_path


def put(name, **fields):
    folder = parts_folder() / name
    folder.mkdir(parents=True)
    given = {"kind": "encoder", "shape": "onnx", "title": "", "licence": "", "carrier": ""}
    write_record(folder, Record(name=name, version="", **{**given, **fields}))
    return folder


def test_the_cache_is_where_the_environment_says(monkeypatch, cache):
    assert cache_folder() == cache
    monkeypatch.delenv("CONCORDANT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert cache_folder() == Path("/elsewhere/concordant")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "concordant"


def test_a_missing_part_comes_with_its_command():
    with pytest.raises(
        MissingPart,
        match=r"^the part minilm is not installed: concordant resources install minilm$",
    ):
        locate("minilm")
    with pytest.raises(MissingPart, match="concordant resources add infersent PATH"):
        locate("infersent")
    with pytest.raises(MissingPart, match=r'no part "minlm"; did you mean "minilm"\?'):
        locate("minlm")
    with pytest.raises(MissingPart, match=r'no part "zz"; `concordant resources` lists them'):
        locate("zz")


def test_several_missing_parts_are_one_sentence():
    words = (
        "the parts parser-en, glove-100 and glove-50 are not installed: "
        "concordant resources install parser-en glove-100 glove-50"
    )
    with pytest.raises(MissingPart, match=f"^{words}$"):
        require(["parser-en", "a folder of my own", "glove-100", "glove-50"])
    with pytest.raises(MissingPart, match="part glove-50 is not installed: concordant resources"):
        require(["glove-50"])
    require(["a folder of my own"])


def test_a_folder_without_a_record_is_no_part():
    (parts_folder() / "minilm").mkdir(parents=True)
    assert not is_installed("minilm")
    assert installed_names() == []


def test_a_record_is_read_as_it_was_written():
    odd = 'quo"te \\ back\tslash é 漢 \u202e'
    files = {"a b.npy": "00", 'we"ird\\é': "11"}
    folder = put("mine", title=odd, files=files)
    record = read_record(folder)
    assert record.title == odd
    assert record.files == files
    assert installed_folder("mine") == folder
    assert installed_names() == ["mine"]


@pytest.mark.parametrize("name", ["../outside", "/", "", ".", "a/../b"])
def test_a_path_is_never_an_installed_part(cache, name):
    for folder in (cache / "outside", cache / "parts", cache / "parts" / "b"):
        folder.mkdir(exist_ok=True, parents=True)
        (folder / RECORD).touch()
    assert not is_installed(name)
    assert not is_installed(str(cache / "outside"))
    with pytest.raises(MissingPart):
        locate(name)


def test_a_digest_stands_for_the_contents_only():
    one = put("one", files={"a": "11", "b": "22"}, title="x")
    two = put("two", files={"b": "22", "a": "11"}, title="y")
    three = put("three", files={"a": "11", "b": "23"})
    one, two, three = (folder_digest(folder, []) for folder in (one, two, three))
    assert one == two != three
    assert len(one) == 12


@pytest.mark.parametrize(
    "text", ["format = ", 'name = "x"', "format = 1\nfiles = 3\nname = 'x'", b"\xff\xfe"]
)
def test_a_damaged_record_is_told(text):
    folder = put("minilm")
    (folder / RECORD).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=r"part\.toml: this record is damaged .*remove minilm, then "
                       r"concordant resources install minilm"):  # fmt: skip
        read_record(folder)


def test_a_record_of_another_format_is_told():
    folder = put("mine")
    text = (folder / RECORD).read_text().replace("format = 1", "format = 2")
    (folder / RECORD).write_text(text)
    with pytest.raises(DataError, match=r"format 2 is not 1; install it again: .* add mine PATH"):
        read_record(folder)
