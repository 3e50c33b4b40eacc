"""Scores of translations by a trained encoder, in fp32: the oracle that faster code must equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from concordant.encoders.networks.model_folder import needed
from concordant.models.encoder.network import (
    apart_scores,
    joint_scores,
    joint_sequences,
    shape_of,
    single_sequences,
)
from concordant.models.encoder.quantised import unpack
from concordant.models.encoder.texts import read_pieces

if TYPE_CHECKING:
    from concordant.features.preparation import Texts
    from concordant.judgements.judged_translations import Floats
    from concordant.models.kind import Fitted


def raw_scores(metric: Fitted, texts: Texts) -> Floats:
    """The raw score of each translation: the mean over its references."""
    torch = needed("torch")
    given = [text.lstrip("\ufeff").strip() for text in texts.translations]
    owner = [i for i, found in enumerate(texts.references) for _ in found]
    others = [text.lstrip("\ufeff").strip() for found in texts.references for text in found]
    number = {text: i for i, text in enumerate(dict.fromkeys([*given, *others]))}
    tokens = read_pieces(list(number)).texts(int(metric.options["moved"]))
    shape, params = shape_of(metric.options), unpack(metric.params)
    weights = {name: torch.from_numpy(np.asarray(v, np.float32)) for name, v in params.items()}
    found = []
    with torch.no_grad():
        for i, other in zip(owner, others, strict=True):
            pair = [tokens[number[given[i]]]], [tokens[number[other]]]
            if shape.form == "joint":
                found.append(joint_scores(shape, weights, joint_sequences(shape, *pair)))
            else:
                both = single_sequences(shape, [*pair[0], *pair[1]])
                rows = torch.zeros(1, dtype=torch.long), torch.ones(1, dtype=torch.long)
                found.append(apart_scores(shape, weights, both, *rows))
    sums = np.bincount(owner, weights=torch.cat(found).numpy(), minlength=len(given))
    return np.asarray(sums / np.maximum(np.bincount(owner, minlength=len(given)), 1))
