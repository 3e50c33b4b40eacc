"""METEOR's files for tests, in a small folder that we write; and what its own program says."""

import gzip
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from concordant.metrics.lexical.meteor.data import JAR

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "meteor.json").read_text("utf-8"))


def write_table(path, paraphrases):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"0.1\n{phrase}\n{said_as}\n" for phrase, said_as in paraphrases)


def write_folder(folder, *, synsets, exceptions, paraphrases):
    """A folder of the shape of METEOR's: a jar with WordNet, and a paraphrase table."""
    (folder / "data").mkdir(parents=True)
    with zipfile.ZipFile(folder / JAR, "w") as jar:
        for name, lines in (("synsets", synsets), ("exceptions", exceptions)):
            text = "".join(f"{word}\n{rest}\n" for word, rest in lines.items())
            jar.writestr(f"synonym/english.{name}", text)
    write_table(folder / "data" / "paraphrase-en.gz", paraphrases)
    return folder


def scores_of_jar(jar, folder, translations, references, *options):
    """What METEOR itself says of each line, and of all of them."""
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    for name, lines in (("translations", translations), ("references", references)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    command = ["java", "-Xmx2G", "-jar", jar, "translations", "references", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    segments = [float(line.split("\t")[-1]) for line in lines if line.startswith("Segment")]
    (corpus,) = [float(line.split()[-1]) for line in lines if line.startswith("Final")]
    return segments, corpus
