"""Translations that are wrong for sure, for metrics without a reference to put below right ones."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from concordant.judgements.judged_translations import JudgedPairs, RatedTranslations

GOOD = -0.8  # deviations: worse translations say nothing of their own sentence
SHARE = 0.3  # of the translations, for each way of being wrong


def wrong_pairs(rated: RatedTranslations, seed: int) -> JudgedPairs:
    """Pairs of a translation and a wrong one of the same source.

    Wrong are: the translation of another sentence, the source, another source, and half of the
    translation, in turn.
    """
    rng = np.random.default_rng([seed, 5])
    others = _others(rated, rng), _others(rated, rng)
    texts, sources, places = list(rated.translations), list(rated.sources), list(rated.places)
    better = []
    for kind in range(4):
        for i in np.flatnonzero(rng.random(len(rated)) < SHARE).tolist():
            made = (
                lambda i=i: rated.translations[others[0][i]],
                lambda i=i: rated.sources[i],
                lambda i=i: rated.sources[others[1][i]],
                lambda i=i: half(rated.translations[i]),
            )[kind]()
            if rated.ratings[i] > GOOD and made != rated.translations[i]:
                better.append(i)
                texts.append(made)
                sources.append(rated.sources[i])
                places.append(rated.places[i])
    return JudgedPairs(
        tuple(texts),
        ((),) * len(texts),
        tuple(sources),
        tuple(places),
        np.array(better, dtype=np.int64),
        np.arange(len(rated), len(texts)),
        np.ones(len(better)),
    )


def half(text: str) -> str:
    """The first half of a text's words, or of its characters where there are no spaces.

    >>> half("one two three"), half("我们今天")
    ('one', '我们')
    """
    words = text.split()
    return " ".join(words[: len(words) // 2]) if len(words) > 1 else text[: len(text) // 2]


def _others(rated: RatedTranslations, rng: np.random.Generator) -> np.ndarray:
    """For each translation another of the same language pair, with another source."""
    groups = defaultdict(list)
    for i, place in enumerate(rated.places):
        groups[place[0]].append(i)
    found = np.arange(len(rated.places))
    for members in groups.values():
        drawn = rng.permutation(members)
        found[members] = drawn
        same = [i for i in members if rated.sources[found[i]] == rated.sources[i]]
        for i in same:
            found[i] = members[int(rng.integers(len(members)))]
    return found
