"""METEOR against the Java program: its scores in golden/meteor.json, and itself where it is."""

import random

import numpy as np
import pytest
from meteor_files import GOLDEN, scores_of_jar, write_folder, write_table

from concordant.errors import ConcordantError, SpecError
from concordant.metrics.lexical.meteor import meteor
from concordant.metrics.lexical.meteor.data import JAR, Resources, load_resources

PAIRS = GOLDEN["pairs"]
HYPOTHESES = [pair["translation"] for pair in PAIRS]
REFERENCES = [[pair["reference"]] for pair in PAIRS]
SETS = [name for name in GOLDEN["corpus"] if name != "package"]
EXACT = pytest.approx


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    parts = {name: GOLDEN[name] for name in ("synsets", "exceptions", "paraphrases")}
    return load_resources(write_folder(tmp_path_factory.mktemp("meteor") / "small", **parts))


@pytest.mark.parametrize("modules", SETS)
def test_scores_are_those_of_the_java_program(small, modules):
    counts = meteor.counts(HYPOTHESES, REFERENCES, modules=modules.split("+"), resources=small)
    wanted = [pair["scores"][modules] for pair in PAIRS]
    assert meteor.score(counts).tolist() == EXACT(wanted, abs=1e-12)
    assert meteor.score(counts.sum(axis=0)) == EXACT(GOLDEN["corpus"][modules], abs=1e-12)


def test_counts_are_those_of_the_java_program(small):
    counts = meteor.counts(HYPOTHESES, REFERENCES, resources=small)
    for row, pair in zip(counts, PAIRS, strict=True):
        *most, chunks = pair["statistics"]
        # there: content words of both sides, then function words; here one side after the other
        modules = np.array(most[4:]).reshape(4, 2, 2).swapaxes(1, 2).ravel().tolist()
        assert row[:-1].tolist() == [*most[:4], *modules]
        # it leaves a text out of the sum of chunks that is matched whole and in one piece
        whole = chunks == 1 and sum(most[4:]) == sum(most[:2])
        assert row[-1] == (0 if whole else chunks)


def test_the_best_of_several_references_counts(small):
    given = GOLDEN["several"]
    counts = meteor.counts(
        [each["translation"] for each in given],
        [each["references"] for each in given],
        resources=small,
    )
    assert meteor.score(counts).tolist() == EXACT([each["score"] for each in given], abs=1e-12)


@pytest.mark.parametrize("language", GOLDEN["languages"])
def test_other_languages(part, language):
    tuned = language in {"de", "fr", "es", "cs", "ru"}
    resources = load_resources(part("meteor-en")) if tuned else Resources()
    modules = ["exact"] if language in {"cs", "other"} else ["exact", "stem"]
    if "stem" in modules:
        pytest.importorskip("snowballstemmer")
    given = GOLDEN["languages"][language]
    counts = meteor.counts(
        [each["translation"] for each in given],
        [each["references"] for each in given],
        language=language,
        modules=modules,
        resources=resources,
    )
    wanted = [each["score"] for each in given]
    assert meteor.score(counts, language=language).tolist() == EXACT(wanted, abs=1e-12)


def test_words_are_the_same_where_their_hash_in_java_is():
    options = {"modules": ["exact"], "normalise": False}
    assert meteor.score(meteor.counts(["az"], [["b["]], **options)).tolist() == [1.0]
    assert meteor.score(meteor.counts(["az"], [["b]"]], **options)).tolist() == [0.0]


def test_case_counts_only_if_wanted():
    options = {"modules": ["exact"], "normalise": False}
    assert meteor.score(meteor.counts(["A b"], [["a b"]], **options)).tolist() == [1.0]
    kept = meteor.counts(["A b"], [["a b"]], lowercase=False, **options)
    assert meteor.score(kept).item() < 1.0


