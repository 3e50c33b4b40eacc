"""Good files with small random changes, and random bytes: read, or refused in words."""

import importlib.util
import random
from pathlib import Path

import pytest
from bad_input import (
    RANKINGS,
    RATINGS,
    SYSTEM_RATINGS,
    filled,
    good_folder,
    run,
    score_file,
    score_rows,
    write,
)

from concordant.errors import ConcordantError
from concordant.judgements.detection import formats, read

MUTATIONS = 300


def examples_of_every_format():
    path = Path(__file__).parent / "judgements" / "readers" / "test_all_readers.py"
    spec = importlib.util.spec_from_file_location("examples_of_readers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: text.encode() for name, (_, text) in module.EXAMPLES.items()} | {
        "texts.tsv": b"segment\tsystem\ttext\n1\tA\tone\n1\t_source\teins\n",
        "mine.seg.score": score_rows(("A", 1, 0.5), ("B", 1, 0.25)).encode(),
        "mine.scores": b"0.5\n0.25\n",
        "texts.sgm": b'<tstset setid="t" srclang="de" trglang="en">\n<doc docid="d" sysid="A">\n'
        b'<seg id="1">one</seg>\n<seg id="2">two &amp; three</seg>\n</doc>\n</tstset>\n',
    }


EXAMPLES = examples_of_every_format()
TOKENS = [
    b"", b"\n", b"\r", b",", b"\t", b'"', b"\0", b"\xff", b"nan", b"-1", b"1e999", b"9" * 5000,
    b"\xef\xbb\xbf", b"{", b"}", b"[" * 3000, b"<", b">", b"&", b" ", b"0", b"1e308", b"null",
    "\u2028é".encode(),
]  # fmt: skip


def with_token(content, begin, end, rng):
    return content[:begin] + rng.choice(TOKENS) + content[end:]


def with_repeat(content, begin, end, _rng):
    return content[: end + 5] + content[begin:]


def with_other_byte(content, begin, _end, rng):
    return content[:begin] + rng.randbytes(1) + content[begin + 1 :]


def with_lines_shuffled(content, _begin, _end, rng):
    lines = content.split(b"\n")
    return b"\n".join(rng.sample(lines, len(lines)))


CHANGES = [with_token, with_repeat, with_other_byte, with_lines_shuffled]


def mutated(content, rng):
    for _ in range(rng.randint(1, 4)):
        begin = rng.randrange(len(content) + 1)
        content = rng.choice(CHANGES)(content, begin, begin + rng.choice([0, 1, 3, 10]), rng)
    return content


def readable(path, as_format=None):
    """Whether a path can be read; an error that is none of ours fails the test."""
    try:
        read(path, as_format=as_format)
    except ConcordantError:
        return False
    return True


@pytest.mark.parametrize("name", EXAMPLES)
def test_mutated_files(tmp_path, name):
    rng = random.Random(name)
    path = write(tmp_path / name, EXAMPLES[name])
    assert readable(path)
    for _ in range(MUTATIONS):
        readable(write(path, mutated(EXAMPLES[name], rng)))


def test_random_bytes(tmp_path):
    rng = random.Random(0)
    for name in EXAMPLES:
        for _ in range(20):
            path = write(tmp_path / name, rng.randbytes(rng.randrange(1, 200)))
            assert not readable(path)
            readable(path, as_format=rng.choice(formats()).name)
        path.unlink()


def test_mutated_folders(tmp_path):
    rng = random.Random(0)
    folder = good_folder(tmp_path / "mine" / "de-en")
    files = [path for path in folder.rglob("*") if path.is_file()]
    for _ in range(MUTATIONS):
        path = rng.choice(files)
        good = path.read_bytes()
        readable(write(path, mutated(good, rng)))
        path.write_bytes(good)
    assert readable(folder)


def test_mutated_judgements_are_answered_or_refused_in_words(tmp_path):
    rng = random.Random(0)
    path, metric = tmp_path / "a.csv", score_file(tmp_path / "m")
    for _ in range(60):
        header, *rows = rng.choice([RATINGS, RANKINGS, SYSTEM_RATINGS]).splitlines()
        kept = rng.choices(rows, k=rng.randint(1, len(rows)))
        write(path, "\n".join([header, *kept, ""]).replace("3", rng.choice("1234")))
        asked = [filled(command, path) for command in ("data", "convert", "agreement", "systems")]
        level = rng.choice(["segment", "system"])
        asked.append(["evaluate", "-m", metric, "-j", path, "--level", level, "--resamples", 20])
        for command in asked:
            answer = run(*command)
            assert answer.code == 0 or answer.complaint
