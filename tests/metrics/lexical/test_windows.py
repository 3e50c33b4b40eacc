"""Long texts are compared window by window and flagged, short ones are compared whole."""

import random
import time

import numpy as np
import pytest

from concordant.metrics.flags.flags import VERY_LONG, VERY_LONG_CHARACTERS, flags
from concordant.metrics.lexical import character, ngrams, ter, wer
from concordant.metrics.lexical.measures import MEASURES, measure_named
from concordant.metrics.lexical.meteor import meteor
from concordant.metrics.scorer import Batch

WINDOW, CHARACTER_WINDOW = 512, 64  # native/windows.hpp, metrics/lexical/native/character.hpp
WORDS = [f"{a}{b}{c}" for a in "bcdfgh" for b in "aeiou" for c in "klmnprst"]

COUNTERS = {
    "ter": ter.counts,
    "wer": wer.counts,
    "rouge-l": ngrams.lcs_counts,
    "rouge-s": ngrams.skip_counts,
    "skipgrams(600)": lambda *texts: ngrams.skip_counts(*texts, skip=600),
    "meteor": lambda *texts: meteor.counts(*texts, modules=["exact", "stem"]),
}


def pair(length: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """A text of some words, and another one that is a little shorter and in another order."""
    rng = random.Random(seed)
    reference = rng.choices(WORDS, k=length)
    output = [word if rng.random() < 0.8 else rng.choice(WORDS) for word in reference]
    third = length // 3
    return output[third : 2 * third] + output[:third] + output[2 * third : -7], reference


def windows(output: list[str], reference: list[str], size: int) -> list[tuple[str, str]]:
    """The windows of both texts, by the rule that docs/measures.md states."""
    number = -(-max(len(output), len(reference)) // size)

    def part(words: list[str], i: int) -> str:
        return " ".join(words[len(words) * i // number : len(words) * (i + 1) // number])

    return [(part(output, i), part(reference, i)) for i in range(number)]


def summed(count, parts: list[tuple[str, str]]) -> np.ndarray:
    return count([out for out, _ in parts], [[ref] for _, ref in parts]).sum(axis=0)


@pytest.mark.parametrize("name", COUNTERS)
def test_the_counts_of_a_long_text_are_the_sum_of_its_windows(name):
    count = COUNTERS[name]
    output, reference = pair(VERY_LONG_CHARACTERS + 1)
    found = count([" ".join(output)], [[" ".join(reference)]])[0]
    assert found.tolist() == summed(count, windows(output, reference, WINDOW)).tolist()


@pytest.mark.parametrize("name", ["wer", "rouge-l", "rouge-s", "meteor"])
def test_a_text_at_the_limit_is_compared_whole(name):
    count = COUNTERS[name]
    output, reference = pair(VERY_LONG_CHARACTERS)
    found = count([" ".join(output)], [[" ".join(reference)]])[0]
    assert found.tolist() != summed(count, windows(output, reference, WINDOW)).tolist()


def test_character_compares_over_2000_words_in_windows():
    output, reference = pair(VERY_LONG + 1)
    found = character.counts([" ".join(output)], [[" ".join(reference)]])[0]
    parts = windows(output, reference, CHARACTER_WINDOW)
    expected = summed(character.counts, parts)
    assert found[:2].tolist() == pytest.approx(expected[:2].tolist(), rel=1e-12)
    assert found[2] == len(" ".join(output))


def test_the_best_of_several_references_is_chosen_by_the_whole_text():
    output, reference = pair(VERY_LONG_CHARACTERS + 1)
    text, other = " ".join(output), " ".join(reversed(reference))
    alone = wer.counts([text], [[" ".join(reference)]])
    assert wer.counts([text], [[other, " ".join(reference)]]).tolist() == alone.tolist()


def test_a_long_text_equals_itself():
    text = " ".join(pair(50_000)[1])
    best = {"wer": 0, "ter": 0, "character": 0, "rouge-l": 100, "rouge-s": 100}
    for name, score in best.items():
        measure = measure_named(name)
        assert measure.segment_scores(measure.counts(Batch([text], [[text]])))[0] == pytest.approx(
            score
        )


@pytest.mark.parametrize("count", [wer.counts, ngrams.lcs_counts, ngrams.skip_counts])
def test_windows_do_not_depend_on_threads(count):
    texts = [" ".join(words) for words in pair(VERY_LONG_CHARACTERS + 1)]
    many = [texts[0]] * 3, [[texts[1]]] * 3
    assert count(*many, threads=2).tolist() == count(*many, threads=1).tolist()


@pytest.mark.parametrize("name", MEASURES)
def test_a_pair_of_a_hundred_thousand_words_takes_seconds(name):
    texts = [" ".join(words) for words in pair(100_000)]
    measure = measure_named(name)
    begin = time.process_time()
    batch = Batch([texts[0]], [[texts[1]]])
    measure.counts(batch, prepared=measure.prepare(batch.references))
    assert time.process_time() - begin < 30


@pytest.mark.parametrize("name", MEASURES)
def test_a_million_characters_without_spaces_take_seconds(name):
    rng = random.Random(0)
    reference = "".join(map(chr, rng.choices(range(0x4E00, 0x5600), k=1_000_000)))
    output = reference[1_000:] + reference[:990]
    measure = measure_named(name)
    begin = time.process_time()
    batch = Batch([output], [[reference]])
    measure.counts(batch, prepared=measure.prepare(batch.references))
    assert time.process_time() - begin < 30


@pytest.mark.parametrize("length", [VERY_LONG, VERY_LONG + 1])
def test_what_character_compares_in_windows_is_flagged(length):
    words = " ".join("a" for _ in range(length))
    long = length > VERY_LONG
    for texts in ((words, "b"), ("b", words)):
        assert ("very-long" in flags([texts[0]], [[texts[1]]])[0]) == long


@pytest.mark.parametrize("text", [",", "x", "的"])
@pytest.mark.parametrize("more", [0, 1])
def test_what_may_have_more_tokens_than_are_compared_whole_is_flagged(text, more):
    line = text * (VERY_LONG_CHARACTERS + more)
    expected = bool(more) or text == "的"  # each of those counts as a word
    assert ("very-long" in flags(["b"], [[line]])[0]) == expected


def test_hangul_is_flagged_by_its_decomposed_length():
    assert "very-long" in flags(["각" * 5_500], [["b"]])[0]
    assert "very-long" not in flags(["각" * 5_400], [["b"]])[0]
