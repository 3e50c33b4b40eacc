"""What all tests share: a cache of their own, pretrained parts and WMT data where there are any."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from concordant.resources.places import MissingPart, cache_folder, locate

# sacrebleu reads it once, when it is imported: no test sees or fills the user's own folder.
SACREBLEU = tempfile.TemporaryDirectory(prefix="concordant-sacrebleu-")
os.environ["SACREBLEU"] = SACREBLEU.name

# How long a case takes is the machine's business, not a claim of the tests.
settings.register_profile("concordant", deadline=None)
settings.load_profile("concordant")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for this run: installed parts are seen in it, the user's stays as it is."""
    users, folder = cache_folder(), tmp_path_factory.getbasetemp() / "concordant-cache"
    (folder / "parts").mkdir(parents=True)
    for path in [*users.glob("parts/[!.]*"), *users.glob("meteor-*")]:
        (folder / path.relative_to(users)).symlink_to(path.resolve())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONCORDANT_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def sacrebleu_folder() -> Path:
    """The folder where sacrebleu keeps what it downloads, in this run."""
    return Path(SACREBLEU.name)


@pytest.fixture(scope="session")
def part() -> Callable[[str], Path]:
    """The folder of a pretrained part by name; tests that need one skip where it is not there."""

    def folder_or_skip(name: str) -> Path:
        try:
            return locate(name)
        except MissingPart as missing:
            pytest.skip(str(missing))

    return folder_or_skip


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of WMT judgements; tests that need it skip where it is not there."""
    folder = os.environ.get("CONCORDANT_DATA")
    if folder is None:
        pytest.skip("CONCORDANT_DATA is not set: it names the folder of WMT judgements")
    path = Path(folder)
    if not path.is_dir():
        pytest.skip(f"CONCORDANT_DATA names {folder}, which is not a folder")
    return path


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)
