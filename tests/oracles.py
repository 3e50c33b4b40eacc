"""Every statistic by its definition, one plain loop after the other: slow, obvious, the judge.

None stands for "undefined".
"""

import math
from itertools import combinations, product

# Human order of a pair (first better, tie, second better) × the metric's order of it, as published:
# Macháček and Bojar (2014) for WMT12 to WMT14, Bojar et al. (2017) for daRR. X: left out.
PUBLISHED = {
    "tau-wmt12": "+1 -1 -1  X X X  -1 -1 +1",
    "tau-wmt13": "+1  X -1  X X X  -1  X +1",
    "tau-wmt14": "+1  0 -1  X X X  -1  0 +1",
    "tau-darr": "+1 -1 -1  X X X  -1 -1 +1",
    "tau-a": "+1  0 -1  0 0 0  -1  0 +1",
    "accuracy": "+1  0  0  X X X   0  0 +1",
    "accuracy-ties": "+1  0  0  0 1 0   0  0 +1",
}


def mean(values):
    values = [value for value in values if value is not None]
    return math.fsum(values) / len(values) if values else None


def sign(value):
    return int(value > 0) - int(value < 0)


def pearson(x, y):
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    mx, my = mean(x), mean(y)
    sxy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    sxx, syy = (math.fsum((a - m) ** 2 for a in v) for v, m in ((x, mx), (y, my)))
    return sxy / math.sqrt(sxx * syy)


def midranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def spearman(x, y):
    return pearson(midranks(x), midranks(y))


def cells(x, y):
    """Pairs that are concordant, discordant, tied in x only, in y only, in both."""
    counts = [0, 0, 0, 0, 0]
    for i, j in combinations(range(len(x)), 2):
        a, b = sign(x[i] - x[j]), sign(y[i] - y[j])
        if a == b == 0:
            counts[4] += 1
        elif a == 0:
            counts[2] += 1
        elif b == 0:
            counts[3] += 1
        else:
            counts[0 if a == b else 1] += 1
    return counts


def kendall(x, y, variant):
    n, m = len(x), min(len(set(x)), len(set(y)))
    if m < 2:
        return None
    concordant, discordant, tied_x, tied_y, tied_both = cells(x, y)
    pairs = n * (n - 1) / 2
    if variant == "a":
        return (concordant - discordant) / pairs
    if variant == "b":
        untied = (pairs - tied_x - tied_both) * (pairs - tied_y - tied_both)
        return (concordant - discordant) / math.sqrt(untied)
    return 2 * (concordant - discordant) / (n**2 * (m - 1) / m)


def tau(pairs, name):
    """A variant over (human order, metric order) of pairs, by its published table."""
    table = PUBLISHED[name].split()
    worth = [table[3 * (1 - human) + 1 - metric] for human, metric in pairs]
    return mean(int(each) for each in worth if each != "X")


def orders(human, metric, *, gap=0):
    """The two orders of every pair of one segment's translations whose ratings are a gap apart."""
    return [
        (sign(human[i] - human[j]), sign(metric[i] - metric[j]))
        for i, j in combinations(range(len(human)), 2)
        if abs(human[i] - human[j]) >= gap
    ]


def accuracy_at(segments, epsilon):
    """The mean over segments of the share of pairs ordered alike, or tied alike up to ε."""
    means = []
    for human, metric in segments:
        right = []
        for i, j in combinations(range(len(human)), 2):
            difference = metric[i] - metric[j]
            order = 0 if abs(difference) <= epsilon else sign(difference)
            right.append(order == sign(human[i] - human[j]))
        means.append(mean(right))
    return mean(means)


def acc_eq(segments, *, slack=0.0):
    """The best mean accuracy over segments, each (human, metric), that any one ε gives."""
    distances = {abs(a - b) for _, metric in segments for a, b in combinations(metric, 2)}
    if not distances:
        return None
    return max(accuracy_at(segments, epsilon + slack) for epsilon in {0.0, *distances})


def permutation_p(differences, signs):
    observed = math.fsum(differences)
    beyond = 0.0
    for row in signs:
        total = math.fsum(s * d for s, d in zip(row, differences, strict=True))
        equal = math.isclose(total, observed, rel_tol=0, abs_tol=1e-9)
        beyond += 0.5 if equal else total > observed
    return (beyond + 0.5) / (len(signs) + 1)


def normal_p(differences):
    total, spread = math.fsum(differences), math.sqrt(math.fsum(d * d for d in differences))
    return 0.5 if spread == 0 else 0.5 * math.erfc(total / spread / math.sqrt(2))


def soft_accuracy(human, metric, p_human, p_metric):
    """SPA of (segments, systems) by two functions from differences to p; None: not judged."""
    systems = range(len(human[0]))
    distances = []
    for i, j in combinations(systems, 2):
        both = [s for s, row in enumerate(human) if row[i] is not None and row[j] is not None]
        gaps = [
            [scores[s][i] - scores[s][j] if s in both else 0.0 for s in range(len(human))]
            for scores in (human, metric)
        ]
        distances.append(abs(p_human(gaps[0]) - p_metric(gaps[1])))
    return 1 - mean(distances)


def standardised(values):
    m = mean(values)
    deviation = math.sqrt(mean([(v - m) ** 2 for v in values]))
    return [(v - m) / deviation for v in values]


def group_by(keys, *columns):
    """For each key in order, the parts of the columns that have it."""
    groups = {key: tuple([] for _ in columns) for key in sorted(set(keys))}
    for key, *row in zip(keys, *columns, strict=True):
        for part, value in zip(groups[key], row, strict=True):
            part.append(value)
    return list(groups.values())


CORRELATE = {
    "pearson": pearson,
    "spearman": spearman,
    **{f"tau-{variant}": lambda x, y, v=variant: kendall(x, y, v) for variant in "abc"},
}


def segment_statistic(name, human, metric, segment, system, *, average="pooled", gap=None):
    """A statistic of translations with ratings, as `meta.statistics.measure_segments` values it."""
    segments = group_by(segment, human, metric)
    if name == "acc-eq":
        return acc_eq(segments)
    if name in CORRELATE:
        groups = {
            "pooled": [(human, metric)],
            "segment": segments,
            "system": group_by(system, human, metric),
        }[average]
        return mean(CORRELATE[name](h, m) for h, m in groups)
    gap = 25 if name == "tau-darr" and gap is None else gap or 0
    pairs = [orders(h, m, gap=gap) for h, m in segments]
    if average == "segment":
        return mean(tau(each, name) for each in pairs)
    return tau([pair for each in pairs for pair in each], name)


def system_statistic(name, human, metric, system):
    """A statistic of the systems' mean scores."""
    means = [(mean(h), mean(m)) for h, m in group_by(system, human, metric)]
    x, y = ([round(value, 12) for value in side] for side in zip(*means, strict=True))
    if name == "accuracy":
        return tau(orders(x, y), name)
    return CORRELATE[name](x, y)


def expected_wins(pairs, systems):
    """Bojar et al. (2011): the mean over opponents of wins / (wins + losses)."""
    scores = []
    for i in systems:
        shares = []
        for j in systems:
            wins = sum(count for a, b, tie, count in pairs if (a, b) == (i, j) and not tie)
            losses = sum(count for a, b, tie, count in pairs if (a, b) == (j, i) and not tie)
            shares.append(wins / (wins + losses) if wins + losses else None)
        scores.append(mean(shares))
    return scores


def all_masks(units):
    """Every way of exchanging two metrics in some of the units."""
    return list(product([False, True], repeat=units))
