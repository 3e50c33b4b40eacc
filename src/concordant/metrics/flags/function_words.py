"""Function words of languages, for a quick guess of a text's language by counting them.

The lists are short and our own. They hold frequent words, and as few as possible that
related languages share. They distinguish languages in whole sentences only: a text without function
words has no language here. Languages that are not in the table are never guessed.
"""

from __future__ import annotations

MOST = 255  # words of a text that are looked at; one with a comma at its end is not found

FUNCTION_WORDS = {
    "bg": "и на за от се че са да по не е като но към със или той тя беше във също който което",
    "ca": "i el la els les de del dels que per amb una és són no més com però als aquest ha",
    "cs": "a se na je že do s v z k jsou byl byla jako pro ale podle který která které jeho také",
    "da": "og det at en den til er som på de med han af for ikke der var mig sig men et har om jeg",
    "de": "der die das und ist nicht mit ein eine einen dem den des von zu auf für sich auch im",
    "en": "the of and to in is that for was with on as it by from at are this be have not he she",
    "es": "el la los las de del que y en un una por con no para es se su al lo como más pero sus",
    "et": "ja on ei et see oli kui ta ka mis oma kes aga ning või nii seda tema mida veel pärast",
    "fi": "ja on ei että oli se hän mutta ovat kun myös joka niin kuin sen tai ole jos ollut",
    "fr": "le la les de des du et est un une que qui dans pour pas sur au aux avec ce il elle par",
    "hr": "i je u na se da su za od s kao što koji koja koje bio bila nije iz ali ili već samo bi",
    "hu": "a az és hogy nem egy is van ez volt meg csak de mint már még el azt lesz vagy szerint",
    "id": "yang dan di dengan untuk dari ini itu tidak pada dalam akan ke adalah juga oleh mereka",
    "is": "og að í er á sem það til var við um með ekki en fyrir hann af hafa þetta því frá hún",
    "it": "il lo la gli le di del della dei che e in un una per con non sono è si da al ha anche",
    "lt": "ir kad į su iš yra bet tai buvo apie jo taip nuo po kaip jis ne ar dėl tik per prie",
    "lv": "un ir ka no ar uz par to bet kas tas arī tika gan vai nav tā kā pie pēc bija viņš",
    "nb": "og det at en den til er som på de med han av for ikke der var seg men et har om jeg fra",
    "nl": "de het een en van in is dat op te zijn voor met niet aan er om hij ook als maar die bij",
    "pl": "i w na z się nie że do jest to o jak po co ale od za są był była przez który która oraz",
    "pt": "o a os as de do da dos das que e em um uma para com não no na por mais se ao foi é como",
    "ro": "și şi în de la cu pe care nu un din pentru este că să a au fost mai sunt prin dar ale",
    "ru": "и в не на что с он как по это но из за у от к же бы так его для был была они которые",
    "sk": "a sa na je že do s v z k sú bol bola ako pre ale podľa ktorý ktorá ktoré jeho aby tiež",
    "sl": "in je v na da se so za pa z s ne kot ki bi bil bila tudi po pri ali še le iz od lahko",
    "sq": "dhe në të e për me një që nga është i ka nuk se si më por kanë u do këtë ishte",
    "sr": "и је у на се да су за од са као што који која које био била није из али или",
    "sv": "och det att en som på är av för med till den inte har de om ett han men var jag från",
    "tr": "ve bir bu için da de ile olarak olan çok daha gibi ama olduğu en kadar sonra ne değil",
    "uk": "і в не на що з як по це але до за та у від його для був була вони які також або є",
    "vi": "và của là có không được cho một trong các những với đã này người để khi tại về từ",
}
LANGUAGES = tuple(FUNCTION_WORDS)
