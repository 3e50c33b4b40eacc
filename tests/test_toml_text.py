"""TOML written is TOML read, and what is no TOML is told."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import DataError
from concordant.toml_text import parse_toml, read_toml, toml_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.one_of(
    TEXT, st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False),
    st.lists(TEXT, max_size=3), st.lists(st.integers(0, 9), max_size=3),
)  # fmt: skip


@given(st.dictionaries(TEXT, VALUES), st.dictionaries(TEXT, st.dictionaries(TEXT, VALUES)))
def test_what_is_written_is_read(values, tables):
    whole = {**values, **tables}
    found = parse_toml(toml_text(whole))
    assert found == whole
    assert all(type(found[key]) is type(value) for key, value in whole.items())


def test_what_is_no_toml_is_told(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("a = \n")
    with pytest.raises(DataError, match=r"a\.toml: is not TOML: .*line 1"):
        read_toml(path)
    path.write_bytes(b"a = '\xff'\n")
    with pytest.raises(DataError, match=r"a\.toml: is not UTF-8"):
        read_toml(path)
    with pytest.raises(DataError, match="there is no such file; check the path"):
        read_toml(tmp_path / "absent.toml")
    with pytest.raises(DataError, match="is a folder; name a file in it"):
        read_toml(tmp_path)
    with pytest.raises(DataError, match="--set: is not TOML"):
        parse_toml("=", "--set")


def test_the_reader_is_the_standard_one():
    assert ("tomllib" if sys.version_info >= (3, 11) else "tomli") in sys.modules
