from typing import TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", np.float32, np.float64)

def product(rows: npt.NDArray[Number], weights: npt.NDArray[Number]) -> npt.NDArray[Number]: ...
def sum_groups(
    values: npt.NDArray[Number], first: npt.NDArray[np.int64]
) -> npt.NDArray[Number]: ...
