"""What a metric is not made for is said: on the terminal, in json, on the page and in Python."""

import json
from html import unescape

import pytest
from bad_input import run as answer

import concordant
from concordant.metrics.bundle import shipped
from concordant.metrics.find import default_metric, find
from concordant.metrics.lexical.measures import MEASURES
from concordant.metrics.signs import signs_of
from concordant.report.comparison import comparison_document, comparison_tables
from concordant.report.page import page
from concordant.report.tables import terminal
from concordant.resources.places import is_installed
from concordant.safe_text import json_text
from concordant.scoring.comparison_options import ComparisonOptions

RIGHT, CLOSE, WRONG = "right.txt", "close.txt", "wrong.txt"
# Three segments each: reference, a translation that is close to it, one that is not.
TEXTS = {
    "en": [
        ("The woman bought bread at the market.", "The woman bought bread on the market.",
         "The dog sleeps under the old table."),
        ("It will rain all day tomorrow.", "Tomorrow it will rain the whole day.",
         "Yesterday nobody came to the party."),
        ("He came late to the meeting again.", "He came late to the meeting once more.",
         "We have sold our house by the sea."),
    ],
    "de": [
        ("Die Frau kaufte auf dem Markt Brot.", "Die Frau kaufte Brot auf dem Markt.",
         "Der Hund schläft unter dem alten Tisch."),
        ("Die Krankenhausverwaltung prüft den Haushaltsplan.",
         "Die Verwaltung des Krankenhauses prüft den Haushaltsplan.",
         "Gestern ist niemand zu unserem Fest gekommen."),
        ("Er kam schon wieder zu spät zur Sitzung.", "Er kam wieder zu spät zu der Sitzung.",
         "Wir haben unser Haus am Meer verkauft."),
    ],
    "ru": [
        ("Женщина купила хлеб на рынке.", "Женщина купила на рынке хлеб.",
         "Собака спит под старым столом."),
        ("Завтра весь день будет идти дождь.", "Завтра целый день будет дождь.",
         "Вчера никто не пришёл на праздник."),
        ("Он опять опоздал на встречу.", "Он снова опоздал на встречу.",
         "Мы продали наш дом у моря."),
    ],
    "zh": [
        ("那位女士在市场上买了面包。", "这位女士在市场买了面包。", "狗正在旧桌子下面睡觉呢。"),
        ("明天全天都会下雨。", "明天一整天都要下雨。", "昨天没有人来参加聚会。"),
        ("他开会又迟到了。", "他又一次开会迟到了。", "我们把海边的房子卖掉了。"),
    ],
    "ja": [
        ("その女性は市場でパンを買いました。", "その女の人は市場でパンを買った。",
         "犬は古い机の下で眠っています。"),
        ("明日は一日中雨が降るでしょう。", "明日は一日中雨でしょう。",
         "昨日の会には誰も来なかった。"),
        ("彼はまた会議に遅れて来た。", "彼はまたしても会議に遅れた。",
         "私たちは海辺の家を売りました。"),
    ],
    "th": [
        ("ผู้หญิงคนนั้นซื้อขนมปังที่ตลาด", "ผู้หญิงคนนี้ซื้อขนมปังในตลาด", "สุนัขนอนหลับอยู่ใต้โต๊ะเก่า"),
        ("พรุ่งนี้ฝนจะตกทั้งวัน", "วันพรุ่งนี้ฝนจะตกตลอดทั้งวัน", "เมื่อวานไม่มีใครมางานเลี้ยง"),
        ("เขามาประชุมสายอีกแล้ว", "เขามาสายในการประชุมอีกแล้ว", "เราขายบ้านริมทะเลไปแล้ว"),
    ],
    "ar": [
        ("اشترت المرأة الخبز من السوق.", "اشترت المرأة خبزا من السوق.",
         "ينام الكلب تحت الطاولة القديمة."),
        ("سوف تمطر طوال اليوم غدا.", "غدا سوف تمطر طوال اليوم.", "لم يحضر أحد إلى الحفلة أمس."),
        ("وصل متأخرا إلى الاجتماع مرة أخرى.", "وصل مرة أخرى متأخرا إلى الاجتماع.",
         "لقد بعنا منزلنا بجانب البحر."),
    ],
    "hi": [
        ("महिला ने बाज़ार से रोटी ख़रीदी।", "उस महिला ने बाज़ार से रोटी ख़रीदी।",
         "कुत्ता पुरानी मेज़ के नीचे सो रहा है।"),
        ("कल पूरे दिन बारिश होगी।", "कल पूरा दिन बारिश होगी।", "परसों पार्टी में कोई नहीं आया।"),
        ("वह फिर से बैठक में देर से आया।", "वह बैठक में फिर देर से आया।",
         "हमने समुद्र के किनारे का घर बेच दिया।"),
    ],
}  # fmt: skip
PARTS = {"base": (), "fast": (), "fast-any": (), "pair": ("mpnet", "meteor-en"),
         "reval": ("parser-en", "glove-840b", "glove-100", "glove-50")}  # fmt: skip
UNSPACED = ("zh", "ja", "th")


def columns(code):
    return [list(column) for column in zip(*TEXTS[code], strict=True)]


def sources_of(code):
    """The same sentences in another language."""
    return columns("de" if code == "en" else "en")[0]


