"""Which pretrained parts a saved metric may name: those of the table, and those the user added.

A path, a package or a hub name in a saved metric would let its author decide what is opened on
other machines. A part is what the user has installed or added under a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from concordant.errors import SpecError
from concordant.resources.places import PART_NAME, installed_folder, require

if TYPE_CHECKING:
    from collections.abc import Iterable

    from concordant.specs import Spec

# Features, vectors and trees whose arguments name what they are computed with.
NAMING_KINDS = frozenset({"sentence", "vectors", "tokens", "trees", "rarity", "piecegrams"})


def check_part_names(specs: Iterable[Spec]) -> None:
    """Raise where a spec names anything but an installed part, such as a path or a package."""
    named = [(spec, name) for spec in specs if spec.name in NAMING_KINDS for name in spec.arguments]
    for spec, name in named:
        if not PART_NAME.fullmatch(name):
            raise SpecError(
                f'{spec}: "{name}" is not the name of a part. A saved metric names parts, never '
                "paths or packages: `concordant resources add NAME PATH` makes a part of your "
                "files; train with its name"
            )
    require([name for _, name in named])
    for _, name in named:
        installed_folder(name)
