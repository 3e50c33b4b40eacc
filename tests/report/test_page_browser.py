"""The page of a comparison in a real browser: every control, every key, every hostile text."""

import csv
import difflib
import io

import numpy as np
import pytest
from browsers import axe_source, findings, open_browser, opened
from small_comparison import EVIL, FEW, small_comparison, small_page

from concordant.report.page import page
from concordant.scoring.comparison import compare
from concordant.scoring.segment_groups import TOKEN

WHOLE = "60 segments"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as running:
        yield running


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    place = tmp_path_factory.mktemp("page") / "page.html"
    place.write_text(small_page(), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def compared():
    return small_comparison()[0]


@pytest.fixture
def shown(browser, path):
    with opened(browser, path) as found:
        yield found


def focused(shown, name):
    """Wait until the element of this id has the focus."""
    shown.locator(f"#{name}:focus").wait_for()


def count(shown):
    return shown.locator("#count").inner_text()


def numbers(shown):
    return [int(each.split("\n")[0]) for each in shown.locator(".segment .head").all_inner_texts()]


def gaps(compared, metric=0, first=0, second=1):
    scores = compared.metrics[metric].segments
    return scores[first] - scores[second]


@pytest.mark.parametrize(
    ("width", "scheme"), [(1400, "light"), (1400, "dark"), (400, "light"), (400, "dark")]
)
def test_it_fits_the_screen_and_hostile_texts_stay_texts(browser, path, width, scheme):
    with opened(browser, path, width=width, scheme=scheme) as shown:
        assert EVIL in shown.title()
        size = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert shown.evaluate(size) <= 0  # wide tables scroll in themselves, the page does not
        assert shown.locator("img, iframe").count() == 0
        assert shown.locator("#plain").count() == 0
        assert count(shown) == WHOLE
        drawn = shown.locator(".ranking td .dot").first.bounding_box()
        assert drawn["width"] > 60  # intervals are drawn on narrow screens too


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_axe_finds_nothing_serious(browser, path, width, scheme, tmp_path_factory):
    axe = axe_source(tmp_path_factory.mktemp("axe"))
    with opened(browser, path, width=width, scheme=scheme) as shown:
        shown.locator("#flag").select_option(label="empty-output")  # few rows are enough
        shown.locator("summary").evaluate_all("all => all.forEach((each) => each.click())")
        assert findings(shown, axe) == []


def test_without_scripts_the_tables_are_there(browser, path):
    with opened(browser, path, scripts=False) as shown:
        assert shown.locator(".ranking tbody tr").count() == 4
        assert shown.locator(".matrix:visible").count() == 3
        assert shown.locator("#plain .segment").count() == 30
        assert not shown.locator(".filters").is_visible()
        assert shown.get_by_text("This part needs scripts").is_visible()


def test_a_metric_is_chosen_for_all_parts(shown, compared):
    def first():
        return shown.locator(".ranking tbody th").first.inner_text().strip()

    assert first() == "alder"
    shown.locator(".ranking thead").get_by_role("button", name="ter").click()
    assert shown.locator("[name=metric]:checked").get_attribute("value") == "2"
    assert shown.locator(".matrix:visible caption").inner_text().startswith("Differences by ter")
    assert "ter" in shown.locator("#duel-verdict").inner_text()
    shown.locator("#metrics label").nth(1).click()
    assert shown.locator(".ranking thead [aria-sort]").inner_text().startswith("chrf")
    names = [compared.systems[i] for i in compared.metrics[1].order]
    assert [each.strip() for each in shown.locator(".ranking tbody th").all_inner_texts()] == names


def test_a_cell_of_the_matrix_chooses_the_pair(shown, compared):
    shown.locator(".matrix:visible a[data-row=birch][data-column=cedar]").click()
    assert shown.locator("#first").input_value() == "1"
    assert shown.locator("#second").input_value() == "2"
    record = next(
        each for each in compared.metrics[0].pairs(compared.systems, 0.05)
        if (each["better"], each["worse"]) == ("birch", "cedar")
    )  # fmt: skip
    assert f"{record['difference']:.2f}" in shown.locator("#duel-verdict").inner_text()
    told = shown.locator("#outcomes button b").all_inner_texts()
    assert told == [str(record[key]) for key in ("wins", "ties", "losses")]
    shown.locator("#swap").click()
    assert shown.locator("#outcomes button b").all_inner_texts() == told[::-1]
    shown.locator("#first").select_option("1")
    assert shown.locator("#second").input_value() == "2"


def test_wins_losses_and_ties_lead_to_their_segments(shown, compared):
    found = gaps(compared)
    for place, wanted in enumerate((found > 0, found == 0, found < 0)):
        shown.locator("#outcomes button").nth(place).click()
        assert count(shown).split(" ")[0] == str(int(wanted.sum()))
    order = [i + 1 for i in np.argsort(-np.abs(found), kind="stable") if found[i] < 0]
    assert numbers(shown) == order[: len(numbers(shown))]


def test_a_group_shows_its_mean_difference_and_its_segments(shown, compared):
    found = gaps(compared)
    digit = np.array([any(map(str.isdigit, each[0])) for each in compared.references])
    group = shown.locator(".group", has=shown.get_by_role("heading", name="Number", exact=True))
    button = group.get_by_role("button").nth(1)
    value = button.locator(".value").evaluate("each => each.firstChild.textContent")
    assert float(value.replace("−", "-")) == pytest.approx(found[digit].mean(), abs=0.005)
    button.click()
    assert count(shown).startswith(f"{digit.sum()} of 60")
    shown.locator("#chips button").click()
    assert count(shown) == WHOLE


def test_phrases_that_one_gets_right_lead_to_their_segments(shown):
    shown.locator("#phrases").scroll_into_view_if_needed()
    button = shown.locator("#phrases li button").first
    wins = int(button.locator(".size").inner_text().split(" ")[0])
    button.click()
    assert count(shown) == f"{wins} of 60 segments"
    shown.get_by_role("button", name="Reset").click()
    assert count(shown) == WHOLE


def test_the_scatter_leads_to_a_segment(shown):
    canvas = shown.locator("#scatter")
    canvas.scroll_into_view_if_needed()
    points = shown.evaluate("document.querySelector('#scatter').width")
    assert points > 100
    canvas.focus()
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.className") == "segment"
    box = canvas.bounding_box()
    found = False
    for x in range(60, int(box["width"]), 12):
        for y in range(20, int(box["height"]) - 50, 30):
            canvas.hover(position={"x": x, "y": y})
            if shown.locator("#scatter-note").inner_text().startswith("Segment "):
                found = True
                break
        if found:
            break
    note = shown.locator("#scatter-note").inner_text()
    canvas.click(position={"x": x, "y": y})
    number = note.split(":")[0].split(" ")[1]
    assert shown.evaluate("document.activeElement.id") == f"s{number}"


def test_filters_and_orders(shown, compared):
    shown.locator("#words").fill("onerror=ALERT")
    shown.locator("#count", has_text="1 of").wait_for()
    assert numbers(shown) == [2]
    shown.locator("#words").fill("")
    shown.locator("#count", has_not_text="of").wait_for()
    shown.locator("#flag").select_option(label="empty-output")
    assert numbers(shown) == [3]
    shown.locator("#flag").select_option("any")
    flagged = {i for each in compared.flags.values() for i, names in enumerate(each) if names}
    assert count(shown) == f"{len(flagged)} of 60 segments"
    shown.locator("#flag").select_option("")
    shown.locator("#outcome").select_option(label="birch is worst")
    scores = compared.metrics[0].segments
    worst = (scores[1] == scores.min(axis=0)) & (scores.max(axis=0) > scores.min(axis=0))
    assert count(shown) == f"{worst.sum()} of 60 segments"
    shown.locator("#outcome").select_option("")
    shown.locator("#sort").select_option("number")
    assert numbers(shown)[:3] == [1, 2, 3]
    shown.locator("#sort").select_option("spread")
    assert numbers(shown)[:5] == [i + 1 for i in compared.metrics[0].by_spread()[:5]]
    for each in ("first", "second", "low", "long", "apart"):
        shown.locator("#sort").select_option(each)
        assert count(shown) == WHOLE
    before = shown.locator(".segment").first.locator("dd").count()
    shown.locator("#everyone").check()
    assert shown.locator(".segment").first.locator("dd").count() == before + 2


def test_links_and_keys(browser, path, shown):
    with opened(browser, path.with_name("page.html")) as linked:
        linked.evaluate("location.hash = '#s17'")
        focused(linked, "s17")
    shown.locator("#sort").select_option("number")
    shown.locator("#segments-title").focus()
    shown.keyboard.press("j")
    assert shown.evaluate("document.activeElement.id") == "s1"
    for _ in range(14):
        shown.keyboard.press("j")
    shown.keyboard.press("k")
    assert shown.evaluate("document.activeElement.id") == "s14"
    why = shown.locator("#s14 details")
    shown.keyboard.press("e")
    assert why.evaluate("each => each.open")
    assert why.locator("tbody tr").count() == 6
    shown.keyboard.press("/")
    assert shown.evaluate("document.activeElement.id") == "words"


def test_the_explanation_has_the_largest_parts(shown, compared):
    explained = small_comparison()[1]["fast"]
    segment = compared.metrics[0].by_spread()[0]
    shown.evaluate(f"location.hash = '#s{segment + 1}'")
    row = shown.locator(f"#s{segment + 1}")
    row.locator("summary").click()
    moved = explained.moved[:2, list(explained.segments).index(segment)]
    largest = int(np.abs(moved).max(axis=0).argmax())
    assert row.locator("tbody th").first.inner_text() == explained.names[largest]


def test_what_is_listed_is_saved_as_csv(shown, compared):
    shown.locator("#flag").select_option("any")
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="Save as csv").click()
    text = saved.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == int(count(shown).split(" ")[0])
    for row in rows:
        i = int(row["segment"]) - 1
        assert row["alder"] == compared.translations["alder"][i]
        assert float(row["fast of birch"]) == pytest.approx(compared.metrics[0].segments[1, i])
        assert row["reference 2"] == compared.references[i][1]
    assert not any(value.startswith(("=", "+", "@")) for row in rows for value in row.values())


