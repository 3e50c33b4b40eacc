"""WMT's tree: which text belongs to which translations."""

import time
from pathlib import Path

import pytest

from concordant.errors import DataError
from concordant.judgements.readers.formats import Head
from concordant.judgements.readers.wmt_texts import FORMAT


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


@pytest.fixture
def old_tree(tmp_path: Path) -> Path:
    return tree(
        tmp_path,
        {
            "sources/newstest2012-src.cs": "jedna\ndva\n",
            "sources/newstest2012-src.en": "one\ntwo\n",
            "references/newstest2012-ref.en": "\ufeffone\r\ntwo\r\n",
            "system-outputs/newstest2012/cs-en/newstest2012.cs-en.onlineA": "an\ntoo\n",
            "system-outputs/newstest2012/cs-en/newstest2012.cs-en.onlineB": "wan\ntwo\n",
            "system-outputs/newstest2012/cs-en/newstest2012.cs-en.onlineB~": "backup\n",
            "rankings.csv": "not ours",
        },
    )


def test_one_reference_for_all_pairs(old_tree: Path) -> None:
    collection = FORMAT.read(old_tree)
    (testset,) = collection.testsets
    assert (testset.name, testset.pair) == ("newstest2012", "cs-en")
    assert testset.source == {1: "jedna", 2: "dva"}
    assert testset.references == {"ref": {1: "one", 2: "two"}}
    assert testset.translations == {"onlineA": {1: "an", 2: "too"}, "onlineB": {1: "wan", 2: "two"}}
    unused, backup = map(str, collection.left_out)
    assert unused.endswith("-src.en: left out, with texts that no translations belong to")
    assert "newstest2012.cs-en.onlineB~: left out" in backup


def test_it_claims_its_own_files(old_tree: Path) -> None:
    assert FORMAT.claims is not None
    names = {path.name for path in FORMAT.claims(old_tree)}
    assert names == {
        "newstest2012-src.cs", "newstest2012-src.en", "newstest2012-ref.en",
        "newstest2012.cs-en.onlineA", "newstest2012.cs-en.onlineB",
    }  # fmt: skip


def test_what_looks_like_it(old_tree: Path, tmp_path: Path) -> None:
    reason = FORMAT.looks_like(Head(old_tree, ()))
    assert reason == "it has system-outputs/newstest2012/cs-en/ with a file for each system"
    other = tree(tmp_path / "other", {"system-outputs/de-en/a.txt": "x"})
    assert FORMAT.looks_like(Head(other, ())) is None


def test_texts_named_for_either_direction(tmp_path: Path) -> None:
    translations = "system-outputs/newstest2014"
    root = tree(
        tmp_path,
        {
            "sources/newstest2014-deen-src.de": "eins\nzwei\n",
            "sources/newstest2014-deen-src.en": "one\n",
            "references/newstest2014-deen-ref.de": "eins\n",
            "references/newstest2014-deen-ref.en": "one\ntwo\n",
            f"{translations}/de-en/newstest2014.kit.3109.de-en": "a\nb\n",
            f"{translations}/en-de/newstest2014.kit.3110.en-de": "c\n",
        },
    )
    german, english = FORMAT.read(root).testsets
    assert (german.pair, german.segments, list(german.translations)) == (
        "de-en",
        [1, 2],
        ["kit.3109"],
    )
    assert (english.pair, english.segments, english.source) == ("en-de", [1], {1: "one"})
    assert english.references == {"ref": {1: "eins"}}


def test_missing_texts_are_noted(tmp_path: Path) -> None:
    root = tree(tmp_path, {"system-outputs/newstest2013/de-en/newstest2013.de-en.x": "a\n"})
    collection = FORMAT.read(root)
    assert collection.testsets[0].translations == {"x": {1: "a"}}
    assert [note.removeprefix(f"{root}: ") for note in collection.notes] == [
        "sources/ has no text for newstest2013 de-en",
        "references/ has no text for newstest2013 de-en",
    ]


def test_a_short_output_is_a_fault_with_both_counts(old_tree: Path) -> None:
    short = "system-outputs/newstest2012/cs-en/newstest2012.cs-en.short"
    tree(old_tree, {short: "one\n"})
    with pytest.raises(
        DataError, match=r"cs-en.short: has 1 line where 2 are needed, as in newstest2012-src.cs"
    ):
        FORMAT.read(old_tree)


def test_a_file_in_the_wrong_folder(old_tree: Path) -> None:
    tree(old_tree, {"system-outputs/newstest2012/cs-en/newstest2012.de-en.x": "a\nb\n"})
    with pytest.raises(
        DataError, match=r"is named for newstest2012 de-en but lies in newstest2012/cs-en"
    ):
        FORMAT.read(old_tree)


def test_a_tree_without_outputs(tmp_path: Path) -> None:
    root = tree(tmp_path, {"sources/newstest2012-src.cs": "x\n"})
    with pytest.raises(
        DataError, match=r"has no translations such as system-outputs/newstest2014/"
    ):
        FORMAT.read(root)


@pytest.mark.data
@pytest.mark.parametrize(
    ("year", "systems", "segments"),
    [
        (
            "wmt12",
            {"cs-en": 6, "de-en": 16, "en-cs": 13, "en-de": 15, "en-es": 11, "en-fr": 15,
             "es-en": 12, "fr-en": 15},
            {3003},
        ),
        ("wmt13", {"cs-en": 12, "de-en": 23, "es-en": 17, "fr-en": 19, "ru-en": 23}, {3000}),
        ("wmt14", {"cs-en": 5, "de-en": 13, "fr-en": 8, "hi-en": 9, "ru-en": 13}, {3003, 2507}),
    ],
)  # fmt: skip
def test_real_trees(data: Path, year: str, systems: dict[str, int], segments: set[int]) -> None:
    begin = time.process_time()
    testsets = FORMAT.read(data / year).testsets
    assert time.process_time() - begin < 3
    assert {testset.pair: len(testset.translations) for testset in testsets} == systems
    assert {testset.name for testset in testsets} == {f"newstest20{year[3:]}"}
    for testset in testsets:
        texts = [testset.source, testset.references["ref"], *testset.translations.values()]
        assert {len(text) for text in texts} == {len(testset.segments)}
        assert len(testset.segments) in segments
        assert not any(line.startswith("\ufeff") for text in texts for line in text.values())
