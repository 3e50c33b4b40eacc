"""The page of a comparison as text: whole in itself, escaped, complete without scripts."""

import base64
import hashlib
import html
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from small_comparison import FACTS, FEW, small_comparison, small_page

from concordant.report.charts import ChartAxis, ChartPoint, Series, chart, height_scale
from concordant.report.html import embedded_json
from concordant.report.page import page
from concordant.report.page_data import page_data, shown_segments
from concordant.report.plots import round_ticks, scale_of
from concordant.scoring.comparison import compare
from concordant.scoring.verdict import verdict


@pytest.fixture(scope="module")
def compared():
    return small_comparison()[0]


@pytest.fixture(scope="module")
def text():
    return small_page()


def data_of(text):
    (inside,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', text, flags=re.DOTALL
    )
    return json.loads(inside)


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
    assert text.count("<script ") == 1  # its data
    assert text.count("</script>") == 2
    assert "&lt;script&gt;" in text
    assert "<img" not in text
    assert "<b>&lt;" not in text
    assert "<!--" not in text


def test_the_data_are_what_was_compared(compared, text):
    found = data_of(text)
    assert found["systems"] == list(compared.systems)
    assert found["translations"] == [compared.translations[each] for each in compared.systems]
    assert found["references"] == compared.references
    for metric, seen in zip(compared.metrics, found["metrics"], strict=True):
        assert np.allclose(seen["scores"], metric.segments, rtol=0, atol=1e-9)
    parts = found["metrics"][0]["parts"]
    assert np.shape(parts["moved"]) == (4, len(parts["segments"]), len(parts["names"]))
    assert [each["parts"] for each in found["metrics"][1:]] == [None, None]


def test_the_same_input_gives_the_same_page_to_the_byte(compared, text):
    again = page(compared, FACTS, explained=small_comparison()[1])
    assert again == text
    code = """if True:
        from concordant import compare
        from concordant.report.page import page
        systems = {"A": ["a b", "c d e", "f"], "B": ["a c", "c d f", "g"]}
        print(page(compare(systems, ["a b", "c d", "f g"], metric="chrf")))
    """
    pages = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(pages) == 1


def test_it_says_what_a_reader_needs(compared, text):
    plain = html.unescape(text)
    assert verdict(compared).split("(")[0] in plain
    for part in ("Ranking", "Pair by pair", "A against B", "Segments", "Documents",
                 "Scores of segments", "Do the metrics agree?", "2026-01-02"):  # fmt: skip
        assert part in text
    for each in compared.metrics:
        assert compared.signature(each) in plain
    assert ">ter: TER (Snover et al. 2006), lower is better.</p>" in text
    assert ">fast: learned from human ratings; 0 to 100, the share of WMT systems’" in text


def test_without_scripts_the_tables_and_the_most_different_segments_are_there(text):
    static = text[: text.index('<script type="application/json"')]
    assert static.count('class="dot') == 12  # four systems, three metrics
    assert static.count('class="segment"') == 30
    assert "The 30 segments where the systems differ most, of 60" in static
    assert (
        len(
            re.findall(
                r'<(?:form|fieldset|div|span)[^>]*class="[^"]*scripted"[^>]* hidden>', static
            )
        )
        == 4
    )
    heads = re.findall(r"<th\b[^>]*>", static)
    assert heads
    assert all("scope=" in head for head in heads)
    assert static.count("<table") == static.count("<caption") == static.count("</table>")


def test_equal_translations_are_counted(compared):
    references = [["a b"], ["c d"], ["e f"]]
    systems = {"A": ["a b", "x", "e f"], "B": ["a b", "x", "z"]}
    found = page(compare(systems, references, metric="chrf", options=FEW))
    assert "<dt>Identical translations</dt><dd>2 segments</dd>" in found
    counts = re.findall(r'<span class="of">Same as a reference</span>(\d+)', found)
    assert counts == ["2", "1"]
    assert "none in all systems" in page(compared)


def test_equal_scores_and_doubtful_metrics_are_told_as_such():
    same = page(compare({"A": ["x", "y"], "B": ["x", "y"]}, ["x", "z"], metric="chrf", options=FEW))
    assert "A with the same score as B" in same
    assert "p = 1" not in same
    german = ["Das ist ein Haus und das ist gut.", "Wir sind nicht in der Stadt gewesen."]
    metrics = ["fast", "chrf"]
    found = compare({"A": german, "B": german[::-1]}, german, metric=metrics, language="de",
                    options=FEW)  # fmt: skip
    text = page(found)
    assert found.metrics[0].doubts
    assert "No verdict: fast is not reliable" in text
    assert '<p class="note beside">chrf +' in text


def test_texts_that_are_too_many_are_left_out_and_the_page_says_so(compared):
    shown = shown_segments(compared, 5000)
    assert 0 < len(shown) < 60
    assert compared.metrics[0].by_spread()[0] in shown
    found = page_data(compared, {}, shown=shown)
    assert [i for i, text in enumerate(found["translations"][0]) if text is not None] == shown
    assert len(found["metrics"][0]["scores"][0]) == 60
    assert shown_segments(compared) == list(range(60))


def test_json_cannot_end_its_element():
    text = embedded_json({"a": "</script><!-- ]]> \u2028 \ud800"})
    assert "<" not in text
    assert json.loads(text)["a"] == "</script><!-- ]]> \u2028 \ud800"


def test_ticks_are_round():
    assert round_ticks(0.0, 100.00000004) == [0, 20, 40, 60, 80, 100]
    assert round_ticks(0.12, 0.31) == [0.15, 0.2, 0.25, 0.3]
    assert round_ticks(-3.0, 3.0) == [-2, 0, 2]


def test_a_scale_holds_both_ends_and_one_number_alone():
    assert scale_of(0.0, 10.0, room=0.0).place(2.5) == "25.00%"
    alone = scale_of(3.0, 3.0)
    assert alone.low < 3.0 < alone.high
    assert scale_of(0.0, 0.0).place(0.0).endswith("%")


def test_a_chart_escapes_names_and_says_its_numbers():
    series = [Series("<b>", 0, (ChartPoint(0, 1.0, 0.5, 1.5), ChartPoint(1, 2.0)))]
    drawn = chart(
        series, ChartAxis("<i>", scale_of(0, 1)), ChartAxis("y", height_scale(series)), "T."
    )
    assert "<b>" not in drawn
    assert "<i>" not in drawn
    assert 'aria-label="T. &lt;b&gt;: 1 to 2"' in drawn
