import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64]

def bleu_counts(
    translations: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    order: int = 4,
    threads: int = 1,
) -> Counts: ...
def chrf_counts(
    translations: list[str],
    references: list[list[str]],
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    whitespace: bool = False,
    tokeniser: str = "chrf",
    threads: int = 1,
) -> Counts: ...
def chrf_grid(
    candidates: list[str],
    references: list[str],
    char_order: int = 6,
    word_order: int = 0,
    whitespace: bool = False,
    tokeniser: str = "chrf",
) -> Counts: ...
def chrf_aggregate(
    candidates: list[str],
    references: list[str],
    weights: npt.NDArray[np.float64],
    char_order: int = 6,
    word_order: int = 0,
    whitespace: bool = False,
    tokeniser: str = "chrf",
) -> Counts: ...
def skip_counts(
    translations: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    skip: int = -1,
    threads: int = 1,
) -> Counts: ...
def lcs_counts(
    translations: list[str],
    references: list[list[str]],
    tokeniser: str = "13a",
    threads: int = 1,
) -> Counts: ...
def tokenise(texts: list[str], tokeniser: str = "13a") -> list[list[str]]: ...
def set_character_classes(classes: bytes) -> None: ...
def ter_counts(
    translations: list[str], references: list[list[str]], threads: int = 1
) -> Counts: ...
def wer_counts(
    translations: list[str], references: list[list[str]], threads: int = 1
) -> Counts: ...
def per_counts(
    translations: list[str], references: list[list[str]], threads: int = 1
) -> Counts: ...
def character_counts(
    translations: list[str], references: list[list[str]], threads: int = 1
) -> Counts: ...

class TextTraits:
    def __init__(
        self,
        script_of: npt.NDArray[np.uint8],
        scripts: int,
        times: int,
        period: int,
    ) -> None: ...
    def count(self, texts: list[str], lowered: list[str], threads: int = 1) -> Counts: ...

class LanguageTable:
    def __init__(
        self,
        keys: npt.NDArray[np.uint64],
        starts: npt.NDArray[np.uint32],
        languages: npt.NDArray[np.uint8],
        weights: npt.NDArray[np.uint8],
        floor: npt.NDArray[np.float32],
        prior: npt.NDArray[np.float32],
        step: float,
    ) -> None: ...
    def scores(self, texts: list[str], threads: int = 1) -> Counts: ...

class NistWeights:
    def __init__(self, references: list[list[str]], tokeniser: str = "13a") -> None: ...
    def counts(
        self, translations: list[str], references: list[list[str]], threads: int = 1
    ) -> Counts: ...

Integers = npt.NDArray[np.int32]

class Paraphrases:
    def __init__(
        self,
        child_starts: Integers,
        child_words: Integers,
        entry_starts: Integers,
        entries: Integers,
    ) -> None: ...

def meteor_counts(
    tokens: Integers,
    starts: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
    function_words: npt.NDArray[np.uint8],
    keys: Integers,
    stems: Integers | None = None,
    synset_starts: Integers | None = None,
    synsets: Integers | None = None,
    phrases: Integers | None = None,
    paraphrases: Paraphrases | None = None,
    beam: int = 40,
    threads: int = 1,
) -> Counts: ...
def meteor_normalise(
    lines: list[str],
    apostrophes: str,
    prefixes: list[str],
    numeric_prefixes: list[str],
    keep_punctuation: bool = True,
    threads: int = 1,
) -> list[str]: ...
def meteor_tokens(
    lines: list[str],
) -> tuple[list[str], Integers, npt.NDArray[np.int64]]: ...
def java_hashes(words: list[str]) -> Integers: ...
def porter2_stems(words: list[str]) -> list[str]: ...
