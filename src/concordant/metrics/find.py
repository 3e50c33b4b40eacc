"""Everything that can score, by name: a measure, a vector feature, a trained metric.

`resolved` is the one place that says what a name stands for. A trained metric or a feature counts a
segment's score and the segment, so that a system's score is their mean; a measure has counts of its
own. Either way the rest of scoring sees the same two steps.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arguments import path, shown
from concordant.errors import SpecError, nearest
from concordant.features.extraction import FeatureSet
from concordant.features.feature import Feature
from concordant.features.registry import KINDS, feature_named
from concordant.metrics.bundle import load as load_bundle
from concordant.metrics.bundle import place_of, shipped
from concordant.metrics.learned import Metric
from concordant.metrics.lexical.measure import Measure, Steps
from concordant.metrics.lexical.measures import MEASURES, is_measure, measure_named
from concordant.metrics.lexical.meteor.languages import LANGUAGES
from concordant.metrics.lexical.scope import Scope
from concordant.resources.table import PARTS
from concordant.specs import DEFAULT_METRIC, Spec, choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from concordant.metrics.lexical.texts import Floats

    Texts = Sequence[Sequence[str]]
    Named = str | Path | Measure | Metric

FAST, ANY, ENGLISH = DEFAULT_METRIC, "fast-any", "en"
SHIPPED_TITLES = {
    FAST: "learned from human ratings, for English; the default, needs no downloads",
    ANY: "learned from human ratings, from counts of words and letters; for other languages",
    "base": "learned from human ratings, with MiniLM, for English: more accurate than fast, "
    "but slower; needs the extra encoders and concordant resources install minilm",
    "pair": "learned from pairs of translations compared by people, with mpnet, for English; needs "
    "the extra encoders and concordant resources install mpnet meteor-en",
    "reval": "ReVal (Gupta et al. 2015), a Tree-LSTM trained on rankings, for English; needs the "
    "extra parse and concordant resources install parser-en glove-840b glove-100 glove-50",
}
# The languages that a shipped metric is made for; one that is not here takes any.
SHIPPED_LANGUAGES = dict.fromkeys((FAST, "base", "pair", "reval"), (ENGLISH,))
SHARES = (FAST, ANY, "base")  # whose scores are calibrated
SCALES = {"scale": ("calibrated", "raw")}  # what a trained metric can be asked for, in brackets


def resolved(name: str) -> Measure | Feature | Metric | None:
    """What a name stands for: a measure, a feature with one number, a metric; None if nothing.

    >>> resolved("bleu(tok=intl)").name, resolved("no such thing")
    ('bleu(tok=intl)', None)
    >>> resolved("fast(scale=raw)").signature().partition("|model")[0]
    'metric:fast(scale=raw)'
    """
    if is_measure(name):
        return measure_named(name)
    if name.partition("(")[0].strip() in KINDS:
        feature = feature_named(name)
        if feature.main is None:
            raise SpecError(f"{name} is several features, not a metric; train one with them")
        return feature
    return None if place_of(place_and_scale(name)[0]) is None else metric_named(name)


def metric_named(name: str) -> Metric:
    """The trained metric of a name or a folder, on the scale that the name says."""
    place, scale = place_and_scale(name)
    metric = replace(load_bundle(place), languages=SHIPPED_LANGUAGES.get(place, ()))
    return metric.uncalibrated() if scale == "raw" else metric


def place_and_scale(name: str) -> tuple[str, str]:
    """What a name says of a trained metric: the name or folder, and the scale of its scores.

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


def unknown(name: str, also: str) -> SpecError:
    """The error of a name that stands for nothing; `also` says what else it might have been."""
    known = [*shipped(), *MEASURES]
    listed = ", ".join([*known, "tokens(…)", "sentence(…)"])
    return SpecError(f'metric "{name}" is not one of {listed}, nor {also}{nearest(name, known)}')


def load(name: str | Path) -> Measure | Metric:
    """The metric of a name or a folder, or the measure of a name: both have `score`.

    >>> load("chrf").score(["a cat"], [["a cat"]]).system
    100.0
    """
    found = resolved(spell(path(name, "name")))
    if found is None:
        raise unknown(str(name), "the folder of a trained metric")
    return _feature(found) if isinstance(found, Feature) else found


def scorer_named(name: str | Path | Measure | Metric) -> Measure:
    """The same as a measure: two steps, counts and scores of counts. It may be loaded already."""
    found = name if isinstance(name, Measure | Metric) else load(name)
    return _metric(found) if isinstance(found, Metric) else found


def spell(name: str | Path) -> str:
    """A name as a text; a `Path` always means a folder, never a metric that ships."""
    return name if isinstance(name, str) else str(name.absolute())


def metric_list(named: Named | Sequence[Named]) -> list[Named]:
    """One metric or several as a list; anything else is an error.

    >>> metric_list("chrf"), metric_list(["chrf", "bleu"])
    (['chrf'], ['chrf', 'bleu'])
    """
    several = isinstance(named, list | tuple)
    metrics: list[Named] = list(named) if several else [named]  # type: ignore[arg-type, list-item]
    for each in metrics:
        if not isinstance(each, str | Path | Measure | Metric):
            raise SpecError(f"a metric must be a name or a loaded metric, not {shown(each)}")
    if not metrics:
        raise SpecError("no metric given; name at least one, such as chrf")
    return metrics


