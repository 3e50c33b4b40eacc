"""Every function of the kernel has a row in the fuzz run, which stops where one is missing."""

import runpy
from pathlib import Path

from concordant.lexical import _native

INPUTS = Path(__file__).parents[2] / "fuzz" / "inputs.py"


def test_every_function_of_the_kernel_has_a_row_for_the_fuzz_run():
    names = {name for name in dir(_native) if not name.startswith("_")}
    assert set(runpy.run_path(str(INPUTS))["ARGUMENTS"]) == names
