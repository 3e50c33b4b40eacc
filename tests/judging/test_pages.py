"""The pages in a real browser: campaigns judged from the first link to the ranking and a metric."""

import os
import re
import shutil
from pathlib import Path

import pytest
from small_campaigns import Served, small_campaign, small_texts

from concordant.cli.main import program
from concordant.judgements.detection import read
from concordant.judging.export import export_text
from concordant.scoring.tables.system_texts import SystemTexts

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("uvicorn", reason="the extra judge is not installed")

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip
pytestmark = pytest.mark.xdist_group("chromium")


@pytest.fixture(scope="module")
def browser():
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no Chromium at {CHROMIUM}; CHROMIUM names another place")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Serve a small campaign; opens pages in browsers of their own and watches their errors."""
    running, contexts, faults = [], [], []

    def serve(texts=None, **how):
        path, links = small_campaign(tmp_path, texts, **how)
        running.append(Served(path))
        base = running[-1].address.base

        def page(judge=None, **view):
            contexts.append(
                browser.new_context(**{"viewport": {"width": 1000, "height": 800}, **view})
            )
            found = contexts[-1].new_page()
            found.on("pageerror", lambda fault: faults.append(str(fault)))
            found.on("dialog", lambda dialog: faults.append(dialog.message))
            token = links.organiser if judge is None else links.judges[judge]
            found.goto(f"{base}/{'organiser' if judge is None else ''}#{token}")
            return found

        return path, page

    yield serve
    for each in contexts:
        each.close()
    for each in running:
        each.stop()
    assert not faults


def shown(page):
    """The words of each translation on the screen, from the first one to the last."""
    page.wait_for_selector("#screen .text")
    return page.locator("#screen .text").all_inner_texts()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def save(page, *keys):
    """Answer by keys, save, and wait for the thanks."""
    before = page.inner_text("#count")
    press(page, *keys, "Enter")
    page.wait_for_function(
        "text => document.getElementById('count').textContent !== text", arg=before
    )


def rank_by_length(page):
    lengths = [len(text.split()) for text in shown(page)]
    order = sorted(set(lengths), reverse=True)
    return [str(order.index(each) + 1) for each in lengths]


