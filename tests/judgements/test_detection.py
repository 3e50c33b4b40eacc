"""What a path looks like, and why; folders read whole, with notes on what was left."""

import pytest

from concordant.errors import DataError, SpecError
from concordant.judgements.detection import detect, format_named, read, scan

PAIRS = "lp,segment,better,worse\nde-en,1,a,b\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_detection_gives_its_reason(tmp_path):
    path = write(tmp_path / "pairs.csv", PAIRS)
    assert str(detect(path)).endswith(
        "pairs.csv: looks like judged pairs because its header has segment, better and worse"
    )


def test_a_refusal_lists_what_would_have_been_taken(tmp_path):
    path = write(tmp_path / "x.csv", "a,b\n1,2\n")
    with pytest.raises(DataError, match="matches none of the known formats: wmt-rankings"):
        detect(path)


def test_a_format_can_be_forced_and_must_exist(tmp_path):
    path = write(tmp_path / "pairs.csv", PAIRS)
    assert len(read(path, as_format="judged-pairs").preferences) == 1
    with pytest.raises(SpecError, match=r'format "judged-pair" .* did you mean "judged-pairs"'):
        format_named("judged-pair")


def test_a_folder_is_read_whole_and_the_rest_is_named(tmp_path):
    write(tmp_path / "judgements" / "pairs.csv", PAIRS)
    write(tmp_path / "notes.xyz", "nothing known\n")
    write(tmp_path / "README.md", "words\n")
    write(tmp_path / ".hidden", "words\n")
    collection = read(tmp_path)
    assert len(collection.preferences) == 1
    (note,) = collection.notes
    assert note == (
        f"{tmp_path}: files left out: 1 of no known format; "
        f"to list them: concordant data {tmp_path} --why"
    )
    assert list(map(str, collection.left_out)) == [
        f"{tmp_path}/notes.xyz: left out, of no known format"
    ]


def test_a_texts_folder_and_its_judgements_meet(tmp_path):
    folder = tmp_path / "mine" / "de-en"
    write(folder / "source.txt", "eins\n")
    write(folder / "reference.txt", "one\n")
    write(folder / "systems" / "a.txt", "one\n")
    write(folder / "systems" / "b.txt", "won\n")
    write(folder / "pairs.csv", PAIRS)
    assert {found.format.name for found in scan(tmp_path)} == {"text-folder", "judged-pairs"}
    collection = read(tmp_path)
    assert collection.preferences[0].testset == "mine"
    assert collection.testsets[0].translations == {"a": {1: "one"}, "b": {1: "won"}}


def test_a_path_that_is_not_there_and_a_folder_with_nothing(tmp_path):
    with pytest.raises(DataError, match="there is no such file or folder; check the path"):
        read(tmp_path / "absent")
    with pytest.raises(DataError, match="holds no file of a known format"):
        read(tmp_path)


def test_a_long_file_is_told_by_its_beginning(tmp_path):
    path = write(tmp_path / "pairs.csv", PAIRS + "de-en,2,ä,ö\n" * 60_000)
    assert path.stat().st_size > 1 << 19
    assert detect(path).format.name == "judged-pairs"
    assert len(read(path).preferences) == 60_001