def test_documents_are_sorted_by_any_column(shown):
    table = shown.locator("#documents table:visible")
    table.get_by_role("button", name="alder").click()
    values = [float(each) for each in table.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    table.get_by_role("button", name="alder").click()
    assert table.locator("thead [aria-sort]").get_attribute("aria-sort") == "ascending"


def test_marked_words_are_those_of_difflib(browser, tmp_path):
    texts = [
        ("", "a b"), ("A b.", "a b."), ("in 2072.", "in 2027."), ("said Ute, now", "said Ute. Now"),
        ("他是学生", "她是学生"), ("the cat sat on the mat", "on the mat the cat sat"), ("x", ""),
        (" ".join(map(str, range(500))), " ".join(map(str, range(500)))),
    ]  # fmt: skip
    systems = {"A": [each[0] for each in texts], "B": ["-"] * len(texts)}
    place = tmp_path / "words.html"
    place.write_text(
        page(compare(systems, [[each[1]] for each in texts], metric="chrf", options=FEW)),
        encoding="utf-8",
    )
    with opened(browser, place) as shown:
        shown.locator("#sort").select_option("number")
        for i, (ours, theirs) in enumerate(texts):
            row = shown.locator(f"#s{i + 1} dl > div").nth(1)
            cell = row.locator("dd")
            added, missing = difflib_words(ours, theirs)
            assert cell.locator("ins").all_text_contents() == added
            assert cell.locator("del").all_text_contents() == missing
            kept = cell.evaluate(
                """each => [...each.childNodes].map((n) =>
                ['DEL', 'I', 'SPAN'].includes(n.nodeName) ? '' : n.textContent).join('')"""
            )
            assert "".join(kept.split()) == "".join(ours.split())


def difflib_words(ours, theirs):
    """The runs that only the one and only the other text has, as Python's difflib finds them."""
    first, second = (list(TOKEN.finditer(text))[:400] for text in (ours, theirs))
    found = difflib.SequenceMatcher(
        None, [m[0].lower() for m in first], [m[0].lower() for m in second], autojunk=False
    ).get_opcodes()
    added = [ours[first[a].start() : first[b - 1].end()]
             for kind, a, b, _, _ in found if kind != "equal" and b > a]  # fmt: skip
    missing = [theirs[second[c].start() : second[d - 1].end()]
               for kind, _, _, c, d in found if kind != "equal" and d > c]  # fmt: skip
    return added, missing


def test_of_many_segments_only_those_near_the_screen_are_drawn(browser, tmp_path):
    texts = [f"number {i} of many segments" for i in range(3000)]
    systems = {"A": texts, "B": [text.replace("many", "all") for text in texts]}
    place = tmp_path / "large.html"
    found = compare(systems, [[text] for text in texts], metric="chrf", options=FEW)
    place.write_text(page(found), encoding="utf-8")
    with opened(browser, place) as shown:
        assert count(shown) == "3,000 segments"
        shown.evaluate("location.hash = '#s2500'")
        focused(shown, "s2500")
        shown.wait_for_timeout(300)
        assert 0 < shown.locator(".segment").count() < 150
        assert shown.locator("#s2500").is_visible()
