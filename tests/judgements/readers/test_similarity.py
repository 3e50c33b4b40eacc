import pytest

from concordant.errors import DataError
from concordant.judgements.readers.similarity import read_sick, read_sts
from concordant.records import Rating

SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    '7\tA dog "runs"\tA cat sits\t2.5\tNEUTRAL\n'
    "9\tIt rains\tIt is raining\t5\tENTAILMENT\n"
)
STS = (
    'main-news\tfile\t2012test\t0024\t2.500\tShe said "no\tShe said yes\n'
    "main-forum\tfile\t2016\t0025\t0\tA\tB\tlicence\tsource\n"
)


def write(folder, text, name):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_sick(tmp_path):
    collection = read_sick(write(tmp_path, SICK, "SICK_mine.txt"))
    assert collection.ratings == (
        Rating(
            "SICK_mine",
            "en-en",
            "sentence-b",
            1,
            2.5,
            extra=(("pair_ID", "7"), ("entailment_judgment", "NEUTRAL")),
        ),
        Rating(
            "SICK_mine",
            "en-en",
            "sentence-b",
            2,
            5.0,
            extra=(("pair_ID", "9"), ("entailment_judgment", "ENTAILMENT")),
        ),
    )
    (texts,) = collection.testsets
    assert (texts.name, texts.pair, texts.source) == ("SICK_mine", "en-en", {})
    assert texts.references == {"sentence-a": {1: 'A dog "runs"', 2: "It rains"}}
    assert texts.translations == {"sentence-b": {1: "A cat sits", 2: "It is raining"}}


def test_sts(tmp_path):
    collection = read_sts(write(tmp_path, STS, "sts-mine.csv"))
    known = (("genre", "main-news"), ("file", "file"), ("year", "2012test"), ("id", "0024"))
    assert collection.ratings[0] == Rating("sts-mine", "en-en", "sentence-b", 1, 2.5, extra=known)
    assert collection.ratings[1].extra[4:] == (("column8", "licence"), ("column9", "source"))
    (texts,) = collection.testsets
    assert texts.references == {"sentence-a": {1: 'She said "no', 2: "A"}}
    assert texts.translations == {"sentence-b": {1: "She said yes", 2: "B"}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\ta\tb\t0.9\tX", 'relatedness_score "0.9" is not from 1 to 5'),
        ("1\ta\tb\t5.1\tX", 'relatedness_score "5.1" is not from 1 to 5'),
        ("1\ta\tb\tX\t3", 'relatedness_score "X" is not a finite number'),
        ("1\ta\t\t3\tX", "sentence_B is empty"),
        ("1\ta\tb\t3", "4 fields, but 5 are needed"),
    ],
)
def test_faults_of_sick(tmp_path, row, message):
    path = write(tmp_path, f"{SICK}{row}\n", "SICK_mine.txt")
    with pytest.raises(DataError) as caught:
        read_sick(path)
    assert str(caught.value) == f"{path}:4: {message}"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("g\tf\t2012\t1\t-0.1\ta\tb", 'score "-0.1" is not from 0 to 5'),
        ("g\tf\t2012\t1\t5.5\ta\tb", 'score "5.5" is not from 0 to 5'),
        ("g\tf\t2012\t1\ta\t3\tb", 'score "a" is not a finite number'),
        ("g\tf\t2012\t1\t3\t \tb", "sentence1 is empty"),
        ("g\tf\t2012\t1\t3\ta", "6 fields, but at least 7 are needed"),
    ],
)
def test_faults_of_sts(tmp_path, row, message):
    path = write(tmp_path, f"{STS}{row}\n", "sts-mine.csv")
    with pytest.raises(DataError) as caught:
        read_sts(path)
    assert str(caught.value) == f"{path}:3: {message}"


@pytest.mark.data
@pytest.mark.parametrize(
    ("read", "file", "ratings"),
    [
        (read_sick, "SICK_train.txt", 4_500),
        (read_sick, "SICK_trial.txt", 500),
        (read_sick, "SICK_test_annotated.txt", 4_927),
        (read_sts, "sts-train.csv", 5_749),
        (read_sts, "sts-dev.csv", 1_500),
        (read_sts, "sts-test.csv", 1_379),
    ],
)
def test_real_files(data, read, file, ratings):
    assert len(read(data / "similarity" / file).ratings) == ratings
