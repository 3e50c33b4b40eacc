"""Minimum Bayes risk against the slow oracle, and how certain a choice is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.errors import ConcordantError, DataError
from concordant.metrics.find import load
from concordant.metrics.score_files import GivenScores
from concordant.metrics.scorer import Batch
from concordant.reranking.choices import Consensus
from concordant.reranking.lists import CandidateList
from concordant.reranking.rerank import rerank

WORDS = st.sampled_from(["a", "the", "cat", "cats", "sat", "sits", "here"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=7)


def only(each, metric="chrf", **how):
    consensus = Consensus(**how)
    return next(rerank([each], load(metric), consensus=consensus))[1]


@pytest.mark.parametrize("name", ["chrf", "bleu", "ter", "fast"])
@settings(max_examples=15)
@given(texts=TEXTS, data=st.data())
def test_exact_consensus_is_the_slow_oracles(name, texts, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(texts), max_size=len(texts)))
    weights[0] += 1
    metric = load(name)
    choice = only(CandidateList("1", tuple(texts), weights=tuple(weights)), name, resamples=0)
    expected = [
        sum(
            weight * metric.score([candidate], [[reference]]).segments[0]
            for weight, reference in zip(weights, texts, strict=True)
        )
        / sum(weights)
        for candidate in texts
    ]
    assert choice.scores.tolist() == pytest.approx(expected, abs=1e-9)
    best = max(metric.sign * each for each in expected)
    assert metric.sign * expected[choice.place] == pytest.approx(best, abs=1e-9)


def test_a_repeated_candidate_weighs_as_often_as_it_is_there():
    texts = ("a cat", "a cat", "the dog barks", "the dog barked")
    repeated = only(CandidateList("1", texts))
    weights = (2.0, 1.0, 1.0)
    weighted = only(CandidateList("1", texts[1:], weights=weights))
    assert repeated.score == pytest.approx(weighted.score)
    assert repeated.scores[0] == repeated.scores[1]


def test_a_choice_that_all_share_is_certain_and_a_close_one_is_not():
    clear = only(CandidateList("1", ("the cat sat", "the cat sat", "the cat sat", "x")))
    assert clear.certainty > 0.9
    close = only(CandidateList("1", ("the cat sat", "a dog barks", "x y z")))
    assert close.certainty < 0.8
    assert close.low <= close.score <= close.high


def test_one_candidate_is_chosen_and_nothing_is_resampled():
    choice = only(CandidateList("1", ("a cat",)))
    assert (choice.text, choice.score, choice.certainty) == ("a cat", 100.0, None)


def test_draws_depend_on_the_place_of_the_list_only():
    lists = [CandidateList(str(i), ("a cat", "the cat", "a dog")) for i in range(3)]
    alone = [choice for _, choice in rerank(lists, load("chrf"), consensus=Consensus(seed=3))]
    again = [choice for _, choice in rerank(lists, load("chrf"), consensus=Consensus(seed=3))]
    assert [each.certainty for each in alone] == [each.certainty for each in again]
    assert len({each.certainty for each in alone}) > 1


def test_the_aggregate_of_a_clear_list_chooses_the_same():
    texts = ("the cat sat here", "the cat sat", "the cat sits here", "no")
    for metric in ("chrf", "chrf++", "sentence(compact-pieces)"):
        exact = only(CandidateList("1", texts), metric, resamples=0)
        aggregate = only(CandidateList("1", texts), metric, aggregate=True)
        assert aggregate.place == exact.place
        assert aggregate.certainty is None


def test_other_pseudo_references_and_zero_weights():
    each = CandidateList("1", ("a cat", "a dog"), pseudo_references=("a dog", "x"),
                         weights=(1.0, 0.0))  # fmt: skip
    assert only(each).text == "a dog"
    assert only(each).score == 100.0


def test_the_better_direction_of_an_error_rate():
    each = CandidateList("1", ("a cat sat", "the cat sat", "dogs"))
    chosen = only(each, "ter")
    assert chosen.score == min(chosen.scores)


def test_references_decide_without_consensus():
    lists = [
        CandidateList(str(i), (f"cat {i}", "x", f"the cat {i}"), (f"the cat {i}",))
        for i in range(120)
    ]
    chosen = [choice for _, choice in rerank(lists, load("chrf"))]
    assert [each.text for each in chosen] == [f"the cat {i}" for i in range(120)]
    score = load("chrf").score([chosen[7].text], [["the cat 7"]]).segments[0]
    assert chosen[7].score == score


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (CandidateList("7", ("a",)), 'list "7" has no reference, and chrf needs one'),
        (CandidateList("7", ()), 'list "7" has no candidates; give at least one'),
        (CandidateList("7", ("a",), weights=(0.0,)), "none below 0 and one above 0"),
        (CandidateList("7", ("a",), weights=(float("nan"),)), "must be finite"),
        (CandidateList("7", ("a",), weights=(1.0, 2.0)), "2 weights for 1 pseudo-references"),
        (CandidateList("7", ("a",), pseudo_references=()), "has no pseudo-references"),
    ],
)
def test_what_cannot_be_chosen_from(given, words):
    with pytest.raises(DataError, match=words):
        list(rerank([given.check()], load("chrf")))


def test_a_metric_of_the_whole_test_set_knows_all_lists():
    lists = [CandidateList("1", ("a cat", "the cat")), CandidateList("2", ("dogs", "a dog"))]
    metric = load("nist")
    chosen = [choice for _, choice in rerank(lists, metric, consensus=Consensus(resamples=0))]
    prepared = metric.prepare([each.candidates for each in lists])
    assert prepared
    assert np.isfinite([each.score for each in chosen]).all()


def test_a_file_of_scores_cannot_choose():
    with pytest.raises(ConcordantError, match="mine has scores from a file and cannot score texts"):
        list(rerank([CandidateList("1", ("a",))], GivenScores("mine", {})))


def test_a_metric_of_the_source_chooses_by_its_own_score_only():
    qe = load("qe")
    texts = ("the dog barks loudly", "the cat", "dog")
    each = CandidateList("1", texts, source="der Hund bellt laut")
    ((_, choice),) = rerank([each], qe)
    scores = qe.score(texts, sources=[each.source] * 3).segments
    assert choice.scores.tolist() == scores.tolist()
    with pytest.raises(ConcordantError, match="qe compares with no references, so candidates"):
        list(rerank([each], qe, consensus=Consensus()))
    with pytest.raises(DataError, match='list "1" has no source, and qe needs it'):
        list(rerank([CandidateList("1", texts)], qe))


def test_a_grid_means_nothing_where_sources_are_compared():
    qe, batch = load("qe"), Batch.of_grid(["a dog", "dogs"], ["x", "y z"], "ein Hund")
    pairs = Batch(batch.translations, batch.references, batch.sources)
    np.testing.assert_array_equal(qe.counts(batch), qe.counts(pairs))
