"""The page of a comparison: whole in itself, escaped, and working in a real browser."""

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from concordant.report.page import _content_hash, page, telling_segments
from concordant.report.plots import length_groups, round_ticks
from concordant.report.word_diff import nearest_reference, word_diff
from concordant.scoring.comparison import compare
from concordant.scoring.comparison_options import ComparisonOptions
from concordant.scoring.verdict import verdict

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
FEW = ComparisonOptions(resamples=200, permutations=200)
EVIL = '<script>document.title="broken"</script>'
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
).split()


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def compared():
    translations = {name: lines(f"systems/{name}.txt") for name in ("alder", "birch", "cedar")}
    translations[f"<b>{EVIL}"] = [
        EVIL,
        '"><img src=x onerror=alert(1)>',
        "",
        *translations["cedar"][3:],
    ]
    references = [list(pair) for pair in zip(lines("reference-1.txt"), lines("reference-2.txt"),
                                             strict=True)]  # fmt: skip
    references[0][0] += EVIL
    return compare(
        translations, references, lines("source.txt"), metric=["chrf", "ter"], options=FEW
    )


@pytest.fixture(scope="module")
def text(compared):
    return page(compared)


def test_nothing_comes_from_elsewhere(text):
    assert "http://" not in text
    assert "https://" not in text
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b", text)
    assert not re.search(r"@import|url\(", text)
    assert "default-src 'none'" in text


def test_only_the_scripts_and_styles_of_the_page_itself_may_run(text):
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "unsafe" not in policy
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        digest = hashlib.sha256(inside.encode()).digest()
        assert f"{directive} 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert not re.search(r"<[^>]* (style|on\w+)=", text)  # which the policy would not allow


def test_everything_is_escaped(text):
    assert text.count("<script>") == 1  # the page's own
    assert "&lt;script&gt;" in text
    assert "<img" not in text
    assert "<b>&lt;" not in text


def test_it_says_what_a_reader_needs(compared, text):
    assert html.escape(verdict(compared), quote=False).split("(")[0] in html.unescape(text)
    for part in ("Ranking", "Pair by pair", "Distribution of scores", "Do the metrics agree?",
                 "Short and long sentences", "Segment by segment"):  # fmt: skip
        assert part in text
    assert compared.signature(compared.metrics[0]) in html.unescape(text)
    assert 'title="the translation is empty"' in text
    assert ">chrf: chrF (Popović 2015).</p>" in text
    assert ">ter: TER (Snover et al. 2006), lower is better.</p>" in text


def test_it_says_what_a_score_of_fast_means(compared):
    translations = {name: compared.translations[name] for name in ("alder", "birch")}
    shown = page(compare(translations, compared.references, metric="fast", options=FEW))
    assert ">fast: learned from human ratings; 0 to 100, the share of WMT systems’" in shown


def test_filters_are_offered_by_the_script_that_makes_them_work(text):
    assert re.search(r'<form class="filters"[^>]* hidden>', text)
    assert "form.hidden = false" in text


def test_every_table_has_a_caption_and_headings_have_scopes(text):
    assert text.count("<table") == text.count("<caption") == text.count("</table>")
    heads = re.findall(r"<th\b[^>]*>", text)
    assert heads
    assert all("scope=" in head for head in heads)
    assert text.count('role="img"') == 4  # two metrics, two plots each
    assert all("aria-label" in plot for plot in re.findall(r'<svg[^>]*role="img"[^>]*>', text))


def test_a_large_test_set_shows_the_most_telling_segments(compared):
    few = page(compared, most=10)
    assert few.count("data-spread=") == 10
    assert "Showing 10 of 60 segments" in few
    shown = telling_segments(compared, 10)
    assert shown == sorted(set(shown))
    assert len(shown) == 10
    scores = compared.metrics[0].segments
    spread = scores.max(axis=0) - scores.min(axis=0)
    assert int(spread.argmax()) in shown
    assert "Shown are" not in page(compared)


