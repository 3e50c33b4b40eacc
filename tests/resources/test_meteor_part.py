"""METEOR reads its data from the part meteor-en where that is installed."""

from small_parts import FORMS

from concordant.metrics.lexical.meteor.data import JAR, load_resources
from concordant.resources.installation import add
from concordant.resources.places import parts_folder


def test_the_part_is_found_and_its_modules_run(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    files = tmp_path / "files"
    (files / "data").mkdir(parents=True)
    (files / JAR).touch()
    (files / "data" / "paraphrase-en.gz").touch()
    before = load_resources().folder
    add("meteor-en", files, FORMS)
    found = load_resources()
    assert found.folder == parts_folder() / "meteor-en" != before
    assert found.modules("en") == ("exact", "stem", "synonym", "paraphrase")
