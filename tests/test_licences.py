"""The licence texts of what others wrote and the package carries go into the wheel."""

from pathlib import Path

from concordant.toml_text import read_toml

ROOT = Path(__file__).parents[1]


def test_every_licence_text_goes_into_the_wheel():
    patterns = read_toml(ROOT / "pyproject.toml")["project"]["license-files"]
    found = {str(path.relative_to(ROOT)) for each in patterns for path in ROOT.glob(each)}
    assert {"LICENSE", "NOTICE", "LICENSES/LGPL-2.1.txt"} < found
    assert found >= {str(path.relative_to(ROOT)) for path in (ROOT / "LICENSES").iterdir()}
    for model in ("potion", "e5-small"):
        assert any(model in name and "MIT" in name for name in found)
