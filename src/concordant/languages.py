"""All known languages by name and code: one table for readers, metrics and commands.

A code makes two hyphenated words a language pair only if it is in this table: `jhu-nmt` and
`my-sys` are names of systems. ISO 639-3 has a code for almost every three letters (`abc` is one),
so of those only the ones that translation data use are listed.
"""

from __future__ import annotations

# English name → code of the languages of WMT's shared tasks.
LANGUAGES = {
    "arabic": "ar", "bengali": "bn", "chinese": "zh", "croatian": "hr", "czech": "cs",
    "danish": "da", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi",
    "french": "fr", "german": "de", "greek": "el", "gujarati": "gu", "haitian": "ht",
    "hausa": "ha", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is",
    "inuktitut": "iu", "italian": "it", "japanese": "ja", "kazakh": "kk", "khmer": "km",
    "korean": "ko", "latvian": "lv", "lithuanian": "lt", "livonian": "liv",
    "lower sorbian": "dsb", "norwegian": "no", "pashto": "ps", "polish": "pl",
    "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr", "spanish": "es",
    "swedish": "sv", "tamil": "ta", "turkish": "tr", "ukrainian": "uk", "upper sorbian": "hsb",
    "vietnamese": "vi", "xhosa": "xh", "yakut": "sah", "zulu": "zu",
}  # fmt: skip
# Code → English name of the other languages that texts are told to be in.
OTHER_NAMES = {
    "af": "Afrikaans", "am": "Amharic", "an": "Aragonese", "as": "Assamese", "az": "Azerbaijani",
    "ba": "Bashkir", "be": "Belarusian", "bg": "Bulgarian", "br": "Breton", "bs": "Bosnian",
    "ca": "Catalan", "cy": "Welsh", "dz": "Dzongkha", "eo": "Esperanto", "eu": "Basque",
    "fa": "Persian", "fo": "Faroese", "fy": "Frisian", "ga": "Irish", "gd": "Scottish Gaelic",
    "gl": "Galician", "hy": "Armenian", "id": "Indonesian", "ig": "Igbo", "jv": "Javanese",
    "ka": "Georgian", "kn": "Kannada", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lg": "Ganda", "ln": "Lingala", "lo": "Lao", "mg": "Malagasy",
    "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay",
    "mt": "Maltese", "my": "Burmese", "ne": "Nepali", "oc": "Occitan", "om": "Oromo",
    "or": "Odia", "pa": "Punjabi", "qu": "Quechua", "rw": "Kinyarwanda", "sa": "Sanskrit",
    "se": "Northern Sami", "si": "Sinhala", "sk": "Slovak", "sl": "Slovene", "sn": "Shona",
    "so": "Somali", "sq": "Albanian", "st": "Sotho", "sw": "Swahili", "te": "Telugu",
    "tg": "Tajik", "th": "Thai", "tk": "Turkmen", "tl": "Tagalog", "tt": "Tatar",
    "ug": "Uyghur", "ur": "Urdu", "uz": "Uzbek", "vo": "Volapük", "wa": "Walloon", "yo": "Yoruba",
}  # fmt: skip
# ISO 639-1.
TWO_LETTERS = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
    "da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu "
    "hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb "
    "lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om "
    "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw "
    "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
# The codes of FLORES-200 and WMT that are not among `OTHER_CODES`.
THREE_LETTERS = frozenset(
    "ace acm acq aeb afr ajp aka amh apc arb ars ary arz asm ast awa ayr azb azj bak bam ban bel "
    "bem ben bho bjn bod bos bug ceb cjk ckb crh cym dik dsb dyu dzo ell epo eus ewe fao fij fil "
    "fon fur fuv gaz gla gle glg grn gsw guj hat hau heb hin hne hsb hye ibo ilo jav kab kac kam "
    "kan kas kat kaz kbp kea khk kik kin kir kmb kmr knc kon kor lij lim lin liv lmo ltg ltz lua "
    "lug luo lus mag mai mal mar mas min mkd mlt mni mos mri nds nno npi nso nus nya oci ory pag "
    "pan pap pbt pes plt prs quy run sag sah san sat scn shn sin smo sna snd som sot srd ssw sun "
    "swh szl tam taq tat tel tgk tgl tir tpi tsn tso tuk tum twi tzm uig umb urd uzn vec war wol "
    "xho ydd yor yue zsm zul".split()
)
REGIONS = ("pt-br", "zh-tw")  # in lower case too, though Breton and Twi are languages
# Other codes of the languages that a measure or a flag knows.
OTHER_CODES = {
    other: code
    for code, others in {
        "bg": "bul", "ca": "cat", "cs": "ces cze cz", "da": "dan", "de": "deu ger", "en": "eng",
        "es": "spa", "et": "est ekk", "fi": "fin", "fr": "fra fre", "hr": "hrv", "hu": "hun",
        "id": "ind", "is": "isl ice", "it": "ita", "ja": "jpn jp", "km": "khm", "lo": "lao",
        "lt": "lit", "lv": "lav lvs", "my": "mya bur", "nb": "nob", "nl": "nld dut", "no": "nor",
        "pl": "pol", "pt": "por", "ro": "ron rum", "ru": "rus", "sk": "slk slo", "sl": "slv",
        "sq": "sqi alb als", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr",
        "vi": "vie", "zh": "zho chi cmn cn",
    }.items()
    for other in others.split()
}  # fmt: skip
CODES = TWO_LETTERS | THREE_LETTERS | OTHER_CODES.keys()


def spoken_name(code: str) -> str:
    """The English name of a language; its code where the name is not known.

    >>> spoken_name("de"), spoken_name("hsb"), spoken_name("xx")
    ('German', 'Upper Sorbian', 'xx')
    """
    known = {code: name.title() for name, code in LANGUAGES.items()}
    return known.get(code) or OTHER_NAMES.get(code, code)
