"""What the tests of bad input share: the command in this process, and small good files to spoil."""

from commands import run

FIVE = ",".join([
    "srclang,trglang,srcIndex,judgeId",
    *(f"system{i}Id" for i in range(1, 6)),
    *(f"system{i}rank" for i in range(1, 6)),
])
SEGMENTS = range(1, 5)
RATED = "segment,system,score"
RATINGS = f"{RATED}\n" + "".join(
    f"{segment},{system},{(7 * segment + 3 * i) % 5}\n"
    for segment in SEGMENTS
    for i, system in enumerate("ABC")
)
RATED_OUTPUTS = 12
RANKINGS = f"{FIVE}\n" + "".join(
    f"de,en,{segment},j,A,B,C,D,E,1,2,3,4,{1 + segment % 5}\n" for segment in SEGMENTS
)
RANKED_OUTPUTS = 20
TIES = f"{FIVE}\n" + "".join(
    f"de,en,{segment},{judge},A,B,C,D,E,2,2,2,2,2\n" for segment in SEGMENTS for judge in "xy"
)
SYSTEM_RATINGS = "system,score\nA,1\nB,2\n"
# Every command that reads judgements, with what it needs besides them.
COMMANDS = {
    "data": "data {path}",
    "convert": "data convert {path}",
    "split": "data split {path} -o {path}.parts",
    "agreement": "data agreement {path}",
    "systems": "data systems {path}",
    "evaluate": "evaluate -m bleu -j {path}",
}


def refused(*arguments):
    """The message of a command that must fail as bad input does: code 1, nothing on stdout."""
    answer = run(*arguments)
    assert answer.code == 1, answer
    assert not answer.out
    return answer.complaint


def filled(command, path):
    """The arguments of one of the commands for a path."""
    return [part.format(path=path) for part in COMMANDS[command].split()]


def write(path, content):
    """The path, with text or bytes in it and the folders above it made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def good_texts(folder, *, reference=True):
    """The folder, with a source, a reference and three systems of four lines."""
    write(folder / "source.txt", "".join(f"Satz {i} ist hier\n" for i in SEGMENTS))
    if reference:
        lines = "".join(f"sentence {i} is right here\n" for i in SEGMENTS)
        write(folder / "reference.txt", lines)
    for system, words in {"A": "is", "B": "is right", "C": "is right here"}.items():
        write(folder / f"systems/{system}.txt", "".join(f"line {i} {words}\n" for i in SEGMENTS))
    return folder


def good_folder(folder):
    """The folder, with texts and ratings of them."""
    write(good_texts(folder) / "ratings.csv", RATINGS)
    return folder


def score_file(path, count=RATED_OUTPUTS, *, value=None):
    """The path, with a number a line; always the same if one is given."""
    lines = [str(37 * i % 11 if value is None else value) for i in range(count)]
    return write(path, "\n".join([*lines, ""]))


def score_rows(*rows):
    """Scores of system, segment and number as participants of WMT's metrics task hand them in."""
    return "".join(f"mine\tde-en\tmine\t{system}\t{i}\t{score}\n" for system, i, score in rows)
