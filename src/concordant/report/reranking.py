"""The chosen candidates as lines: the text alone, tab-separated values, or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.safe_text import json_text, tsv_field

if TYPE_CHECKING:
    from concordant.reranking.choices import Choice
    from concordant.reranking.lists import CandidateList

COLUMNS = ("id", "place", "candidates", "score", "low", "high", "certainty", "text")
HEADING = "\t".join(COLUMNS) + "\n"


def choice_line(each: CandidateList, choice: Choice, form: str) -> str:
    r"""The line of a list; places count from 1.

    >>> import numpy as np
    >>> from concordant.reranking.choices import Choice
    >>> from concordant.reranking.lists import CandidateList
    >>> choice = Choice("7", 1, "a cat", 50.0, np.array([20.0, 50.0]))
    >>> choice_line(CandidateList("7", ("a dog", "a cat")), choice, "tsv")
    '7\t2\t2\t50.0\t\t\t\ta cat\n'
    """
    if form == "text":
        return choice.text + "\n"
    values = (
        choice.name,
        choice.place + 1,
        len(each.candidates),
        choice.score,
        choice.low,
        choice.high,
        choice.certainty,
        choice.text,
    )
    if form == "tsv":
        return "\t".join(map(_field, values)) + "\n"
    record = dict(zip(COLUMNS, values, strict=True))
    return json_text({**record, "scores": choice.scores.tolist()}) + "\n"


def _field(value: object) -> str:
    if value is None:
        return ""
    return tsv_field(value) if isinstance(value, str) else repr(value)
