"""What the pages say is true: their code runs, their outputs are real, nothing is left out."""

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import concordant
from concordant.encoders import token_matching
from concordant.encoders.networks.pooling import POOLS
from concordant.encoders.words.averages import POOLS as AVERAGES
from concordant.evaluation.statistics import PAIRWISE, STATISTICS
from concordant.evaluation.system_scores import METHODS
from concordant.experiments.registry import EXPERIMENTS
from concordant.features.registry import KINDS
from concordant.features.scaling import METHODS as SCALINGS
from concordant.judgements.detection import formats, read, scan
from concordant.metrics.flags.flags import FLAGS
from concordant.metrics.lexical.measures import MEASURES
from concordant.metrics.lexical.tokenisers import TOKENISERS
from concordant.resources.table import PARTS
from concordant.stats.tau import VARIANTS

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))
pages = importlib.import_module("pages")
generate = importlib.import_module("generate")

RECIPES = ROOT / "CONTRIBUTING.md"
PLAYED = [page for page in pages.PAGES if page != RECIPES]
MODULES = sorted(
    each.name
    for each in pkgutil.walk_packages(concordant.__path__, "concordant.")
    if not each.name.endswith("_native")
)
# The package may be installed so that an import hook finds it; the copy must be found first.
RUN_TESTS = """
import sys
sys.meta_path = [each for each in sys.meta_path if "editable" not in type(each).__module__]
sys.path.insert(0, "src")
import concordant, pytest
assert concordant.__file__.startswith(sys.argv[1]), concordant.__file__
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *sys.argv[2:]]))
"""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def data_blocks() -> list:
    return [
        pytest.param(block, id=f"{page_id(page)}:{block.line}")
        for page in PLAYED
        for block in pages.blocks(page.read_text(encoding="utf-8"))
        if block.needs_data
    ]


def part_blocks() -> list:
    return [
        pytest.param(block, id=f"{page_id(page)}:{block.line}")
        for page in PLAYED
        for block in pages.blocks(page.read_text(encoding="utf-8"))
        if block.parts
    ]


def check(steps: Iterator) -> None:
    for step in steps:
        real = "\n".join(step.real)
        assert step.agrees, f"line {step.line}: $ {step.command} (exit {step.code}) prints\n{real}"


@pytest.fixture
def workplace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    with generate.workplace() as folder:
        yield folder


@pytest.mark.parametrize("page", PLAYED, ids=page_id)
@pytest.mark.usefixtures("workplace")
def test_a_page_tells_the_truth(page: Path) -> None:
    blocks = pages.blocks(page.read_text(encoding="utf-8"))
    check(pages.play([block for block in blocks if not block.needs_data and not block.parts]))


@pytest.mark.data
@pytest.mark.parametrize("block", data_blocks())
@pytest.mark.usefixtures("data", "workplace")
def test_what_a_page_says_of_the_data_is_true(block) -> None:
    check(pages.play([block]))


@pytest.mark.parametrize("block", part_blocks())
@pytest.mark.usefixtures("workplace")
def test_what_a_page_says_of_a_part_is_true(block, part) -> None:
    for name in block.parts:
        part(name)
    check(pages.play([block]))


def test_the_readme_shows_what_the_demo_runs() -> None:
    spec = importlib.util.spec_from_file_location("examples_demo", ROOT / "examples" / "demo.py")
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    readme = text_of("README.md").splitlines()
    for _, command in demo.COMMANDS:
        assert f"$ concordant {command}" in readme


def test_a_wrong_output_is_seen() -> None:
    assert pages.matches(["a", "…", "c"], ["a", "b", "b", "c"])
    assert pages.matches(["…"], [])
    assert not pages.matches(["a", "…", "c"], ["a", "b"])
    assert not pages.matches(["a"], ["a", "b"])
    assert not pages.Step(1, "concordant x", [], [], code=1).agrees


def test_the_page_of_commands_is_up_to_date() -> None:
    # The words count, not how this release of click breaks lines.
    assert generate.commands_page().split() == text_of("docs/commands.md").split(), "run make docs"


def test_every_option_is_in_the_page_of_commands() -> None:
    _, *parts = re.split(r"^## ", text_of("docs/commands.md"), flags=re.MULTILINE)
    sections = dict(part.split("\n", 1) for part in parts)
    program = generate.program
    for context in generate.contexts(click.Context(program, info_name="concordant")):
        section = sections[context.command_path]
        for parameter in context.command.params:
            for option in parameter.opts if isinstance(parameter, click.Option) else ():
                assert re.search(rf"(?<!\S){re.escape(option)}\b", section), option


@pytest.mark.parametrize("name", ["compare", "evaluate", "score"])
def test_every_option_is_explained(name: str) -> None:
    program = generate.program
    command = program.get_command(click.Context(program), name)
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f"`{option}`" in text_of(f"docs/{name}.md")


