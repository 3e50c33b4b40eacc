"""What holds for every reader: packing and line ends do not matter, no file has two formats."""

import codecs
import gzip

import pytest

from concordant.errors import DataError
from concordant.judgements.detection import formats
from concordant.judgements.readers.formats import head_of

# File → its format and a good text.
EXAMPLES = {
    "five.csv": (
        "wmt-rankings",
        (
            "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system4Id,system5Id,"
            "system1rank,system2rank,system3rank,system4rank,system5rank\n"
            "cs,en,1,j,A,B,C,D,E,1,2,3,4,5\n"
        ),
    ),
    "two.csv": (
        "wmt-two-way",
        (
            "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,"
            "system2rank,rankingID\ncs,en,1,1,j,A,1,B,2,4\n"
        ),
    ),
    "pairs.csv": ("judged-pairs", "segment,better,worse\n1,A,B\n"),
    "pairs-too.csv": ("judged-pairs", "segment,better,worse,system,score\n1,A,B,C,1\n"),
    "texts.csv": ("preference-texts", 'segment,ref,better,worse\n1,o,"a, ""b""",c\n'),
    "texts.tsv": ("preference-texts", "reference\tbetter\tworse\tsystem\tscore\no\ta\tb\tC\t1\n"),
    "ratings.csv": ("rating-table", '"segment",system,score\n1,"A",0.5\n'),
    "ratings.tsv": ("rating-table", "system\tscore\nA\t0.5\n"),
    "DAseg.newstest2016.human.cs-en": ("da-seg", "0.5\n-0.25\n"),
    "segments.csv": ("da-scores", "SYS SID RAW.SCR Z.SCR N\nA 1 80 0.5 2\n"),
    "systems.csv": ("da-scores", "RAW.SCR Z.SCR N SYS N.ALL \n80 0.5 2 A 2 \n"),
    "comet.csv": ("comet-csv", 'src,mt,ref,score\nj,"w,\n x",o,0.5\n'),
    "comet-with-systems.csv": (
        "comet-csv",
        "src,mt,ref,score,system,segment\nj,w,o,0.5,A,1\n",
    ),
    "comet-pairs.csv": ("comet-csv", "src,ref,pos,neg\nj,o,a,b\n"),
    "SICK.txt": (
        "sick",
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\ta\tb\t3\tX\n",
    ),
    "sts-mine.csv": ("sts", "main-news\tf\t2012test\t1\t2.5\ta\tb\n"),
    "mqm.tsv": ("mqm-average", "system mqm_avg_score seg_id\nA\t-1 1\n"),
    "own.jsonl": (
        "jsonl",
        (
            '{"record": "preference", "testset": "", "pair": "", "segment": 1, "better": "A", '
            '"worse": "B"}\n'
        ),
    ),
}
FORMATS = [each for each in formats() if each.name in {name for name, _ in EXAMPLES.values()}]
BY_NAME = {each.name: each for each in FORMATS}


def unfolded(text):
    """Line ends inside a quoted cell belong to it, so they are left as they are."""
    return text.replace('"w,\n x"', '"w, x"')


SPELLINGS = {
    "plain": lambda text: text.encode(),
    "no line end": lambda text: text.removesuffix("\n").encode(),
    "byte-order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "carriage returns": lambda text: text.replace("\n", "\r\n").encode(),
    "utf-16": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "all": lambda text: gzip.compress(codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode()),
}


def records(collection):
    return (collection.rankings, collection.preferences, collection.ratings, collection.testsets)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("file", EXAMPLES)
def test_a_file_reads_the_same_however_it_is_packed(tmp_path, file, spelling):
    name, text = EXAMPLES[file]
    reader = BY_NAME[name]
    path = tmp_path / file
    path.write_text(unfolded(text), encoding="utf-8")
    expected = reader.read(path)
    path.write_bytes(SPELLINGS[spelling](unfolded(text)))
    collection = reader.read(path)
    assert records(collection) == records(expected)
    assert sum(map(len, records(collection)[:3])) > 0
    assert reader.looks_like(head_of(path)) is not None


@pytest.mark.parametrize("file", EXAMPLES)
def test_a_file_is_claimed_by_its_own_format_alone(tmp_path, file):
    name, text = EXAMPLES[file]
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    assert [each.name for each in FORMATS if each.looks_like(head_of(path))] == [name]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "plain text\n", "0.5\n", "segment\tsystem\ttext\n1\tA\tone\n", "[1]\n", "{}\n"],
)
def test_other_files_are_claimed_by_none(tmp_path, text):
    path = tmp_path / "other"
    path.write_text(text)
    assert not any(each.looks_like(head_of(path)) for each in FORMATS)


@pytest.mark.parametrize("reader", FORMATS, ids=lambda each: each.name)
def test_no_rows_is_an_error(tmp_path, reader):
    file, text = next(
        (file, text) for file, (name, text) in EXAMPLES.items() if name == reader.name
    )
    path = tmp_path / file
    path.write_text("")
    with pytest.raises(DataError, match="is empty"):
        reader.read(path)
    headerless = {"da-seg", "sts", "jsonl"}
    path.write_text(text.splitlines(keepends=True)[0])
    if reader.name not in headerless:
        with pytest.raises(DataError, match="has a header but no rows"):
            reader.read(path)
