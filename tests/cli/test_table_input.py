"""Tables end to end: the same scores as of plain files, in every form, and scores as columns."""

import csv
import json
import lzma
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bad_input import run, write

from concordant.scoring.tables import scored_table

EXAMPLES = Path(__file__).parents[2] / "examples" / "de-en"
NAMES = ("alder", "birch", "cedar")


def lines(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


FILES = [EXAMPLES / "systems" / f"{name}.txt" for name in NAMES]
SYSTEMS = {name: lines(f"systems/{name}.txt") for name in NAMES}
SOURCE, REFERENCE, SECOND = map(lines, ("source.txt", "reference-1.txt", "reference-2.txt"))
PLAIN = ["-r", EXAMPLES / "reference-1.txt", "-s", EXAMPLES / "source.txt"]
NOTE = 'kept, "as it\nis"'
LONG = [
    {"seg_id": i + 1, "system": name, "Source": SOURCE[i], "reference": REFERENCE[i],
     "hyp": SYSTEMS[name][i], "note": NOTE}
    for i in range(60) for name in NAMES
]  # fmt: skip
WIDE = [
    {"id": i + 1, "src": SOURCE[i], "ref1": REFERENCE[i], "ref2": SECOND[i], "note": NOTE,
     **{f"mt_{name}": SYSTEMS[name][i] for name in NAMES}}
    for i in range(60)
]  # fmt: skip
KINDS = ("csv", "tsv", "jsonl", "parquet")


def table(path, rows):
    """The rows as a table of the kind that the path's ending says."""
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=17)
    elif path.suffix == ".jsonl":
        write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    elif path.suffix == ".tsv":
        plain = [{k: str(v).replace("\n", " ") for k, v in row.items()} for row in rows]
        content = ["\t".join(rows[0]), *("\t".join(row.values()) for row in plain)]
        write(path, "\n".join([*content, ""]))
    else:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return path


def read(path):
    """The rows of a table, as another program reads them."""
    if path.suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".tsv":
        header, *rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
        return [dict(zip(header, row, strict=True)) for row in rows]
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def segment_scores(*more):
    """The scores of plain files, by system and segment."""
    answer = run("score", *PLAIN, *FILES, "--level", "segment", "--format", "jsonl", "-q", *more)
    rows = [json.loads(line) for line in answer.out.splitlines()]
    return {(row["system"], row["segment"]): row for row in rows}


@pytest.mark.parametrize("kind", KINDS)
def test_systems_of_a_table_score_as_their_files(tmp_path, kind):
    asked = ["-m", "BLEU,chrf,fast", "--format", "json", "-q"]
    found = json.loads(run("score", table(tmp_path / f"x.{kind}", LONG), *asked).out)
    assert found == json.loads(run("score", *PLAIN, *FILES, *asked).out)
    wide = run("score", table(tmp_path / f"y.{kind}", WIDE), *asked).out
    second = ["-r", EXAMPLES / "reference-2.txt"]
    assert json.loads(wide) == json.loads(run("score", *PLAIN, *second, *FILES, *asked).out)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_become_columns(tmp_path, kind):
    path, out = table(tmp_path / f"x.{kind}", LONG), tmp_path / f"out.{kind}"
    answer = run("score", path, "-m", "chrf,ter", "-o", out, "--batch", 7)
    assert answer.code == 0, answer
    assert "nrefs:1|metric:chrf|" in answer.err
    before, after, wanted = read(path), read(out), segment_scores("-m", "chrf,ter")
    assert list(after[0]) == [*before[0], "chrf", "ter", "flags"]
    for old, new in zip(before, after, strict=True):
        assert {name: new[name] for name in old} == old
        row = wanted[new["system"], int(new["seg_id"])]
        assert (float(new["chrf"]), float(new["ter"])) == (row["chrf"], row["ter"])
        assert new["flags"].split() == row["flags"]


