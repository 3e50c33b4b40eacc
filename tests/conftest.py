"""What all tests share: the WMT data, where there is any, and a seeded generator."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# How long a case takes is the machine's business, not a claim of the tests.
settings.register_profile("concordant", deadline=None)
settings.load_profile("concordant")


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
