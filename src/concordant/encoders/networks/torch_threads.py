"""How many threads torch uses, which is a setting of the whole process."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from concordant.encoders.networks.model_folder import require

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for each call into torch; threads that begin in here take it over."""
    torch = require("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
