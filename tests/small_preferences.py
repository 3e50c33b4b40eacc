"""Preferences with texts that a lexical metric can learn from: the better output errs less."""

import csv

import numpy as np

WORDS = (
    "the old house stands by a small river where people walk in spring and sing at night".split()
)


def sentence(rng):
    return list(rng.choice(WORDS, size=rng.integers(6, 12)))


def damaged(words, errors, rng):
    """The words with so many of them replaced, one in three by nothing."""
    words = list(words)
    for place in rng.choice(len(words), size=errors, replace=False):
        words[place] = f"x{rng.integers(100)}" if rng.random() < 0.7 else ""
    return [word for word in words if word]


def rows(segments, seed=0, *, each=3):
    """Rows of reference, better, worse: for each segment so many, one in twenty wrong."""
    rng = np.random.default_rng(seed)
    found = []
    for segment in range(1, segments + 1):
        reference = [f"s{segment}", *sentence(rng)]
        for _ in range(each):
            few, many = sorted(rng.choice(6, size=2, replace=False))
            pair = [" ".join(damaged(reference, errors, rng)) for errors in (few, many)]
            pair = pair[::-1] if rng.random() < 0.05 else pair
            found.append({
                "source": f"quelle {segment}",
                "reference": " ".join(reference),
                "better": pair[0],
                "worse": pair[1],
            })
    return found


def write_rows(path, given):
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(given[0]))
        writer.writeheader()
        writer.writerows(given)
    return path


def write_systems(folder, segments=20, seed=9):
    """References and three systems, good, fair and poor, one sentence a line."""
    rng = np.random.default_rng(seed)
    references = [sentence(rng) for _ in range(segments)]
    folder.mkdir(parents=True, exist_ok=True)
    lines = {"ref": references}
    for name, errors in (("good", 0), ("fair", 2), ("poor", 5)):
        lines[name] = [damaged(words, errors, rng) for words in references]
    paths = {}
    for name, texts in lines.items():
        paths[name] = folder / f"{name}.txt"
        paths[name].write_text("".join(" ".join(words) + "\n" for words in texts))
    return paths
