"""A transformer with weights of 8 bits, slow and obvious: the kernel's oracle.

Whole numbers are exact here as there. Floats are NumPy's, in float64 where the kernel has its own
order of sums in float32, so the last digits of its states differ.
"""

import math

import numpy as np

FARTHEST = 128


def quantised_rows(x):
    """Whole numbers from 0 to 255, what stands for 0, and the scale of each row."""
    most = np.maximum(x.max(axis=1), 0).astype(np.float32)
    least = np.minimum(x.min(axis=1), 0).astype(np.float32)
    width = most - least
    factor = np.where(width > 0, np.float32(255) / np.where(width > 0, width, 1), 0)
    zero = np.rint(-least * factor)
    numbers = np.clip(np.rint(x.astype(np.float32) * factor[:, None] + zero[:, None]), 0, 255)
    return numbers.astype(np.int64), zero.astype(np.int64), (width / np.float32(255))


def dense(params, name, x):
    """x Wᵀ + b with whole numbers."""
    numbers, zero, scale = quantised_rows(x)
    exact = (numbers - zero[:, None]) @ params[name].astype(np.int64).T
    return exact * scale[:, None] * params[f"{name}.scale"] + params[f"{name}_bias"]


def norm(x, scale, shift, epsilon):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon) * scale + shift


def gelu(x):
    return np.array([[0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in row] for row in x])


def bucket(behind, classes):
    """T5's class of a distance: where the other token stands, from the one that looks."""
    half = classes // 2
    single, far = half // 2, abs(behind)
    if far >= single:
        grown = math.log(far / single) / math.log(FARTHEST / single) * (half - single)
        far = min(single + int(grown), half - 1)
    return far + (half if behind > 0 else 0)


def attention(params, x, heads, number):
    tokens, width = x.shape
    each = width // heads
    seen = dense(params, f"layer.{number}.seen", x)
    out = np.zeros_like(x)
    for head in range(heads):
        here = slice(head * each, (head + 1) * each)
        query, key, value = (seen[:, k * width :][:, here] for k in range(3))
        likeness = query @ key.T / math.sqrt(each)
        if "distances" in params:
            table = params["distances"]
            likeness += [[table[bucket(j - i, len(table)), head] for j in range(tokens)]
                         for i in range(tokens)]  # fmt: skip
        weights = np.exp(likeness - likeness.max(axis=1, keepdims=True))
        out[:, here] = weights / weights.sum(axis=1, keepdims=True) @ value
    return dense(params, f"layer.{number}.attended", out)


def states(params, words, types, places, heads, epsilon):
    """The last states of one text's tokens."""
    table = params["embeddings.words"] * params["embeddings.words.scale"][:, None]
    x = table[words] + params["embeddings.types"][types] + params["embeddings.places"][places]
    x = norm(x, params["embeddings.scale"], params["embeddings.shift"], epsilon)
    number = 0
    while f"layer.{number}.seen" in params:
        at = f"layer.{number}."
        x = x + attention(params, x, heads, number)
        x = norm(x, params[f"{at}attended_norm"], params[f"{at}attended_norm_bias"], epsilon)
        x = x + dense(params, f"{at}narrow", gelu(dense(params, f"{at}wide", x)))
        x = norm(x, params[f"{at}norm"], params[f"{at}norm_bias"], epsilon)
        number += 1
    return x
