import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import DataError
from concordant.judgements.readers.jsonl import read, write_jsonl
from concordant.records import Collection, Preference, Ranking, Rating

text = st.text()
names = st.text(min_size=1)
numbers = st.floats(min_value=-1e15, max_value=1e15)
wholes = st.integers(min_value=1, max_value=10**9)
maybe_text = st.none() | text
places = st.fixed_dictionaries({"testset": text, "pair": text})
where = st.fixed_dictionaries({"file": text, "line": st.integers()})


@st.composite
def rankings(draw):
    systems = draw(st.lists(names, unique=True, max_size=5))
    ranks = [draw(wholes) for _ in systems]
    return Ranking(
        **draw(places),
        segment=draw(wholes),
        systems=tuple(systems),
        ranks=tuple(ranks),
        judge=draw(maybe_text),
        group=draw(maybe_text),
        **draw(where),
    )


@st.composite
def preferences(draw):
    better, worse = draw(st.lists(names, unique=True, min_size=2, max_size=2))
    return Preference(
        **draw(places),
        segment=draw(wholes),
        better=better,
        worse=worse,
        tie=draw(st.booleans()),
        count=draw(wholes),
        judge=draw(maybe_text),
        **draw(where),
    )


@st.composite
def ratings(draw):
    return Rating(
        **draw(places),
        system=draw(names),
        segment=draw(st.none() | wholes),
        score=draw(numbers),
        raw=draw(st.none() | numbers),
        count=draw(wholes),
        judge=draw(maybe_text),
        extra=tuple(draw(st.lists(st.tuples(text, text), max_size=3))),
        **draw(where),
    )


def written(collection):
    stream = io.StringIO()
    write_jsonl(collection, stream)
    return stream.getvalue()


@given(st.lists(rankings()), st.lists(preferences()), st.lists(ratings(), min_size=1))
def test_what_is_written_is_read_again(tmp_path_factory, ranked, preferred, rated):
    collection = Collection(
        rankings=tuple(ranked), preferences=tuple(preferred), ratings=tuple(rated)
    )
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    path.write_bytes(written(collection).encode())
    assert read(path) == collection
    assert [each.line for each in read(path).ratings][-1] == len(ranked + preferred + rated)


def test_defaults_and_places_are_not_written():
    rating = Rating("", "de-en", "A", None, 1.0, file="x", line=3)
    preference = Preference("", "", 1, "Ä", "B", tie=True)
    lines = written(Collection(preferences=(preference,), ratings=(rating,))).splitlines()
    assert lines == [
        (
            '{"record": "preference", "testset": "", "pair": "", "segment": 1, '
            '"better": "Ä", "worse": "B", "tie": true}'
        ),
        (
            '{"record": "rating", "testset": "", "pair": "de-en", "system": "A", '
            '"segment": null, "score": 1.0}'
        ),
    ]


def test_a_whole_number_is_a_score_too(tmp_path):
    path = write(tmp_path, rating(score=1, raw=2))
    assert repr(read(path).ratings[0].score) == "1.0"
    assert repr(read(path).ratings[0].raw) == "2.0"


def rating(**changes):
    values = {"record": "rating", "testset": "", "pair": "", "system": "A", "segment": 1}
    return json.dumps({**values, "score": 0.5, **changes})


def ranking(**changes):
    values = {"record": "ranking", "testset": "", "pair": "", "segment": 1}
    return json.dumps({**values, "systems": ["A", "B"], "ranks": [1, 2], **changes})


def preference(**changes):
    values = {"record": "preference", "testset": "", "pair": "", "segment": 1}
    return json.dumps({**values, "better": "A", "worse": "B", **changes})


def write(folder, *lines):
    path = folder / "judgements.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("[1]", "is not a JSON object {…}"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"record": "rating", "record": "rating"}', "key record appears more than once"),
        ("{}", "record must be one of ranking, preference, rating, not null"),
        (
            rating(record="ratings"),
            (
                'record must be one of ranking, preference, rating, not "ratings"; '
                'did you mean "rating"?'
            ),
        ),
        (
            rating(record=["rating"]),
            'record must be one of ranking, preference, rating, not ["rating"]',
        ),
        (rating(scor=1), 'a rating has no key "scor"; did you mean "score"?'),
        (rating(line=1), 'a rating has no key "line"'),
        (preference(ties=True), 'a preference has no key "ties"; did you mean "tie"?'),
        (
            '{"record": "rating", "pair": ""}',
            "a rating needs the key testset, system, segment, score",
        ),
        (rating(score="1"), 'score must be a finite number, at most ±1e+15, not "1"'),
        (rating(score=True), "score must be a finite number, at most ±1e+15, not true"),
        (rating(score=None), "score must be a finite number, at most ±1e+15, not null"),
        (rating(score=10**400), f"score must be a finite number, at most ±1e+15, not 1{'0' * 39}…"),
        (
            rating().replace("0.5", "1e999"),
            "score must be a finite number, at most ±1e+15, not Infinity",
        ),
        (rating(score=float("nan")), "NaN is not a finite number"),
        (rating(raw=float("-inf")), "-Infinity is not a finite number"),
        (
            rating(segment=0),
            "segment must be a line number from 1 to 1,000,000,000,000,000, or null, not 0",
        ),
        (rating(system=""), 'system must be a name, not ""'),
        (rating(count=1.5), "count must be a whole number from 1 to 1,000,000,000, not 1.5"),
        (rating(extra={"a": "b"}), 'extra must be a list of pairs of strings, not {"a": "b"}'),
        (rating(extra=[["a"]]), 'extra must be a list of pairs of strings, not [["a"]]'),
        (rating(judge=3), "judge must be a string or null, not 3"),
        (
            preference(segment=None),
            "segment must be a line number from 1 to 1,000,000,000,000,000, not null",
        ),
        (preference(tie="no"), 'tie must be true or false, not "no"'),
        (preference(worse="A"), "better and worse are the same system A"),
        (ranking(ranks=[1]), "2 systems but 1 ranks"),
        (
            ranking(ranks=[0, 1]),
            "ranks must be a list of whole numbers from 1 to 1,000,000,000, not [0, 1]",
        ),
        (ranking(systems=["A", "A"]), "a system is ranked twice in one ranking"),
        (ranking(systems="AB"), 'systems must be a list of names, not "AB"'),
    ],
)
def test_faults(tmp_path, line, message):
    path = write(tmp_path, rating(), "", line)
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == f"{path}:3: {message}"


def test_half_a_surrogate_pair_is_no_text(tmp_path):
    path = write(tmp_path, rating(system="\ud800"))
    with pytest.raises(DataError, match="1: system must be a name, not "):
        read(path)
