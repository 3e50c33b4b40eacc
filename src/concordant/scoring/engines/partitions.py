"""Which files are scored, and where their scores go: one table is one partition."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError, Fault
from concordant.scoring.system_names import PACKED
from concordant.scoring.tables.table_file import TableFile, table_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RECORDS = "_concordant"  # readers of folders of tables pass over names with an underscore


@dataclass(frozen=True)
class Partition:
    """A table, and the name of the scored one in the output folder."""

    path: str
    name: str

    def output(self, folder: str) -> Path:
        """The scored table; it is never packed."""
        return Path(folder, self.name)

    def record(self, folder: str) -> Path:
        """What is known of the scored table, once it is complete."""
        return Path(folder, RECORDS, f"{self.name}.json")


def find_partitions(paths: Sequence[str]) -> list[Partition]:
    """The tables among files and folders, in the order given; folders are searched to the bottom.

    Names that begin with a dot or an underscore are passed over in folders.
    """
    found = [each for path in paths for each in _partitions_of(path)]
    names: dict[str, str] = {}
    for each in found:
        if each.name in names:
            raise ConcordantError(
                f"{names[each.name]} and {each.path} would both be written as {each.name}; give "
                "the folder that holds them both, or score them into different folders"
            )
        names[each.name] = each.path
    return found


def check_partitions(partitions: Sequence[Partition], wanted: Sequence[str]) -> None:
    """Raise if any table cannot be opened, or lacks one of these columns; all faults at once."""
    faults: list[Fault] = []
    for each in partitions:
        try:
            there = TableFile(each.path).columns()
        except DataError as error:
            faults += error.faults
            continue
        lacking = [f'"{name}"' for name in wanted if name not in there]
        if lacking:
            words = f"has no column {', '.join(lacking)}; it has {', '.join(there)}"
            faults.append(Fault(each.path, None, words))
    if faults:
        raise DataError(faults)


def _partitions_of(path: str) -> Iterator[Partition]:
    place = Path(path)
    if not place.is_dir():
        if table_kind(path) is None:
            raise ConcordantError(
                f"{path} is neither a folder nor called a table; name it .csv, .tsv, .jsonl or "
                ".parquet"
            )
        yield Partition(path, _unpacked(place.name))
        return
    files = [each for each in sorted(place.rglob("*")) if _is_table(each.relative_to(place))]
    if not files:
        raise ConcordantError(f"{path} holds no tables (.csv, .tsv, .jsonl or .parquet)")
    for each in files:
        yield Partition(str(each), _unpacked(each.relative_to(place).as_posix()))


def _is_table(path: Path) -> bool:
    return table_kind(path.name) is not None and not any(
        p.startswith((".", "_")) for p in path.parts
    )


def _unpacked(name: str) -> str:
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in PACKED else name
