"""Parts of one's own, put into the cache folder as `concordant resources add` leaves them."""

from concordant.resources.contents import file_hashes
from concordant.resources.places import Record, parts_folder, write_record
from concordant.resources.shapes import SHAPES


def own_part(name, shape, fill):
    """The folder of a part; `fill` writes its files into a folder that is given."""
    folder = parts_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    fill(folder)
    kind = SHAPES[shape].kind
    write_record(folder, Record(name, kind, shape, "tiny", "CC0", "", "", file_hashes(folder)))
    return folder
