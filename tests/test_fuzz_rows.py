"""Every function of the kernels has a row in the fuzz run, which stops where one is missing."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"


@pytest.mark.parametrize("kernel", ["lexical", "embeddings", "stats", "models"])
def test_every_function_of_a_kernel_has_a_row_for_the_fuzz_run(kernel, monkeypatch):
    native = importlib.import_module(f"concordant.{kernel}._native")
    names = {name for name in dir(native) if not name.startswith("_")}
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])
    inputs = runpy.run_path(str(FUZZ / f"{kernel}_inputs.py"))
    assert set(inputs["ARGUMENTS"]) == names
    assert set(inputs["CALLS"]) <= names
