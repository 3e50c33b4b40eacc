"""Gradients by torch, for costs whose slopes are not written by hand."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Tensor = Any
    Batch = Any
    Params = dict[str, np.ndarray]
    Cost = Callable[[dict[str, Tensor], Batch], Tensor]


def torch_module() -> Any:
    """torch, or how to install it."""
    try:
        return importlib.import_module("torch")
    except ImportError as fault:
        raise ConcordantError(
            "training this needs torch: pip install 'concordant[train]'"
        ) from fault


def by_autograd(cost: Cost) -> Callable[[Params, Batch], tuple[np.ndarray, Params]]:
    """The gradient of a cost (runs,) of parameters and a batch, as a stage of the loop takes it."""
    torch = torch_module()

    def gradient(params: Params, batch: Batch) -> tuple[np.ndarray, Params]:
        leaves = {k: torch.from_numpy(v).requires_grad_(True) for k, v in params.items()}
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # small arrays: a second thread only gets in the way
        try:
            found = cost(leaves, batch)
            slopes = torch.autograd.grad(found.sum(), list(leaves.values()))
        finally:
            torch.set_num_threads(threads)
        named = zip(leaves, slopes, strict=True)
        return found.detach().numpy(), {name: slope.numpy() for name, slope in named}

    return gradient
