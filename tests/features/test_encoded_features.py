"""Features of vectors: what they are called, and that they are what their parts compute."""

import numpy as np
import pytest
from bad_input import good_folder, run
from hypothesis import given
from hypothesis import strategies as st
from small_encoders import bert_folder, static_folder

from concordant.encoders import token_matching
from concordant.encoders.encoder_names import encoder_named
from concordant.encoders.encoders import encode
from concordant.encoders.words.words import write_mapped
from concordant.errors import ConcordantError, SpecError
from concordant.features.encoded_features import ENCODED_KINDS, cosines
from concordant.features.extraction import feature_set
from concordant.features.registry import feature_named
from concordant.resources.places import MissingPart

HYPOTHESES = ["the house is old", "a new street .", "", "the older houses", "the house is old"]
REFERENCES = [
    ["the old house", "at the end of the street"],
    ["a new street."],
    ["the house"],
    ["old houses", "the older houses", "streets"],
    ["the house is old"],
]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    pytest.importorskip("transformers")
    return bert_folder(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static") / "tiny"
    return static_folder(folder, np.random.default_rng(5))


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words") / "tiny"
    vocabulary = "the house is old a new street . houses".split()
    write_mapped(folder, vocabulary, np.random.default_rng(2).normal(size=(9, 4)))
    return folder


def flat(references):
    return [text for given in references for text in given]


def best_of(rows, references):
    """The row with the best F among those of each segment's references, the slow way."""
    rows, best = list(rows), []
    for given_ in references:
        of_segment = [rows.pop(0) for _ in given_]
        best.append(max(of_segment, key=lambda row: row[token_matching.F]))
    return np.array(best)


def test_specs_print_as_they_parse_and_name_every_column(bert, static):
    for text in (f"tokens({bert},layer=1+2)", f"tokens({static})", f"sentence({bert},layer=1)"):
        assert str(feature_named(text).spec) == text
        assert str(feature_set(str(feature_set(text)))) == text
    columns = feature_named(f"tokens({bert},layer=1+2)").columns
    assert len(columns) == 2 * len(token_matching.COLUMNS) == len(set(columns))
    assert columns[0] == f"tokens({bert},layer=1) P"
    assert columns[13] == f"tokens({bert},layer=2) P"
    assert feature_named(f"tokens({static})").columns[2] == f"tokens({static}) F"
    assert feature_named(f"tokens({bert})").columns[12] == f"tokens({bert},layer=3) fragmentation"
    assert feature_named(f"sentence({bert})").columns == (f"sentence({bert}) cosine",)


def test_token_features_are_the_matches_of_a_runs_states(bert):
    features = feature_set(f"tokens({bert},layer=1+3)")
    fitted = features.fit(flat(REFERENCES))
    found = features.extract(HYPOTHESES, REFERENCES, fitted=fitted)
    encoder = encoder_named(str(bert))
    repeated = [h for h, given_ in zip(HYPOTHESES, REFERENCES, strict=True) for _ in given_]
    run = encoder.run([*repeated, *flat(REFERENCES)], sentence=False, layers=(1, 3))
    (idf,) = fitted.values()
    weights = token_matching.idf_weights(run.pieces, idf)
    pairs = np.arange(2 * len(repeated)).reshape(2, -1).T.copy()
    # Which reference is best is decided by the first layer.
    both = [token_matching.match_tokens(run.layers[k], pairs, weights=weights) for k in (1, 3)]
    assert np.array_equal(found, best_of(np.concatenate(both, axis=1), REFERENCES))
    assert found[4, :3] == pytest.approx([1, 1, 1])
    assert not found[2, : token_matching.F].any()


@pytest.mark.parametrize("kind", ["static", "words"])
def test_static_tokens_are_matched_as_rows_of_their_table(kind, request):
    folder = request.getfixturevalue(kind)
    found = feature_set(f"tokens({folder})").extract(HYPOTHESES, REFERENCES)
    encoder = encoder_named(str(folder))
    repeated = [h for h, given_ in zip(HYPOTHESES, REFERENCES, strict=True) for _ in given_]
    pieces = encoder.run([*repeated, *flat(REFERENCES)], sentence=False).pieces
    idf = token_matching.fit_idf(encoder.run(list(dict.fromkeys(flat(REFERENCES)))).pieces)
    weights = token_matching.idf_weights(pieces, idf)
    n = len(repeated)
    pairs = np.array([(i, n + i) for i in range(n)])
    rows = token_matching.match_tokens(
        encoder.rows(pieces), pairs, table=encoder.table, weights=weights
    )
    assert np.array_equal(found, best_of(rows, REFERENCES))


def test_cosines_are_those_of_the_vectors_and_the_best_of_several_references(bert):
    found = feature_set(f"sentence({bert})").extract(HYPOTHESES, REFERENCES)
    encoder = encoder_named(str(bert))

    def cosine(one, other):
        a, b = encode(encoder, [one, other]).astype(np.float64)
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    for row, text, given_ in zip(found, HYPOTHESES, REFERENCES, strict=True):
        assert row == pytest.approx([max(cosine(text, each) for each in given_)])
    assert found[4, 0] == pytest.approx(1)


@given(
    st.lists(st.lists(st.floats(-9, 9, width=32), min_size=3, max_size=3), min_size=2, max_size=9)
)
def test_cosines_stay_within_1_and_do_not_depend_on_their_neighbours(rows):
    table = np.array(rows, dtype=np.float32)
    places = np.arange(len(table))
    together = cosines(table, places, places[::-1])
    assert (np.abs(together) <= 1).all()
    assert (np.abs(cosines(table, places, places)) <= 1).all()
    for i, other in zip(places, places[::-1], strict=True):
        pair = cosines(table[[i, other]], np.array([0]), np.array([1]))
        assert pair[0] == together[i]
    zeros = ~table.any(axis=1)
    assert (together[zeros] == 0).all()


@pytest.mark.parametrize("kind", ["bert", "static", "words"])
def test_order_batches_and_threads_change_no_bit(kind, request, monkeypatch, tmp_path):
    folder = request.getfixturevalue(kind)
    spec = "vectors" if kind == "words" else "sentence"
    features = feature_set(f"tokens({folder}) {spec}({folder})")
    fitted = features.fit(flat(REFERENCES))
    whole = features.extract(HYPOTHESES, REFERENCES, fitted=fitted)
    order = [3, 0, 4, 2, 1]
    for number, threads in enumerate((1, 2)):
        monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / f"cache{number}"))  # compute it again
        turned = features.extract(
            [HYPOTHESES[i] for i in order],
            [REFERENCES[i] for i in order],
            fitted=fitted,
            threads=threads,
        )
        assert turned.tobytes() == whole[order].tobytes()
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache-again"))
    alone = [
        features.extract([h], [given_], fitted=fitted)
        for h, given_ in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert np.concatenate(alone).tobytes() == whole.tobytes()


@pytest.mark.parametrize("kind", ["bert", "static"])
def test_idf_is_that_of_training_where_it_was_fitted_and_of_the_test_set_elsewhere(kind, request):
    folder = request.getfixturevalue(kind)
    features = feature_set(f"tokens({folder})")
    unfitted = features.extract(HYPOTHESES, REFERENCES)
    own = features.extract(HYPOTHESES, REFERENCES, fitted=features.fit(flat(REFERENCES)))
    assert np.array_equal(unfitted, own)
    other = features.fit(["the the", "the old", "the"])
    trained = features.extract(HYPOTHESES, REFERENCES, fitted=other)
    weighted = [i for i, name in enumerate(token_matching.COLUMNS) if "idf" in name]
    assert not np.array_equal(trained[:, weighted], own[:, weighted])
    plain = features.extract(HYPOTHESES[:1], REFERENCES[:1], test_set=REFERENCES)
    assert np.array_equal(plain, own[:1])


@pytest.mark.parametrize("kind", ["bert", "static", "words"])
def test_no_segments_are_no_fault(kind, request):
    features = feature_set(f"tokens({request.getfixturevalue(kind)})")
    assert features.extract([], []).shape == (0, 13)


def test_a_segment_without_reference_is_refused_and_not_filled_in(static):
    for features in (feature_set(f"tokens({static})"), feature_set(f"sentence({static})")):
        with pytest.raises(ConcordantError, match="translation 2 has no reference"):
            features.extract(["a", "b"], [["a"], []])
        with pytest.raises(ConcordantError, match="2 translations, but references for 1"):
            features.extract(["a", "b"], [["a"]])


def test_odd_texts_have_features(static, words):
    odd = ["a\0b", "\ud800", "\t\n ", "🙂 é", "x" * 300]
    found = feature_set(f"tokens({static}) tokens({words})").extract(odd, [[text] for text in odd])
    assert np.isfinite(found).all()


def test_an_onnx_model_has_token_features_of_its_last_layer(part, monkeypatch, tmp_path):
    monkeypatch.undo()
    folder = part("minilm-onnx")
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "cache"))
    found = feature_set(f"tokens({folder})").extract(["the same", "other"], [["the same"]] * 2)
    assert found[0, token_matching.F] == pytest.approx(1)
    assert found[1, token_matching.F] < 0.9


