import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]

def bleu_counts(
    hypotheses: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    order: int = 4,
    threads: int = 1,
) -> Counts: ...
def chrf_counts(
    hypotheses: list[str],
    references: list[list[str]],
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    whitespace: bool = False,
    tokeniser: str = "chrf",
    threads: int = 1,
) -> Counts: ...
def skip_counts(
    hypotheses: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    skip: int = -1,
    threads: int = 1,
) -> Counts: ...
def lcs_counts(
    hypotheses: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    threads: int = 1,
) -> Counts: ...
def tokenise(texts: list[str], tokeniser: str = "13a") -> list[list[str]]: ...
def set_character_classes(classes: bytes) -> None: ...
