"""How long a browser takes to open the page of a large comparison: 6 systems, 20,000 segments.

    python benchmarks/page.py [SEGMENTS]

Texts are random words of our own. Needs playwright and an installed Chromium. Times are of this
machine: seconds by the clock, and of the processor in all of the browser's processes, which other
work on the machine does not change, until the page is ready and a changed choice is drawn.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from concordant.report.page import page
from concordant.scoring.comparison import compare
from concordant.scoring.comparison_options import ComparisonOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

SYSTEMS, SEGMENTS = 6, 20_000
STEPS = {
    "swap A and B": "document.querySelector('#swap').click()",
    "sort by length": """const s = document.querySelector('#sort'); s.value = 'long';
        s.dispatchEvent(new Event('change', {bubbles: true}))""",
    "segments of a group": "document.querySelector('#groups button').click()",
    "all systems": "document.querySelector('#everyone').click()",
}
DRAWN = """async () => { %s;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }"""


def large_page(segments: int) -> str:
    """The page of random texts."""
    rng = random.Random(0)
    vocabulary = [f"w{rng.randrange(10**6):x}" for _ in range(8000)]
    vocabulary += ["the", "of", "and", "to", "in", "is"] * 200

    def sentence() -> str:
        return " ".join(rng.choices(vocabulary, k=rng.randrange(5, 40)))

    def changed(text: str, share: float) -> str:
        return " ".join(
            word if rng.random() > share else rng.choice(vocabulary) for word in text.split()
        )

    references = [sentence() for _ in range(segments)]
    systems = {
        f"system {k + 1}": [changed(text, 0.1 + 0.05 * k) for text in references]
        for k in range(SYSTEMS)
    }
    few = ComparisonOptions(resamples=300, permutations=300)
    documents = [f"document {i // 20}" for i in range(segments)]
    return page(
        compare(systems, references, references, metric="chrf", documents=documents, options=few)
    )


def processor_seconds(browser: Browser) -> float:
    """The processor time of all processes of a browser so far."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return float(sum(each["cpuTime"] for each in found["processInfo"]))


def timed(browser: Browser, name: str, act: Callable[[], object]) -> None:
    """Do something in a browser and print what it took."""
    begin, used = time.perf_counter(), processor_seconds(browser)
    act()
    clock, used = time.perf_counter() - begin, processor_seconds(browser) - used
    print(f"{name}: {clock:.2f} s, {used:.2f} s of processor time")


def main() -> None:
    """Write the page, open it, and print what took how long."""
    segments = int(sys.argv[1]) if len(sys.argv) > 1 else SEGMENTS
    begin = time.process_time()
    text = large_page(segments)
    seconds = time.process_time() - begin
    print(f"compared and written: {seconds:.1f} s of processor time, {len(text) / 1e6:.1f} MB")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        shown = browser.new_page(viewport={"width": 1400, "height": 900})
        shown.goto("about:blank")
        timed(browser, "ready", lambda: shown.goto(path.as_uri()))
        for name, code in STEPS.items():
            timed(browser, name, lambda code=code: shown.evaluate(DRAWN % code))
        phrases = shown.locator("#phrases li").first
        shown.locator("#phrases").scroll_into_view_if_needed()
        timed(browser, "phrases", lambda: phrases.wait_for(timeout=300_000))
        print(f"elements: {shown.evaluate('document.querySelectorAll(String.raw`*`).length'):,}")
        browser.close()


if __name__ == "__main__":
    main()
