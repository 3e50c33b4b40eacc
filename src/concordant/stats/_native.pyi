import numpy as np
import numpy.typing as npt

def pair_counts(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    threads: int = 1,
) -> npt.NDArray[np.int64]: ...
def weighted_pair_counts(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    weights: npt.NDArray[np.int64],
    threads: int = 1,
) -> npt.NDArray[np.int64]: ...
def true_skill(
    wins: npt.NDArray[np.float64],
    ties: npt.NDArray[np.float64],
    games: int,
    sigma: float,
    noise: float,
    margin: float,
) -> npt.NDArray[np.float64]: ...
