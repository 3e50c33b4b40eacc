"""TrueSkill with judgements that are really drawn, as WMT does, one plain loop: slow, obvious.

With `draw` None every game is the mean over all that it might be, which the kernel computes.
"""

import math

from scipy.stats import norm


def won(gap, margin):
    """Shift of the means and shrinkage of the variances by a win, in units of the spread."""
    lead = gap - margin
    chance = norm.cdf(lead)
    if chance < 1e-300:
        return -lead, 1.0
    v = norm.pdf(lead) / chance
    return v, v * (v + lead)


def drawn(gap, margin):
    """The same by a tie."""
    size = abs(gap)
    upper, lower = margin - size, -margin - size
    chance = norm.cdf(upper) - norm.cdf(lower)
    if chance < 1e-300:
        return (math.copysign(upper, -gap) if gap else 0.0), 1.0
    v = (norm.pdf(lower) - norm.pdf(upper)) / chance
    w = v * v + (upper * norm.pdf(upper) - lower * norm.pdf(lower)) / chance
    return (v if gap >= 0 else -v), w


def possible_games(wins, ties, one, mean):
    """All that a game of a system might be: its chance, the opponent, and 1, 0 or -1."""
    others = [j for j in range(len(wins)) if j != one and count(wins, ties, one, j) > 0]
    near = [math.exp(-abs(mean[one] - mean[j])) for j in others]
    return [
        (near_j / sum(near) * judged / count(wins, ties, one, j), j, outcome)
        for j, near_j in zip(others, near, strict=True)
        for judged, outcome in ((wins[one][j], 1), (ties[one][j], 0), (wins[j][one], -1))
        if judged
    ]


def count(wins, ties, i, j):
    return wins[i][j] + wins[j][i] + ties[i][j]


def play(wins, ties, games, sigma, noise, margin, draw=None):
    """Means and variances after so many games; `draw` picks one of the possible games."""
    k = len(wins)
    mean, variance = [0.0] * k, [sigma**2] * k
    for _ in range(games):
        one = variance.index(max(variance))
        possible = possible_games(wins, ties, one, mean)
        if draw is not None:
            possible = [(1.0, *draw(possible)[1:])]
        shifts, shrinks = [0.0] * k, [0.0] * k
        for chance, other, outcome in possible:
            spread = math.sqrt(2 * noise**2 + variance[one] + variance[other])
            better, worse = (one, other) if outcome >= 0 else (other, one)
            gap = (mean[better] - mean[worse]) / spread
            shift, shrink = (won if outcome else drawn)(gap, margin / spread)
            for system, sign in ((better, 1), (worse, -1)):
                shifts[system] += chance * sign * variance[system] / spread * shift
                shrinks[system] += chance * variance[system] / spread**2 * shrink
        mean = [m + s for m, s in zip(mean, shifts, strict=True)]
        variance = [v * (1 - s) for v, s in zip(variance, shrinks, strict=True)]
    return mean, variance
