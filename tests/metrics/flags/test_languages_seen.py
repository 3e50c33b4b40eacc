"""Languages told by byte n-grams: sentences that we wrote, and claims only where they are clear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.languages import spoken_name
from concordant.metrics.flags.languages_seen import (
    CLOSE,
    clear_languages,
    close,
    language_shares,
    language_table,
)

SENTENCES = {
    "ar": "ذهبت المرأة إلى السوق في الصباح واشترت الخبز والفاكهة.",
    "bg": "Жената отиде на пазара сутринта и купи хляб, защото очакваше гости.",
    "bn": "মহিলাটি সকালে বাজারে গিয়ে রুটি ও ফল কিনেছিলেন।",
    "cs": "Přišel jsem domů příliš pozdě, a proto jsem už nemohl mluvit se svým otcem.",
    "da": "Kvinden gik på markedet om morgenen og købte brød og frugt af bonden.",
    "de": "Die Frau ging am Morgen auf den Markt und kaufte Brot und Obst.",
    "el": "Η γυναίκα πήγε το πρωί στην αγορά και αγόρασε ψωμί και φρούτα.",
    "en": "The woman went to the market in the morning and bought bread and fruit.",
    "es": "La mujer fue al mercado por la mañana y compró pan y fruta.",
    "et": "Naine läks hommikul turule ja ostis leiba ja puuvilju.",
    "fa": "زن صبح به بازار رفت و نان و میوه خرید.",
    "fi": "Nainen meni aamulla torille ja osti leipää ja hedelmiä.",
    "fr": "La femme est allée au marché le matin et a acheté du pain et des fruits.",
    "he": "האישה הלכה בבוקר לשוק וקנתה לחם ופירות.",
    "hi": "महिला सुबह बाज़ार गई और उसने रोटी और फल ख़रीदे।",
    "hu": "Az asszony reggel kiment a piacra, és kenyeret meg gyümölcsöt vett.",
    "is": "Konan fór á markaðinn um morguninn og keypti brauð og ávexti.",
    "it": "La donna è andata al mercato la mattina e ha comprato pane e frutta.",
    "ja": "その女性は朝市場へ行って、パンと果物を買いました。",
    "ko": "그 여자는 아침에 시장에 가서 빵과 과일을 샀다.",
    "lt": "Moteris ryte nuėjo į turgų ir nusipirko duonos bei vaisių.",
    "nl": "De vrouw ging 's ochtends naar de markt en kocht brood en fruit.",
    "pl": "Kobieta poszła rano na targ i kupiła chleb oraz owoce.",
    "pt": "A mulher foi ao mercado de manhã e comprou pão e frutas.",
    "ro": "Femeia s-a dus dimineața la piață și a cumpărat pâine și fructe.",
    "ru": "Женщина утром пошла на рынок и купила хлеб и фрукты.",
    "sv": "Kvinnan gick till marknaden på morgonen och köpte bröd och frukt.",
    "ta": "அந்தப் பெண் காலையில் சந்தைக்குச் சென்று ரொட்டியும் பழங்களும் வாங்கினாள்.",
    "th": "ผู้หญิงคนนั้นไปตลาดในตอนเช้าและซื้อขนมปังกับผลไม้",
    "tr": "Kadın sabah pazara gitti, ekmek ve meyve satın aldı.",
    "uk": "Жінка вранці пішла на ринок і купила хліб та фрукти.",
    "vi": "Người phụ nữ đi chợ vào buổi sáng và mua bánh mì với hoa quả.",
    "zh": "那位女士早上去市场买了面包和水果。",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_one_sentence_shows_its_language(code):
    assert clear_languages([SENTENCES[code]]) == [code]
    assert clear_languages([SENTENCES[code].upper()]) == [code]


@pytest.mark.parametrize(
    "text", ["", "42", "3,500 – 4,000", "OK", "😀😀😀", "\ud800", "a b", "http://"]
)
def test_little_text_shows_none(text):
    assert clear_languages([text]) == [""]


def test_every_language_has_a_name():
    assert all(spoken_name(code) != code for code in language_table().languages)
    assert all(code in language_table().languages for group in CLOSE for code in group)
    assert close("hr", "sr")
    assert not close("hr", "sl")


texts = st.text(max_size=60) | st.sampled_from([*SENTENCES.values(), "ab" * 4000])


@given(st.lists(texts, max_size=6))
def test_shares_are_of_each_text_alone_and_add_up(lines):
    found = language_shares(lines)
    assert found.shape == (len(lines), len(language_table().languages))
    for row, line in zip(found, lines, strict=True):
        assert (row == language_shares([line])[0]).all()
        assert row.sum() == pytest.approx(1.0) or not row.any()
