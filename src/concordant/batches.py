"""Scores for Arrow batches: what Ray, Spark, data frames and dataset libraries call.

>>> import pyarrow as pa
>>> batch = pa.RecordBatch.from_pydict({"mt": ["a cat"], "ref": ["a cat"]})
>>> next(score_batches([batch], "chrf"))["chrf"].to_pylist()
[100.0]
"""

from concordant.scoring.batches import score_batches, score_table

__all__ = ["score_batches", "score_table"]
