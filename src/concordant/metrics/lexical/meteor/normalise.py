"""METEOR's own tokenisation (its option `-norm`) of the six languages that it was tuned for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.meteor.languages import Language


@dataclass(frozen=True)
class Prefixes:
    """Abbreviations that keep their full stop: always, or only before a number."""

    always: tuple[str, ...]
    before_numbers: tuple[str, ...] = ()


# Moses' non-breaking prefixes as METEOR 1.5 has them; "etc." and the like end a sentence too often.
ENGLISH_PREFIXES = Prefixes(
    tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    + tuple(
        "Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen "
        "Gov Hon Hr Hosp Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc Ph "
        "Prof Pvt Rep Reps Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Nos "
        "Nr".split()
    ),
    ("No", "Art", "pp"),
)


def parse_prefixes(text: str) -> Prefixes:
    r"""The prefixes of one of METEOR's `nonbreaking/*.prefixes` files.

    >>> parse_prefixes("# a comment\nDr\nNo #NUMERIC_ONLY#")
    Prefixes(always=('Dr',), before_numbers=('No',))
    """
    rows = [line.split() for line in text.splitlines()]
    rows = [row for row in rows if row and not row[0].startswith("#")]
    numeric = tuple(row[0] for row in rows if row[1:2] == ["#NUMERIC_ONLY#"])
    return Prefixes(tuple(row[0] for row in rows if row[1:2] != ["#NUMERIC_ONLY#"]), numeric)


def normalise_lines(
    lines: Sequence[str],
    language: Language,
    prefixes: Prefixes = ENGLISH_PREFIXES,
    *,
    punctuation: bool = True,
    threads: int = 1,
) -> list[str]:
    """Each line as METEOR's tokens, joined by spaces; the case is kept.

    >>> from concordant.metrics.lexical.meteor.languages import LANGUAGES
    >>> normalise_lines(["Dr. Who's U.S. tour-dates, 1,000 …"], LANGUAGES["en"])
    ["Dr. Who 's US tour dates , 1,000 …"]
    """
    if language.apostrophes is None:
        raise SpecError(
            f"METEOR has no tokenisation of its own for {language.name}: "
            "tokenise the texts first and use norm=no"
        )
    return _native.meteor_normalise(
        list(lines), language.apostrophes, list(prefixes.always), list(prefixes.before_numbers),
        punctuation, threads,
    )  # fmt: skip
