"""Commands that ask for what makes no sense, or of data that has no answer: words, not a number."""

import json

import pytest
from bad_input import (
    RANKED_OUTPUTS,
    RANKINGS,
    RATED,
    RATED_OUTPUTS,
    RATINGS,
    SYSTEM_RATINGS,
    TIES,
    good_folder,
    good_texts,
    refused,
    run,
    score_file,
    score_rows,
    write,
)


@pytest.fixture
def folder(tmp_path):
    return good_folder(tmp_path / "mine" / "de-en")


@pytest.fixture
def ratings(tmp_path):
    return write(tmp_path / "ratings.csv", RATINGS)


REQUESTS = {
    "-m blue": 'nor a file of scores; did you mean "bleu"?',
    "-m absent.scores": 'metric "absent.scores" is not one of base, fast, fast-any, pair, qe,',
    "-m bleu -m bleu": "metric bleu is given more than once",
    "-m bleu --baseline chrf": 'baseline "chrf" is not one of the metrics bleu',
    "-m bleu --statistic pearsn": 'did you mean "pearson"?',
    "-m bleu --statistic spa": 'statistic "spa" is not one of',
    "-m bleu --statistic tau-wmt14 --level system": 'statistic "tau-wmt14" is not one of',
    "-m bleu --pairs fr-*": "no language pair matches fr-*; there are: mine de-en",
    "-m bleu --pairs de-en,fr-en": "no language pair matches fr-en; there are: mine de-en",
    "-m bleu --judged rankings": "there are no rankings; there are ratings",
    "-m bleu --human mqm": 'there is no human score "mqm"; there is the one of the file',
    "-m bleu --confidence 2": "confidence must be a number between 0 and 1, such as 0.95, not 2.0",
    "-m bleu --confidence nan": "confidence must be a number between 0 and 1, such as 0.95",
    "-m bleu --resamples 0": "resamples must be a whole number from 1 to 1,000,000, not 0",
    "-m bleu --permutations -5": "permutations must be a whole number from 1 to 1,000,000",
    "-m bleu --minimum-gap nan": "minimum gap must be a finite number of at least 0, not nan",
    "-m bleu --minimum-gap -1": "minimum gap must be a finite number of at least 0, not -1.0",
    "-m bleu --minimum-gap 3": "pearson has no minimum gap; tau-wmt12",
    "-m bleu --by-document": "resampling by document needs texts with document names",
    "-m bleu --lower-is-better m": 'lower-is-better "m" is not one of the given metrics: bleu',
    "-m bleu --lower-is-better bleu": "lower-is-better is only for files of scores",
    "-m bleu --drop-outliers": "only systems can be outliers: use --level system",
    "-m bleu --level system --average system": "average system needs scores of segments",
    "-m bleu --statistic tau-wmt14 --average system": "tau-wmt14 compares translations of",
    "-m bleu --statistic tau-b --test williams": "test only works for pearson, not for tau-b",
}


@pytest.mark.parametrize("asked", REQUESTS)
def test_a_request_that_makes_no_sense(folder, asked):
    assert REQUESTS[asked] in refused("evaluate", "-j", folder, *asked.split())


OF_RANKINGS = {
    "--statistic pearson": "pearson needs ratings; there are rankings",
    "--statistic pearson --judged rankings": "pearson at segment level needs ratings",
    "--statistic tau-darr": "tau-darr needs ratings; there are rankings",
    "--statistic spa --level system": "spa needs ratings; there are rankings",
    "--statistic spa --level system --judged rankings": "spa needs ratings of segments",
    "--minimum-gap 3": "a minimum gap only works for ratings of segments, not for rankings",
    "--human mqm": 'human score "mqm" is only for ratings; these are rankings',
    "--test williams": "test only works for pearson, not for tau-wmt14",
}


@pytest.mark.parametrize("asked", OF_RANKINGS)
def test_a_request_that_does_not_fit_rankings(tmp_path, asked):
    path = write(tmp_path / "ranks.csv", RANKINGS)
    metric = score_file(tmp_path / "m", RANKED_OUTPUTS)
    assert OF_RANKINGS[asked] in refused("evaluate", "-m", metric, "-j", path, *asked.split())


