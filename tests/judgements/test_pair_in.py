import pytest

from concordant.judgements.names import pair_in


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("ad-seg-scores-de-en.csv", "de-en"),
        ("ad-sys-ranking-cs-en-z.csv", "cs-en"),
        ("mqm_newstest2020_ende.avg_seg_scores.tsv", "en-de"),
        ("mqm_ted_zhen.avg_seg_scores.tsv", "zh-en"),
        ("hum-sys.de-en.scores.csv", "de-en"),
        ("pairs_fr_de.csv", "fr-de"),
        ("newstest2019-frde.csv", "fr-de"),
        ("scores.en-yo.csv", "en-yo"),
        ("data.csv", None),
        ("node_is_ok.csv", None),
        ("sts-dev.csv", None),
        ("my-own-ratings.csv", None),
    ],
)
def test_short_words_are_not_languages(name, pair):
    assert pair_in(name) == pair
