"""Laws that hold for every lexical measure at once, whoever adds the next one.

A new measure is one row of MEASURES; what it owes the laws beyond that stands in the row.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import PIECES, batches, spelled

from concordant.errors import ConcordantError
from concordant.metrics.lexical import bleu, character, ngrams, nist, ter, wer
from concordant.metrics.lexical.meteor import meteor

CHARS = partial(ngrams.counts, char_order=6, tokeniser="chrf")
CHARS_AND_WORDS = partial(CHARS, word_order=2)
WORDS = partial(ngrams.counts, word_order=4)
SKIPS = partial(ngrams.skip_counts, skip=2)
METEOR = partial(meteor.counts, modules=["exact", "stem"])


def first(scores, **options):
    """The score of the lowest order, of scores that have one for each order."""
    return lambda counts: scores(counts, **options)[..., 0]


@dataclass(frozen=True)
class Measure:
    """Counts, a score of them, and what the score must keep to."""

    counts: Callable
    score: Callable
    top: float = np.inf  # all scores are from 0 to here
    perfect: float | None = None  # the score of a text against itself
    empty: float = 0.0  # of no translation against a text
    sign: int = 1  # -1 where lower is better
    symmetric: bool = False
    rises_with_matches: bool = True
    longest: int = 100_000  # the length of a line that does not take long
    white_space: tuple[str, ...] = (" ", "\t\u3000\u2028 \n", "\x1c\x85")


def share(counts, score, **options):
    return Measure(counts, score, top=1.0, perfect=1.0, **options)


def percentage(counts, score, **options):
    return Measure(counts, score, top=100.0, perfect=100.0, **options)


def error_rate(counts, score, **options):
    return Measure(counts, score, perfect=0.0, sign=-1, **options)


MEASURES = {
    "bleu": percentage(bleu.counts, partial(bleu.bleu, effective_order=True)),
    "bleu-add-k": percentage(
        bleu.counts, partial(bleu.bleu, effective_order=True, smoothing="add-k")
    ),
    "bleu-intl": percentage(
        partial(bleu.counts, tokeniser="intl", lowercase=True),
        partial(bleu.bleu, effective_order=True, smoothing="floor"),
    ),
    "chrf": percentage(CHARS, ngrams.chrf),
    "chrf++": percentage(CHARS_AND_WORDS, ngrams.chrf),
    "chrf-f1": percentage(CHARS, partial(ngrams.chrf, beta=1.0), symmetric=True),
    "word-precision": share(WORDS, first(ngrams.precision)),
    "word-recall": share(WORDS, first(ngrams.recall)),
    "word-f1": share(WORDS, first(ngrams.f_score, beta=1.0), symmetric=True),
    "word-f2": share(WORDS, first(ngrams.f_score, beta=2.0)),
    "rouge-l": percentage(ngrams.lcs_counts, ngrams.rouge, symmetric=True),
    "rouge-s": Measure(ngrams.skip_counts, ngrams.rouge, top=100.0, symmetric=True),
    "rouge-s2": Measure(SKIPS, ngrams.rouge, top=100.0, symmetric=True),
    "ter": error_rate(ter.counts, ter.ter, empty=100.0),
    "wer": error_rate(wer.counts, wer.wer, empty=100.0, longest=10_000),
    "per": error_rate(wer.per_counts, wer.per, empty=100.0),
    "character": Measure(
        character.counts, character.character, top=1.0, perfect=0.0, empty=1.0, sign=-1
    ),
    "nist": Measure(nist.counts, nist.nist),
    # More matches in more chunks may be worse; white space is what Java takes for it.
    "meteor": share(
        METEOR,
        meteor.score,
        rises_with_matches=False,
        longest=10_000,
        white_space=(" ", "\t\n", "\0"),
    ),
}
COUNTS = {measure.counts: name for name, measure in reversed(MEASURES.items())}
WORDS_OF_A_TEXT = [f"w{number:02}" for number in range(40)]

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_count = pytest.mark.parametrize("counts", COUNTS, ids=COUNTS.values())
some_words = st.lists(st.sampled_from(WORDS_OF_A_TEXT[:6]), min_size=1, max_size=12).map(" ".join)


def score_of(measure, translation, *references):
    return float(measure.score(measure.counts([translation], [list(references)]))[0])


@pytest.fixture(scope="module")
def batch():
    """Sixty odd segments, with one to three references each."""
    rng = np.random.default_rng(7)

    def text():
        pieces = [*rng.choice(PIECES, size=5), " ", "a", "b"]
        return spelled(pieces, rng.integers(1_000, size=rng.integers(60)))

    references = [[text() for _ in range(rng.integers(1, 4))] for _ in range(60)]
    return [text() if i % 5 else given[0] for i, given in enumerate(references)], references


@every_measure
@given(batch=batches())
@settings(max_examples=30, deadline=None)
def test_scores_stay_in_range(measure, batch):
    rows = measure.counts(*batch)
    assert rows.dtype == np.float64
    assert len(rows) == len(batch[0])
    assert np.isfinite(rows).all()
    assert (rows >= 0).all()
    scores = np.append(measure.score(rows), measure.score(rows.sum(axis=0)))
    assert ((scores >= 0) & (scores <= measure.top + 1e-9)).all()


@every_measure
@given(translation=some_words, reference=some_words)
@settings(max_examples=30, deadline=None)
def test_nothing_scores_better_than_the_reference_itself(measure, translation, reference):
    rows = measure.counts([translation, reference], [[reference]] * 2)
    other, itself = measure.score(rows).tolist()
    assert measure.sign * itself >= measure.sign * other - 1e-9
    if measure.perfect is not None:
        assert itself == pytest.approx(measure.perfect, abs=1e-9)


@every_measure
@given(translation=some_words, reference=some_words)
@settings(max_examples=30, deadline=None)
def test_symmetry(measure, translation, reference):
    if measure.symmetric:
        there, back = (score_of(measure, *pair) for pair in ((translation, reference),
                                                             (reference, translation)))  # fmt: skip
        assert there == pytest.approx(back, abs=1e-9)


@pytest.mark.parametrize("counts", [CHARS, WORDS, SKIPS, ngrams.skip_counts, ngrams.lcs_counts])
@given(translation=some_words, reference=some_words)
@settings(max_examples=30, deadline=None)
def test_precision_is_recall_the_other_way_round(counts, translation, reference):
    there, back = counts([translation], [[reference]]), counts([reference], [[translation]])
    assert ngrams.precision(there).tolist() == ngrams.recall(back).tolist()
    assert ngrams.recall(there).tolist() == ngrams.precision(back).tolist()
    assert there[:, 2::3].tolist() == back[:, 2::3].tolist()


@every_measure
def test_every_word_put_right_makes_it_no_worse(measure, rng):
    """All words differ, wrong ones stand where right ones belong, and all are equally long."""
    right = WORDS_OF_A_TEXT[:20]
    words = [f"x{number:02}" for number in range(20)]
    lines = [" ".join(words)]
    for place in rng.permutation(20):
        words[place] = right[place]
        lines.append(" ".join(words))
    scores = measure.sign * measure.score(measure.counts(lines, [[" ".join(right)]] * len(lines)))
    if measure.rises_with_matches:
        assert (np.diff(scores) >= -1e-9).all()
    assert scores[-1] == scores.max()
    assert scores[0] == scores.min()


@every_measure
def test_nothing_and_white_space_only(measure):
    expected = measure.counts(["", "a b"], [["a"], [""]])
    for nothing in ("", *measure.white_space):
        assert score_of(measure, nothing, "a b c d") == pytest.approx(measure.empty)
        assert score_of(measure, nothing, nothing) == 0.0
        rows = measure.counts([nothing, "a b"], [["a"], [nothing]])
        assert np.isfinite(measure.score(rows)).all()
        assert (rows == expected).all()


@every_measure
@pytest.mark.parametrize("token", ["a", "\0", "\ud800", "🙂", "漢", "e\u0301"])
def test_one_token(measure, token):
    itself, other = score_of(measure, token, token), score_of(measure, token, "other")
    assert measure.sign * itself >= measure.sign * other
    if measure.perfect is not None and token not in measure.white_space:
        assert itself == pytest.approx(measure.perfect)


@every_measure
def test_another_reference_makes_it_no_worse(measure):
    """The better of two references counts, wherever it stands."""
    good, bad = "the cat sat on the mat", "no no no no no no"
    alone = score_of(measure, "the cat sat on a mat", good)
    if measure.counts is not nist.counts:
        assert score_of(measure, "the cat sat on a mat", good, bad) == pytest.approx(alone)
        assert score_of(measure, "the cat sat on a mat", bad, good) == pytest.approx(alone)


@every_count
@pytest.mark.parametrize("threads", [2, 3, 8, 64])
def test_threads_change_nothing(counts, threads, batch):
    assert (counts(*batch, threads=threads) == counts(*batch, threads=1)).all()


@every_count
def test_calls_at_the_same_time_do_not_disturb_each_other(counts, batch):
    """The kernel gives Python's lock away while it counts."""
    expected = counts(*batch)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: counts(*batch, threads=2), range(8)))
    assert all((rows == expected).all() for rows in found)


