"""A small vocabulary in the mapped form, and its parts."""

import numpy as np

from concordant.encoders.words.words import open_vectors, write_mapped

WORDS = (
    "the cat sat on mat . , ' - a well known well-known u.s. ... -- do n't 's 'll 2 1,000.50 é 漢字"
).split()


def small_matrix(words=WORDS, dimension=4):
    return np.random.default_rng(7).normal(size=(len(words), dimension)).astype(np.float32)


def small_vectors(folder, words=WORDS, dimension=4):
    write_mapped(folder, words, small_matrix(words, dimension))
    return open_vectors(folder)
