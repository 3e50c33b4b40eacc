"""qe, and what scores where there are only sources; on our own sentences in several languages."""

import numpy as np
import pytest

import concordant
from concordant.errors import ConcordantError

# A source, a right translation, the translation of another sentence.
CASES = {
    "en-de": (
        "The bridge will stay closed until Friday because of repairs.",
        "Die Brücke bleibt wegen Reparaturen bis Freitag geschlossen.",
        "Meine Schwester hat gestern drei Äpfel gekauft.",
    ),
    "en-ru": (
        "The bridge will stay closed until Friday because of repairs.",
        "Мост останется закрытым до пятницы из-за ремонта.",
        "Моя сестра вчера купила три яблока.",
    ),
    "en-zh": (
        "The bridge will stay closed until Friday because of repairs.",
        "由于维修，这座桥将关闭到星期五。",
        "我姐姐昨天买了三个苹果。",
    ),
    "de-en": (
        "Der Zug nach Hamburg hat heute eine Stunde Verspätung.",
        "The train to Hamburg is one hour late today.",
        "We are planting tomatoes in the garden behind the school.",
    ),
    "en-ja": (
        "The library is open every day from nine to five.",
        "図書館は毎日9時から5時まで開いています。",
        "犬が公園で走っていました。",
    ),
    "en-ar": (
        "The library is open every day from nine to five.",
        "المكتبة مفتوحة كل يوم من التاسعة حتى الخامسة.",
        "اشترت أختي ثلاث تفاحات أمس.",
    ),
}


@pytest.mark.parametrize("pair", sorted(CASES))
def test_what_is_wrong_for_sure_scores_below_a_right_translation(pair):
    source, right, other = CASES[pair]
    texts = [right, other, source, ""]
    found = concordant.score(texts, sources=[source] * 4, metric="qe").segments
    assert found[0] > found[1:].max(), found


def test_scores_do_not_depend_on_batch_or_threads():
    sources, rights, others = (list(each) for each in zip(*CASES.values(), strict=True))
    metric = concordant.load("qe")
    texts, given = [*rights, *others] * 5, [*sources, *sources] * 5
    whole = metric.score(texts, (), given, threads=2).segments
    alone = [
        metric.score([text], (), [source]).segments[0]
        for text, source in zip(texts, given, strict=True)
    ]
    assert np.array(alone).tobytes() == whole.tobytes()


def test_python_takes_qe_where_there_are_only_sources():
    source, right, other = CASES["en-de"]
    found = concordant.score([right], sources=[source])
    assert "metric:qe|" in found.signature
    systems = {"A": [right] * 3, "B": [other] * 3}
    compared = concordant.compare(systems, sources=[source] * 3)
    assert compared.metrics[0].name == "qe"
    assert [compared.systems[i] for i in compared.metrics[0].order] == ["A", "B"]


def test_a_metric_that_compares_with_references_says_so():
    source, right, _ = CASES["en-de"]
    with pytest.raises(ConcordantError, match="bleu compares with references, and there are none"):
        concordant.score([right], sources=[source], metric="bleu")
