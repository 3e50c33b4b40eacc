"""One partition scored: the work that an engine sends to its workers.

The scored table is written to a draft and renamed, then its record in the same way. A partition
with a record is complete; one without is scored again, to the same bytes.
"""

from __future__ import annotations

import json
import os
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import compress, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from concordant.errors import ConcordantError
from concordant.file_locks import open_locked, remove_locked
from concordant.output_files import put_in_place, words_for
from concordant.scoring.batches import (
    added_values,
    in_language_of,
    named_metrics,
    row_scorer,
    score_batch_of,
)
from concordant.scoring.engines.summary import Summary
from concordant.scoring.tables.table_file import PARQUET_ROWS, TableFile, import_parquet
from concordant.scoring.tables.written_table import TextWriter, added_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concordant.metrics.scorer import Scorer
    from concordant.scoring.batches import RowScorer
    from concordant.scoring.engines.partitions import Partition
    from concordant.scoring.tables.scored_table import TableBlock
    from concordant.scoring.tables.table_file import TableRow


@dataclass(frozen=True)
class PartitionJob:
    """What is done with each partition; it holds names only, so any process can be sent it.

    A metric's folder must be named in full, as workers may run elsewhere.
    """

    folder: str
    metrics: tuple[str, ...]
    columns: tuple[str, ...] = ()
    language: str | None = None
    where: tuple[str, ...] = ()
    size: int = 1000
    threads: int = 1

    def loaded(self) -> tuple[Scorer, ...]:
        """The metrics, loaded once a process."""
        return named_metrics(self.metrics, self.language)

    def request(self) -> dict[str, Any]:
        """What a scored partition depends on besides its table."""
        asked = asdict(self)
        for name in ("folder", "size", "threads"):  # which change nothing
            del asked[name]
        signatures = [metric.signature(level="segment") for metric in self.loaded()]
        return json.loads(json.dumps({**asked, "signatures": signatures}))  # type: ignore[no-any-return]

    def done(self, partition: Partition) -> Summary | None:
        """The summary of a partition that is complete; None if it is not."""
        try:
            record = json.loads(partition.record(self.folder).read_text(encoding="utf-8"))
            found = record["request"], record["table"], record["bytes"]
            written = partition.output(self.folder).stat().st_size
            summary = Summary.from_json(record["summary"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # there is none, or it is not ours: the partition is scored again
        if found[0] != self.request():
            raise ConcordantError(
                f"{partition.output(self.folder)} was scored with other metrics, columns or "
                "conditions; repeat that command, or write to another folder"
            )
        return summary if found[1:] == (table_stamp(partition.path), written) else None

    def __call__(self, partition: Partition) -> Summary:
        """Score a partition and write it."""
        table = TableFile(partition.path)
        stamp = table_stamp(partition.path)
        scorer = row_scorer(
            table, table.columns(), self.loaded(), self.columns, language=self.language,
            where=self.where, threads=self.threads, size=self.size,
        )  # fmt: skip
        output, summary = partition.output(self.folder), Summary()
        with written_whole(output) as draft:
            write = _write_parquet if table.kind == "parquet" else _write_text
            write(scorer, draft, summary)
            if table_stamp(partition.path) != stamp:
                raise ConcordantError(f"{partition.path} changed during scoring; run again")
        record = {
            "request": self.request(),
            "table": stamp,
            "bytes": output.stat().st_size,
            "summary": summary.as_json(),
        }
        place = partition.record(self.folder)
        with written_whole(place) as draft:
            draft.write(json.dumps(record).encode())
        return summary


def table_stamp(path: str) -> list[int]:
    """The size of a table, and when it was changed: another one has another stamp."""
    state = Path(path).stat()
    return [state.st_size, state.st_mtime_ns]


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A draft beside a file, which gets its name at the end; gone if anything fails.

    A killed process leaves its draft, which the next one takes over.
    """
    draft = path.with_name(f".{path.name}.part")
    with words_for(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = open_locked(draft)
    if stream is None:
        raise ConcordantError(
            f"another run is writing {path}; wait for it, or write to another folder"
        )
    try:
        stream.truncate()
        yield stream
        with words_for(path):
            stream.flush()
            os.fsync(stream.fileno())
            put_in_place(draft, path)
    except BaseException:
        remove_locked(draft, stream)
        raise
    stream.close()


def _write_parquet(scorer: RowScorer, draft: IO[bytes], summary: Summary) -> None:
    """Batches of a fixed size: the file does not depend on how many rows are scored at once."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    table = scorer.texts.table
    parquet = import_parquet(table.path)
    empty = pa.RecordBatch.from_pylist([], schema=table.parquet().schema_arrow)
    schema = score_batch_of(scorer, empty, 1)[0].schema
    first = 1
    with closing(parquet.ParquetWriter(draft, schema)) as writer:
        for batch in table.batches():
            scorer = in_language_of(scorer, batch)
            kept, blocks, rows, failed = score_batch_of(scorer, batch, first)
            writer.write_batch(kept)
            _count(summary, blocks, int(rows.sum()), failed)
            first += len(batch)


def _write_text(scorer: RowScorer, draft: IO[bytes], summary: Summary) -> None:
    """Rows as they were written, with the new cells behind them."""
    texts = scorer.texts
    rows = texts.table.rows()
    first = 1
    writer = TextWriter(texts.table, scorer.added)
    draft.write(writer.heading.encode())
    while block := list(islice(rows, PARQUET_ROWS)):
        blocks = list(scorer.score(block, first))
        kept, failed = scorer.kept(_columns(scorer, block, blocks), len(block))
        cells = (each for scored in blocks for each in added_cells(scored))
        lines = (
            writer.row(row.raw, writer.behind(new)) for row, new in zip(block, cells, strict=True)
        )
        draft.write("".join(compress(lines, kept)).encode())
        _count(summary, blocks, int(kept.sum()), failed)
        first += len(block)


def _columns(
    scorer: RowScorer, rows: list[TableRow], blocks: list[TableBlock]
) -> dict[str, list[Any]]:
    """The values of the columns that conditions name."""
    if not scorer.where:
        return {}
    new = dict(zip(scorer.added, added_values(scorer, blocks), strict=True))
    names = {each.column for each in scorer.where}
    return {
        name: new[name] if name in new else [row.cells.get(name) for row in rows] for name in names
    }


def _count(summary: Summary, blocks: list[TableBlock], kept: int, failed: dict[str, int]) -> None:
    for block in blocks:
        summary.add_block(block)
    summary.kept += kept
    summary.failed.update(failed)
