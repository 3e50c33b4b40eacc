"""What scoring texts in memory shares: the check of the texts, and the record of the scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from concordant.arguments import text, text_list
from concordant.errors import ConcordantError
from concordant.metrics.flags.flags import flags
from concordant.metrics.flags.language_codes import target_language
from concordant.metrics.lexical.scope import (
    empty_warnings,
    scope_warnings,
    segment_warnings,
    signs_of,
)
from concordant.metrics.lexical.texts import checked, with_reference_count
from concordant.records import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.scope import Scope
    from concordant.metrics.lexical.texts import Floats

    # hypotheses, references, sources
    Given = tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str] | None]


def check_given(given: Given, *, referenced: bool = True) -> None:
    """Refuse texts that cannot be scored: no list, values that are not texts, unequal lengths.

    `referenced` is False for a metric that does without references, which may then be empty.
    """
    hypotheses, references, sources = given
    if referenced or (hasattr(references, "__len__") and len(references)):
        checked(hypotheses, references)
    text_list(hypotheses, "hypotheses")
    if not len(hypotheses):
        raise ConcordantError("there are no translations to score; give at least one")
    if sources is not None and len(text_list(sources, "sources")) != len(hypotheses):
        raise ConcordantError(
            f"{len(hypotheses)} translations, but {len(sources)} sources; give one for each"
        )


def language_code(language: str | None) -> str | None:
    """The code of a language as the user gives it; None stays None."""
    return None if language is None else target_language(text(language, "language"))


def scores_of(
    name: str,
    given: Given,
    segments: Floats,
    system: float,
    signatures: tuple[str, str],
    scope: Scope,
    language: str | None,
) -> Scores:
    """The record of a metric's scores, with signatures (system, segment), flags and warnings.

    Flags take as long as a fast measure, so they wait until they are read.
    """
    hypotheses, references, sources = given
    texts = (
        tuple(hypotheses),
        tuple(map(tuple, references)),
        None if sources is None else tuple(sources),
    )
    find_flags = partial(flags, *texts, language=language)
    seen = signs_of(references if len(references) else [[each] for each in hypotheses])
    empty = sum(not each.strip() for each in hypotheses)
    warnings = (
        *scope_warnings(name, scope, seen, language),
        *segment_warnings(name, len(segments), float(segments.min()), float(segments.max())),
        *empty_warnings(empty, len(segments)),
    )
    of_system, of_segment = (with_reference_count(references, each) for each in signatures)
    return Scores(system, segments, of_system, of_segment, find_flags, warnings)
