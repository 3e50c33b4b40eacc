"""Test sets by name, as sacrebleu knows, downloads and keeps them.

sacrebleu's folder is `~/.sacrebleu`, or what the environment variable SACREBLEU names.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import ConcordantError, check_known

if TYPE_CHECKING:
    from collections.abc import Iterator


def list_test_sets() -> Iterator[tuple[str, list[str]]]:
    """The names of all test sets, each with its language pairs.

    >>> dict(list_test_sets())["wmt17/ms"]
    ['zh-en']
    """
    for name, row in _table().items():
        yield name, sorted(row.langpairs)


def find_test_set(name: str, pair: str | None) -> tuple[tuple[str, ...], str]:
    """The files of the references and of the source; sacrebleu downloads what it does not have."""
    check_known("test set", name, _table())
    row = _table()[name]
    if pair is None:
        raise ConcordantError(
            f"test set {name} has several language pairs; choose one with -l: "
            f"{', '.join(sorted(row.langpairs))}"
        )
    check_known(f"language pair of test set {name}:", pair, sorted(row.langpairs))
    try:
        references, source = row.get_reference_files(pair), row.get_source_file(pair)
    except (Exception, SystemExit) as fault:  # a network, a full disk, a damaged file: all of them
        raise _missing(name, pair, row, fault) from fault
    if not references:
        raise ConcordantError(f"test set {name} has no references for {pair}")
    return tuple(references), source


def _table() -> dict[str, Any]:
    from sacrebleu.dataset import DATASETS  # noqa: PLC0415 - slow, and seldom asked for

    return dict(DATASETS)


def _missing(name: str, pair: str, row: Any, fault: BaseException) -> ConcordantError:
    """The error that says what sacrebleu lacks and how to get it."""
    from sacrebleu.utils import SACREBLEU_DIR  # noqa: PLC0415

    folder = Path(SACREBLEU_DIR) / name
    return ConcordantError(
        f"test set {name} for {pair} is not complete in {folder}, and sacrebleu could not get it "
        f"from {', '.join(row.data)} ({type(fault).__name__}: {fault}); where there is a network, "
        f"run: sacrebleu -t {name} -l {pair} --echo src, then copy the folder"
    )
