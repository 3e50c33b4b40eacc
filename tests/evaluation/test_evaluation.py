"""Evaluation as a whole, on data small enough to check by hand, and on the examples."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import concordant
from concordant.errors import ConcordantError, DataError, SpecError
from concordant.evaluation.evaluation import evaluate
from concordant.evaluation.options import EvaluationOptions
from concordant.judgements.detection import read
from concordant.judgements.files import read_lines
from concordant.judgements.judged_set import JudgedSet
from concordant.records import Collection, Preference, Rating, TestSet
from concordant.stats.correlation import kendall, pearson, spearman
from concordant.stats.significance import williams

EXAMPLES = Path(__file__).parents[2] / "examples"
FAST = EvaluationOptions(resamples=50, permutations=50)


def asked(**options):
    return dataclasses.replace(FAST, **options)


@pytest.fixture(scope="module")
def examples():
    return read(EXAMPLES)


def scores_file(folder, name, values):
    path = folder / name
    path.write_text("".join(f"{value}\n" for value in values), encoding="utf-8")
    return str(path)


def rated(n=40, *, pairs=("de-en",), seed=0):
    rng = np.random.default_rng(seed)
    return Collection(
        ratings=tuple(
            Rating("t", pair, f"s{system}", segment, float(rng.normal()))
            for pair in pairs
            for segment in range(1, n // 4 + 1)
            for system in range(4)
        )
    )


@pytest.mark.parametrize(
    ("statistic", "oracle"), [("pearson", pearson), ("spearman", spearman), ("tau-b", kendall)]
)
def test_scores_one_a_line_belong_to_the_judged_outputs_in_order(tmp_path, statistic, oracle):
    collection = rated()
    values = np.random.default_rng(1).normal(size=40)
    result = evaluate(scores_file(tmp_path, "mine", values), collection, asked(statistic=statistic))
    (estimate,) = result.rows[0].estimates.values()
    assert estimate.value == pytest.approx(oracle([r.score for r in collection.ratings], values))
    assert estimate.low < estimate.value < estimate.high
    assert estimate.n == 40


def test_the_average_is_the_mean_over_language_pairs(tmp_path):
    collection = rated(pairs=("de-en", "cs-en"))
    values = np.random.default_rng(1).normal(size=80)
    result = evaluate(scores_file(tmp_path, "mine", values), collection, asked())
    first, second, average = result.rows[0].estimates.values()
    assert average.value == pytest.approx((first.value + second.value) / 2)


def test_a_figure_does_not_depend_on_its_neighbours(tmp_path):
    collection = rated(pairs=("de-en", "cs-en"))
    values = np.random.default_rng(1).normal(size=80)
    both = evaluate(scores_file(tmp_path, "both", values), collection, asked())
    alone = evaluate(
        scores_file(tmp_path, "alone", values[40:]), collection, asked(pairs=("cs-en",))
    )
    assert both.rows[0].estimates["t cs-en"] == alone.rows[0].estimates["t cs-en"]


def test_too_few_scores_name_both_numbers(tmp_path):
    message = r"mine: 39 scores for 40 judged translations \(40 t de-en\); give one score per line"
    with pytest.raises(ConcordantError, match=message):
        evaluate(scores_file(tmp_path, "mine", range(39)), rated(), asked())


def test_identical_metrics_differ_with_p_1(tmp_path):
    values = np.random.default_rng(1).normal(size=40)
    files = [scores_file(tmp_path, name, values) for name in ("one", "two")]
    (comparison,) = evaluate(files, rated(), asked()).comparisons
    assert comparison.p_holm == 1.0
    assert comparison.difference.value == 0.0


def test_williams_is_the_test_of_the_paper(tmp_path):
    collection = rated()
    human = np.array([r.score for r in collection.ratings])
    rng = np.random.default_rng(2)
    one, two = human + rng.normal(size=40), human + 2 * rng.normal(size=40)
    files = [scores_file(tmp_path, "one", one), scores_file(tmp_path, "two", two)]
    (comparison,) = evaluate(files, collection, asked(test="williams")).comparisons
    expected = williams(pearson(one, human), pearson(two, human), pearson(one, two), 40)
    assert comparison.difference.p == pytest.approx(expected.p_two_sided)


def test_a_constant_metric_is_undefined_with_its_reason(tmp_path):
    constant = scores_file(tmp_path, "flat", [1.0] * 40)
    good = scores_file(tmp_path, "good", range(40))
    result = evaluate([constant, good], rated(), asked())
    assert result.rows[0].estimates == {"t de-en": None}
    assert "constant" in result.rows[0].undefined["t de-en"]
    assert result.rows[1].estimates["t de-en"] is not None


def test_an_unknown_system_is_shown_in_its_place():
    texts = TestSet("t", "de-en", references={"r": {1: "x"}}, translations={"kit": {1: "x"}})
    pair = Preference("t", "de-en", 1, "kit", "kti", file="p.csv", line=4)
    collection = Collection(testsets=(texts,), preferences=(pair,))
    message = r'p\.csv:4: system "kti" has no translation in t de-en; did you mean "kit"\?'
    with pytest.raises(DataError, match=message):
        evaluate("bleu", collection, asked())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"statistic": "pearsn"}, 'statistic "pearsn" is not one of .* did you mean "pearson"'),
        ({"statistic": "spa"}, 'statistic "spa" is not one of .* at segment level'),
        ({"level": "word"}, 'level "word" is not one of segment, system'),
        ({"pairs": ("xx-en",)}, "no language pair matches xx-en; there are: examples de-en"),
        ({"baseline": "chr"}, 'baseline "chr" is not one of the metrics bleu'),
        ({"judged": "system ratings"}, "there are no system ratings; there are"),
        ({"statistic": "pearson", "judged": "rankings"}, "pearson at segment level needs ratings"),
        ({"test": "williams", "statistic": "tau-b"}, "Williams' test only works for pearson"),
        ({"confidence": 2.0}, "confidence must be a number between 0 and 1"),
        ({"resamples": 0}, "must be a whole number from 1"),
    ],
)
def test_what_is_asked_wrongly_is_answered_in_words(examples, options, words):
    with pytest.raises(ConcordantError, match=words):
        evaluate("bleu", examples, asked(**options))


def test_the_same_metric_twice_is_refused(examples):
    with pytest.raises(SpecError, match="metric bleu is given more than once"):
        evaluate(["bleu", "bleu"], examples, asked())


def test_a_metric_may_be_loaded_already(examples):
    named = evaluate(["fast", "ter"], examples, asked())
    loaded = evaluate([concordant.load("fast"), concordant.load("ter")], examples, asked())
    assert named.rows == loaded.rows
    assert evaluate(concordant.load("fast"), examples, asked()).rows == named.rows[:1]


def test_the_same_seed_gives_the_same_evaluation(examples):
    first = evaluate(["bleu", "chrf"], examples, asked(seed=3))
    assert evaluate(["bleu", "chrf"], examples, asked(seed=3)).rows == first.rows
    assert evaluate(["bleu", "chrf"], examples, asked(seed=4)).rows != first.rows


@pytest.mark.parametrize("method", ["expected-wins", "better", "bradley-terry", "trueskill"])
def test_systems_by_every_method(examples, method):
    result = evaluate(
        "chrf", examples, asked(level="system", judged="rankings", system_scores=method)
    )
    (estimate,) = result.rows[0].estimates.values()
    assert 0.9 < estimate.value <= 1.0
    assert estimate.n == 4
    unit = "systems" if method in {"bradley-terry", "trueskill"} else "segments"
    assert f"x{unit}" in result.signature


def test_documents_are_resampled_together(examples):
    by_document = evaluate("chrf", examples, asked(by_document=True))
    by_segment = evaluate("chrf", examples, asked())
    one, two = (next(iter(r.rows[0].estimates.values())) for r in (by_document, by_segment))
    assert one.value == two.value
    assert (one.low, one.high) != (two.low, two.high)


def test_sentence_scores_are_sacrebleus(examples):
    from sacrebleu.metrics import CHRF

    (column,) = JudgedSet.of(examples, "ratings").columns()
    folder = EXAMPLES / "de-en"
    references = [read_lines(folder / f"reference-{i}.txt") for i in (1, 2)]
    translations = {s: read_lines(folder / "systems" / f"{s}.txt") for s in column.systems}
    scores = [
        CHRF()
        .sentence_score(
            translations[o.system][o.segment - 1], [r[o.segment - 1] for r in references]
        )
        .score
        for o in column.places
    ]
    result = evaluate("chrf", examples, asked())
    (estimate,) = result.rows[0].estimates.values()
    assert estimate.value == pytest.approx(pearson(column.ratings, scores))


def test_scores_under_another_test_sets_name_are_taken_with_a_note(tmp_path):
    rows = [
        f"mine\tde-en\tother\t{rating.system}\t{rating.segment}\t{i * 0.5}"
        for i, rating in enumerate(rated().ratings)
    ]
    path = tmp_path / "mine.seg.score"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    result = evaluate(str(path), rated(), asked())
    assert result.notes == (
        "mine: scores of other are taken for t de-en, the only ones of that language pair",
    )
