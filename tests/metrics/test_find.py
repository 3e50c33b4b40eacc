"""Measures, features of vectors and trained metrics score files alike, in any blocks."""

from pathlib import Path

import numpy as np
import pytest
from small_encoders import CountingEncoder
from small_metrics import lexical_metric, vector_metric

from concordant.encoders.cache.cache import default_cache
from concordant.errors import ConcordantError, SpecError
from concordant.features import encoded_features
from concordant.metrics.bundle import SHIPPED, about_shipped, save, shipped
from concordant.metrics.find import default_metric, in_language, load
from concordant.scoring.line_blocks import TextFiles
from concordant.scoring.scores import score_file, system_scores

HYPOTHESES = [f"a text of {i % 3} words" for i in range(7)]
SAME = [[text] for text in HYPOTHESES]
REFERENCES = [[f"the text of {i % 4} words"] for i in range(7)]


def files(tmp_path):
    (tmp_path / "h").write_text("".join(f"{text}\n" for text in HYPOTHESES))
    (tmp_path / "r").write_text("".join(f"{text}\n" for (text,) in REFERENCES))
    return str(tmp_path / "h"), TextFiles((str(tmp_path / "r"),))


def test_every_metric_that_ships_says_what_it_is():
    titles = [each.title for each in about_shipped().values()]
    assert all(titles)
    assert len(set(titles)) == len(shipped())


@pytest.mark.parametrize("name", ["fast", "fast-any", str(SHIPPED / "fast-any")])
def test_raw_scores_are_asked_for_by_name(name):
    metric = load(name)
    inputs = metric.preparation.inputs(HYPOTHESES, REFERENCES)
    raw = load(f"{name}(scale=raw)")
    assert raw.score(HYPOTHESES, REFERENCES).segments.tolist() == metric.raw_scores(inputs).tolist()
    assert raw.scores_of_inputs(inputs).tolist() != metric.scores_of_inputs(inputs).tolist()
    assert raw.signature().startswith(f"metric:{metric.name}(scale=raw)|model:regression|sha256:")
    assert raw.digest != metric.digest  # other numbers, another digest
    assert load(f"{name}(scale=calibrated)").signature() == metric.signature()


def test_a_scale_that_is_not_there_is_said(tmp_path):
    save(lexical_metric(), tmp_path / "metric")
    for name, message in {
        f"{tmp_path}/metric(scale=raw)": "are always raw; leave out",
        "fast(scale=row)": "scale=row is not one of calibrated, raw",
        "fast(raw)": "takes options as name=value, not raw",
        "fast(scale=raw": "has no closing bracket",
    }.items():
        with pytest.raises(ConcordantError, match=message):
            load(name)


def test_only_the_default_depends_on_the_language():
    assert [default_metric(each) for each in (None, "en", "de")] == ["base", "base", "fast-any"]
    assert in_language("fast(scale=raw)", "de") == "fast(scale=raw)"


@pytest.mark.parametrize("name", ["fast", "fast(scale=raw)"])
def test_a_shipped_metric_knows_its_languages(name):
    assert load(name).scope.languages == ("en",)
    assert load("fast-any").scope.languages == ()


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_trained_metric_scores_as_it_does_in_memory(tmp_path, size):
    metric = lexical_metric(features="nist chrf length")
    save(metric, tmp_path / "metric")
    scorer = load(str(tmp_path / "metric"))
    blocks = list(score_file(*files(tmp_path), [scorer], size=size))
    expected = metric.score(HYPOTHESES, REFERENCES)
    assert np.concatenate([b.segments[:, 0] for b in blocks]).tolist() == expected.segments.tolist()
    assert system_scores(blocks, [scorer]).values == pytest.approx([expected.system])
    assert scorer.signature(level="system") == metric.signature()


def test_a_feature_of_vectors_scores_by_its_main_column(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    monkeypatch.setattr(encoded_features, "encoder_named", lambda *_: CountingEncoder())
    found = load("tokens(counting,layer=2)").score(HYPOTHESES, SAME)
    assert found.segments.tolist() == pytest.approx([1.0] * 7)
    assert found.system == pytest.approx(1.0)
    assert "fitted:on the references" in found.signature


def test_systems_share_the_references_that_a_network_encodes(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path))
    encoder = CountingEncoder()
    monkeypatch.setattr(encoded_features, "encoder_named", lambda *_: encoder)
    scorer = load("tokens(counting,layer=2)")
    translation, texts = files(tmp_path)
    other = tmp_path / "other"
    other.write_text("".join(f"{line} too\n" for line in HYPOTHESES), encoding="utf-8")
    alone = [b.segments for b in score_file(str(other), texts, [scorer])]
    default_cache().clear()
    encoder.encoded.clear()
    list(score_file(translation, texts, [scorer], beside=[str(other)]))
    assert len(encoder.encoded) == len(set(encoder.encoded))
    encoder.encoded.clear()
    together = [b.segments for b in score_file(str(other), texts, [scorer])]
    assert encoder.encoded == []
    assert np.concatenate(together).tolist() == np.concatenate(alone).tolist()


def test_unknown_names_and_features_without_a_number_are_said(tmp_path):
    with pytest.raises(SpecError, match='nor the folder of a trained metric; did you mean "bleu"'):
        load("blue")
    with pytest.raises(SpecError, match="is several features, not a metric"):
        load("ngrams(chars,1-5)")
    metric = vector_metric("small-static", anchors=("reference", "source"))
    save(metric, tmp_path / "metric")
    scorer = load(str(tmp_path / "metric"))
    with pytest.raises(SpecError, match="needs the source; give it with -s"):
        list(score_file(*files(tmp_path), [scorer]))
    translation, texts = files(tmp_path)
    both = TextFiles(texts.references, source=translation)
    found = np.concatenate([b.segments[:, 0] for b in score_file(translation, both, [scorer])])
    expected = metric.score(HYPOTHESES, REFERENCES, HYPOTHESES).segments
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-12)


def test_a_path_is_a_folder_and_never_a_metric_that_ships(tmp_path, monkeypatch):
    save(lexical_metric(), tmp_path / "fast")
    monkeypatch.chdir(tmp_path)
    assert load("fast").name == "fast"
    assert load(Path("fast")).name == load("./fast").name == "small"
