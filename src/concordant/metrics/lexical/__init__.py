"""Texts → counts → scores: a measure counts each segment and scores summed counts."""
