"""Every judged output of WMT12 into English scores as sacrebleu scores it."""

import pytest
from oracles_lexical import sacrebleu_counts
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.metrics.lexical import bleu, ngrams

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
# The tests of one reading of the data belong on one worker.
pytestmark = [pytest.mark.data, pytest.mark.xdist_group("wmt12-texts")]


@pytest.fixture(scope="module")
def judged(data):
    """Different judged translations and their references, by language pair."""
    columns = JudgedSet.of(read(data / "wmt12"), "rankings", language_pairs=PAIRS).columns()
    return {column.pair: judged_texts(column) for column in columns}


def judged_texts(column):
    texts = column.texts
    pairs = dict.fromkeys(
        (
            texts.translations[output.system][output.segment],
            tuple(stream[output.segment] for stream in texts.references.values()),
        )
        for output in column.places
    )
    return [translation for translation, _ in pairs], [list(given) for _, given in pairs]


@pytest.mark.parametrize("pair", PAIRS)
def test_bleu_is_sacrebleus(judged, pair):
    batch = judged[pair]
    assert len(batch[0]) > 3_000
    peer, corpus_peer = BLEU(effective_order=True), BLEU()
    expected = sacrebleu_counts(peer, *batch)
    rows = bleu.counts(*batch)
    assert rows.tolist() == expected
    segments = [peer._compute_score_from_stats(row).score for row in expected]
    assert bleu.bleu(rows, effective_order=True) == pytest.approx(segments, abs=1e-9)
    corpus = corpus_peer._aggregate_and_compute(rows.tolist()).score
    assert bleu.bleu(rows.sum(axis=0)) == pytest.approx(corpus, abs=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
def test_chrf_and_chrf_plus_plus_are_sacrebleus(judged, pair):
    """With one reference the columns of chrF are the first of chrF++'s."""
    batch = judged[pair]
    expected = sacrebleu_counts(CHRF(word_order=2), *batch)
    rows = ngrams.counts(*batch, char_order=6, word_order=2, tokeniser="chrf")
    assert rows.tolist() == expected
    assert (ngrams.counts(*batch, char_order=6, tokeniser="chrf") == rows[:, :18]).all()
    for peer, width in ((CHRF(word_order=2), 24), (CHRF(), 18)):
        segments = [peer._compute_f_score(row[:width]) for row in expected]
        assert ngrams.chrf(rows[:, :width]) == pytest.approx(segments, abs=1e-9)
        corpus = peer._aggregate_and_compute([row[:width] for row in expected]).score
        assert ngrams.chrf(rows[:, :width].sum(axis=0)) == pytest.approx(corpus, abs=1e-9)