@every_count
def test_neither_size_nor_order_of_batches_matters(counts, batch, rng):
    if counts is nist.counts:  # whose weights would be each batch's own
        counts = partial(counts, weights=nist.weights(batch[1]))
    translations, references = batch
    together = counts(translations, references)
    alone = [counts([h], [r])[0] for h, r in zip(translations, references, strict=True)]
    assert (together == np.array(alone)).all()
    order = rng.permutation(len(translations))
    mixed = counts([translations[i] for i in order], [references[i] for i in order])
    assert (mixed == together[order]).all()
    parts = [counts(translations[i : i + 7], references[i : i + 7]) for i in range(0, 60, 7)]
    assert (np.concatenate(parts) == together).all()


@every_count
def test_no_segments_have_no_counts(counts):
    assert counts([], []).shape == (0, counts(["a"], [["a"]]).shape[1])


@every_measure
@pytest.mark.parametrize("piece", ["a", "漢", "a ", "ab, ", "'", "-\n"])
def test_very_long_lines(measure, piece):
    """Words of any length, and any number of them, in a reasonable time."""
    line = piece * (measure.longest // len(piece))
    rows = measure.counts([line, line], [[line], ["b " + line[:-1]]])
    itself, other = measure.score(rows).tolist()
    assert measure.sign * itself >= measure.sign * other - 1e-9


@every_count
@pytest.mark.parametrize(
    ("translations", "references", "message"),
    [
        (None, [["a"]], "translations must be a list, not NoneType"),
        ("a", [["a"]], "translations must be a list, not str"),
        (b"a", [["a"]], "translations must be a list, not bytes"),
        (["a"], None, "references must be a list, not NoneType"),
        (["a"], "a", "references must be a list, not str"),
        (["a"], ["a"], "references must be one list per translation"),
        (["a"], [b"a"], "references must be one list per translation"),
        (["a"], [None], "translation 1 has no reference"),
        (["a", "b"], [["a"], []], "translation 2 has no reference"),
        (["a"], [], "1 translations, but references for 0"),
        ([None], [["a"]], "every text must be a string, but one is NoneType"),
        ([b"a"], [["a"]], "every text must be a string, but one is bytes"),
        (["a"], [["a", None, 1]], "every text must be a string, but one is NoneType, int"),
    ],
)
def test_wrong_input_is_named(counts, translations, references, message):
    with pytest.raises(ConcordantError, match=message):
        counts(translations, references)


@every_count
@pytest.mark.parametrize("threads", [-1, 1.5, "2", None])
def test_threads_are_a_number(counts, threads):
    with pytest.raises(TypeError):
        counts(["a"], [["a"]], threads=threads)
