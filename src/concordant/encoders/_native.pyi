import numpy as np
import numpy.typing as npt

class WordPieces:
    def __init__(
        self,
        pieces: list[str],
        characters: npt.NDArray[np.uint32],
        specials: list[str],
        special_numbers: npt.NDArray[np.int32],
        unknown: int,
        longest_word: int,
    ) -> None: ...
    def encode(
        self, texts: list[str], threads: int = 1
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
    def encode_surfaces(
        self, texts: list[str], threads: int = 1
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.uint8]]: ...

class UnigramPieces:
    def __init__(
        self,
        pieces: list[str],
        scores: npt.NDArray[np.float32],
        rules_from: list[str],
        rules_to: list[str],
    ) -> None: ...
    def encode(
        self, texts: list[str], threads: int = 1
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...

def transformer_paths() -> list[str]: ...

class Transformer:
    path: str
    longest: int
    def __init__(
        self,
        words: npt.NDArray[np.int8],
        scales: npt.NDArray[np.float32],
        types: npt.NDArray[np.float32],
        places: npt.NDArray[np.float32],
        norm: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
        heads: int,
        epsilon: float,
        path: str = "",
    ) -> None: ...
    def set_nearness(self, nearness: npt.NDArray[np.float32]) -> None: ...
    def add_layer(
        self,
        dense: list[tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.float32]]],
        norms: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]],
    ) -> None: ...
    def states(
        self,
        words: npt.NDArray[np.int32],
        types: npt.NDArray[np.int32],
        places: npt.NDArray[np.int32],
        starts: npt.NDArray[np.int64],
        spans: npt.NDArray[np.int64] | None = None,
        threads: int = 1,
    ) -> npt.NDArray[np.float32]: ...

def match_tokens(
    vectors: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int32] | None = None,
    weights: npt.NDArray[np.float64] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.float64]: ...
def word_slots(
    word_bytes: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]: ...

class WordIndex:
    def __init__(
        self,
        word_bytes: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        slots: npt.NDArray[np.uint64],
    ) -> None: ...
    def find(self, words: list[str]) -> npt.NDArray[np.int32]: ...
    def rows(
        self, texts: list[str], threads: int = 1
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
    def tokens(self, texts: list[str]) -> list[list[str]]: ...
    def word(self, row: int) -> bytes: ...

def word_tokens(texts: list[str]) -> list[list[str]]: ...
def read_numbers(text: bytes) -> npt.NDArray[np.float32]: ...
def row_sums(
    vectors: npt.NDArray[np.float32],
    rows: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64] | None = None,
    threads: int = 1,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