@pytest.mark.parametrize("name", [each.name for each in formats()])
def test_every_format_has_an_example_that_is_read(name: str, workplace: Path) -> None:
    page = text_of("docs/formats.md")
    assert f"\n### {name}\n" in page
    folder = f"file: {name}/"
    shown = [block for block in pages.blocks(page) if block.mark.startswith(folder)]
    place = workplace / name
    if not shown:  # no text: the section has the command that makes it
        section = page.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        shown, place = pages.blocks(section), workplace / f"{name}.db"
    list(pages.play(shown))
    assert {each.format.name for each in scan(place)} == {name}
    found = read(place)
    judged = found.rankings or found.preferences or found.ratings
    assert judged or found.testsets or found.tables or found.score_lines


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_a_section_with_all_its_options(name: str) -> None:
    page = text_of("docs/measures.md")
    row = re.search(rf"^\| `{re.escape(name)}` \|.*$", page, re.MULTILINE)
    assert row is not None
    assert (" lower " in row[0]) == (MEASURES[name].sign < 0)
    sections = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    for option, values in MEASURES[name].options.items():
        assert f"\n| `{option}` | {', '.join(f'`{each}`' for each in values)} |" in sections[name]
    assert f"`{name}`" in text_of("docs/decisions/0015-which-reference-counts.md")
    assert f"`{name}`" in text_of("README.md")


def test_every_tokeniser_feature_and_scaling_is_in_the_pages() -> None:
    for name in TOKENISERS:
        assert f"\n| `{name}` |" in text_of("docs/measures.md")
    features = text_of("docs/features.md")
    for kind in KINDS.values():
        for usage in re.split(r", | or ", kind.usage):
            assert f"`{usage}`" in features
    for name in SCALINGS:
        assert f"\n| `{name}` |" in features
    for name in token_matching.COLUMNS:
        assert f"\n| `{name}` |" in features


def test_every_flag_is_in_the_page() -> None:
    for name in FLAGS:
        assert f"\n| `{name}` |" in text_of("docs/score.md")


def test_every_part_encoder_and_pooling_is_in_the_pages() -> None:
    encoders, resources = text_of("docs/encoders.md"), text_of("docs/resources.md")
    for name, part in PARTS.items():
        assert f"\n| `{name}` | {part.title}" in resources
        assert part.licence.partition(";")[0] in resources
        if part.kind != "measure data":
            assert f"`{name}`" in encoders
    for name in [*POOLS, *AVERAGES]:
        assert f"\n| `{name}` |" in encoders


def test_every_statistic_method_and_experiment_is_in_the_pages() -> None:
    evaluate, statistics = text_of("docs/evaluate.md"), text_of("docs/statistics.md")
    for name in STATISTICS:
        assert f"`{name}`" in evaluate
        assert f"**{name}**" in statistics or f"`{name}`" in statistics
    for name in METHODS:
        assert f"`{name}`" in evaluate
        assert f"**{name}**" in statistics
    for name in EXPERIMENTS:
        assert f"`{name}`" in text_of("docs/reproduce.md")


def test_the_table_of_taus_is_the_real_one() -> None:
    sign = {-1: "−1", 0: "0", 1: "+1"}
    page = text_of("docs/evaluate.md")
    for name in PAIRWISE:
        row = VARIANTS[name]
        cells = [
            f"{sign[up]} / {down}" if down else "–"
            for up, down in zip(row.numerator, row.denominator, strict=True)
        ]
        assert f"| `{name}` | {' | '.join(cells)} | {row.citation} |" in page


def test_every_link_leads_somewhere() -> None:
    for page in pages.PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not target.startswith("https:"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_section_that_is_linked_to_is_there() -> None:
    for page in pages.PAGES:
        for target, section in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", page.read_text("utf-8")):
            text = (page.parent / target).read_text("utf-8") if target else page.read_text("utf-8")
            titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            assert section in anchors, f"{page.name}: {target}#{section}"


def test_the_recipes_work_when_pasted(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "native")
    )
    for stub in (tmp_path / "src").rglob("_native.pyi"):
        folder = stub.parent.relative_to(tmp_path / "src")
        name = ".".join([*folder.parts, "_native"])
        shutil.copy(importlib.import_module(name).__file__, stub.parent)
    tests = []
    for block in pages.blocks(RECIPES.read_text(encoding="utf-8")):
        kind, _, where = block.mark.partition(": ")
        if kind == "file":
            file = tmp_path / where
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            tests += [where] if where.startswith("tests/") else []
        elif kind == "row":
            name, _, line = where.partition(": ")
            paste(tmp_path / name, line, block.text)
    assert len(tests) == 6
    command = [sys.executable, "-c", RUN_TESTS, str(tmp_path), *tests]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def paste(file: Path, below: str, text: str) -> None:
    source = file.read_text(encoding="utf-8")
    assert source.count(f"\n{below}\n") == 1, f"{file.name}: {below}"
    file.write_text(source.replace(f"\n{below}\n", f"\n{below}\n{text}"), encoding="utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0
