"""What a tokenizer.json says, before anyone asks what it means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from concordant.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def read_settings(path: Path) -> Any:
    """The settings of a tokenizer.json."""
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataError.at(path, None, error.strerror or "cannot be read") from None
    except ValueError as error:
        raise DataError.at(path, None, f"not JSON: {error}") from None
