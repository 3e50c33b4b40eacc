"""What METEOR needs besides the texts: function words, abbreviations, synonyms, paraphrases.

English function words and abbreviations are here, so that exact and stem matches need nothing
else. The rest is read from METEOR's own files where they are: the part `meteor-en` where it is
installed, the `meteor` folder of the package `pycocoevalcap` that carries it, or any folder with
`meteor-1.5.jar` and `data/paraphrase-<language>.gz`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError, DataError
from concordant.metrics.lexical import _native
from concordant.metrics.lexical.meteor.languages import LANGUAGES, MODULES, language_of
from concordant.metrics.lexical.meteor.normalise import ENGLISH_PREFIXES, Prefixes, parse_prefixes
from concordant.metrics.lexical.meteor.paraphrases import fingerprint, load_paraphrases
from concordant.metrics.lexical.meteor.synonyms import parse_synonyms
from concordant.resources.places import cache_folder, is_installed, locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from concordant.metrics.lexical.meteor.paraphrases import PhraseTable
    from concordant.metrics.lexical.meteor.synonyms import Synonyms

JAR = "meteor-1.5.jar"
SYNSETS, EXCEPTIONS = "synonym/english.synsets", "synonym/english.exceptions"
PART = "meteor-en"
# The words that make up more than a thousandth of English news text. METEOR 1.5 has such lists of
# other languages too, but its program takes this one for all of them, and so do its scores.
FUNCTION_WORDS = frozenset(
    """
    the , . to of and a in that for " is on 's it with was as said at he by be from have has are
    his but an this not i will ’ they ) -rrb- ( -lrb- who their had we which were been more or s
    its would about new one after you : also up when there than $ all out her people she year two
    - can if last first “ over other ” into some what so -- no time years could ? 't — '
    """.split()
)


@dataclass(frozen=True)
class Resources:
    """Where METEOR's files are; None: nowhere, so that only English is fully known."""

    folder: Path | None = None

    def modules(self, code: str) -> tuple[str, ...]:
        """The modules of a language that can run with these files and packages."""
        known = language_of(code).weights
        return tuple(module for module in MODULES if module in known and self._has(module, code))

    def _has(self, module: str, code: str) -> bool:
        if module == "stem":
            return code == "en" or importlib.util.find_spec("snowballstemmer") is not None
        if module == "synonym":
            return self.folder is not None and (self.folder / JAR).is_file()
        return module == "exact" or self._paraphrase_file(code) is not None

    def _paraphrase_file(self, code: str) -> Path | None:
        names = [code, "cz"] if code == "cs" else [code]
        paths = [] if self.folder is None else [
            self.folder / "data" / f"paraphrase-{name}.gz" for name in names
        ]  # fmt: skip
        return next((path for path in paths if path.is_file()), None)

    def prefixes(self, code: str) -> Prefixes:
        """The abbreviations that METEOR's tokenisation knows in a language."""
        if code == "en":
            return ENGLISH_PREFIXES
        return parse_prefixes(self._read(f"nonbreaking/{LANGUAGES[code].name}.prefixes", code))

    @cached_property
    def synonyms(self) -> Synonyms:
        """WordNet's synsets, of English."""
        return parse_synonyms(
            self._read(SYNSETS, "en"),
            self._read(EXCEPTIONS, "en"),
        )

    def paraphrases(self, code: str) -> PhraseTable:
        """The paraphrase table of a language."""
        path = self._paraphrase_file(code)
        if path is None:
            raise ConcordantError(f"there is no paraphrase table for {code}: {_HOW}")
        return _paraphrases(path, cache_folder())

    def digest(self, code: str, modules: Sequence[str]) -> str:
        """The contents of the files that these modules read, in eight hexadecimal digits."""
        found = hashlib.sha256()
        if "synonym" in modules:
            found.update(self._read(SYNSETS, code).encode() + self._read(EXCEPTIONS, code).encode())
        path = self._paraphrase_file(code)
        if "paraphrase" in modules and path is not None:
            found.update(fingerprint(path).encode())
        return found.hexdigest()[:8]

    def _read(self, name: str, code: str) -> str:
        if self.folder is None or not (self.folder / JAR).is_file():
            raise ConcordantError(f'METEOR for "{code}" reads {name} from {JAR}: {_HOW}')
        return _member(self.folder / JAR, name)


_HOW = (
    f"install pycocoevalcap's copy (concordant resources install {PART}) "
    "or name the folder that has it"
)


def load_resources(folder: str | Path | None = None) -> Resources:
    """METEOR's files in a folder; without one, those of `meteor-en` or else of `pycocoevalcap`."""
    if folder is not None:
        path = Path(folder)
        if not (path / JAR).is_file():
            raise ConcordantError(f"{path} has no {JAR}: {_HOW}")
        return _resources(path)
    if is_installed(PART):
        return _resources(locate(PART))
    package = importlib.util.find_spec("pycocoevalcap")  # found, not imported
    places = [] if package is None else list(package.submodule_search_locations or [])
    path_or_none = next(
        (Path(p) / "meteor" for p in places if (Path(p) / "meteor" / JAR).is_file()), None
    )
    return _resources(path_or_none)


def stems(words: Sequence[str], code: str) -> list[str]:
    """The stem of each word: Porter's second English stemmer, Snowball's for other languages.

    >>> stems(["generously", "cats"], "en")
    ['generous', 'cat']
    """
    if code == "en":
        return _native.porter2_stems(list(words))
    try:
        import snowballstemmer  # noqa: PLC0415 - only languages other than English need it
    except ImportError as fault:
        name = LANGUAGES[code].name
        raise ConcordantError(f"stems of {name} need the package snowballstemmer") from fault
    name = LANGUAGES[code].name
    # Snowball 3 calls the Dutch stemmer of METEOR's time so.
    older = f"{name}_porter" if code == "nl" else name
    known = snowballstemmer.algorithms()
    return list(snowballstemmer.stemmer(older if older in known else name).stemWords(list(words)))


@cache
def _resources(folder: Path | None) -> Resources:
    return Resources(folder)


@cache
def _member(jar: Path, name: str) -> str:
    try:
        with zipfile.ZipFile(jar) as archive:
            return archive.read(name).decode("utf-8")
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, zlib.error, EOFError) as fault:
        raise DataError.at(jar, None, f"{name} cannot be read ({fault}); {_HOW}") from fault


@cache
def _paraphrases(path: Path, cache_path: Path) -> PhraseTable:
    return load_paraphrases(path, cache_path)
