"""The pretrained parts that `parts.toml` lists, by name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from concordant.resources.shapes import SHAPES
from concordant.toml_text import read_toml


@dataclass(frozen=True)
class Carrier:
    """A package that carries files: a wheel of the Python package index, or an npm archive."""

    client: Literal["pip", "npm"]
    package: str
    version: str

    @property
    def wanted(self) -> str:
        """The package with its version, as its client writes it."""
        return f"{self.package}{'==' if self.client == 'pip' else '@'}{self.version}"

    def __str__(self) -> str:
        return f"{self.client} {self.wanted}"


@dataclass(frozen=True)
class Member:
    """A file in a carrier, or a folder if `path` ends in "/", and its name in our folder."""

    path: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Part:
    """A pretrained part; without carriers it can only be added from the user's own files.

    `megabytes` is its size on disk, `form` the conversion of the carrier's files, `shape` what the
    finished folder is (resources/shapes.py), `extras` the extras of this package that it needs to
    run, `parts` the other parts that it needs.
    """

    name: str
    shape: str
    title: str
    licence: str
    megabytes: int
    languages: str
    carriers: tuple[Carrier, ...] = ()
    files: tuple[Member, ...] = ()
    form: str = "copy"
    extras: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What it is for: word vectors, an encoder, a parser or measure data."""
        return SHAPES[self.shape].kind

    @property
    def origin(self) -> str:
        """The packages that carry it, as text."""
        return " + ".join(map(str, self.carriers))


def _part(name: str, facts: dict[str, Any]) -> Part:
    lists: dict[str, tuple[Any, ...]] = {
        "carriers": tuple(Carrier(*each) for each in facts.get("carriers", ())),
        "files": tuple(Member(*each) for each in facts.get("files", ())),
        "extras": tuple(facts.get("extras", ())),
        "parts": tuple(facts.get("parts", ())),
    }
    return Part(**{"name": name, **facts, **lists})


PARTS = {
    name: _part(name, facts)
    for name, facts in read_toml(Path(__file__).with_name("parts.toml")).items()
}
KINDS = tuple(dict.fromkeys(part.kind for part in PARTS.values()))
CARRIED = tuple(name for name, part in PARTS.items() if part.carriers)
