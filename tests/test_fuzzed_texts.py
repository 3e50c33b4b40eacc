"""1,000 odd requests to `score` and `compare`: answered, or refused in words; never a traceback."""

import gzip
import json
import random
from collections import Counter

import pytest
from attack_bundles import hash_again
from bad_input import run, write
from small_metrics import lexical_metric
from test_fuzzed_input import mutated

from concordant.metrics.bundle import MANIFEST, WEIGHTS, save

REQUESTS, PARTS = 1000, 4
LINES = [
    "A small house stands by the river.", "", "It rained all day.", "他是学生。", "<b>&amp;</b>",
    "\u202eright to left", "e\u0301", "word " * 300, "\x00\x01\x1f", "nan", "-1e999", "\ud7ff",
    "a\tb", "\u2028", "🙂" * 20, "ha " * 40, "Es war nicht das erste Mal, dass er zu spät kam.",
]  # fmt: skip
METRICS = [
    "chrf", "bleu", "ter", "nist", "chrf++", "rouge-l", "rouge-s", "wer", "per", "character",
    "meteor(modules=exact)", "bleu(tok=intl)", "bleu(tok=)", "chrf(", "", " ", "blue", "(", ")",
    "bleu(smooth=none)", "length", "ngrams(chars,1-2)", "..", "/", "\x00", "bundle", "bundle/",
    "chrf(beta=3,nc=1)", "tokens(nothing)", "sentence(", "vectors(a,b,c)",
]  # fmt: skip


def texts(rng, lines):
    return ("\n".join(rng.choice(LINES) for _ in range(lines)) + "\n").encode()


def spoilt(rng, content):
    """A file's bytes, whole or spoilt in some way."""
    way = rng.randrange(8)
    if way == 0:
        return mutated(content, rng)
    if way == 1:
        return gzip.compress(content)[: rng.randrange(10, 60)]
    if way == 2:
        packed = bytearray(gzip.compress(content))
        packed[rng.randrange(2, len(packed))] ^= 1 << rng.randrange(8)
        return bytes(packed)
    if way == 3:
        return content.decode().encode(rng.choice(["utf-16", "utf-32", "utf-8-sig"]))
    if way == 4:
        return rng.randbytes(rng.randrange(0, 80))
    return content


@pytest.fixture
def places(tmp_path):
    """Files to be spoilt, a folder, a missing file, and a metric that is whole or damaged."""
    save(lexical_metric(features="chrf length"), tmp_path / "bundle")
    (tmp_path / "folder").mkdir()
    return tmp_path


def damaged(rng, folder):
    """Spoil a bundle, now and then so that its hashes still hold; or mend it."""
    save(lexical_metric(features="chrf length"), folder)
    name = rng.choice([MANIFEST, WEIGHTS, None, None])
    if name is None:
        return
    path = folder / name
    path.write_bytes(mutated(path.read_bytes(), rng))
    if name == WEIGHTS:
        hash_again(folder)


def options(rng, form):
    some = [
        ["--format", form], ["-nr", rng.choice("012x")], ["-l", rng.choice(["de-en", "", "xx-"])],
        ["--threads", rng.choice("012")], ["-q"], ["--level", "segment"], ["--batch", "2"],
        ["--explain"], ["--resume"], ["--documents", "{src}"], ["-s", "{src}"], ["--seed", "7"],
        ["--html", "{page}"], ["--segments", "2"], ["--nonsense"], ["-o", "{out}"],
    ]  # fmt: skip
    return [part for option in rng.sample(some, rng.randint(0, 4)) for part in option]


def request(rng, places):
    """A random request, and the form it asks for."""
    lines = rng.choice([1, 2, 5])
    for name in ("a", "b", "ref", "src"):
        sizes = lines + (rng.random() < 0.05)
        content = texts(rng, sizes)
        if rng.random() < 0.9:
            content = content.replace(b"\0", b"")  # which is always refused
        write(places / name, spoilt(rng, content) if rng.random() < 0.25 else content)
    if rng.random() < 0.2:
        damaged(rng, places / "bundle")
    files = [str(places / name) for name in ("a", "b")]
    if rng.random() < 0.1:
        files[1] = str(places / rng.choice(["folder", "missing", "a", ""]))
    form = rng.choice(["table", "tsv", "json", "jsonl"])
    metrics = [rng.choice(METRICS) if rng.random() < 0.5 else "chrf"]
    metrics = [str(places / each) if each.startswith("bundle") else each for each in metrics]
    names = {"src": places / "src", "page": places / "page.html", "out": places / "out"}
    more = [each.format(**names) for each in options(rng, form)]
    start = ["score", "-t", files[0], "-t", files[1]]
    if rng.random() < 0.4:
        start = ["compare", *files, "--resamples", "100", "--permutations", "100"]
    return [*start, "-r", str(places / "ref"), "-m", *metrics, *more], form


@pytest.mark.parametrize("part", range(PARTS))
def test_odd_requests_are_answered_or_refused_in_words(places, part):
    rng = random.Random(part)
    codes = Counter()
    for _ in range(REQUESTS // PARTS):
        asked, form = request(rng, places)
        answer = run(*asked)
        codes[answer.code] += 1
        assert answer.code in {0, 1, 2}, (asked, answer)
        assert "Traceback" not in answer.err, (asked, answer.err)
        if answer.code == 1:
            assert answer.complaint
        elif answer.code == 2:
            assert "Error: " in answer.err
        elif form == "json" and "--format" in asked and "-o" not in asked:
            json.loads(answer.out, parse_constant=lambda name: pytest.fail(f"{name} in json"))
    assert min(codes[0], codes[1]) > 20, codes  # both kinds were tried
