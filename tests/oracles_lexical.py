"""What the lexical kernel must count, by sacrebleu itself or by the plainest code there is."""

from collections import Counter
from functools import cache
from itertools import combinations

from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.metrics.chrf import CHRF


def tokens(text, tokeniser):
    """sacrebleu's tokens of a line, as BLEU cuts them; "chrf" as chrF++ does."""
    if tokeniser == "chrf":
        return CHRF()._remove_punctuation(text)
    return _get_tokenizer(tokeniser)()(text.rstrip()).split()


def sacrebleu_counts(metric, translations, references):
    """The rows of a sacrebleu metric, which sees every distinct reference only once."""

    @cache
    def known(texts):
        return metric._extract_reference_info([metric._preprocess_segment(t) for t in texts])

    return [
        [float(x) for x in metric._compute_segment_statistics(
            metric._preprocess_segment(translation), known(tuple(given))
        )]
        for translation, given in zip(translations, references, strict=True)
    ]  # fmt: skip


def grams(sequence, n):
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def skip_grams(words, skip):
    reach = len(words) if skip is None else skip + 1
    places = combinations(range(len(words)), 2)
    return Counter((words[i], words[j]) for i, j in places if j - i <= reach)


def triple(translation, reference):
    """(translation, reference, shared) of two bags, as chrF counts them."""
    shared = sum((translation & reference).values())
    size = sum(translation.values()) if reference else 0
    return [size, sum(reference.values()), shared]


def scores(counted, beta):
    """P, R and F_β of a triple; what has nothing to divide by is 0."""
    translation, reference, shared = counted
    p = shared / translation if translation else 0.0
    r = shared / reference if reference else 0.0
    return p, r, (1 + beta**2) * p * r / (beta**2 * p + r) if p or r else 0.0


def first_best(candidates, key):
    """The first of the candidates whose key is the highest, as all measures choose references."""
    return max(candidates, key=key)


def common_subsequence(a, b):
    """The length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(b) + 1)
    for x in a:
        above, row = row, [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]