def test_three_judges_at_once_then_ranking_and_metric(opened, tmp_path, capsys, monkeypatch):
    path, page = opened(small_texts(4, 24), protocol="ranking", judges=3, each=20, damaged=0.05,
                        repeats=0.05, shared=0.2, policy="both")  # fmt: skip
    judges = [page(f"judge {i}") for i in range(3)]
    for _ in range(20):
        for each in judges:
            save(each, *rank_by_length(each))
    for each in judges:
        assert "All done. Thank you!" in each.inner_text("#screen")
    organiser = page()
    organiser.wait_for_selector("#ranking tbody tr")
    rows = [row.split("\t") for row in organiser.locator("#ranking tbody tr").all_inner_texts()]
    monkeypatch.chdir(tmp_path)
    exported = tmp_path / "export.jsonl"
    program(["judge", "export", str(path), "-o", str(exported)], standalone_mode=False)
    program(["data", "systems", str(exported), "--format", "tsv"], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    table = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    assert len(table) == 4
    for row, known in zip(rows, table, strict=True):
        cells = [each.strip() for each in row]
        assert cells[0] == known["system"]
        assert cells[1] == f"{float(known['score']):.3f}"
        assert cells[2] == f"{float(known['low']):.3f} to {float(known['high']):.3f}"
        assert cells[-1] == known["cluster"]
    assert [row[0].strip() for row in rows] == [f"system-{i}" for i in range(4)]
    train = ["train", "--recipe", "lexical", "--set", "optimiser.epochs=1", "--judgements",
             str(path), "-o", str(tmp_path / "metric"), "-q"]  # fmt: skip
    program(train, standalone_mode=False)
    (tmp_path / "ref.txt").write_text("one two three four\n" * 3)
    for name, text in (("good", "one two three four\n"), ("bad", "five\n")):
        (tmp_path / f"{name}.txt").write_text(text * 3)
    capsys.readouterr()
    rank = ["rank", "-m", str(tmp_path / "metric"), "-r", "ref.txt", "good.txt", "bad.txt"]
    program(rank, standalone_mode=False)
    assert "good" in capsys.readouterr().out


def test_pairs_by_keys_and_by_clicks(opened):
    path, page = opened(small_texts(2, 6), protocol="pairs", judges=1)
    judge = page("judge 0")
    for how in ("1", "2", "0"):
        shown(judge)
        save(judge, how)
    for name in ("First is better", "Second is better", "Neither is better"):
        shown(judge)
        judge.get_by_role("button", name=name).click()
        assert judge.get_by_role("button", name=name).get_attribute("aria-pressed") == "true"
        save(judge)
    found = read(path).preferences
    assert [each.tie for each in found] == [False, False, True, False, False, True]


def test_direct_assessment_by_keys(opened):
    path, page = opened(small_texts(1, 3), protocol="direct", judges=1)
    judge = page("judge 0")
    shown(judge)
    assert judge.is_disabled("#save")
    press(judge, "7", "ArrowRight", "ArrowRight", "PageUp")
    assert judge.inner_text("output") == "82"
    save(judge, "u")  # undo the last ten points
    save(judge, "End")
    judge.locator("input[type=range]").focus()
    save(judge, "Home")
    assert [each.score for each in read(path).ratings] == [72.0, 100.0, 0.0]


def test_errors_by_keys_and_by_pointer(opened):
    texts = SystemTexts({"a": ["Ein 😀 kleiner Satz hier."] * 2}, [[], []], ["s", "t"], None)
    path, page = opened(texts, protocol="spans", judges=1)
    judge = page("judge 0")
    shown(judge)
    press(judge, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "m", "5")
    assert judge.locator(".errors li").all_inner_texts() == ["minor\nkleiner Satz\nRemove"]
    save(judge)
    shown(judge)
    first, second = (judge.locator(f'[data-word="{i}"]').bounding_box() for i in (3, 4))
    judge.mouse.move(first["x"] + 4, first["y"] + 4)
    judge.mouse.down()
    judge.mouse.move(second["x"] + 4, second["y"] + 4)
    judge.mouse.up()
    judge.get_by_role("button", name="Major error").click()
    save(judge, "3")
    ratings = read(path).ratings
    assert [each.score for each in ratings] == [50.0, 30.0]
    assert [dict(each.extra) for each in ratings] == [
        {"minor": "1", "major": "0"}, {"minor": "0", "major": "1"},
    ]  # fmt: skip
    marked = [line.split("\t")[6] for line in export_text(path, "mqm-tsv").splitlines()[1:]]
    assert marked == ["Ein 😀 <v>kleiner Satz</v> hier.", "Ein 😀 kleiner <v>Satz hier.</v>"]


def test_undo_back_and_a_closed_tab_taken_up_again(opened):
    path, page = opened(small_texts(3, 6), protocol="ranking", judges=1)
    judge = page("judge 0")
    texts = shown(judge)
    press(judge, "1", "2")
    press(judge, "Control+z")
    assert judge.locator('[aria-checked="true"]').count() == 1
    press(judge, "2")
    judge.reload()
    assert shown(judge) == texts
    assert judge.locator('[aria-checked="true"]').count() == 2  # the draft is still there
    context, address = judge.context, judge.url
    judge.close()
    judge = context.new_page()
    judge.goto(address)
    assert shown(judge) == texts
    save(judge, "3")
    assert shown(judge) != texts
    press(judge, "b")
    judge.wait_for_function(
        "() => document.querySelector('.asked').textContent.includes('correct')"
    )
    assert shown(judge) == texts
    press(judge, "1", "1", "1", "Enter")
    judge.wait_for_function(
        "() => !document.querySelector('.asked').textContent.includes('correct')"
    )
    (ranking,) = read(path).rankings
    assert ranking.ranks == (1, 1, 1)


def test_a_phone(opened):
    path, page = opened(small_texts(5, 4), protocol="ranking", judges=1)
    judge = page("judge 0", viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    shown(judge)
    assert judge.evaluate("document.documentElement.scrollWidth") <= 360
    for i in range(5):
        judge.get_by_role("radio", name=f"Rank {i + 1} for translation {i + 1}").tap()
    heights = judge.locator(".ranks button").evaluate_all("all => all.map(b => b.offsetHeight)")
    assert min(heights) >= 44  # a finger's width
    judge.get_by_role("button", name="Save").tap()
    judge.wait_for_function("() => document.getElementById('count').textContent.includes('1 of')")
    assert len(read(path).rankings) == 1


def test_texts_are_text_and_scripts_of_any_direction(opened):
    evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>&amp;'
    texts = SystemTexts(
        {"<b>one</b>": [evil, "قطة على السجادة"], "two": ["ordinary", "הכלב רץ"]},
        [[evil], ["x"]], [evil, "القط"], None,
    )  # fmt: skip
    path, page = opened(texts, protocol="pairs", judges=1, context="both", title="<i>Title</i>")
    judge = page("judge 0")
    for _ in range(2):
        found = shown(judge)
        press(judge, "d")
        assert shown(judge) == found
        assert judge.locator("img, #work script").count() == 0
        if "ordinary" in found:
            assert evil in found
        else:
            directions = judge.locator("#screen .text").evaluate_all(
                "all => all.map(e => getComputedStyle(e).direction)"
            )
            assert directions == ["rtl", "rtl"]
        save(judge, "1")
    assert judge.inner_text("#title") == "<i>Title</i>"
    organiser = page()
    organiser.wait_for_selector("#judges tbody tr")
    assert organiser.locator("b, i, img").count() == 0
    assert len(read(path).preferences) == 2


def test_dark_mode_large_text_and_keys(opened):
    _, page = opened(small_texts(2, 4), protocol="pairs", judges=1)
    judge = page("judge 0", color_scheme="dark")
    shown(judge)
    background = "getComputedStyle(document.body).backgroundColor"
    dark = judge.evaluate(background)
    assert sum(map(int, re.findall(r"\d+", dark))) < 200
    judge.click("#theme")
    assert judge.evaluate(background) != dark
    size = "parseFloat(getComputedStyle(document.querySelector('.text')).fontSize)"
    before = judge.evaluate(size)
    press(judge, "+", "+")
    assert judge.evaluate(size) > before * 1.2
    press(judge, "?")
    assert judge.locator("#key-list dt").count() >= 6


def test_an_answer_waits_in_the_page_until_the_server_is_back(opened):
    path, page = opened(small_texts(2, 4), protocol="pairs", judges=1)
    judge = page("judge 0")
    shown(judge)
    judge.route("**/api/judgement", lambda route: route.abort())
    press(judge, "1", "Enter")
    judge.wait_for_selector("#notice:not([hidden])")
    assert "kept in this page" in judge.inner_text("#notice")
    judge.unroute("**/api/judgement")
    judge.reload()  # the answer outlives the tab
    judge.wait_for_function("() => document.getElementById('count').textContent.includes('1 of')")
    assert len(read(path).preferences) == 1
