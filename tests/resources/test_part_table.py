"""The table of parts: complete, pinned, and nothing in it that the rest does not know."""

import re

import pytest

from concordant.resources.inventory import EXTRAS
from concordant.resources.shapes import SHAPES
from concordant.resources.table import CARRIED, KINDS, PARTS


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_complete(name):
    part = PARTS[name]
    assert part.name == name
    assert part.title
    assert part.licence
    assert part.megabytes > 0
    assert part.shape in SHAPES
    assert bool(part.carriers) == bool(part.files)
    assert all(re.fullmatch(r"[0-9a-f]{64}", member.sha256) for member in part.files)
    assert all(re.fullmatch(r"\d+(\.\d+)+", carrier.version) for carrier in part.carriers)
    assert all(not member.name.startswith(("/", "..")) for member in part.files)
    assert set(part.extras) <= set(EXTRAS)
    assert set(part.parts) <= set(PARTS)


def test_every_file_is_another():
    hashes = [m.sha256 for part in PARTS.values() for m in part.files if "token" not in m.name]
    assert len(hashes) == len(set(hashes))


def test_what_can_only_be_added():
    assert set(PARTS) - set(CARRIED) == {"infersent", "skip-thought"}
    assert set(KINDS) == {"word vectors", "encoder", "parser", "measure data"}
