"""Systems as corpora: which translations they have, what people score them, which pairs exist."""

import numpy as np
import pytest

from concordant.errors import ConcordantError
from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.judgements.judged_systems import judged_systems
from concordant.records import Collection, Preference, Rating, TestSet
from concordant.training.human_scores import HUMAN_SCORES, refuse_no_systems
from concordant.training.material import gather
from concordant.training.recipe import read_recipe

SYSTEMS = "ABC"
SEGMENTS = range(1, 7)
OUTPUTS = {s: {n: f"{s.lower()} text {n}" for n in SEGMENTS} for s in SYSTEMS}
REFERENCES = {"reference": {n: f"the text {n}" for n in SEGMENTS}}


def texts(pair="de-en", translations=OUTPUTS):
    return TestSet("t", pair, {}, REFERENCES, translations)


def prefer(better, worse, segment=1, pair="de-en", **options):
    return Preference("t", pair, segment, better, worse, **options)


JUDGED = (
    prefer("A", "B"), prefer("A", "B", 2), prefer("B", "A", 3), prefer("A", "C", count=3),
    prefer("C", "B", 2), prefer("B", "C", 4),
)  # fmt: skip


PLAIN = (texts(),)


def corpora_of(*preferences, testsets=PLAIN, human="wins"):
    collection = Collection(testsets, preferences=preferences or JUDGED)
    pairs = JudgedSet.of(collection).pairs(whole_systems=True)
    return judged_systems(pairs, HUMAN_SCORES[human]), pairs


def test_a_corpus_is_all_that_a_system_translated():
    corpora, pairs = corpora_of()
    assert [name[2] for name in corpora.names] == ["A", "B", "C"]
    for (_, _, system), rows in zip(corpora.names, corpora.rows, strict=True):
        assert {pairs.translations[row] for row in rows} == set(OUTPUTS[system].values())
        assert [pairs.references[row] for row in rows] == [
            (f"the text {pairs.places[row][2]}",) for row in rows
        ]


def test_the_judged_pairs_stay_as_they_were():
    chosen = JudgedSet.of(Collection((texts(),), preferences=JUDGED))
    judged, whole = chosen.pairs(), chosen.pairs(whole_systems=True)
    assert np.array_equal(whole.better, judged.better)
    assert whole.translations[: len(judged.translations)] == judged.translations
    assert len(whole.translations) == len(whole.systems) == len(SYSTEMS) * len(SEGMENTS)


def test_an_output_without_a_reference_is_no_part_of_a_corpus():
    translations = {**OUTPUTS, "A": {**OUTPUTS["A"], 99: "no reference"}}
    corpora, pairs = corpora_of(testsets=(texts(translations=translations),))
    assert "no reference" not in pairs.translations
    assert len(corpora.rows[0]) == len(SEGMENTS)


def test_people_score_systems_by_expected_wins():
    corpora, _ = corpora_of()
    assert corpora.human.tolist() == pytest.approx([(2 / 3 + 1) / 2, (1 / 3 + 1 / 2) / 2, 0.25])
    found = {
        (corpora.names[b][2], corpora.names[w][2]): gap
        for b, w, gap in zip(corpora.better, corpora.worse, corpora.gap, strict=True)
    }
    assert set(found) == {("A", "B"), ("A", "C"), ("B", "C")}
    assert found["A", "C"] == pytest.approx(corpora.human[0] - 0.25)


def test_systems_are_compared_where_people_did():
    both = (texts(), texts("cs-en"))
    more = tuple(prefer(p.better, p.worse, p.segment, "cs-en") for p in JUDGED)
    corpora, _ = corpora_of(*JUDGED, *more, testsets=both)
    assert len(corpora.names) == 6
    assert len(corpora) == 6
    for better, worse in zip(corpora.better, corpora.worse, strict=True):
        assert corpora.names[better][0] == corpora.names[worse][0]


def test_systems_that_people_score_alike_are_no_pair():
    corpora, _ = corpora_of(prefer("A", "B"), prefer("B", "A", 2))
    assert corpora.human.tolist() == [0.5, 0.5]
    assert len(corpora) == 0


def test_mean_ratings_are_shares_of_the_range():
    scores = {"A": (90.0, 70.0), "B": (40.0, 50.0), "C": (10.0, 60.0)}
    ratings = tuple(
        Rating("t", "de-en", system, n, score)
        for system, given in scores.items()
        for n, score in enumerate(given, start=1)
    )
    collection = Collection((texts(),), ratings=ratings)
    pairs = JudgedSet.of(collection).pairs(whole_systems=True)
    corpora = judged_systems(pairs, HUMAN_SCORES["ratings"])
    shares = [(np.mean(given) - 10) / 80 for given in scores.values()]
    assert corpora.human == pytest.approx(shares)


def test_ratings_that_are_not_there_are_told():
    with pytest.raises(ConcordantError, match=r'objective\.systems = "ratings" needs ratings'):
        corpora_of(human="ratings")


def test_outputs_without_a_system_are_no_corpora():
    names = {"output-1": OUTPUTS["A"], "output-2": OUTPUTS["B"]}
    given = [prefer("output-1", "output-2", n) for n in SEGMENTS]
    corpora, _ = corpora_of(*given, testsets=(texts(translations=names),))
    assert corpora.names == ()
    with pytest.raises(ConcordantError, match="the training side has no two systems"):
        refuse_no_systems({"training": corpora, "validation": corpora})


def test_sides_share_no_segment_and_have_corpora_of_their_own():
    recipe = read_recipe("joint").with_values(
        data__judgements=["examples/de-en"], data__kind="rankings"
    )
    material = gather(recipe, read("examples/de-en"))
    seen = {}
    for name, corpora in material.corpora.items():
        pairs = material.sides[name]
        assert len(corpora.names) == 4
        seen[name] = {pairs.places[row][2] for rows in corpora.rows for row in rows}
        assert {pairs.places[row][2] for row in pairs.better} <= seen[name]
    assert sum(map(len, seen.values())) == len(set().union(*seen.values())) == 60


def test_an_objective_of_sentences_has_no_corpora():
    recipe = read_recipe("joint").with_values(objective__kind="sentence", data__kind="rankings")
    material = gather(recipe, read("examples/de-en"))
    assert material.corpora == {}
