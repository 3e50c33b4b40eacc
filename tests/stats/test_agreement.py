from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from concordant.errors import SpecError, UndefinedStatistic
from concordant.stats.agreement import SCALES, cohen_kappa_wmt, krippendorff_alpha

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: four observers of
# twelve units; a dot is a missing value.
KRIPPENDORFF = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}

JUDGEMENTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1)), min_size=2, max_size=30
)
RATINGS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 3)), st.integers(0, 4), min_size=2, max_size=20
)


def example():
    entries = [
        (unit, rater, int(value))
        for rater, row in enumerate(KRIPPENDORFF)
        for unit, value in enumerate(row)
        if value != "."
    ]
    return [np.array(column) for column in zip(*entries, strict=True)]


def kappa_by_loop(judgements, kind):
    agreeing = pairs = 0
    for one, other in combinations(judgements, 2):
        if one[0] == other[0] and (one[1] == other[1]) == (kind == "intra"):
            pairs += 1
            agreeing += one[2] == other[2]
    tied = sum(label == 0 for *_, label in judgements) / len(judgements)
    chance = tied**2 + 2 * ((1 - tied) / 2) ** 2
    return None if pairs == 0 or chance == 1 else (agreeing / pairs - chance) / (1 - chance)


def alpha_by_loop(entries, scale):
    """Krippendorff's steps: coincidence matrix, margins, distances, ratio of disagreements."""
    units = {}
    for (unit, _), value in entries.items():
        units.setdefault(unit, []).append(value)
    values = sorted({v for rated in units.values() if len(rated) > 1 for v in rated})
    table = {(c, k): 0.0 for c in values for k in values}
    for rated in units.values():
        for i, j in ((i, j) for i in range(len(rated)) for j in range(len(rated)) if i != j):
            table[rated[i], rated[j]] += 1 / (len(rated) - 1)
    margin = {c: sum(table[c, k] for k in values) for c in values}

    def distance(c, k):
        low, high = sorted((c, k))
        if scale == "nominal":
            return float(c != k)
        if scale == "ordinal":
            between = sum(margin[g] for g in values if low <= g <= high)
            return (between - (margin[c] + margin[k]) / 2) ** 2
        if scale == "interval":
            return (c - k) ** 2
        return ((c - k) / (c + k)) ** 2 if c != k else 0.0

    n = sum(margin.values())
    observed = sum(table[c, k] * distance(c, k) for c in values for k in values)
    expected = sum(margin[c] * margin[k] * distance(c, k) for c in values for k in values)
    return None if len(values) < 2 else 1 - (n - 1) * observed / expected


@pytest.mark.parametrize("scale", SCALES)
def test_alpha_of_krippendorffs_own_example(scale, rng):
    alpha = krippendorff_alpha(*example(), rng=rng, scale=scale)
    assert alpha.value == pytest.approx(PUBLISHED[scale], abs=0.0005)
    assert alpha.n == 40
    assert alpha.low < alpha.value < alpha.high


@pytest.mark.parametrize("scale", SCALES)
@given(entries=RATINGS)
@settings(max_examples=60)
def test_alpha_against_the_coincidence_matrix(scale, entries):
    expected = alpha_by_loop(entries, scale)
    if expected is None:
        reject()
    units, raters = zip(*entries, strict=True)
    rng = np.random.default_rng(0)
    alpha = krippendorff_alpha(
        units, raters, list(entries.values()), rng=rng, scale=scale, n_resamples=5
    )
    assert alpha.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("scale", SCALES)
def test_names_and_order_do_not_matter(scale, rng):
    units, raters, values = example()
    plain = krippendorff_alpha(units, raters, values, rng=rng, scale=scale)
    order = rng.permutation(len(units))
    names = np.array([f"unit {(7 * u) % 12}" for u in units])
    again = krippendorff_alpha(
        names[order], (3 - raters)[order], values[order], rng=rng, scale=scale
    )
    assert again.value == pytest.approx(plain.value)


@pytest.mark.parametrize(
    ("scale", "change"),
    [
        ("nominal", lambda v: (3 * v) % 7),
        ("ordinal", np.exp),
        ("interval", lambda v: 4 * v - 100),
        ("ratio", lambda v: 12 * v),
    ],
)
def test_what_each_scale_allows_to_change(scale, change):
    units, raters, values = example()
    plain = krippendorff_alpha(units, raters, values, rng=np.random.default_rng(1), scale=scale)
    changed = krippendorff_alpha(
        units, raters, change(values), rng=np.random.default_rng(1), scale=scale
    )
    assert changed.value == pytest.approx(plain.value)
    assert (changed.low, changed.high) == pytest.approx((plain.low, plain.high))


@pytest.mark.parametrize("scale", SCALES)
def test_alpha_of_perfect_and_of_random_ratings(scale, rng):
    units, raters = np.repeat(np.arange(500), 3), np.tile(np.arange(3), 500)
    perfect = krippendorff_alpha(units, raters, units % 9, rng=rng, scale=scale)
    assert (perfect.value, perfect.low, perfect.high) == (1.0, 1.0, 1.0)
    chance = krippendorff_alpha(units, raters, rng.integers(1, 6, 1500), rng=rng, scale=scale)
    assert chance.value == pytest.approx(0, abs=0.06)


