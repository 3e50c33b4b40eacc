"""ReVal as a user has it: rankings and SICK in, a metric, scores of ordinary and odd texts."""

import json

import numpy as np
import pytest
from bad_input import run
from small_preferences import damaged, sentence

from concordant.errors import ConcordantError
from concordant.metrics.bundle import load
from concordant.toml_text import read_toml

SYSTEMS = ("good", "fair", "poor")
ODD = ("", "one", "Ελληνικά και 中文 не по-английски", "word " * 300, "🙂 \u200b ...")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, part):
    """Rankings of three systems by four judges, a file as SICK's, and a metric trained on both."""
    part("parser-en"), part("glove-50")
    folder, rng = tmp_path_factory.mktemp("reval"), np.random.default_rng(5)
    references = [" ".join(sentence(rng)) for _ in range(60)]
    texts, rankings = ["segment\tsystem\ttext\n"], []
    for i, reference in enumerate(references, start=1):
        texts.append(f"{i}\t_reference\t{reference}\n")
        for name, errors in zip(SYSTEMS, (0, 2, 5), strict=True):
            texts.append(f"{i}\t{name}\t{' '.join(damaged(reference.split(), errors, rng))}\n")
        rankings += [
            {"record": "ranking", "testset": "newstest2013", "pair": "de-en", "segment": i,
             "systems": SYSTEMS, "ranks": (1, 2 + (judge == 3), 5), "judge": f"j{judge}"}
            for judge in range(4)
        ]  # fmt: skip
    ranked = folder / "ranked"
    ranked.mkdir()
    (ranked / "newstest2013.de-en.tsv").write_text("".join(texts))
    (ranked / "rankings.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rankings))
    rows = [f"{i}\t{r}\t{r}\t{4 + i % 2}\tNEUTRAL\n" for i, r in enumerate(references)]
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    (folder / "sick.txt").write_text(head + "".join(rows))
    answer = run(
        "train", "--recipe", "reval", "-o", folder / "metric", "--quiet",
        "--judgements", folder / "ranked", "--judgements", folder / "sick.txt",
        "--set", "inputs.trees=trees(parser-en,glove-50)", "--set", "model.memory=12",
        "--set", "model.hidden=6", "--set", "optimiser.epochs=6",
    )  # fmt: skip
    assert answer.code == 0, answer
    assert "agreement on test segments" in answer.out
    return folder


def lines(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def test_the_bundle_says_what_it_reads(folder):
    about = read_toml(folder / "metric" / "metric.toml")
    assert about["inputs"]["trees"] == "trees(parser-en,glove-50)"
    assert about["model"]["kind"] == "tree-lstm"
    assert about["model"]["structure"] == "tree"
    assert about["training"]["training_rated_translations"] > 100
    card = (folder / "metric" / "card.md").read_text()
    assert "0 features, 0 numbers a text, trees(parser-en,glove-50)" in card
    assert "- Trees: trees(parser-en,glove-50)." in card


def test_better_outputs_score_higher(folder):
    rng = np.random.default_rng(6)
    references = [" ".join(sentence(rng)) for _ in range(30)]
    ref = lines(folder / "ref.txt", references)
    means = []
    for errors in (0, 4):
        texts = [" ".join(damaged(each.split(), errors, rng)) for each in references]
        out = lines(folder / f"{errors}.txt", texts)
        answer = run("score", "-m", folder / "metric", "-r", ref, "-t", out, "--format", "json")
        assert answer.code == 0, answer
        means.append(json.loads(answer.out)["records"][0]["reval"])
    assert 0 <= means[1] < means[0] <= 1


def test_odd_texts_have_scores_and_the_same_ones_alone(folder):
    metric = load(folder / "metric")
    references = [["a small house by the river"]] * len(ODD)
    whole = metric.score(list(ODD), references).segments
    assert np.all((whole >= 0) & (whole <= 1))
    alone = [metric.score([text], references[:1]).segments[0] for text in ODD]
    assert alone == whole.tolist()
    with pytest.raises(ConcordantError, match="there are no translations to score"):
        metric.score([], [])


def test_of_several_references_the_closest_counts(folder):
    metric = load(folder / "metric")
    near, far = "the old house stands by a river", "people sing"
    single = [metric.score([near], [[each]]).segments[0] for each in (near, far)]
    assert metric.score([near], [[far, near]]).segments[0] == max(single)


def test_evaluate_takes_it_as_any_metric(folder):
    answer = run(
        "evaluate", "-m", folder / "metric", "-m", "chrf", "--judgements",
        folder / "ranked", "--format", "json",
    )  # fmt: skip
    assert answer.code == 0, answer
    assert "model:tree-lstm" in answer.out


def test_rank_orders_systems_by_their_scores(folder):
    rng = np.random.default_rng(7)
    references = [" ".join(sentence(rng)) for _ in range(25)]
    ref = lines(folder / "rank-ref.txt", references)
    for name, errors in (("best", 0), ("worst", 5)):
        texts = [" ".join(damaged(each.split(), errors, rng)) for each in references]
        lines(folder / f"{name}.txt", texts)
    answer = run(
        "rank", folder / "worst.txt", folder / "best.txt", "-r", ref, "-m", folder / "metric",
        "--format", "json",
    )  # fmt: skip
    assert answer.code == 0, answer
    order = [each["system"] for each in json.loads(answer.out)["records"]]
    assert order == ["best", "worst"]


def test_what_it_cannot_do_is_said_before_any_work(folder):
    answer = run(
        "train", "--recipe", "reval", "-o", folder / "other", "--judgements",
        folder / "sick.txt", "--set", "inputs.features=bleu", "--set", "objective.kind=joint",
    )  # fmt: skip
    assert answer.code == 1
    assert (
        'objective.kind = "joint" is not for tree-lstm models; use divergence' in answer.complaint
    )
    assert "a tree-lstm model sees no inputs.features" in answer.complaint
