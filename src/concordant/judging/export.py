"""A campaign's judgements as others have them: WMT's csv, COMET's csv, MQM's tsv, our jsonl."""

from __future__ import annotations

import csv
import io
import itertools
import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.judgements.campaign_schema import LAST_JUDGEMENTS, open_to_read
from concordant.judgements.conversion import preferences_of_rankings
from concordant.judgements.readers.campaign import read
from concordant.judgements.readers.jsonl import write_jsonl
from concordant.safe_text import tsv_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from concordant.records import Collection, Preference, TestSet


def export_text(path: Path, name: str) -> str:
    """The judgements of a campaign as a text in one of EXPORTS."""
    return EXPORTS[name](Path(path), read(path))


def _jsonl(_: Path, collection: Collection) -> str:
    stream = io.StringIO()
    write_jsonl(collection, stream)
    return stream.getvalue()


def _pairs_csv(_: Path, collection: Collection) -> str:
    """WMT's two-way csv: rankings of five cut into pairs, `rankingID` names the screen."""
    screens = _screens(collection)
    languages = collection.testsets[0].pair.partition("-")
    header = [
        "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank",
        "system2Id", "system2rank", "rankingID",
    ]  # fmt: skip
    rows = [
        [
            languages[0], languages[2], each.segment, each.segment, each.judge, each.better, 1,
            each.worse, 1 if each.tie else 2, number,
        ]
        for number, screen in enumerate(screens, 1)
        for each in screen
    ]  # fmt: skip
    return _csv(header, rows)


def _comet_csv(_: Path, collection: Collection) -> str:
    """COMET's csv: `src,mt,ref,score`, or `src,ref,pos,neg` of two texts that differ."""
    texts = collection.testsets[0]
    if collection.ratings:
        header = ["lp", "src", "mt", "ref", "score", "system", "segment", "annotator"]
        rows: Iterable[Sequence[Any]] = (
            [
                each.pair, *_texts(texts, each.segment, each.system), each.score, each.system,
                each.segment, each.judge,
            ]
            for each in collection.ratings
        )  # fmt: skip
        return _csv(header, rows)
    header = ["lp", "src", "ref", "pos", "neg", "segment"]
    pairs = [each for screen in _screens(collection) for each in screen if not each.tie]
    return _csv(header, (_preferred(texts, each) for each in pairs))


def _mqm_tsv(path: Path, collection: Collection) -> str:
    """MQM's tsv: a row for each error, marked by <v>…</v> in the target."""
    if not collection.ratings or not collection.ratings[0].extra:
        raise ConcordantError(
            "MQM's tsv has marked errors; this campaign has none (its protocol is not spans)"
        )
    texts = collection.testsets[0]
    header = "system doc doc_id seg_id rater source target category severity".split()
    lines = ["\t".join(header)]
    for system, segment, judge, target, severity in _marked(path, collection):
        document = texts.documents.get(segment, "")
        source = texts.source.get(segment, "")
        category = "No-error" if severity == "No-error" else "Other"
        row = [system, document, document, str(segment), judge, source, target, category, severity]
        lines.append("\t".join(map(tsv_field, row)))
    return "\n".join(lines) + "\n"


EXPORTS: dict[str, Callable[[Path, Collection], str]] = {
    "jsonl": _jsonl,
    "wmt-csv": _pairs_csv,
    "comet-csv": _comet_csv,
    "mqm-tsv": _mqm_tsv,
}
TITLES = {
    "jsonl": "our own format, nothing lost",
    "wmt-csv": "the organisers' csv of WMT: pairs with ties and judges",
    "comet-csv": "COMET's csv with texts",
    "mqm-tsv": "MQM's tsv, a row for each marked error",
}


def _marked(path: Path, collection: Collection) -> Iterable[tuple[str, int, str, str, str]]:
    """System, segment, judge, marked target and severity of every error, or of no error."""
    texts = collection.testsets[0].translations
    with closing(open_to_read(path)) as connection:
        systems = dict(connection.execute("SELECT id, name FROM systems"))
        judges = "SELECT id, name FROM judges WHERE state != 'left out'"
        names = dict(connection.execute(judges))
        for row in connection.execute(LAST_JUDGEMENTS):
            if row[1] not in names or row[4] == "damaged":
                continue
            errors = json.loads(row[8])["errors"]
            for system in (systems[each] for each in json.loads(row[3])[0]):
                text = texts[system][row[2]]
                place = (system, row[2], names[row[1]])
                for each in errors:
                    start, end = each["start"], each["end"]
                    marked = f"{text[:start]}<v>{text[start:end]}</v>{text[end:]}"
                    yield *place, marked, each["severity"].capitalize()
                if not errors:
                    yield *place, text, "No-error"


def _screens(collection: Collection) -> list[list[Preference]]:
    """The pairs of every ranking; what was judged as a pair is a screen of its own."""
    if collection.ratings:
        raise ConcordantError("pairs are of campaigns that compare; this one has scores")
    return [
        *(preferences_of_rankings([each]) for each in collection.rankings),
        *([each] for each in collection.preferences),
    ]


def _texts(texts: TestSet, segment: int | None, system: str) -> tuple[str, str, str]:
    """Source, translation and first reference of a segment; "" where there is none."""
    assert segment is not None  # noqa: S101 - campaigns judge segments
    references = (given[segment] for given in texts.references.values() if segment in given)
    reference = next(itertools.chain(references, [""]))
    return texts.source.get(segment, ""), texts.translations[system][segment], reference


def _preferred(texts: TestSet, each: Preference) -> list[Any]:
    source, better, reference = _texts(texts, each.segment, each.better)
    _, worse, _ = _texts(texts, each.segment, each.worse)
    return [each.pair, source, reference, better, worse, each.segment]


def _csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()
