"""The options of an evaluation, the judgements they select, and the signature."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from concordant._version import __version__
from concordant.arguments import (
    draws,
    finite_number,
    instance,
    share,
    text,
    text_list,
    whole_number,
)
from concordant.errors import SpecError
from concordant.evaluation.statistics import PAIRWISE, STATISTICS, statistic_named
from concordant.evaluation.system_statistics import resamples_systems
from concordant.judgements.conversion import DARR_GAP
from concordant.judgements.judged_records import kinds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.judgements.judged_columns import Column
    from concordant.records import Collection

LEVELS = ("segment", "system")
TESTS = {
    "permutation": "paired permutation test",
    "williams": "Williams' test",
}


@dataclass(frozen=True)
class EvaluationOptions:
    """What is asked of an evaluation; each default is stated in `concordant evaluate --help`."""

    level: str = "segment"
    statistic: str | None = None
    average: str = "pooled"
    gap: float | None = None
    human: str | None = None
    judged: str | None = None
    pairs: tuple[str, ...] = ()
    by_document: bool = False
    entities: str = "auto"
    system_scores: str = "expected-wins"
    drop_outliers: bool = False
    baseline: str | None = None
    test: str = "permutation"
    lower_is_better: tuple[str, ...] = ()
    resamples: int = 1000
    permutations: int = 1000
    confidence: float = 0.95
    seed: int = 0


def kind_of_judgement(collection: Collection, asked: EvaluationOptions) -> str:
    """The kind of judgement to use: what is asked for, else the first that fits the statistic."""
    present = kinds_of(collection)
    if not present:
        raise SpecError("there are no judgements, only texts or scores; give a file of judgements")
    if asked.judged is not None:
        if asked.judged not in present:
            raise SpecError(f"there are no {asked.judged}; there are {', '.join(present)}")
        return asked.judged
    order: tuple[str, ...]
    if asked.statistic == "spa":
        order = STATISTICS["spa"].kinds
    elif asked.level == "system":
        order = ("system ratings", "ratings", "rankings", "preferences")
    elif asked.statistic is None:
        order = ("ratings", "preferences", "rankings")
    else:
        order = STATISTICS[asked.statistic].kinds
    fitting = [kind for kind in order if kind in present]
    if not fitting:
        wanted = asked.statistic or f"{asked.level} level"
        raise SpecError(f"{wanted} needs {' or '.join(order)}; there are {', '.join(present)}")
    return fitting[0]


def default_statistic(kind: str, level: str) -> str:
    """Pearson's r wherever it exists, else the last of WMT's taus on rankings."""
    return "pearson" if level == "system" or kind == "ratings" else "tau-wmt14"


def check(asked: EvaluationOptions) -> None:
    """Refuse options that make no sense, by name and value."""
    _check_kinds(asked)
    if asked.level not in LEVELS:
        raise SpecError(f'level "{asked.level}" is not one of {", ".join(LEVELS)}')
    if asked.statistic is not None:
        statistic_named(asked.statistic, asked.level)
    if asked.test not in TESTS:
        raise SpecError(f'test "{asked.test}" is not one of {", ".join(TESTS)}')
    if asked.test == "williams" and asked.average != "pooled":
        raise SpecError("Williams' test needs one pooled correlation: use --average pooled")
    if asked.level == "system" and asked.average != "pooled":
        raise SpecError(f"average {asked.average} needs scores of segments: use --level segment")
    if asked.level == "segment" and asked.drop_outliers:
        raise SpecError("only systems can be outliers: use --level system to drop them")
    _check_numbers(asked)


def _check_numbers(asked: EvaluationOptions) -> None:
    draws(asked.resamples, "resamples")
    draws(asked.permutations, "permutations")
    share(asked.confidence, "confidence")
    whole_number(asked.seed, "seed", 0)
    if asked.gap is not None:
        finite_number(asked.gap, "minimum gap", 0)


def _check_kinds(asked: EvaluationOptions) -> None:
    """Refuse values of another type than the option has."""
    for each in fields(asked):
        value = getattr(asked, each.name)
        if value is None and "None" in str(each.type):
            continue
        if "str" in str(each.type).partition(" ")[0] and "tuple" not in str(each.type):
            text(value, each.name)
        elif each.type == "bool":
            instance(value, each.name, bool, "True or False")
        elif "tuple" in str(each.type):
            text_list(value, each.name)


def check_fit(name: str, kind: str, asked: EvaluationOptions) -> None:
    """Refuse options that this statistic of this kind of judgement would leave unused."""
    if asked.test == "williams" and name != "pearson":
        raise SpecError(f"Williams' test only works for pearson, not for {name}")
    if asked.gap is not None and (asked.level, kind) != ("segment", "ratings"):
        raise SpecError(f"a minimum gap only works for ratings of segments, not for {kind}")
    if asked.gap is not None and name not in PAIRWISE:
        raise SpecError(f"{name} has no minimum gap; {', '.join(PAIRWISE)} have one")


def resampled_unit(columns: Sequence[Column], asked: EvaluationOptions) -> str:
    """What a bootstrap of these columns draws: segments, documents or systems."""
    by_system = asked.level == "system" and any(
        resamples_systems(column, asked.system_scores) for column in columns
    )
    return "systems" if by_system else "documents" if asked.by_document else "segments"


def check_documents(columns: Sequence[Column], asked: EvaluationOptions) -> None:
    """Refuse to draw documents where it is systems that are drawn."""
    if asked.by_document and resampled_unit(columns, asked) == "systems":
        raise SpecError(
            "documents cannot be resampled here: human scores of whole systems, bradley-terry and "
            "trueskill are resampled by system; leave out --by-document"
        )


def signature_of(
    name: str, kind: str, columns: Sequence[Column], asked: EvaluationOptions, *, resolved: bool
) -> str:
    """The signature: everything needed to recompute the figures.

    `resolved` says that entities were read as characters.
    """
    parts = [f"statistic:{name}", f"level:{asked.level}", f"human:{kind.replace(' ', '-')}"]
    if asked.level == "segment":
        parts.append(f"average:{asked.average}")
    elif kind in {"rankings", "preferences"}:
        parts.append(f"system-scores:{asked.system_scores}")
    if asked.gap is not None or name == "tau-darr":
        parts.append(f"gap:{DARR_GAP if asked.gap is None else asked.gap:g}")
    if resolved:
        parts.append("entities:characters")
    test = "williams" if asked.test == "williams" else f"permutations:{asked.permutations}"
    parts += [
        f"bootstrap:{asked.resamples}x{resampled_unit(columns, asked)}",
        test,
    ]
    return "|".join([*parts, f"seed:{asked.seed}", f"concordant:{__version__}"])