def test_a_cache_that_cannot_be_used_changes_no_number_and_is_told(bert, tmp_path, monkeypatch):
    given_ = good_folder(tmp_path / "judged")
    asked = ["evaluate", "-m", f"tokens({bert})", "-j", given_, "--resamples", 5, "--format", "tsv"]
    kept = run(*asked)
    assert kept.code == 0
    assert "the cache" not in kept.err
    monkeypatch.setenv("CONCORDANT_CACHE", str(tmp_path / "other"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "encoded").write_text("in the way")
    for quiet in ([], ["--quiet"]):
        unkept = run(*asked, *quiet)
        assert (unkept.code, unkept.out) == (0, kept.out)
        assert ("note: the cache" in unkept.err) == (not quiet)


def test_what_cannot_be_had_is_explained(bert, static):
    for text, words in (
        ("tokens()", r"tokens takes one name; as in tokens\(potion\)"),
        (f"tokens({bert},layer=4)", "has layers 0 to 3, not 4"),
        (f"tokens({bert},layer=x)", 'layer "x" is not a number, nor different ones such as 3+6'),
        (f"tokens({bert},layer=1+01)", r'layer "1\+01" is not a number'),
        (f"tokens({bert},pool=cls)", 'tokens has no option "pool"; it has layer'),
        (f"tokens({static},layer=1)", "has only layer 0, not 1"),
        (f"tokens({bert},layer=1) tokens({bert},layer=1+2)", "columns are given twice"),
        ("sentence(minilmm)", 'encoder "minilmm" is not one of'),
    ):
        with pytest.raises(SpecError, match=words.replace("3+6", r"3\+6")):
            feature_set(text)
    for text in ("tokens(minilm)", "sentence(use-m3)", "vectors(glove-50)", "syntax(25)"):
        with pytest.raises(MissingPart, match="is not installed: concordant resources install"):
            feature_set(text)


def test_every_kind_says_how_it_is_spelled():
    assert all(kind.usage.startswith(f"{name}(") for name, kind in ENCODED_KINDS.items())