USAGE = {
    "evaluate": "Missing option '-m'",
    "evaluate -m bleu": "Missing option '--judgements'",
    "evaluate -m bleu -j x --resamples x": "'x' is not a valid integer",
    "evaluate -m bleu -j x --level x": "'x' is not one of 'segment'",
    "evaluate -m bleu -j x --seed -1": "-1 is not in the range x>=0",
    "data agreement x --seed -1": "-1 is not in the range x>=0",
    "data convert x --to x": "'x' is not one of 'records', 'preferences'",
    "data split x": "Missing option '-o'",
    "evalute": 'there is no command "evalute"; did you mean "evaluate"?',
    "data": "Usage: concordant data",
    "": "Usage: concordant",
}


@pytest.mark.parametrize("typed", USAGE)
def test_a_command_typed_wrongly_exits_with_2(typed):
    answer = run(*typed.split())
    assert answer.code == 2
    assert not answer.out
    assert USAGE[typed] in answer.err


BAD_SCORES = {
    "few": (
        11,
        {},
        "m: 11 scores for 12 judged translations (12 unnamed); give one score per line",
    ),
    "many": (
        13,
        {},
        "m: 13 scores for 12 judged translations (12 unnamed); give one score per line",
    ),
    "nan": (12, {5: "nan"}, 'm:6: score "nan" is not a finite number'),
    "infinite": (12, {5: "inf"}, 'm:6: score "inf" is not a finite number'),
    "text": (12, {5: "hello"}, 'm:6: score "hello" is not a finite number'),
    "heading": (12, {0: "score"}, 'm:1: score "score" is not a finite number'),
    "blank": (12, {5: ""}, 'm:6: score "" is not a finite number'),
    "late": (40, {30: "hello"}, 'm:31: score "hello" is not a finite number'),
}


@pytest.mark.parametrize("case", BAD_SCORES)
def test_a_bad_score_file(ratings, tmp_path, case):
    count, changes, words = BAD_SCORES[case]
    lines = [changes.get(i, str(i % 5)) for i in range(count)]
    path = write(tmp_path / "m", "\n".join([*lines, ""]))
    assert words in refused("evaluate", "-m", path, "-j", ratings)


def test_a_bad_score_table(folder, tmp_path):
    rows = [(system, i, 0.1 * i) for system in "ABC" for i in range(1, 5)]
    path = tmp_path / "mine.seg.score"
    command = ["evaluate", "-m", path, "-j", folder]
    write(path, score_rows(*rows))
    assert run(*command).code == 0
    write(path, score_rows(*rows[:-2]))
    assert refused(*command) == (
        f"{path}: mine has no score for 2 of 12 judged translations of mine de-en "
        "(the first: system C, segment 3)"
    )
    write(path, score_rows(*rows[:-1], ("C", 4, "nan")))
    assert "mine has no score for 1 of 12 judged translations" in refused(*command)
    write(path, score_rows(*rows[:-1], ("C", 4, "high")))
    assert refused(*command) == f'{path}:12: score "high" is not a finite number'
    write(path, score_rows(*rows, ("C", 4, 99)))
    assert refused(*command).startswith(f"{path}:13: score 99 contradicts 0.4")


def test_scores_of_other_languages_are_undefined_not_wrong(folder, tmp_path):
    rows = score_rows(*((system, i, i) for system in "ABC" for i in range(1, 5)))
    path = write(tmp_path / "mine.seg.score", rows.replace("de-en", "fr-en"))
    answer = run("evaluate", "-m", path, "-j", folder)
    assert answer.code == 0
    assert "mine, mine de-en: mine has no scores for mine de-en" in answer.out


def test_bleu_without_texts_and_without_references(ratings, tmp_path):
    words = "bleu needs translations and references; unnamed has no texts: add a"
    assert words in refused("evaluate", "-m", "bleu", "-j", ratings)
    folder = good_texts(tmp_path / "mine" / "de-en", reference=False)
    write(folder / "ratings.csv", RATINGS)
    words = "mine de-en has no references: add a folder of texts with --texts"
    assert words in refused("evaluate", "-m", "bleu", "-j", folder)


@pytest.mark.parametrize("method", ["bradley-terry", "trueskill"])
def test_documents_are_not_drawn_where_systems_are(tmp_path, method):
    folder = good_texts(tmp_path / "de-en")
    write(folder / "documents.txt", "one\none\ntwo\ntwo\n")
    write(folder / "pairs.csv", "segment,better,worse\n1,A,B\n2,B,C\n3,C,A\n")
    asked = ["-j", folder, "--level", "system", "--by-document", "--system-scores", method]
    assert "documents cannot be resampled here" in refused("evaluate", "-m", "bleu", *asked)


