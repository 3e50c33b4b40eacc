"""What MiniLM is worth untrained: agreement with WMT16's direct assessments, known beforehand."""

import numpy as np
import pytest

from concordant.features.extraction import feature_set
from concordant.judgements.files import read_lines
from concordant.stats.correlation import pearson

PAIRS = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
KNOWN = {"sentence(minilm) cosine": 0.549, "tokens(minilm,layer=3) F": 0.632}


@pytest.mark.data
def test_minilm_agrees_with_people_as_far_as_is_known(data, part):
    part("minilm")
    features = feature_set("tokens(minilm,layer=3) sentence(minilm)")
    found = {column: [] for column in KNOWN}
    for pair in PAIRS:
        translations, references, human = (
            read_lines(data / "da16" / f"DAseg.newstest2016.{kind}.{pair}")
            for kind in ("mt-system", "reference", "human")
        )
        values = features.extract(translations, [[text] for text in references], threads=2)
        for column in KNOWN:
            scores = values[:, features.columns.index(column)]
            found[column].append(pearson(scores, np.array(human, dtype=np.float64)))
    means = {column: np.mean(each) for column, each in found.items()}
    assert means == pytest.approx(KNOWN, abs=0.01)
