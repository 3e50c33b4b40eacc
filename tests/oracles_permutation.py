"""Permutation tests of two metrics, one plain loop after the other: slow, obvious, the judge."""

import math


def mean(values):
    return sum(values) / len(values)


def pearson(x, y):
    mx, my = mean(x), mean(y)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    sxx, syy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return 0.0 if min(sxx, syy) < 1e-20 else sxy / math.sqrt(sxx * syy)


def sign(value):
    return 0 if abs(value) < 1e-11 else math.copysign(1, value)


def kendall(x, y):
    """Tau-b."""
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    dx = [sign(x[i] - x[j]) for i, j in pairs]
    dy = [sign(y[i] - y[j]) for i, j in pairs]
    untied = sum(map(abs, dx)) * sum(map(abs, dy))
    return sum(a * b for a, b in zip(dx, dy, strict=True)) / math.sqrt(untied) if untied else 0.0


def standardised(matrix):
    flat = [v for row in matrix for v in row]
    m = mean(flat)
    sd = math.sqrt(mean([(v - m) ** 2 for v in flat]))
    return [[(v - m) / sd for v in row] for row in matrix]


def correlation(scores, human, level, statistic):
    correlate = {"pearson": pearson, "kendall": kendall}[statistic]
    if level == "system":
        return correlate([mean(row) for row in scores], [mean(row) for row in human])
    if level == "segment":
        return correlate([v for row in scores for v in row], [v for row in human for v in row])
    columns = zip(zip(*scores, strict=True), zip(*human, strict=True), strict=True)
    judged = [(s, h) for s, h in columns if len(set(h)) > 1]
    return mean([correlate(list(s), list(h)) for s, h in judged])


def permutation_test(x, y, human, masks, *, level, statistic):
    """Difference and p, where masks[r][i][j] says whether (i, j) is swapped in permutation r."""
    x, y = standardised(x), standardised(y)

    def difference(a, b):
        return correlation(a, human, level, statistic) - correlation(b, human, level, statistic)

    observed = difference(x, y)
    reached = 0
    for mask in masks:
        a = [[y[i][j] if mask[i][j] else x[i][j] for j in range(len(x[0]))] for i in range(len(x))]
        b = [[x[i][j] if mask[i][j] else y[i][j] for j in range(len(x[0]))] for i in range(len(x))]
        null = difference(a, b)
        reached += abs(null) >= abs(observed) - 1e-12
    return observed, (reached + 1) / (len(masks) + 1)