# Judgements that leave statistics without a value, and how many translations they judge.
THIN = {
    "one output": (f"{RATED}\n1,A,1\n", 1),
    "one segment": (f"{RATED}\n1,A,1\n1,B,2\n1,C,4\n", 3),
    "one system": (f"{RATED}\n1,A,1\n2,A,2\n3,A,4\n", 3),
    "equal ratings": (f"{RATED}\n1,A,5\n1,B,5\n2,A,5\n2,B,5\n", 4),
    "apart": (f"{RATED}\n" + "".join(f"{i},s{i},{i % 3}\n" for i in range(1, 31)), 30),
    "ties": (TIES, RANKED_OUTPUTS),
    "whole systems": (SYSTEM_RATINGS, 2),
    "one whole system": ("system,score\nA,1\n", 1),
}
STATISTICS = {
    "segment": ["pearson", "spearman", "tau-b", "acc-eq", "tau-wmt14", "tau-darr", "accuracy"],
    "system": ["pearson", "spearman", "tau-b", "spa", "accuracy"],
}


@pytest.mark.parametrize("level", STATISTICS)
@pytest.mark.parametrize("case", THIN)
def test_too_little_to_measure_is_undefined_with_a_reason(tmp_path, case, level):
    text, count = THIN[case]
    path = write(tmp_path / "thin.csv", text)
    metrics = [score_file(tmp_path / "m", count), score_file(tmp_path / "flat", count, value=3)]
    for statistic in STATISTICS[level]:
        answer = run(
            "evaluate", "-m", metrics[0], "-m", metrics[1], "-j", path, "--level", level,
            "--statistic", statistic, "--resamples", 20, "--permutations", 20, "--format", "json",
        )  # fmt: skip
        if answer.code:  # a statistic that is not of these judgements
            assert answer.complaint.startswith(f"{statistic} needs ")
            continue
        for record in json.loads(answer.out)["records"]:
            assert (record["value"] is None) == bool(record["undefined"])


def test_a_constant_metric_says_why(ratings, tmp_path):
    flat = score_file(tmp_path / "flat", value=3)
    answer = run("evaluate", "-m", flat, "-m", score_file(tmp_path / "m"), "-j", ratings)
    assert answer.code == 0
    assert f"flat, unnamed: the metric is constant over {RATED_OUTPUTS} points" in answer.out


def test_one_segment_has_no_interval(tmp_path):
    path = write(tmp_path / "one.csv", THIN["one segment"][0])
    out = run("evaluate", "-m", score_file(tmp_path / "m", 3), "-j", path).out
    assert "m, unnamed: no interval: undefined in 1000 of 1000 resamples; too few" in out
    assert "[low, high]" not in out
    assert "–: no interval or ranks" in run("data", "systems", path).out


def test_systems_of_thin_judgements(tmp_path):
    path = write(tmp_path / "a.csv", THIN["one system"][0])
    assert refused("data", "systems", path) == "unnamed has 1 system; at least two are needed"
    path = write(tmp_path / "b.csv", THIN["apart"][0])
    assert "–: no interval or ranks" in run("data", "systems", path).out
    path = write(tmp_path / "c.csv", TIES)
    message = refused("data", "systems", path)
    assert message.startswith('de-en: no judgement of A, B, C, D, E counts for "expected-wins"')
    assert run("data", "systems", path, "--method", "better-or-equal").code == 0
    assert 'method "wins" is not one of' in refused("data", "systems", path, "--method", "wins")
    assert refused("data", "systems", path, "--judged", "ratings").startswith("there are no ratin")
    assert "no language pair matches xx" in refused("data", "systems", path, "--pairs", "xx")


@pytest.mark.parametrize("option", ["--threads", "--batch"])
@pytest.mark.parametrize("value", [0, -1, 10**20])
def test_threads_and_batches_have_bounds(tmp_path, option, value):
    text = write(tmp_path / "a", "a line\n")
    answer = run("score", "-r", text, "-t", text, "-m", "chrf", option, value)
    assert answer.code == 2
    assert f"Invalid value for '{option}'" in answer.err
