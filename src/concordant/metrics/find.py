"""A name → what scores: the one place that says what a name stands for.

A measure with options, a feature with one number, a metric that ships, or the folder of a learned
metric. A name is resolved once, at the edge; what was found is passed on.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.arguments import describe, path
from concordant.errors import SpecError, nearest
from concordant.features.registry import KINDS, feature_named
from concordant.languages import spoken_name
from concordant.metrics.bundle import load as load_bundle
from concordant.metrics.bundle import place_of, shipped
from concordant.metrics.feature_metric import FeatureMetric
from concordant.metrics.lexical.measures import MEASURES, is_measure, measure_named
from concordant.metrics.lexical.meteor.languages import LANGUAGES
from concordant.metrics.lexical.tokenisers import BY_LANGUAGE
from concordant.metrics.scorer import BaseScorer
from concordant.metrics.spellings import split_names, written_name
from concordant.specs import DEFAULT_METRIC, choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.learned import Metric
    from concordant.metrics.lexical.measure import Measure
    from concordant.metrics.scorer import Scorer
    from concordant.metrics.signs import Signs

    Named = str | Path | Scorer

ANY, ENGLISH = "fast-any", "en"
NO_REFERENCE = "qe"  # what scores where there are only sources
SCALES = {"scale": ("calibrated", "raw")}  # what a learned metric can be asked for, in brackets


def load(name: str | Path) -> Measure | FeatureMetric | Metric:
    """What scores by that name: a measure, a feature, a shipped metric, or a metric's folder.

    >>> load("chrf").score(["a cat"], [["a cat"]]).system
    100.0
    >>> load("fast(scale=raw)").signature(level="system").partition("|model")[0]
    'metric:fast(scale=raw)'
    """
    found = lookup(path(name, "name"))
    if found is None:
        raise unknown(name, "the folder of a trained metric")
    return found


def lookup(name: str | Path) -> Measure | FeatureMetric | Metric | None:
    """The same, or None if the name stands for nothing; a `Path` always means a folder.

    >>> load("bleu(tok=intl)").name, lookup("no such thing")
    ('bleu(tok=intl)', None)
    """
    name = written_name(name) if isinstance(name, str) else str(name.absolute())
    if is_measure(name):
        return measure_named(name)
    if name.partition("(")[0].strip() in KINDS:
        return FeatureMetric(feature_named(name))
    place, scale = place_and_scale(name)
    if place_of(place) is None:
        return None
    metric = load_bundle(place)
    return metric.uncalibrated() if scale == "raw" else metric


def place_and_scale(name: str) -> tuple[str, str]:
    """What a name says of a learned metric: the name or folder, and the scale of its scores.

    >>> place_and_scale("fast(scale=raw)"), place_and_scale("fast")
    (('fast', 'raw'), ('fast', 'calibrated'))
    """
    place, bracket, inside = name.partition("(")
    if not bracket or place_of(name) is not None or place_of(place.strip()) is None:
        return name, SCALES["scale"][0]
    place = place.strip()
    if not inside.rstrip().endswith(")"):
        raise SpecError(f'"{name}" has no closing bracket')
    spec = replace(parse_spec(f"metric({inside}"), name=place)
    if spec.arguments:
        raise SpecError(f"{place} takes options as name=value, not {', '.join(spec.arguments)}")
    return place, choose(spec, SCALES)["scale"]


def unknown(name: str | Path, also: str) -> SpecError:
    """The error of a name that stands for nothing; `also` says what else it might have been."""
    known = [*shipped(), *MEASURES]
    listed = ", ".join([*known, "tokens(…)", "sentence(…)"])
    hint = nearest(str(name), known)
    return SpecError(f'metric "{name}" is not one of {listed}, nor {also}{hint}')


def metric_list(named: Named | Sequence[Named]) -> list[Named]:
    """One metric or several as a list, names as they are written; anything else is an error.

    >>> metric_list("chrf"), metric_list(["BLEU", "chrF2++,ter"])
    (['chrf'], ['bleu', 'chrf++', 'ter'])
    """
    several = isinstance(named, list | tuple)
    given: list[Named] = list(named) if several else [named]  # type: ignore[arg-type, list-item]
    metrics: list[Named] = []
    for each in given:
        metrics += map(written_name, split_names(each)) if isinstance(each, str) else [each]
    for each in metrics:
        if not isinstance(each, str | Path | BaseScorer):
            raise SpecError(f"a metric must be a name or a loaded metric, not {describe(each)}")
    if not metrics:
        raise SpecError("no metric given; name at least one, such as chrf")
    return metrics


def find(
    named: Named | Sequence[Named] | None,
    language: str | None = None,
    seen: Signs | None = None,
    *,
    references: bool = True,
) -> list[Scorer]:
    """What scores by these names, each once; the default metric of the language if none is given.

    Where no language is given, what the texts show decides on the default; so does whether there
    are `references`. Two metrics of one name are an error.

    >>> [each.name for each in find(["chrf", "bleu", "chrf"])], find(None, "de")[0].name
    (['chrf', 'bleu'], 'fast-any')
    """
    default = default_metric(language, seen, references=references)
    asked = metric_list(default if named is None else named)
    asked = [in_language(each, language) if isinstance(each, str) else each for each in asked]
    distinct = {each if isinstance(each, str) else id(each): each for each in asked}
    found = [load(each) if isinstance(each, str | Path) else each for each in distinct.values()]
    called = [each.name for each in found]
    for name in called:
        if called.count(name) > 1:
            raise SpecError(f"two metrics are called {name}; score with one at a time")
    return found


def default_metric(
    language: str | None, seen: Signs | None = None, *, references: bool = True
) -> str:
    """What scores where no metric is named: `base`, or `fast-any` where it is not English.

    Without references it is `qe`.

    >>> default_metric(None), default_metric("en"), default_metric("de")
    ('base', 'base', 'fast-any')
    >>> default_metric("en", references=False)
    'qe'
    """
    if not references:
        return NO_REFERENCE
    if language is None and seen is not None:
        return DEFAULT_METRIC if seen.english else ANY
    return DEFAULT_METRIC if language in {None, ENGLISH} else ANY


def default_warnings(
    language: str | None, seen: Signs | None = None, *, references: bool = True
) -> tuple[str, ...]:
    """What must be known where no metric is named, and another than `base` scores.

    >>> from concordant.metrics.signs import Signs
    >>> default_warnings(None, Signs("de", english=False))[0].partition(", since")[0]
    'fast-any scores here'
    """
    if not references:
        what = f"{NO_REFERENCE} scores here, since there are no references"
        return (f"{what}: it compares each translation with its source.",)
    if default_metric(language, seen) == DEFAULT_METRIC:
        return ()
    if language is not None:
        why, how = f'the language given is "{language}"', ""
    else:
        name = spoken_name(seen.language) if seen is not None and seen.language else ""
        look = f"look {name}" if name else "do not look English"
        why = f"the {'references' if seen is None else seen.what} {look}"
        how = " If that is wrong, give the language (-l) or name a metric (-m)."
    return (f"{ANY} scores here, since {why} and {DEFAULT_METRIC} is made for English.{how}",)


def in_language(name: str, language: str | None) -> str:
    """A measure's name with the options that a known language asks for, unless they are given.

    METEOR's language, and sacrebleu's tokeniser for Chinese, Japanese and Korean.

    >>> [in_language("meteor", each) for each in ("de", "xx", None)], in_language("fast", "de")
    (['meteor(lang=de)', 'meteor(lang=other)', 'meteor'], 'fast')
    >>> in_language("bleu(case=lc)", "zh"), in_language("bleu(tok=char)", "zh")
    ('bleu(case=lc,tok=zh)', 'bleu(tok=char)')
    """
    if language is None or not is_measure(name):
        return name
    spec = parse_spec(name)
    wanted = {"tok": BY_LANGUAGE.get(language)}
    if name == "meteor":
        wanted["lang"] = language if language in LANGUAGES else "other"
    known = set(MEASURES[spec.name].options) - set(spec.options)
    added = {key: value for key, value in wanted.items() if value is not None and key in known}
    return str(replace(spec, options={**spec.options, **added})) if added else name