def test_every_column_of_translations_gets_its_own(tmp_path):
    path, out = table(tmp_path / "x.csv", WIDE), tmp_path / "out.csv"
    assert run("score", path, "-m", "chrf", "--columns", "ref=ref1", "-o", out).code == 0
    rows, wanted = read(out), segment_scores("-m", "chrf")
    assert list(rows[0])[-6:] == [
        f"{what} {name}" for name in NAMES for what in ("chrf", "flags")
    ]  # fmt: skip
    for i, row in enumerate(rows, 1):
        for name in NAMES:
            assert float(row[f"chrf {name}"]) == wanted[name, i]["chrf"]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_rows_stream_to_standard_output_as_to_a_file(tmp_path, kind):
    path, out = table(tmp_path / f"x.{kind}", LONG), tmp_path / f"out.{kind}"
    run("score", path, "-m", "chrf", "-o", out, "-q")
    streamed = run("score", path, "-m", "chrf", "--level", "segment", "-q").out
    assert streamed == out.read_text(encoding="utf-8")
    originals = path.read_text(encoding="utf-8").split("\n")
    if kind == "tsv":
        assert all(b.startswith(a) for a, b in zip(originals, streamed.split("\n"), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupted_table_is_resumed_to_the_same_bytes(tmp_path, monkeypatch, kind):
    path = table(tmp_path / f"x.{kind}", LONG)
    whole, broken = tmp_path / f"whole.{kind}", tmp_path / f"broken.{kind}"
    asked = ["score", path, "-m", "chrf,bleu", "-q"]
    assert run(*asked, "-o", whole).code == 0
    complete, rng = scored_table.score_rows, random.Random(0)
    for blocks in (0, 1, 3, 9):

        def interrupted(*arguments, left=blocks, **options):
            for i, block in enumerate(complete(*arguments, **options)):
                if i == left:
                    raise KeyboardInterrupt
                yield block

        with monkeypatch.context() as patch:
            patch.setattr(scored_table, "score_rows", interrupted)
            assert run(*asked, "-o", broken, "--batch", 10).code == 130
        assert not broken.exists()
        part = tmp_path / f"broken.{kind}.part"
        content = part.read_bytes()
        part.write_bytes(content[: rng.randint(0, len(content))])  # what a crash may leave
        assert run(*asked, "-o", broken, "--batch", 13, "--resume").code == 0
        assert broken.read_bytes() == whole.read_bytes()
        assert sorted(each.name for each in tmp_path.glob("broken*")) == [broken.name]
        broken.unlink()


def test_only_the_same_table_is_resumed(tmp_path, monkeypatch):
    path, out = table(tmp_path / "x.csv", LONG), tmp_path / "out.csv"
    complete = scored_table.score_rows

    def interrupted(*arguments, **options):
        yield next(complete(*arguments, **options))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(scored_table, "score_rows", interrupted)
        run("score", path, "-m", "chrf", "-o", out, "--batch", 10)
    answer = run("score", path, "-m", "bleu", "-o", out, "--resume")
    assert "was started with other metrics" in answer.complaint
    answer = run("score", path, "-m", "chrf", "--columns", "mt=note", "-o", out, "--resume")
    assert "was started with other columns" in answer.complaint
    table(path, [{**row, "hyp": "else"} for row in LONG])
    answer = run("score", path, "-m", "chrf", "-o", out, "--resume")
    assert "was started with other contents of the files" in answer.complaint


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_systems_of_a_table_are_compared_as_their_files(tmp_path, command):
    asked = ["-m", "chrf", "--format", "json"]
    plain = json.loads(run(command, *PLAIN, *FILES, *asked).out)
    shuffled = random.Random(0).sample(LONG, len(LONG))
    first = sorted(shuffled, key=lambda row: (NAMES.index(row["system"]), row["seg_id"]))
    for rows in (LONG, first):
        assert json.loads(run(command, table(tmp_path / "x.csv", rows), *asked).out) == plain
    mixed = json.loads(run(command, table(tmp_path / "x.jsonl", shuffled), *asked).out)
    wide = json.loads(
        run(command, table(tmp_path / "x.csv", WIDE), "--columns", "ref=ref1", *asked).out
    )
    assert wide == plain
    key = "ranking" if command == "compare" else "records"
    score = {row["system"]: row["score"] for row in plain[key]}
    for row in mixed[key]:
        assert row["score"] == pytest.approx(score[row["system"]])


def test_documents_come_from_a_column(tmp_path):
    names = lines("documents.txt")
    rows = [{**row, "doc": names[row["seg_id"] - 1]} for row in LONG]
    asked = ["-m", "chrf", "--format", "json"]
    plain = run("compare", *PLAIN, *FILES, *asked, "--documents", EXAMPLES / "documents.txt")
    assert json.loads(run("compare", table(tmp_path / "x.csv", rows), *asked).out) == json.loads(
        plain.out
    )


def test_the_language_comes_from_a_column(tmp_path):
    rows = [{**row, "lp": "en-de"} for row in LONG]
    found = run("score", table(tmp_path / "x.csv", rows), "--format", "json", "-q").out
    assert "fast-any" in json.loads(found)["records"][0]


def test_packed_tables_and_semicolons(tmp_path):
    path = table(tmp_path / "x.csv", LONG)
    wanted = run("score", path, "-m", "chrf", "-b").out
    packed = write(tmp_path / "y.csv.xz", lzma.compress(path.read_bytes()))
    assert run("score", packed, "-m", "chrf", "-b").out == wanted
    with (tmp_path / "z.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(LONG[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(LONG)
    assert run("score", tmp_path / "z.csv", "-m", "chrf", "-b").out == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_from_standard_input_scores_as_from_its_file(tmp_path, kind):
    path, asked = table(tmp_path / f"x.{kind}", LONG), ("-m", "chrf", "--format", "json")
    command = [sys.executable, "-m", "concordant", "score", "-", *asked]
    with path.open("rb") as stream:
        piped = subprocess.run(command, stdin=stream, capture_output=True, check=True)
    assert json.loads(piped.stdout) == json.loads(run("score", path, *asked).out)


def test_an_empty_table_from_standard_input_is_refused():
    command = [sys.executable, "-m", "concordant", "score", "-", "-m", "chrf"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert answer.returncode == 1
    assert b"standard input is empty" in answer.stderr


@pytest.mark.parametrize("level", ["system", "segment"])
def test_explanations_of_a_table_are_those_of_its_files(tmp_path, level):
    path = table(tmp_path / "x.csv", LONG)
    asked = ["-m", "fast", "--explain", "--level", level, "--format", "jsonl", "-q"]
    assert run("score", path, *asked).out == run("score", *PLAIN, *FILES, *asked).out
