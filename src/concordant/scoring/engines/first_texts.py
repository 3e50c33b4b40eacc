"""What the first table shows of all: its columns and its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.metrics.signs import Signs
from concordant.scoring.tables.columns import asked_columns, find_columns
from concordant.scoring.tables.row_texts import TableTexts, signs_of_table, table_texts
from concordant.scoring.tables.table_file import TableFile

if TYPE_CHECKING:
    from concordant.scoring.engines.partition_job import PartitionJob
    from concordant.scoring.engines.partitions import Partition


def open_first(partition: Partition, job: PartitionJob) -> TableTexts:
    """The texts of a table, in the language asked for or the one that its first row names."""
    table = TableFile(partition.path)
    asked = asked_columns(job.columns)
    columns = find_columns(partition.path, table.columns(), asked, references=False)
    return table_texts(table, columns, job.language)


def signs_of_first(texts: TableTexts) -> Signs:
    """What the first rows show of their language; nothing where they cannot be read."""
    try:
        return signs_of_table(texts)
    except ConcordantError:
        return Signs()
