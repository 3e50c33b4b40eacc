"""Files and folders that cannot be taken as they are: one message that names file and line."""

import gzip

import pytest
from bad_input import (
    COMMANDS,
    FIVE,
    RATED,
    RATINGS,
    TIES,
    filled,
    good_folder,
    good_texts,
    refused,
    run,
    score_file,
    write,
)

from concordant.judgements.detection import formats

# File → what is in it (None: there is no such file), and words of the message.
FILES = {
    "absent.csv": (None, ": there is no such file or folder; check the path"),
    "empty.csv": ("", ": "),
    "header.csv": (f"{RATED}\n", ": has a header but no rows"),
    "binary.csv": (bytes(range(128)) * 4, ":1: has a NUL byte"),
    "image.png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(50), ":"),
    "short.csv.gz": (gzip.compress(RATINGS.encode())[:40], ": is a damaged gzip file"),
    "no.csv.gz": (b"\x1f\x8bthis is not gzip", ": is a damaged gzip file"),
    "latin.csv": (f"{RATED}\n1,Zürich,1\n".encode("latin-1"), ":2: byte 0xfc is not UTF-8"),
    "wide.csv": (RATINGS.encode("utf-16-le"), ":1: has a NUL byte"),
    "half.csv": (b"\xff\xfe" + RATINGS.encode("utf-16-le") + b"\0", ": byte 0x00 is not UTF-16-LE"),
    "words.csv": ("hello world\n", ": matches none of the known formats"),
    "quote.csv": (f'{RATED}\n1,"A,3\n2,B,4\n', ":3: cannot be read as a table"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    return good_folder(tmp_path / "mine" / "de-en")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_good_is_taken(tmp_path, command):
    folder = good_folder(tmp_path / "mine" / "de-en")
    shares = ["--shares", "a=1,b=1"] if command == "split" else []
    assert run(*filled(command, folder), *shares).code == 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_cannot_be_read(tmp_path, file, command):
    path = tmp_path / file
    content, words = FILES[file]
    if content is not None:
        write(path, content)
    message = refused(*filled(command, path))
    assert message.startswith(str(path))
    assert words in message


@pytest.mark.parametrize("file", [name for name in FILES if name != "absent.csv"])
def test_scores_that_cannot_be_read(tmp_path, file):
    content, words = FILES[file]
    ratings = write(tmp_path / "ratings.csv", RATINGS)
    path = write(tmp_path / file, content)
    message = refused("evaluate", "-m", path, "-j", ratings)
    assert message.startswith(str(path))
    assert words in message


SWAPPED = {
    "ranks.csv": (f"{FIVE}\ncs,en,1,j,1,2,3,4,5,A,B,C,D,E\n", ':2: rank "A" is not one of 1, 2'),
    "index.csv": (f"{FIVE}\ncs,en,j,1,A,B,C,D,E,1,2,3,4,5\n", ':2: srcIndex "j" is not a line'),
    "language.csv": (f"{FIVE}\n1,cs,en,j,A,B,C,D,E,1,2,3,4,5\n", ':2: unknown language "1"'),
    "two.csv": (
        (
            "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,"
            "system2rank,rankingID\ncs,en,1,1,j,1,A,2,B,4\n"
        ),
        ':2: rank "A" is not one of 1, 2',
    ),
    "pairs.csv": ("segment,better,worse\nA,1,B\n", ':2: segment "A" is not a line number'),
    "ratings.csv": (f"{RATED}\n1,0.5,A\n", ':2: score "A" is not a finite number'),
    "system.csv": (f"{RATED}\nA,1,0.5\n", ':2: segment "A" is not a line number'),
    "da.csv": ("SYS SID RAW.SCR Z.SCR N\n1 A 80 0.5 2\n", ':2: SID "A" is not a line number'),
    "da-sys.csv": ("RAW.SCR Z.SCR N SYS N.ALL\nA 80 0.5 2 2\n", ':2: RAW.SCR "A" is not a finite'),
    "comet.csv": ("src,mt,ref,score\n0.5,a,b,c\n", ':2: score "c" is not a finite number'),
    "sick.txt": (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\ta\t3\tb\tX\n",
        ':2: relatedness_score "b" is not a finite number',
    ),
    "sts-x.csv": ("main\tf\t2012test\t1\ta\t2.5\tb\n", ':1: score "a" is not a finite number'),
    "mqm.tsv": ("system mqm_avg_score seg_id\n-1\tA 1\n", ':2: mqm_avg_score "A" is not'),
    "texts.tsv": ("segment\tsystem\ttext\nA\t1\tone\n", ':2: segment "A" is not a line number'),
}


@pytest.mark.parametrize("file", SWAPPED)
def test_swapped_columns(tmp_path, file):
    text, words = SWAPPED[file]
    path = write(tmp_path / file, text)
    assert refused("data", path).startswith(f"{path}{words}")


def test_all_faults_of_a_file_are_shown_and_many_are_counted(tmp_path):
    rows = "cs,en,1,j,A,B,C,D,E,1,2,3,4,7\n" * 25
    path = write(tmp_path / "ranks.csv", f"{FIVE}\n{rows}")
    lines = refused("data", path).splitlines()
    assert lines[0] == f'{path}:2: rank "7" is not one of 1, 2, 3, 4, 5 or -1 (not ranked)'
    assert lines[19].startswith(f"{path}:21: ")
    assert lines[20] == "… and 5 more faults of 25"


def test_rows_of_another_width_and_columns_twice(tmp_path):
    path = write(tmp_path / "a.csv", f"{RATED}\n1,A\n2,B,4,5\n3,C,1\n")
    assert refused("data", path).splitlines() == [
        f"{path}:2: 2 fields, but 3 are needed",
        f"{path}:3: 4 fields, but 3 are needed",
    ]
    path = write(tmp_path / "b.csv", f"{RATED},score\n1,A,3,3\n")
    assert "column score appears more than once" in refused("data", path)


def test_a_number_too_large_to_compute_with(tmp_path):
    path = write(tmp_path / "a.csv", f"{RATED}\n1,A,1e308\n")
    assert refused("data", path) == f'{path}:2: score "1e308" is beyond ±1e+15, too large'


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("file", ["source.txt", "reference.txt", "systems/B.txt"])
def test_a_missing_line(folder, file, command):
    path = folder / file
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    message = refused(*filled(command, folder))
    assert message.startswith(f"{path}: has 3 lines where 4 are needed, as in ")


def test_as_another_format(folder):
    ratings = folder / "ratings.csv"
    assert 'did you mean "rating-table"?' in refused("data", ratings, "--as", "rating-tabel")
    for each in formats():
        if each.name != "rating-table":
            assert refused("data", ratings, "--as", each.name).startswith(str(ratings))
        if not each.folder:
            assert refused("data", folder, "--as", each.name).startswith(str(folder))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_with_nothing(tmp_path, command):
    empty = tmp_path / "nothing"
    empty.mkdir()
    assert refused(*filled(command, empty)) == f"{empty}: holds no file of a known format"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_with_texts_only(tmp_path, command):
    folder = good_texts(tmp_path / "de-en")
    if command == "data":
        assert "texts only" in run("data", folder).out
    else:
        assert refused(*filled(command, folder)).startswith("there are no judgements")


def test_what_is_left_out_of_a_folder_is_named(folder):
    write(folder / "notes.xyz", "hello\n")
    write(folder / "broken.csv.gz", b"\x1f\x8bthis is not gzip")
    answer = run("data", folder, "--why")
    assert answer.code == 0
    for name in ("left out", "notes.xyz", "broken.csv.gz"):
        assert name in answer.err


def test_no_path_is_not_the_current_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert "there is no such file or folder" in refused("data", "")
    assert 'metric "" is not one of' in refused("evaluate", "-m", "", "-j", folder)


def test_a_path_that_is_too_long():
    assert refused("data", "n" * 300).endswith("n: File name too long")


@pytest.mark.parametrize("command", ["systems", "evaluate"])
def test_unknown_system_and_segment(folder, command):
    path = write(folder / "ratings.csv", f"{RATINGS}9,A,3\n2,AB,4\n")
    assert refused(*filled(command, folder)).splitlines() == [
        f'{path}:14: system "A" has no translation of segment 9',
        f'{path}:15: system "AB" has no translation in mine de-en; did you mean "B"?',
    ]
    assert "references of 1 segments, 2 judged translations" in run("data", folder).out


def test_judgements_that_compare_nothing(tmp_path):
    path = write(tmp_path / "ranks.csv", f"{FIVE}\nde,en,1,j,A,B,C,D,E,1,-1,-1,-1,-1\n")
    assert "4 translations shown but not ranked (-1) are left out" in run("data", path).err
    words = "the rankings compare nothing: none of them ranks two translations"
    assert refused("data", "systems", path) == words
    assert refused("evaluate", "-m", "bleu", "-j", path) == words
    assert refused("data", "agreement", path) == words
    assert refused("data", "convert", path, "--to", "preferences").startswith("no preference is")


def test_agreement_without_judges(tmp_path):
    path = write(tmp_path / "a.csv", RATINGS)
    assert "ratings, α interval: the judges are not named" in run("data", "agreement", path).out
    path = write(tmp_path / "b.csv", TIES)
    assert "every judgement is a tie" in run("data", "agreement", path).out


def test_judgements_are_no_scores(tmp_path):
    path = write(tmp_path / "a.csv", RATINGS)
    message = refused("evaluate", "-m", path, "-j", path)
    assert message.startswith(f"{path} holds no metric scores, but ratings; scores must")
    scores = score_file(tmp_path / "m")
    assert refused("evaluate", "-m", scores, "-j", scores).startswith("there are no judgements")
