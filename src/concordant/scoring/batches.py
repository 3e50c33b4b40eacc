"""Arrow record batches → the same rows in the same order, with scores as further columns.

The one hook by which engines (Ray, Spark), data frames and dataset libraries score: an iterator in,
an iterator out, and nothing kept in between but the loaded metrics. A row's scores do not depend on
the batch that it comes in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ConcordantError
from concordant.metrics.find import find, metric_list
from concordant.metrics.scorer import NOTHING
from concordant.scoring.conditions import check_columns, condition_named
from concordant.scoring.tables.columns import asked_columns, find_columns
from concordant.scoring.tables.row_texts import TableTexts, row_language
from concordant.scoring.tables.scored_table import TableBlock, check_sources, score_texts
from concordant.scoring.tables.table_file import TableFile, TableRow
from concordant.scoring.tables.written_table import FLAGS, new_columns
from concordant.specs import DEFAULT_METRIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from concordant.metrics.find import Named
    from concordant.metrics.scorer import Scorer
    from concordant.scoring.conditions import Condition

    Asked = Mapping[str, str | Sequence[str]] | Sequence[str]

ROWS = 1000  # scored at once
NAME = "the batches"


@dataclass(frozen=True)
class RowScorer:
    """What scores the rows of one table: the metrics, and where its texts are.

    `added` are the names of the new columns; `where` says which rows are kept.
    """

    texts: TableTexts
    metrics: Sequence[Scorer]
    added: tuple[str, ...]
    where: tuple[Condition, ...] = ()
    threads: int = 1
    size: int = ROWS

    def score(self, rows: Sequence[TableRow], first: int) -> Iterator[TableBlock]:
        """The scores of rows, of which the first is row `first`, block by block."""
        nothing = [NOTHING] * len(self.metrics)
        for begin in range(0, len(rows), self.size):
            block = self.texts.block([*rows[begin : begin + self.size]])
            yield score_texts(
                block, first + begin, self.metrics, nothing, self.threads, self.texts.language
            )

    def kept(
        self, values: Mapping[str, Sequence[Any]], rows: int
    ) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
        """Which rows meet all conditions, and how many fail each."""
        kept, failed = np.ones(rows, dtype=bool), {}
        for each in self.where:
            holds = each.holds(values[each.column])
            failed[each.text] = int((~holds).sum())
            kept &= holds
        return kept, failed


def row_scorer(
    table: TableFile,
    there: Sequence[str],
    metrics: Sequence[Scorer],
    asked: Sequence[str] = (),
    *,
    language: str | None = None,
    where: Sequence[str] = (),
    threads: int = 1,
    size: int = ROWS,
) -> RowScorer:
    """What scores a table with these columns; an error if something that it needs is not there."""
    for metric in metrics:
        if metric.needs.test_set:
            raise ConcordantError(
                f"{metric.name} depends on all references of a test set, and cannot score them "
                "part by part; score one file with it, without --engine"
            )
    references = any(metric.needs.references for metric in metrics)
    columns = find_columns(table.path, there, asked_columns(asked), references=references)
    check_sources(metrics, columns)
    names = [metric.name for metric in metrics]
    added = new_columns(table.path, there, names, list(columns.systems))
    conditions = tuple(map(condition_named, where))
    check_columns(conditions, [*there, *added])
    texts = TableTexts(table, columns, language)
    return RowScorer(texts, metrics, tuple(added), conditions, threads, size)


def score_batches(
    batches: Iterable[pa.RecordBatch],
    metrics: Named | Sequence[Named] = DEFAULT_METRIC,
    columns: Asked = (),
    *,
    language: str | None = None,
    where: Sequence[str] = (),
    threads: int = 1,
) -> Iterator[pa.RecordBatch]:
    """The same rows in the same order, batch by batch, with scores and flags as new columns.

    `columns` says which column holds what, as `{"mt": "output", "ref": ["ref1", "ref2"]}`; without
    it they are found by their usual names. `where` keeps the rows that meet all conditions, such as
    "chrf > 40". A metric named is loaded once a process.

    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pydict({"mt": ["a cat", "a dog"], "ref": ["a cat", "the cat"]})
    >>> [scored] = score_batches([batch], "chrf")
    >>> scored.schema.names, scored["chrf"].to_pylist()[0]
    (['mt', 'ref', 'chrf', 'flags'], 100.0)
    >>> [kept] = score_batches([batch], "chrf", where=["chrf > 40"])
    >>> kept["mt"].to_pylist()
    ['a cat']
    """
    scorer, row = None, 1
    for batch in batches:
        if scorer is None:
            scorer = _scorer_of(batch.schema, metrics, columns, language, where, threads)
        if row == 1 and len(batch):
            scorer = in_language_of(scorer, batch)
        yield score_batch_of(scorer, batch, row)[0]
        row += len(batch)


def score_table(
    table: pa.Table,
    metrics: Named | Sequence[Named] = DEFAULT_METRIC,
    columns: Asked = (),
    *,
    language: str | None = None,
    where: Sequence[str] = (),
    threads: int = 1,
) -> pa.Table:
    """The same for a whole Arrow table, also an empty one.

    >>> import pyarrow as pa
    >>> score_table(pa.table({"mt": ["a"], "ref": ["a"]}), "chrf")["chrf"].to_pylist()
    [100.0]
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    batches = table.to_batches() or [pa.RecordBatch.from_pylist([], schema=table.schema)]
    return pa.Table.from_batches(
        score_batches(batches, metrics, columns, language=language, where=where, threads=threads)
    )


