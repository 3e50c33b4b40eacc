"""An encoder by any name: an installed part, a folder or file of each kind, a hub's name."""

import numpy as np
import pytest
from own_parts import own_part
from small_encoders import TEXTS, WORDS, bert_folder, skip_thought_folder, static_folder
from small_vectors import small_vectors

from concordant.encoders.encoder_names import OPENERS, encoder_named, folder_of
from concordant.encoders.encoders import encode
from concordant.errors import ConcordantError, DataError, SpecError
from concordant.resources.places import MissingPart
from concordant.resources.shapes import SHAPES
from concordant.resources.table import PARTS


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))


def vector_file(folder):
    path = folder / "vectors.txt"
    path.write_text("".join(f"{word} {i} {i + 1} {-i}\n" for i, word in enumerate(WORDS)))
    return path


def check(encoder, dimension, depth):
    assert (encoder.dimension, encoder.depth) == (dimension, depth)
    found = encode(encoder, TEXTS)
    assert found.shape == (len(TEXTS), dimension)
    assert np.isfinite(found).all()
    assert np.array_equal(found[0], found[4])
    assert found[0].any()


def test_a_transformers_folder(tmp_path):
    pytest.importorskip("transformers")
    folder = bert_folder(tmp_path / "bert")
    encoder = encoder_named(str(folder))
    check(encoder, 16, 3)
    assert encoder.name == str(folder)
    assert encoder_named(str(folder)) is encoder
    first = encoder_named(str(folder), {"layer": "1", "pool": "cls"})
    check(first, 16, 3)
    assert first.signature != encoder.signature
    with pytest.raises(SpecError, match='layer "last" is not a number'):
        encoder_named(str(folder), {"layer": "last"})
    with pytest.raises(SpecError, match="has layers 0 to 3, not 4"):
        encoder_named(str(folder), {"layer": "4"})
    with pytest.raises(SpecError, match='has no option "size"; it has layer, pool'):
        encoder_named(str(folder), {"size": "4"})


def test_a_sentence_transformers_folder_with_its_weights_deeper(tmp_path):
    pytest.importorskip("transformers")
    bert_folder(tmp_path / "st" / "0_Transformer")
    (tmp_path / "st" / "modules.json").write_text(
        '[{"idx": 0, "name": "0", "path": "0_Transformer",'
        ' "type": "sentence_transformers.models.Transformer"}]'
    )
    check(encoder_named(str(tmp_path / "st")), 16, 3)


def test_a_static_folder(tmp_path, rng):
    folder = static_folder(tmp_path / "static", rng)
    check(encoder_named(str(folder)), 6, 0)
    with pytest.raises(SpecError, match='has no option "pool"; it has none'):
        encoder_named(str(folder), {"pool": "cls"})


def test_files_and_folders_of_word_vectors(tmp_path):
    encoder = encoder_named(str(vector_file(tmp_path)))
    assert (encoder.dimension, encoder.depth) == (3, 0)
    assert encode(encoder, ["house street"]).tolist() == [[2.5, 3.5, -2.5]]
    small_vectors(tmp_path / "mapped")
    assert encoder_named(str(tmp_path / "mapped")).dimension == 4


def test_skip_thoughts_files(tmp_path, rng):
    pytest.importorskip("torch")
    folder = skip_thought_folder(tmp_path / "skip", rng)
    check(encoder_named(str(folder)), 9, None)


def test_a_pipeline_of_spacy(tiny_pipeline):
    encoder = encoder_named(str(tiny_pipeline))
    check(encoder, 16, None)


def test_an_installed_part_goes_before_a_file_of_its_name(tmp_path, rng, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "potion").write_text("not this")
    own_part("potion", "static", lambda folder: static_folder(folder, rng))
    assert folder_of("potion") == tmp_path / "cache" / "parts" / "potion"
    encoder = encoder_named("potion")
    check(encoder, 6, 0)
    assert encoder.name == "potion"


def test_a_part_of_ones_own_has_its_name():
    own_part("mine", "word-vectors", small_vectors)
    encoder = encoder_named("mine")
    assert (encoder.name, encoder.dimension) == ("mine", 4)


@pytest.mark.parametrize("name", [n for n, part in PARTS.items() if part.kind != "measure data"])
def test_a_missing_part_says_how_to_get_it(name):
    how = "install" if PARTS[name].carriers else "add"
    with pytest.raises(
        MissingPart, match=f"the part {name} is not installed: concordant resources {how} {name}"
    ):
        encoder_named(name)


def test_an_unknown_name_is_told_with_the_nearest_one():
    words = r'encoder "minilmm" is not one of glove-50, .*, nor a file or folder; did you mean'
    with pytest.raises(SpecError, match=words) as caught:
        encoder_named("minilmm")
    assert '"minilm"' in str(caught.value)
    assert "meteor-en" not in str(caught.value)


def test_a_hubs_name_is_looked_up_and_nothing_is_downloaded(tmp_path, monkeypatch):
    pytest.importorskip("transformers")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert folder_of("someone/some-model") is None
    with pytest.raises(ConcordantError, match="neither a folder nor in the local hub cache"):
        encoder_named("someone/some-model")
    with pytest.raises(SpecError, match="nor a file or folder"):
        folder_of("./some-model")


def test_what_is_no_encoder_is_refused(tmp_path):
    own_part("meteor-en", "meteor", lambda folder: (folder / "meteor-1.5.jar").write_bytes(b""))
    with pytest.raises(SpecError, match="meteor-en is METEOR's files, not an encoder"):
        encoder_named("meteor-en")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="this is not a known part; known are: a spaCy"):
        encoder_named(str(tmp_path / "empty"))


def test_every_shape_of_an_encoder_has_a_builder():
    assert set(OPENERS) == {name for name, shape in SHAPES.items() if shape.kind != "measure data"}


def test_a_changed_part_is_not_used(rng):
    folder = own_part("mine", "static", lambda folder: static_folder(folder, rng))
    encoder_named("mine")
    for name in ("model.safetensors", "tokenizer.json"):
        path = folder / name
        before = path.read_bytes()
        path.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
        with pytest.raises(DataError, match=f"mine is not what was installed: {name} was changed"):
            encoder_named("mine")
        path.write_bytes(before)
    encoder_named("mine")


def test_a_home_folder_of_nobody_is_told():
    with pytest.raises(SpecError, match="starts with ~nosuchuser, but there is no such user"):
        encoder_named("~nosuchuser")
