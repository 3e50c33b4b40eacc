"""Everything that can score, by name: a measure, a feature of vectors, a trained metric.

`resolved` is the one place that says what a name stands for. A trained metric or a feature counts a
segment's score and the segment, so that a system's score is their mean; a measure has counts of its
own. Either way the rest of scoring sees the same two steps.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.bundle import load as load_bundle
from concordant.bundle import place_of, shipped
from concordant.errors import SpecError, nearest
from concordant.features.extraction import FeatureSet
from concordant.features.feature import Feature
from concordant.features.registry import KINDS, feature_named
from concordant.lexical.measures import MEASURES, Measure, Steps, is_measure, measure_named
from concordant.lexical.meteor_languages import LANGUAGES
from concordant.lexical.text_traits import seem_english
from concordant.metric import Metric
from concordant.scoring.line_blocks import read_lines
from concordant.specs import Spec, choose, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from concordant.lexical.texts import Floats
    from concordant.scoring.line_blocks import TextFiles

    Texts = Sequence[Sequence[str]]

LINES_LOOKED_AT = 100
FAST, ANY, ENGLISH = "fast", "fast-any", "en"
SHIPPED_TITLES = {
    FAST: "learnt from people's ratings, for English; the default, and needs nothing else",
    ANY: "learnt from people's ratings, by counts of words and letters; for other languages",
    "base": "learnt from people's ratings, with MiniLM: closer to people than fast, and slower; "
    "needs the extra encoders and concordant resources install minilm",
    "pair": "learnt from pairs of outputs that people compared, with mpnet; needs the extra "
    "encoders and concordant resources install mpnet meteor-en",
    "reval": "ReVal (Gupta et al. 2015), a Tree-LSTM that learnt from rankings, for English; needs "
    "the extra parse and concordant resources install parser-en glove-840b glove-100 glove-50",
}
SHARES = (FAST, ANY, "base")  # whose scores are calibrated
SCALES = {"scale": ("calibrated", "raw")}  # what a trained metric can be asked for, in brackets
UNSPACED = ("zh", "ja", "th", "lo", "km", "my")  # languages written without blanks between words


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
            raise SpecError(f"{name} is several features and no metric; train one with them")
        return feature
    return None if place_of(place_and_scale(name)[0]) is None else metric_named(name)


def metric_named(name: str) -> Metric:
    """The trained metric of a name or a folder, on the scale that the name says."""
    place, scale = place_and_scale(name)
    metric = load_bundle(place)
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
        raise SpecError(f'"{name}" lacks a closing bracket')
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
    found = resolved(str(name))
    if found is None:
        raise unknown(str(name), "the folder of a trained metric")
    return _feature(found) if isinstance(found, Feature) else found


def scorer_named(name: str | Path | Measure | Metric) -> Measure:
    """The same as a measure: two steps, counts and scores of counts. It may be loaded already."""
    found = name if isinstance(name, Measure | Metric) else load(name)
    return _metric(found) if isinstance(found, Metric) else found


def scorers_named(
    names: Sequence[str | Path | Measure | Metric], language: str | None = None
) -> list[Measure]:
    """All of them, each once, as a known language asks for them; two of one name are an error.

    >>> [each.name for each in scorers_named(["chrf", "bleu", "chrf"])]
    ['chrf', 'bleu']
    """
    asked = [
        each if isinstance(each, Measure | Metric) else for_language(str(each), language)[0]
        for each in names
    ]
    distinct = {each if isinstance(each, str) else id(each): each for each in asked}
    found = [scorer_named(each) for each in distinct.values()]
    called = [each.name for each in found]
    for name in called:
        if called.count(name) > 1:
            raise SpecError(f"two of the metrics are called {name}; score with one at a time")
    return found


def for_language(name: str, language: str | None) -> tuple[str, str | None]:
    """A measure's name with what a known language asks of it, and a note where it cannot help.

    >>> for_language("meteor", "de")[0], for_language("meteor", "xx")[0], for_language("chrf", "de")
    ('meteor(lang=de)', 'meteor(lang=other)', ('chrf', None))
    """
    if language is None:
        return name, None
    if _is_fast(name) and language != ENGLISH:
        note = f'{FAST} knows English words; for "{language}" {ANY} stands in, by counts alone'
        return name.replace(FAST, ANY, 1), note
    if name == "meteor":
        return f"meteor(lang={language if language in LANGUAGES else 'other'})", None
    plain = is_measure(name) and "tok=" not in name
    if plain and language in UNSPACED and "tok" in measure_named(name).options:
        note = f'{name} cuts words at blanks, which "{language}" has not; with tok=char it does not'
        return name, note
    return name, None


def about(name: str) -> str:
    """What a metric's score is, for who reads a report; nothing of a metric of one's own.

    >>> about("bleu(tok=intl)"), about("my-metric")
    ('BLEU (Papineni et al. 2002)', '')
    """
    place, scale = place_and_scale(name)
    if place in SHARES and scale == "raw":
        return "learnt from people’s ratings; a predicted rating, in standard deviations of theirs"
    if place in SHARES:
        return (
            "learnt from people’s ratings; 0 to 100, the share of outputs of WMT’s systems that "
            "people can be expected to rate lower"
        )
    return MEASURES[measure_named(name).spec.name].title if is_measure(name) else ""


def language_unsaid(names: Sequence[str], files: TextFiles) -> list[str]:
    """A note where `fast` meets references that are not English, and nobody said so."""
    if not any(map(_is_fast, names)):
        return []
    if not Path(files.references[0]).is_file():  # a pipe is read only once
        return []
    if seem_english(list(islice(read_lines(files.references[0]), LINES_LOOKED_AT))):
        return []
    says = f"the references do not seem English, and {FAST} knows English words"
    return [f"{says}; -l with their language has {ANY} stand in"]


def _is_fast(name: str) -> bool:
    """Whether a name is `fast`'s, on whatever scale."""
    return name.partition("(")[0].strip() == FAST


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
    return _mean_of(metric.name, scores, metric.signature, prepare, sources, together=network)


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
    learns, network = prepare if fits else None, _has_network(features)
    return _mean_of(str(feature.spec), scores, lambda: signature, learns, together=network)


def _mean_of(
    name: str,
    scores: Callable[..., Floats],
    signature: Callable[[], str],
    prepare: Callable[[Texts], Mapping[str, object]] | None,
    sources: bool = False,
    *,
    together: bool,
) -> Measure:
    def counts(
        hypotheses: Sequence[str], references: Texts, *, threads: int = 1, **known: Any
    ) -> Floats:
        found = scores(hypotheses, references, threads, **known)
        return np.stack([found, np.ones(len(found))], axis=-1)

    def mean(counted: Floats) -> Floats:
        return np.asarray(counted[..., 0] / np.maximum(counted[..., 1], 1.0))

    steps = Steps(counts, mean, mean, prepare, signature, sources, together)
    return Measure(Spec(name), {}, 1, steps)