def test_neither_threads_nor_batches_change_the_counts(small):
    whole = meteor.counts(HYPOTHESES, REFERENCES, resources=small)
    threaded = meteor.counts(HYPOTHESES, REFERENCES, resources=small, threads=3)
    single = [
        meteor.counts([translation], [references], resources=small)
        for translation, references in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert (whole == threaded).all()
    assert (whole == np.concatenate(single)).all()


def test_components_are_named_and_in_range(small):
    parts = meteor.components(meteor.counts(HYPOTHESES, REFERENCES, resources=small))
    assert parts.shape == (len(HYPOTHESES), len(meteor.COMPONENTS))
    assert ((parts >= 0) & (parts <= 1)).all()
    assert parts[0].round(9).tolist() == [1, 1, 1, 0, 1, 0, 0, 0]


def test_no_segments():
    assert meteor.counts([], [], modules=["exact", "stem"]).shape == (0, len(meteor.COLUMNS))


@pytest.mark.parametrize(
    ("translation", "reference"),
    [
        ("a " * 50_000, "a " * 49_999 + "b"),
        ("car " * 30_000, "auto " * 30_000),
        ("due to " * 5_000, "because of " * 5_000),
        ("." * 100_000, "'" * 100_000),
        ("a\0\ud800 \U0001f600\u0301", "\udfff a\0"),
    ],
)
def test_absurd_lines_are_ordinary(small, translation, reference):
    score = meteor.score(meteor.counts([translation], [[reference]], resources=small))
    assert 0 <= score.item() <= 1


def test_the_signature_says_which_modules_ran(small):
    assert "modules:exact+stem+synonym+paraphrase|" in meteor.signature(resources=small)
    assert "modules:exact+stem|" in meteor.signature(resources=Resources())
    assert "lang:other|modules:exact|norm:no" in meteor.signature(language="other")


def test_faults_are_told():
    with pytest.raises(SpecError, match=r'language "xx" is not one of en, .*"other" stands for'):
        meteor.counts(["a"], [["a"]], language="xx")
    with pytest.raises(SpecError, match=r'module "stems" is not one of .*did you mean "stem"'):
        meteor.counts(["a"], [["a"]], modules=["stems"])
    with pytest.raises(
        SpecError, match=r'"synonym" is not one of exact, stem, paraphrase \(for de'
    ):
        meteor.counts(["a"], [["a"]], language="de", modules=["synonym"])
    with pytest.raises(SpecError, match="no tokenisation of its own for italian"):
        meteor.counts(["a"], [["a"]], language="it", modules=["exact"], normalise=True)
    with pytest.raises(ConcordantError, match=r"de.*reads nonbreaking/german.prefixes.*install"):
        meteor.counts(["a"], [["a"]], language="de", modules=["exact"], resources=Resources())
    with pytest.raises(ConcordantError, match="no paraphrase table for en: install"):
        meteor.counts(["a"], [["a"]], modules=["paraphrase"], resources=Resources())


def test_scores_with_meteor_s_own_data(part):
    counts = meteor.counts(HYPOTHESES, REFERENCES, resources=load_resources(part("meteor-en")))
    wanted = [pair["scores"]["package"] for pair in PAIRS]
    assert meteor.score(counts).tolist() == EXACT(wanted, abs=1e-12)


def test_ambiguous_texts_are_aligned_as_by_the_java_program(part, tmp_path):
    source = random.Random(7)
    words = "the cat cats dog dogs auto car cars of run runs running big large a".split()

    def phrase(least, most):
        return " ".join(source.choice(words) for _ in range(source.randint(least, most)))

    folder = tmp_path / "files"
    (folder / "data").mkdir(parents=True)
    jar = part("meteor-en") / JAR
    (folder / JAR).symlink_to(jar)
    table = folder / "data" / "paraphrase-en.gz"
    write_table(table, [(phrase(1, 4), phrase(1, 4)) for _ in range(150)])
    translations = [phrase(0, 30) for _ in range(600)]
    references = [phrase(1, 30) for _ in range(600)]
    segments, corpus = scores_of_jar(
        jar, tmp_path, translations, references, "-l", "en", "-norm", "-a", str(table)
    )
    counts = meteor.counts(
        translations, [[text] for text in references], resources=load_resources(folder)
    )
    assert meteor.score(counts).tolist() == EXACT(segments, abs=1e-12)
    assert meteor.score(counts.sum(axis=0)) == EXACT(corpus, abs=1e-12)


@pytest.mark.data
@pytest.mark.parametrize("modules", ["exact stem", "exact stem synonym paraphrase"])
def test_da16_is_scored_as_by_the_java_program(data, part, tmp_path, modules):
    texts = {"mt-system": [], "reference": []}
    for pair in ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"):
        for kind, found in texts.items():
            path = data / "da16" / f"DAseg.newstest2016.{kind}.{pair}"
            found.extend(path.read_text("utf-8").split("\n")[:-1])
    translations, references = texts["mt-system"], texts["reference"]
    jar = part("meteor-en") / JAR
    segments, corpus = scores_of_jar(
        jar, tmp_path, translations, references, "-l", "en", "-norm", "-m", modules
    )
    given = [[text] for text in references]
    resources = load_resources(part("meteor-en"))
    counts = meteor.counts(translations, given, modules=modules.split(), resources=resources)
    assert len(segments) == 3360
    assert meteor.score(counts).tolist() == EXACT(segments, abs=1e-12)
    assert meteor.score(counts.sum(axis=0)) == EXACT(corpus, abs=1e-12)