def scorers_named(
    names: Sequence[str | Path | Measure | Metric], language: str | None = None
) -> list[Measure]:
    """All of them, each once, as a known language asks for them; two of one name are an error.

    >>> [each.name for each in scorers_named(["chrf", "bleu", "chrf"])]
    ['chrf', 'bleu']
    """
    asked = [
        each if isinstance(each, Measure | Metric) else in_language(spell(each), language)
        for each in names
    ]
    distinct = {each if isinstance(each, str) else id(each): each for each in asked}
    found = [scorer_named(each) for each in distinct.values()]
    called = [each.name for each in found]
    for name in called:
        if called.count(name) > 1:
            raise SpecError(f"two metrics are called {name}; score with one at a time")
    return found


def default_metric(language: str | None) -> str:
    """What scores where no metric is named: `fast`, or `fast-any` where it is not English.

    >>> default_metric(None), default_metric("en"), default_metric("de")
    ('fast', 'fast', 'fast-any')
    """
    return FAST if language in {None, ENGLISH} else ANY


def in_language(name: str, language: str | None) -> str:
    """A measure's name with the option that a known language asks for: METEOR's.

    >>> [in_language("meteor", each) for each in ("de", "xx", None)], in_language("fast", "de")
    (['meteor(lang=de)', 'meteor(lang=other)', 'meteor'], 'fast')
    """
    if name != "meteor" or language is None:
        return name
    return f"meteor(lang={language if language in LANGUAGES else 'other'})"


def about(name: str) -> str:
    """What a metric's score is, for readers of a report; "" for a metric of the user.

    >>> about("bleu(tok=intl)"), about("my-metric")
    ('BLEU (Papineni et al. 2002)', '')
    """
    place, scale = place_and_scale(name)
    if place in SHARES and scale == "raw":
        return "learned from human ratings; a predicted rating, in standard deviations"
    if place in SHARES:
        return (
            "learned from human ratings; 0 to 100, the share of WMT systems’ translations that "
            "people would be expected to rate lower"
        )
    if not is_measure(name):
        return ""
    measure = measure_named(name)
    title = MEASURES[measure.spec.name].title
    parts = measure.signature(level="system").split("|")
    modules = next((each.partition(":")[2] for each in parts if each.startswith("modules:")), "")
    return f"{title}, with {modules} matches" if modules else title


def _metric(metric: Metric) -> Measure:
    def scores(hypotheses: Sequence[str], references: Texts, threads: int, **known: Any) -> Floats:
        return metric.segment_scores(
            metric.preparation.inputs(hypotheses, references, threads=threads, **known)
        )

    used = metric.preparation.features
    whole = used is not None and any(feature.whole_test_set for feature in used.features)
    prepare = (lambda references: {"test_set": references}) if whole else None
    sources = "source" in metric.preparation.anchors
    network = _has_network(used)
    return _mean_of(
        metric.name,
        Steps(
            scores, _mean, _mean, prepare, metric.signature, sources, network, scope=metric.scope
        ),
    )


def feature_scope(feature: Feature) -> Scope:
    """The texts that a feature is made for: those in the languages of its part."""
    part = PARTS.get(feature.spec.arguments[0]) if feature.spec.arguments else None
    return Scope(() if part is None else tuple(part.languages.split()))


def _has_network(features: FeatureSet | None) -> bool:
    """Whether token states of a network are among the features; a table of vectors has depth 0."""
    encodings = [] if features is None else [feature.encoding for feature in features.features]
    return any(each is not None and each.encoder.depth != 0 for each in encodings)


def _feature(feature: Feature) -> Measure:
    features, main = FeatureSet((feature,)), feature.main

    def scores(hypotheses: Sequence[str], references: Texts, threads: int, **known: Any) -> Floats:
        return features.extract(hypotheses, references, threads=threads, **known)[:, main]

    def prepare(references: Texts) -> Mapping[str, object]:
        """Fitted on the references of the whole test set, whatever block is scored."""
        return {"fitted": features.fit([text for given in references for text in given])}

    fits = feature.fit is not None
    signature = f"metric:{feature.spec}|{feature.signature}"
    signature += "|fitted:on the references" if fits else ""
    return _mean_of(
        str(feature.spec),
        Steps(
            scores,
            _mean,
            _mean,
            prepare if fits else None,
            lambda: signature,
            together=_has_network(features),
            scope=feature_scope(feature),
        ),
    )


def _mean_of(name: str, steps: Steps) -> Measure:
    """A measure whose system score is the mean of what `steps.counts` gives each segment."""

    def counts(
        hypotheses: Sequence[str], references: Texts, *, threads: int = 1, **known: Any
    ) -> Floats:
        found = steps.counts(hypotheses, references, threads, **known)
        return np.stack([found, np.ones(len(found))], axis=-1)

    return Measure(Spec(name), {}, 1, replace(steps, counts=counts))


def _mean(counted: Floats) -> Floats:
    return np.asarray(counted[..., 0] / np.maximum(counted[..., 1], 1.0))
