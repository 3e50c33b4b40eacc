"""A column of scores for a data set of Hugging Face's `datasets`.

>>> dataset.map(score_column, batched=True, fn_kwargs={"metric": "fast"})  # doctest: +SKIP

A metric that looks at the references of the whole test set (nist) needs `batch_size=None`.
"""

from typing import Any

import concordant


def score_column(batch: dict[str, list[str]], metric: Any = "base") -> dict[str, list[float]]:
    """The score of each translation in the column `mt`, with `ref`, and `src` if it is there."""
    scores = concordant.score(batch["mt"], batch["ref"], batch.get("src"), metric=metric)
    return {"score": scores.segments.tolist()}
