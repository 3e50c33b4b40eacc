"""Lessons for the encoders, from the judgements that CONCORDANT_DATA names.

    python shipping/encoder_lessons.py FOLDER

Writes texts.npz (token ids and surfaces of every text) and, for each source, NAME.jsonl with one
lesson a line. Nothing is split here: who trains chooses sources, and segments by their names.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.judgements.detection import read
from concordant.judgements.judged_set import JudgedSet
from concordant.models.encoder.damage import damages
from concordant.models.encoder.texts import read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 5  # translations of a lesson
LOWEST = -25.0  # MQM: a translation that is nothing but errors
GAPS = {"mqm": 2.0, "da2": 0.6}  # how far apart ratings make a pair
RANKED = {
    "rr13": ("wmt13", "preferences"),
    "rr15": ("wmt15", "rankings"),
    "rr16": ("wmt16", "rankings"),
    "rr12": ("wmt12", "rankings"),
    "rr14": ("wmt14", "preferences"),
}
MODERN = {
    "mqm20": "modern/mqm20/mqm20.zh-en.csv.gz",
    "mqm21": "modern/mqm21/mqm21.zh-en.csv.gz",
    "mqm21ted": "modern/mqm21ted/mqm21ted.zh-en.csv.gz",
    "da20": "modern/da20/da20.zh-en.csv.gz",
}
CONTRAST = ("wmt21cs.zh-en", "menliadv.de-en.xpaws", "menliadv.fr-en.xpaws", "menliadv.zh-en.xpaws")
UNJUDGED = ("cs", "de", "ha", "is", "ja", "ru", "zh")


class Texts:
    """Numbers of texts."""

    def __init__(self) -> None:
        """No texts yet."""
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """A text's number."""
        return self.numbers.setdefault(text.lstrip("\ufeff").strip(), len(self.numbers))


def ranked(folder: Path, kind: str, texts: Texts, whole: bool) -> Iterator[dict[str, Any]]:
    """Lessons of rankings: groups of translations with many judged pairs among them."""
    judged = JudgedSet.of(read(folder), kind, language_pairs=["*-en"]).pairs()
    pairs = judged if whole else judged.majority()
    segments: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for better, worse in zip(pairs.better.tolist(), pairs.worse.tolist(), strict=True):
        segments[pairs.places[better]].append((better, worse))
    for place, found in segments.items():
        rows = sorted({row for pair in found for row in pair})
        groups = [(rows, found)] if whole else _groups(found)
        for members, inside in groups:
            at = {row: i for i, row in enumerate(members)}
            yield {
                "segment": "/".join(map(str, (folder.name, place[0], place[2]))),
                "references": [texts.number(each) for each in pairs.references[members[0]]],
                "translations": [texts.number(pairs.translations[row]) for row in members],
                "pairs": [[at[b], at[w]] for b, w in inside],
            }


def _groups(found: list[tuple[int, int]]) -> Iterator[tuple[list[int], list[tuple[int, int]]]]:
    """Groups of up to MOST that hold every pair once, many pairs to a group."""
    left = set(found)
    while left:
        degree = Counter(row for pair in left for row in pair)
        group = [max(degree, key=lambda row: (degree[row], -row))]
        while len(group) < MOST:
            near = Counter()
            for b, w in left:
                if (b in group) != (w in group):
                    near[w if b in group else b] += 1
            if not near:
                break
            group.append(max(near, key=lambda row: (near[row], -row)))
        inside = sorted(pair for pair in left if pair[0] in group and pair[1] in group)
        left -= set(inside)
        members = sorted({row for pair in inside for row in pair})
        yield members, inside


