"""A real browser for tests of pages: nothing may leave the page, nothing may go wrong in it."""

import shutil
import subprocess
import tarfile
from contextlib import contextmanager

import pytest

AXE = "axe-core@4.10.3"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def open_browser():
    """A running Chromium, to be used by `with`; the test skips where there is none."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

    @contextmanager
    def running():
        with driver.sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            yield browser
            browser.close()

    return running()


@contextmanager
def opened(browser, path, *, width=1280, scheme="light", scripts=True):
    """A page of a file; when it is closed, it must have been without errors and requests."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme,
        java_script_enabled=scripts, accept_downloads=True,
    )  # fmt: skip
    shown = context.new_page()
    troubles, requests = [], []
    shown.on("console", lambda message: troubles.append(message.text))
    shown.on("pageerror", lambda error: troubles.append(str(error)))
    shown.on("request", lambda request: requests.append(request.url))
    shown.goto(path.as_uri())
    yield shown
    ours = [url for url in requests if not url.startswith("blob:")]
    context.close()
    assert troubles == []
    assert ours == [path.as_uri()]


def axe_source(folder):
    """The script of axe-core, from npm; the test skips where that cannot be had."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, which brings axe-core")
    packed = subprocess.run(
        ["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, text=True, check=False
    )
    if packed.returncode:
        pytest.skip(f"npm cannot bring axe-core: {packed.stderr.strip()[:200]}")
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        found = archive.extractfile("package/axe.min.js")
        return found.read().decode("utf-8")


def findings(shown, axe):
    """What axe-core finds serious or critical: rule, element, what is wrong."""
    shown.evaluate(axe)
    result = shown.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], node["target"], node["failureSummary"])
        for each in result["violations"]
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"][:3]
    ]