def score_batch_of(
    scorer: RowScorer, batch: pa.RecordBatch, first: int
) -> tuple[pa.RecordBatch, list[TableBlock], npt.NDArray[np.bool_], dict[str, int]]:
    """A batch with its new columns, what was counted, which rows are kept, how many fail what."""
    import pyarrow as pa  # noqa: PLC0415

    wanted = scorer.texts.columns.names
    read = zip(*(batch.column(name).to_pylist() for name in wanted), strict=True)
    cells = (dict(zip(wanted, values, strict=True)) for values in read)
    rows = [TableRow(number, each) for number, each in enumerate(cells, first)]
    blocks = list(scorer.score(rows, first))
    arrays = [pa.array(values) for values in added_values(scorer, blocks)]
    fields = [
        pa.field(name, pa.string() if is_flags(name) else pa.float64()) for name in scorer.added
    ]
    arrays = [each.cast(field.type) for each, field in zip(arrays, fields, strict=True)]
    schema = pa.schema([*batch.schema, *fields], batch.schema.metadata)
    whole = pa.RecordBatch.from_arrays([*batch.columns, *arrays], schema=schema)
    columns = {each.column: whole.column(each.column).to_pylist() for each in scorer.where}
    kept, failed = scorer.kept(columns, len(batch))
    return (whole if kept.all() else whole.filter(pa.array(kept))), blocks, kept, failed


def added_values(scorer: RowScorer, blocks: Sequence[TableBlock]) -> list[list[Any]]:
    """The values of each new column, in the order of `added`."""
    values: list[list[Any]] = []
    for name in scorer.texts.columns.systems:
        scored = [block.scored[name] for block in blocks]
        none = np.zeros((0, len(scorer.metrics)))
        values += np.concatenate([none, *(one.segments for one in scored)]).T.tolist()
        values.append([" ".join(each) for one in scored for each in one.flags])
    return values


def is_flags(name: str) -> bool:
    """Whether a new column has flags, not scores."""
    return name == FLAGS or name.startswith(f"{FLAGS} ")


def in_language_of(scorer: RowScorer, batch: pa.RecordBatch) -> RowScorer:
    """The scorer in the language that the first row names, where nothing else says it."""
    texts = scorer.texts
    if texts.columns.language is None or texts.language is not None:
        return scorer
    row = TableRow(1, {texts.columns.language: batch.column(texts.columns.language)[0].as_py()})
    found = TableTexts(texts.table, texts.columns, row_language(texts.table, row, texts.columns))
    return RowScorer(found, scorer.metrics, scorer.added, scorer.where, scorer.threads, scorer.size)


def asked_of(columns: Asked) -> list[str]:
    """What was asked of columns, as the command line spells it.

    >>> asked_of({"mt": "output", "ref": ["ref1", "ref2"]})
    ['mt=output', 'ref=ref1', 'ref=ref2']
    """
    if not hasattr(columns, "items"):
        return [columns] if isinstance(columns, str) else list(columns)
    pairs = ((role, [given] if isinstance(given, str) else given)
             for role, given in columns.items())  # fmt: skip
    return [f"{role}={name}" for role, names in pairs for name in names]


@cache
def named_metrics(names: tuple[str, ...], language: str | None) -> tuple[Scorer, ...]:
    """What scores by these names, loaded once a process."""
    return tuple(find(list(names) or None, language))


def _scorer_of(
    schema: pa.Schema,
    metrics: Named | Sequence[Named],
    columns: Asked,
    language: str | None,
    where: Sequence[str],
    threads: int,
) -> RowScorer:
    given = metric_list(metrics)
    names = tuple(each for each in given if isinstance(each, str))
    found = named_metrics(names, language) if len(names) == len(given) else find(given, language)
    return row_scorer(
        TableFile(NAME), schema.names, found, asked_of(columns),
        language=language, where=where, threads=threads,
    )  # fmt: skip