def browsed(path, folder, *flags):
    """The page's elements once a browser has shown it and run its script."""
    return subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags,
         "--virtual-time-budget=5000", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    ).stdout  # fmt: skip


PROBE = (Path(__file__).parent / "page_probe.js").read_text(encoding="utf-8")


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_a_browser_shows_sorts_and_filters_it(text, tmp_path, width, scheme):
    path = tmp_path / "page.html"
    allowed = text.replace("script-src ", f"script-src '{_content_hash(PROBE)}' ", 1)
    path.write_text(
        allowed.replace("<style>", f"<script>{PROBE}</script><style>", 1), encoding="utf-8"
    )
    dark = {"dark": 0, "light": 1}[scheme]
    shown = browsed(path, tmp_path, f"--window-size={width},900",
                    f"--blink-settings=preferredColorScheme={dark}")  # fmt: skip
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', shown)[1]))
    assert found["errors"] == []
    assert found["title"] != "broken"
    assert found["form"]
    assert found["rows"] == found["again"] == 60
    assert found["up"] == sorted(found["up"])
    assert found["down"] == sorted(found["up"], reverse=True)
    assert found["aria"] == "ascending"
    assert found["others"] == 1
    assert found["words"] == ["2"]
    assert found["count"] == "1 of 60 segments"
    assert found["flag"] == ["3"]
    assert 0 < found["any"] < 60
    assert 0 < found["best"] < 60
    assert 0 < found["worst"] < 60
    assert found["wide"] <= 0  # wide tables scroll in themselves, the page does not
    assert found["named"]
    assert found["dark"] == (scheme == "dark")
    assert found["contrast"] >= 4.5


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
def test_a_browser_runs_no_other_script_and_applies_the_style(text, tmp_path):
    path = tmp_path / "page.html"
    other = "<script>document.title = 'broken'</script><p id=x onclick=0>x</p>"
    path.write_text(text.replace("</body>", f"{other}</body>", 1), encoding="utf-8")
    answer = browsed(path, tmp_path)
    assert "<title>broken" not in answer
    assert 'class="filters" hidden' not in re.sub(r'aria-label="[^"]*"', "", answer)


def test_differences_of_words():
    def runs(output, reference):
        return [(run.kind, run.text, run.blank) for run in word_diff(output, reference)]

    assert runs("", "") == []
    assert runs("", "a b") == [("missing", "a b", False)]
    assert runs("A b.", "a b.") == [("same", "A b.", False)]
    assert runs("in 2072.", "in 2027.") == [
        ("same", "in", False), ("missing", "2027", True), ("added", "2072", True),
        ("same", ".", False),
    ]  # fmt: skip
    assert runs("said Ute, now", "said Ute. Now") == [
        ("same", "said Ute", False), ("missing", ".", False), ("added", ",", False),
        ("same", "now", True),
    ]  # fmt: skip
    assert runs("他是学生", "她是学生") == [
        ("missing", "她", False), ("added", "他", True), ("same", "是学生", False)
    ]  # fmt: skip
    long = " ".join(map(str, range(1000)))
    assert "".join(" " * run.blank + run.text for run in word_diff(long, long)) == long
    assert nearest_reference("a b c", ["x y z", "a b d"]) == "a b d"


def test_length_groups_hold_every_segment_once(rng):
    for lengths in (rng.integers(1, 40, 300), np.full(5, 7), np.array([1, 1, 1, 9])):
        groups = length_groups(lengths, rng.normal(size=(2, len(lengths))))
        assert sum(group.count for group in groups) == len(lengths)
        assert all(np.isfinite([*group.means, *group.halves]).all() for group in groups)


def test_ticks_are_round():
    assert round_ticks(0.0, 100.00000004) == [0, 20, 40, 60, 80, 100]
    assert round_ticks(0.12, 0.31) == [0.15, 0.2, 0.25, 0.3]
    assert round_ticks(-3.0, 3.0) == [-2, 0, 2]