def rated_da(folder: Path, texts: Texts) -> Iterator[dict[str, Any]]:
    """One lesson a rated translation, standardised by language pair."""
    rated = JudgedSet.of(read(folder), "ratings", language_pairs=["*-en"]).rated()
    lps = np.array([place[0] for place in rated.places])
    for lp in sorted(set(lps)):
        rows = np.flatnonzero(lps == lp)
        scores = rated.ratings[rows]
        z = (scores - scores.mean()) / scores.std()
        for row, value, raw in zip(rows, z, scores, strict=True):
            yield {
                "segment": f"{folder.name}/{lp}/{rated.places[row][2]}",
                "references": [texts.number(each) for each in rated.references[row]],
                "translations": [texts.number(rated.translations[row])],
                "ratings": [float(value)],
                "raw": [float(raw)],
            }


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a gzipped csv."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rated_csv(name: str, path: Path, texts: Texts, whole: bool) -> Iterator[dict[str, Any]]:
    """Lessons of rated translations of a segment; ratings well apart are pairs too."""
    rows = rows_of(path)
    scores = np.array([max(float(row["score"]), LOWEST) for row in rows])
    z = (scores - scores.mean()) / scores.std()
    segments: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        segments[row["segment"] + row["ref"]].append(i)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for members in segments.values():
        order = rng.permutation(members).tolist()
        count = 1 if whole else -(-len(order) // MOST)
        for group in np.array_split(order, count):
            chosen = [rows[i] for i in group]
            gap = GAPS[name[:3]]
            apart = [
                [a, b]
                for a, i in enumerate(group)
                for b, j in enumerate(group)
                if scores[i] - scores[j] >= gap
            ]
            first = chosen[0]
            references = [first[k] for k in ("ref", "ref2", "ref3", "ref4") if first.get(k)]
            yield {
                "segment": f"{name}/{first['lp']}/{first['segment']}",
                "references": [texts.number(each) for each in references],
                "translations": [texts.number(row["mt"]) for row in chosen],
                "systems": [row["system"] for row in chosen],
                "ratings": z[group].tolist(),
                "raw": [float(row["score"]) for row in chosen],
                "pairs": apart,
            }


def contrast(data: Path, texts: Texts) -> Iterator[dict[str, Any]]:
    """Good above bad; `seen` marks segments that MQM 2021 tests."""
    seen = {row["src"] for row in rows_of(data / MODERN["mqm21"])}
    for name in CONTRAST:
        for row in rows_of(data / "modern" / "contrast" / f"{name}.csv.gz"):
            yield {
                "segment": f"{name}/{zlib.crc32(row['ref'].encode()):08x}",
                "references": [texts.number(row["ref"])],
                "translations": [texts.number(row["good"]), texts.number(row["bad"])],
                "pairs": [[0, 1]],
                "category": row["category"],
                "seen": row["src"] in seen,
            }


def damaged(
    given: Iterable[tuple[str, str, str]], texts: Texts, seed: int
) -> Iterator[dict[str, Any]]:
    """Of each (segment, reference, translation): the translation above damaged texts."""
    rng = np.random.default_rng(seed)
    for segment, reference, translation in given:
        found = damages(translation, reference, rng)
        if not found:
            continue
        group = [translation, *(text for _, text, _ in found)]
        depth = [0, *(level for _, _, level in found)]
        yield {
            "segment": segment,
            "references": [texts.number(reference)],
            "translations": [texts.number(each) for each in group],
            "pairs": [
                [i, j] for i in range(len(group)) for j in range(len(group)) if depth[i] < depth[j]
            ],
            "kinds": ["", *(kind for kind, _, _ in found)],
        }


def unjudged(data: Path, lp: str, texts: Texts) -> Iterator[dict[str, Any]]:
    """Translations of 2021 without their ratings."""
    segments: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(data / "da21" / f"da21.{lp}-en.csv.gz"):
        segments[row["segment"] + row["ref"]].append(row)
    for members in segments.values():
        found = list(dict.fromkeys(row["mt"] for row in members))
        yield {
            "segment": f"da21/{lp}-en/{members[0]['segment']}",
            "references": [texts.number(members[0]["ref"])],
            "translations": [texts.number(each) for each in found],
        }


def sources(data: Path, texts: Texts) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """All sources by name."""
    made: dict[str, list[dict[str, Any]]] = {}
    for name, (folder, kind) in RANKED.items():
        made[name] = list(ranked(data / folder, kind, texts, name in ("rr12", "rr14")))
        yield name, made[name]
    for name in ("da15", "da16"):
        yield name, list(rated_da(data / name, texts))
    for name, path in MODERN.items():
        made[name] = list(rated_csv(name, data / path, texts, name in ("mqm21", "mqm21ted")))
        yield name, made[name]
    yield "contrast", list(contrast(data, texts))
    back = {number: text for text, number in texts.numbers.items()}
    for year in ("13", "15", "16"):
        given = [
            (
                each["segment"],
                back[each["references"][0]],
                back[each["translations"][each["pairs"][0][0]]],
            )
            for each in made[f"rr{year}"]
        ]
        chosen = np.random.default_rng(int(year)).permutation(len(given))[:6000]
        yield f"damaged{year}", list(damaged([given[i] for i in chosen], texts, int(year)))
    for name in ("mqm20",):
        given = []
        for each in made[name]:
            best = int(np.argmax(each["raw"]))
            if each["raw"][best] > -2:
                given.append((
                    each["segment"],
                    back[each["references"][0]],
                    back[each["translations"][best]],
                ))
        yield f"damaged{name}", list(damaged(given, texts, 20))
    for lp in UNJUDGED:
        yield f"unjudged21{lp}", list(unjudged(data, lp, texts))


def main(folder: Path) -> None:
    """Write everything."""
    data, texts = Path(os.environ["CONCORDANT_DATA"]), Texts()
    folder.mkdir(parents=True, exist_ok=True)
    for name, lessons in sources(data, texts):
        lines = [json.dumps(each) for each in lessons]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        count = sum(len(each["translations"]) for each in lessons)
        print(
            name,
            len(lessons),
            count,
            sum(len(e.get("pairs", ())) for e in lessons),
            file=sys.stderr,
        )
    pieces = read_pieces(list(texts.numbers))
    np.savez(folder / "texts.npz", ids=pieces.ids, surfaces=pieces.surfaces, starts=pieces.starts)
    (folder / "texts.txt").write_text(
        "\n".join(t.replace("\n", " ") for t in texts.numbers), "utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
