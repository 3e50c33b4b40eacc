"""Concordant: learn MT metrics from human judgements, score with them, measure agreement."""

from concordant._version import __version__

__all__ = ["__version__"]