@pytest.fixture
def files(tmp_path):
    def write(code):
        for name, texts in zip((RIGHT, CLOSE, WRONG), columns(code), strict=True):
            (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return [str(tmp_path / name) for name in (RIGHT, CLOSE, WRONG)]

    return write


def run(*arguments):
    found = answer(*map(str, arguments))
    assert found.code == 0, found.err
    return found


@pytest.fixture(scope="module")
def metrics_here():
    """Every metric and measure whose parts are installed."""
    here = [name for name in shipped() if all(map(is_installed, PARTS.get(name, ())))]
    return [concordant.load(name) for name in (*here, *MEASURES)]


def unfit(metric, code):
    """Whether a metric is not made for a language, or splits at spaces that it has not."""
    scope = metric.scope
    return not scope.has(code) or bool(scope.unspaced and code in UNSPACED)


def words_of(name):
    return f"{name} is made for", f"{name} splits on spaces"


@pytest.mark.parametrize("code", TEXTS)
def test_the_texts_show_their_language(code):
    seen = signs_of([[text] for text in columns(code)[0]])
    assert (seen.language, seen.spaced) == (code, code not in UNSPACED)


@pytest.mark.parametrize("code", TEXTS)
def test_every_metric_says_what_it_is_not_made_for(code, metrics_here):
    right, close, wrong = columns(code)
    result = concordant.compare(
        {"A": close, "B": wrong}, right, sources_of(code), metric=metrics_here,
        options=ComparisonOptions(resamples=100, permutations=100),
    )  # fmt: skip
    places = {
        "terminal": "".join(map(terminal, comparison_tables(result, segments=1))),
        "json": "\n".join(
            json.loads(json_text(comparison_document(result, segments=1)))["warnings"]
        ),
        "page": unescape(page(result)),
    }
    assert any(unfit(metric, code) for metric in metrics_here) == (code != "en")
    for metric in metrics_here:
        for where, shown in places.items():
            told = any(words in shown for words in words_of(metric.name))
            assert told == unfit(metric, code), (metric.name, where)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("code", TEXTS)
def test_the_default_fits_the_language_and_says_so(code, told, files, tmp_path):
    right, *systems = files(code)
    language = ["-l", code] if told else []
    html = tmp_path / "page.html"
    shown = run("compare", "-q", "-r", right, *systems, *language, "--html", html).out
    written = run("score", "-q", "-r", right, *systems, *language, "--format", "json").out
    places = [shown, unescape(html.read_text(encoding="utf-8")), written,
              run("score", "-q", "-b", "-r", right, *systems, *language).err]  # fmt: skip
    other = default_metric(code) != default_metric("en")
    assert other == (code != "en")
    assert all((f"{default_metric(code)} scores here, since" in place) == other for place in places)
    assert default_metric(code) in written
    assert "not reliable on these texts" not in shown


@pytest.mark.parametrize("code", TEXTS)
def test_python_says_the_same(code):
    right, close, wrong = columns(code)
    other = code != "en"
    scores = concordant.score(close, right)
    assert any("fast-any scores here" in words for words in scores.warnings) == other
    assert ("metric:fast-any|" in scores.signature) == other
    compared = concordant.compare({"A": close, "B": wrong}, right)
    assert any("fast-any scores here" in words for words in compared.warnings) == other
    assert compared.metrics[0].doubts == ()
    named = concordant.compare({"A": close, "B": wrong}, right, metric="fast")
    assert named.verdict.startswith("No verdict") == other


CASES = [(name, code) for name in [*shipped(), *MEASURES] for code in TEXTS]


@pytest.mark.parametrize(("name", "code"), CASES)
def test_the_right_translation_is_above_the_wrong_one(name, code, part):
    for each in PARTS.get(name, ()):
        part(each)
    (metric,) = find([name], code)
    if unfit(metric, code):
        pytest.skip(f"{name} is not made for {code}")
    right, close, wrong = columns(code)
    same, near, far = (
        metric.sign * metric.score(texts, [[text] for text in right], sources_of(code)).segments
        for texts in (right, close, wrong)
    )
    if metric.needs.references:
        assert (near > far).all(), (near, far)
        assert same.sum() >= near.sum()
    else:  # one sentence says little to a metric that sees no reference
        assert min(near.sum(), same.sum()) > far.sum(), (same, near, far)


def test_mixed_files_are_named_with_their_lines(tmp_path):
    right, close, _wrong = columns("de")
    german = tmp_path / "german.txt"
    german.write_text("\n".join([*right * 4, "Он опять опоздал на встречу с ней.\n"]), "utf-8")
    mixed = tmp_path / "mixed.txt"
    mixed.write_text("\n".join([*close * 4, "Он снова опоздал на встречу с ней.\n"]), "utf-8")
    shown = run("score", "-q", "-r", german, mixed, "-m", "chrf").out
    assert "1 of 13 segments has a reference that does not look German: line 13 (Russian)." in shown
    lines = mixed.read_text("utf-8").splitlines()
    mixed.write_text("\n".join([columns("en")[0][0], *lines[1:12], "Er kam.\n"]), "utf-8")
    shown = run("score", "-q", "-r", german, mixed, "-m", "chrf", "--level", "segment").err
    assert "2 of 13 translations of mixed are in another language or script: lines 1, 13." in shown


def test_rank_knows_the_language(files):
    right, *systems = files("de")
    shown = run("rank", "-q", "-r", right, *systems, "-m", "fast").out
    assert "fast is made for English, but the references look German" in shown
    shown = run("rank", "-q", "-r", right, *systems, "-m", "fast", "-l", "en-de").out
    assert 'fast is made for English, but the language given is "de"' in shown


def test_a_table_chooses_the_default_by_its_column_or_by_its_texts(tmp_path):
    right, close, _ = columns("de")
    for lang in ("", ",lang"):
        table = tmp_path / "t.csv"
        rows = [
            f'"{mt}","{ref}"{",de" if lang else ""}' for mt, ref in zip(close, right, strict=True)
        ]
        table.write_text("\n".join([f"mt,ref{lang}", *rows, ""]), encoding="utf-8")
        assert "fast-any scores here, since" in run("score", "-q", table).out
