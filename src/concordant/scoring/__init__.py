"""Metric + texts → scores: streaming over files of any size."""
