"""What is installed, whether it is still that, and taking it away."""

import pytest
from small_parts import FORMS, offer, small_part

from concordant.errors import ConcordantError
from concordant.resources import inventory as module
from concordant.resources.installation import add, install
from concordant.resources.inventory import inventory, raise_faults, remove, verify
from concordant.resources.places import RECORD, MissingPart, is_installed, locate, parts_folder
from concordant.resources.table import PARTS


@pytest.fixture(autouse=True)
def tiny(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    offer(monkeypatch, tmp_path / "shop", small_part())
    install(["tiny"], FORMS)
    return locate("tiny")


def holding(name):
    return {each.name: each for each in inventory()}[name]


def test_known_parts_come_first_then_the_user_s(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2\n")
    add("mine", path, FORMS)
    assert [each.name for each in inventory()] == [*PARTS, "mine"]
    assert (holding("mine").state, holding("mine").command) == ("installed", "")
    assert holding("tiny").bytes > 1000
    assert holding("minilm").state == "missing"
    assert holding("minilm").command == "concordant resources install minilm"


def test_what_an_installed_part_still_needs_is_its_command(monkeypatch):
    monkeypatch.setitem(PARTS, "tiny", small_part(extras=("parse",), parts=("glove-840b",)))
    assert holding("tiny").command == "concordant resources install glove-840b"
    monkeypatch.setitem(PARTS, "tiny", small_part(extras=("parse",)))
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda _: None)
    assert holding("tiny").command == 'pip install "concordant[parse]"'


def test_changes_are_found(tiny):
    assert verify("tiny").faults == ()
    raise_faults([verify("tiny")])
    (tiny / "weights.bin").write_bytes(b"other")
    (tiny / "data" / "words.txt").unlink()
    (tiny / "extra").touch()
    missing, extra, changed = verify("tiny").faults
    assert missing == "data/words.txt is missing"
    assert extra == "extra is not part of it"
    assert changed.startswith("weights.bin was changed: its sha256 is ")
    with pytest.raises(ConcordantError, match=r"(?s)^tiny: data/words.txt is missing\n.*install "
                       "such a part again: `concordant resources remove NAME`"):  # fmt: skip
        raise_faults([verify("tiny")])


def test_a_damaged_record_is_a_state_and_can_be_removed(tiny):
    (tiny / RECORD).write_text("format =")
    assert holding("tiny").state == "damaged"
    assert holding("tiny").command == "concordant resources remove tiny"
    assert "record is damaged" in verify("tiny").faults[0]
    remove("tiny")
    assert holding("tiny").state == "missing"


def test_removed_is_gone(tiny):
    assert remove("tiny") == tiny
    assert not is_installed("tiny")
    assert list(parts_folder().iterdir()) == []
    with pytest.raises(ConcordantError, match="tiny is not installed; installed are: none"):
        remove("tiny")
    with pytest.raises(MissingPart):
        verify("tiny")
