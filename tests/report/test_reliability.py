"""The reliability diagram: well-formed, and as high as people agreed."""

from xml.etree import ElementTree as ET

from concordant.report.reliability import reliability_diagram

BINS = [(0.55, 0.5, 10.0), (0.75, 0.7, 40.0), (0.97, 1.0, 20.0)]


def test_the_drawing_is_well_formed_and_escapes_names():
    svg = str(reliability_diagram({"<b>one</b> & two": BINS}, "a < b"))
    root = ET.fromstring(svg)
    assert root.find("{*}title").text == "a < b"
    assert root.find("{*}desc").text == (
        "<b>one</b> & two: 55% came true 50%, 75% came true 70%, 97% came true 100%"
    )


def test_what_came_true_more_often_stands_higher():
    root = ET.fromstring(str(reliability_diagram({"one": BINS}, "t")))
    dots = [e for e in root.findall(".//{*}circle") if e.find("{*}title") is not None]
    heights = [float(each.get("cy")) for each in dots]
    assert heights == sorted(heights, reverse=True)
    sizes = [float(each.get("r")) for each in dots]
    assert sizes[1] == max(sizes)
