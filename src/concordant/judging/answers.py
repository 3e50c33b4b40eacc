"""What a judge may answer: checked against what was shown, before it is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from concordant.judgements.campaign_schema import COMPARING, SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ERRORS = 100
LONGEST_SECONDS = 86_400.0  # of one judgement; a page may stand open for days


class AnswerError(Exception):
    """An answer that does not fit its task; the words are for the page."""


def checked_answer(protocol: str, texts: Sequence[str], answer: Any) -> str:
    """The answer as it is written: JSON with sorted keys. `texts` are the translations shown.

    >>> checked_answer("pairs", ["a", "b"], {"ranks": [1, 1]})
    '{"ranks": [1, 1]}'
    """
    if not isinstance(answer, dict):
        raise AnswerError("an answer is an object")
    known = {"ranks"} if protocol in COMPARING else {"score"}
    known |= {"errors"} if protocol == "spans" else set()
    if set(answer) != known:
        raise AnswerError(f"an answer has the keys {', '.join(sorted(known))}")
    if protocol in COMPARING:
        _check_ranks(answer["ranks"], len(texts))
    else:
        if not _is_whole(answer["score"], 0, 100):
            raise AnswerError("a score is a whole number from 0 to 100")
        if protocol == "spans":
            _check_errors(answer["errors"], texts[0])
    return json.dumps(answer, sort_keys=True)


def checked_seconds(value: Any) -> float:
    """The time on a task that the page measured, within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise AnswerError("seconds is a number of at least 0")
    return round(min(float(value), LONGEST_SECONDS), 3)


def _check_ranks(ranks: Any, places: int) -> None:
    if not isinstance(ranks, list) or len(ranks) != places:
        raise AnswerError(f"there must be {places} ranks, one for each translation")
    if not all(_is_whole(rank, 1, places) for rank in ranks):
        raise AnswerError(f"a rank is a whole number from 1 to {places}")


def _check_errors(errors: Any, text: str) -> None:
    if not isinstance(errors, list) or len(errors) > MOST_ERRORS:
        raise AnswerError(f"errors is a list of at most {MOST_ERRORS}")
    for each in errors:
        if not isinstance(each, dict) or set(each) != {"start", "end", "severity"}:
            raise AnswerError("an error has start, end and severity")
        start, end = each["start"], each["end"]
        if not (_is_whole(start, 0, len(text)) and _is_whole(end, 0, len(text)) and start < end):
            raise AnswerError(f"an error lies within the {len(text)} characters of the translation")
        if each["severity"] not in SEVERITIES:
            raise AnswerError(f"severity is one of {', '.join(SEVERITIES)}")


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