@pytest.mark.parametrize("kind", ["inter", "intra"])
@given(judgements=JUDGEMENTS)
def test_kappa_against_a_loop(kind, judgements):
    expected = kappa_by_loop(judgements, kind)
    if expected is None:
        reject()
    rng = np.random.default_rng(0)
    kappa = cohen_kappa_wmt(*zip(*judgements, strict=True), rng=rng, kind=kind, n_resamples=5)
    assert kappa.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["inter", "intra"])
def test_kappa_does_not_depend_on_the_order_of_two_systems(kind, rng):
    item, judge, label = rng.integers(0, 20, 300), rng.integers(0, 4, 300), rng.integers(-1, 2, 300)
    turned = np.where(item % 2 == 0, -label, label)
    one = cohen_kappa_wmt(item, judge, label, rng=np.random.default_rng(1), kind=kind)
    other = cohen_kappa_wmt(item, judge, turned, rng=np.random.default_rng(1), kind=kind)
    assert one == other


def test_kappa_of_perfect_and_of_random_labels(rng):
    item, judge = np.repeat(np.arange(3000), 2), np.tile([0, 1], 3000)
    assert cohen_kappa_wmt(item, judge, item % 3 - 1, rng=rng).value == 1.0
    chance = cohen_kappa_wmt(item, judge, rng.integers(-1, 2, 6000), rng=rng)
    assert chance.low < 0 < chance.high
    assert chance.n == 3000


@pytest.mark.parametrize("block", [1, 2000])
def test_the_size_of_a_block_does_not_matter(block, monkeypatch):
    def both():
        rng = np.random.default_rng(1)
        units, raters, values = example()
        yield cohen_kappa_wmt(units, raters, np.sign(values - 2), rng=rng)
        for scale in ("nominal", "ordinal", "interval"):
            yield krippendorff_alpha(units, raters, values, rng=rng, scale=scale)

    plain = list(both())
    monkeypatch.setattr("concordant.stats.draws.BLOCK_VALUES", block)
    assert list(both()) == plain


def test_one_unit_has_a_value_but_no_interval(rng):
    kappa = cohen_kappa_wmt([0, 0, 1], [0, 1, 0], [1, 1, 0], rng=rng)
    alpha = krippendorff_alpha([0, 0, 1], [0, 1, 0], [1, 2, 2], rng=rng)
    assert (kappa.value, kappa.low, kappa.high, kappa.n) == (1.0, None, None, 1)
    assert (alpha.value, alpha.low, alpha.high, alpha.n) == (0.0, None, None, 2)
    assert "only 1 item" in kappa.method
    assert "only 1 unit" in alpha.method


def test_resamples_that_are_undefined_are_left_out_of_the_interval(rng):
    # A quarter of the resamples holds nothing but the tie, where chance agreement is 1.
    kappa = cohen_kappa_wmt([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0], rng=rng)
    assert (kappa.value, kappa.low, kappa.high) == (1.0, 1.0, 1.0)


def test_kappa_refuses(rng):
    with pytest.raises(SpecError, match='kind "between" is not one of inter, intra'):
        cohen_kappa_wmt([0], [0], [0], rng=rng, kind="between")
    for arguments, words in [
        (([0, 0], [0, 0], [1, 1]), "no item was judged twice by different judges"),
        (([0, 0], [0, 1], [0, 0]), "every judgement is a tie"),
        (([0, 0], [0, 1], [0, 3]), "a label is not one of"),
        (([0, 0], [0, 1], [0, np.nan]), "NaN"),
        (([0, 0], [0], [1, 1]), "2 judgements of 2 units by 1 raters"),
        (([], [], []), "no judgements"),
    ]:
        with pytest.raises(UndefinedStatistic, match=words):
            cohen_kappa_wmt(*arguments, rng=rng)
    with pytest.raises(UndefinedStatistic, match="twice by the same judge"):
        cohen_kappa_wmt([0, 0], [0, 1], [1, 1], rng=rng, kind="intra")


def test_alpha_refuses(rng):
    with pytest.raises(SpecError, match='did you mean "ordinal"'):
        krippendorff_alpha([0], [0], [0], rng=rng, scale="ordnal")
    for arguments, words in [
        (([0, 1], [0, 1], [1, 2]), "no unit was rated by two raters"),
        (([0, 0], [0, 1], [3, 3]), "every pairable rating is 3"),
        (([0, 0], [1, 1], [1, 2]), "1 ratings repeat a unit's rater"),
        (([0, 0], [0, 1], [1, np.nan]), "NaN"),
        (([0, 0], [0, 1], [1]), "1 judgements of 2 units"),
        (([], [], []), "no judgements"),
    ]:
        with pytest.raises(UndefinedStatistic, match=words):
            krippendorff_alpha(*arguments, rng=rng)
    with pytest.raises(UndefinedStatistic, match="rating -1 is negative"):
        krippendorff_alpha([0, 0], [0, 1], [-1, 2], rng=rng, scale="ratio")
    units, raters = np.repeat(np.arange(3000), 2), np.tile([0, 1], 3000)
    with pytest.raises(UndefinedStatistic, match=r"6000 different ratings.*round them"):
        krippendorff_alpha(units, raters, np.arange(6000), rng=rng, scale="ratio")
