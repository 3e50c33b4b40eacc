"""Every function of the kernels has a row in the fuzz run, which stops where one is missing."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"


KERNELS = {
    "arrays": "concordant._native",
    "lexical": "concordant.metrics.lexical._native",
    "encoders": "concordant.encoders._native",
    "stats": "concordant.stats._native",
}


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_function_of_a_kernel_has_a_row_for_the_fuzz_run(kernel, monkeypatch):
    native = importlib.import_module(KERNELS[kernel])
    names = {name for name in dir(native) if not name.startswith("_")}
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])
    inputs = runpy.run_path(str(FUZZ / f"{kernel}_inputs.py"))
    assert set(inputs["ARGUMENTS"]) == names
    assert set(inputs["CALLS"]) <= names
