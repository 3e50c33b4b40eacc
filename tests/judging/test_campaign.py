"""A campaign's file: made whole, judged, read back as records, exported."""

import csv
import io
import json
import sqlite3

import pytest
from small_campaigns import answer_to, judge_all, small_campaign, small_texts

from concordant.errors import ConcordantError, DataError, SpecError
from concordant.judgements.detection import detect, read
from concordant.judgements.judged_set import JudgedSet
from concordant.judging.campaign import Campaign, create_campaign
from concordant.judging.clerk import Clerk
from concordant.judging.export import export_text
from concordant.judging.settings import CampaignSettings


@pytest.fixture
def judged(tmp_path):
    """Make a campaign, have all its judges judge, and close it."""

    def make(protocol, texts=None, **how):
        path, links = small_campaign(tmp_path, texts, protocol=protocol, **how)
        clerk = Clerk(path)
        tasks = [judge_all(clerk, token, protocol) for token in links.judges.values()]
        clerk.close()
        return path, tasks

    return make


def test_a_new_campaign_has_its_texts_and_no_judgements(tmp_path):
    path, links = small_campaign(tmp_path, small_texts(documents=True))
    assert detect(path).format.name == "campaign"
    found = read(path)
    (texts,) = found.testsets
    assert texts.pair == "de-en"
    assert texts.source[1] == "Quelle 0"
    assert texts.documents[8] == "document 1"
    assert texts.translations["system-2"][1].split()[-1] == "eight"
    assert not found.rankings
    assert sorted(links.judges) == ["judge 0", "judge 1"]


def test_tokens_are_kept_as_hashes_only(tmp_path):
    path, links = small_campaign(tmp_path)
    content = path.read_bytes()
    for token in (links.organiser, *links.judges.values()):
        assert token.encode() not in content
        assert len(token) >= 32


def test_rankings_come_back_as_they_were_given(judged):
    path, tasks = judged("ranking")
    found = read(path)
    assert len(found.rankings) == sum(map(len, tasks)) == 16
    for each in found.rankings:
        ordered = sorted(zip(each.systems, each.ranks, strict=True))
        assert ordered == [("system-0", 1), ("system-1", 2), ("system-2", 3)]
    assert {each.judge for each in found.rankings} == {"judge 0", "judge 1"}


def test_pairs_are_preferences_and_none_is_asked_twice(judged):
    path, tasks = judged("pairs")
    found = read(path)
    assert len(found.preferences) == 2 * 8 * 3 == sum(map(len, tasks))
    assert all(each.better < each.worse and not each.tie for each in found.preferences)
    asked = [(each.judge, each.segment, each.better, each.worse) for each in found.preferences]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("protocol", ["direct", "spans"])
def test_scores_are_ratings(judged, protocol):
    path, _ = judged(protocol)
    found = read(path)
    assert len(found.ratings) == 2 * 8 * 3
    assert {(each.system, each.score) for each in found.ratings} == {
        ("system-0", 100.0), ("system-1", 90.0), ("system-2", 80.0),
    }  # fmt: skip
    extra = {each.system: each.extra for each in found.ratings}
    assert extra["system-1"] == ((("minor", "1"), ("major", "0")) if protocol == "spans" else ())


def test_equal_translations_stand_once_and_are_tied(judged):
    texts = small_texts()
    texts.systems["system-1"][:] = texts.systems["system-0"]
    path, tasks = judged("ranking", texts)
    assert all(len(task["translations"]) == 2 for each in tasks for task in each)
    ranks = [dict(zip(each.systems, each.ranks, strict=True)) for each in read(path).rankings]
    assert all(each == {"system-0": 1, "system-1": 1, "system-2": 2} for each in ranks)


def test_a_text_of_two_systems_is_scored_once_for_both(judged):
    texts = small_texts(2)
    texts.systems["system-1"][:] = texts.systems["system-0"]
    path, tasks = judged("direct", texts)
    assert [len(each) for each in tasks] == [8, 8]
    assert len(read(path).ratings) == 2 * 16


def test_documents_are_judged_in_order(judged):
    _, tasks = judged("direct", small_texts(2, 8, documents=True))
    for each in tasks:
        places = [task["place"] for task in each]
        assert places == [[i % 4 + 1, 4] for i in range(16)]
        assert [len(task["before"]) for task in each] == [0, 1, 2, 3] * 4


def test_the_last_answer_to_a_task_counts(tmp_path):
    path, links = small_campaign(tmp_path, protocol="direct")
    token = links.judges["judge 0"]
    clerk = Clerk(path)
    (task,) = judge_all(clerk, token, "direct", most=1)
    again = clerk.ask(lambda desk: desk.previous(token)).result()
    assert again["task"]["task"] == task["task"]
    assert again["task"]["answer"] == answer_to(task, "direct")
    body = {"task": task["task"], "key": "k" * 20, "answer": {"score": 7}, "seconds": 2}
    clerk.ask(lambda desk: desk.judge(token, body)).result()
    clerk.close()
    assert [each.score for each in read(path).ratings] == [7.0]


def test_judgements_can_neither_be_changed_nor_deleted(judged):
    path, _ = judged("direct")
    connection = sqlite3.connect(path)
    for change in ("UPDATE judgements SET answer = ''", "DELETE FROM judgements"):
        with pytest.raises(sqlite3.IntegrityError, match="judgements are never"):
            connection.execute(change)
    connection.close()


def test_quality_control_is_not_a_judgement_of_systems(judged):
    path, tasks = judged("ranking", small_texts(3, 40), damaged=0.3, each=40)
    found = read(path)
    (note,) = found.notes
    assert note.endswith("judgements of damaged items (quality control) are left out")
    assert len(found.rankings) < sum(map(len, tasks)) == 80


def test_whom_the_organiser_leaves_out_is_left_out(judged):
    path, _ = judged("pairs")
    campaign = Campaign(path)
    campaign.set_state("judge 1", "left out")
    campaign.close()
    found = read(path)
    assert {each.judge for each in found.preferences} == {"judge 0"}
    assert found.notes == (
        f'{path}: 24 judgements of "judge 1", whom the organiser left out, are left out',
    )


def test_weights_reach_the_records(tmp_path, judged):
    path, _ = judged("pairs")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE tasks SET weight = 2.5 WHERE id = 1")
    connection.commit()
    connection.close()
    found = read(path)
    assert [each.weight for each in found.preferences][:2] == [2.5, 1.0]
    (column,) = JudgedSet.of(found, "preferences").columns()
    assert column.pairs.weight.tolist()[:2] == [2.5, 1.0]
    assert column.judgements == 48
    (tmp_path / "x.jsonl").write_text(export_text(path, "jsonl"))
    assert read(tmp_path / "x.jsonl").preferences == found.preferences


def test_wmts_csv_is_read_back(judged, tmp_path):
    path, _ = judged("ranking")
    target = tmp_path / "wmt.csv"
    target.write_text(export_text(path, "wmt-csv"))
    assert detect(target).format.name == "wmt-two-way"
    found = read(target)
    assert len(found.rankings) == 3 * 16
    assert len({each.group for each in found.rankings}) == 16


def test_comets_csv_is_read_back(judged, tmp_path):
    path, _ = judged("direct")
    target = tmp_path / "comet.csv"
    target.write_text(export_text(path, "comet-csv"))
    assert [(e.system, e.segment, e.score) for e in read(target).ratings] == [
        (e.system, e.segment, e.score) for e in read(path).ratings
    ]
    path.unlink()
    path, _ = judged("pairs")
    rows = list(csv.DictReader(io.StringIO(export_text(path, "comet-csv"))))
    assert all(len(row["pos"]) > len(row["neg"]) for row in rows)


def test_mqms_tsv_marks_errors(judged):
    path, _ = judged("spans")
    rows = list(csv.DictReader(io.StringIO(export_text(path, "mqm-tsv")), delimiter="\t"))
    assert {row["severity"] for row in rows} == {"Minor", "No-error"}
    marked = next(row for row in rows if row["severity"] == "Minor")
    assert marked["target"].startswith("<v>")


def test_formats_that_do_not_fit_say_so(judged):
    path, _ = judged("direct")
    with pytest.raises(ConcordantError, match="this campaign has none"):
        export_text(path, "mqm-tsv")
    with pytest.raises(ConcordantError, match="this one has scores"):
        export_text(path, "wmt-csv")


def test_no_file_is_overwritten_and_none_is_left_half(tmp_path):
    path, _ = small_campaign(tmp_path)
    with pytest.raises(ConcordantError, match="there already; to go on with it: concordant judge"):
        small_campaign(tmp_path)
    path.unlink()
    with pytest.raises(SpecError, match="twice"):
        create_campaign(path, small_texts(), CampaignSettings("pairs"), ["a", "a"])
    assert list(tmp_path.iterdir()) == []


def test_one_process_serves_a_campaign(tmp_path):
    path, _ = small_campaign(tmp_path)
    campaign = Campaign(path)
    with pytest.raises(ConcordantError, match="is served by another process"):
        Campaign(path)
    campaign.close()
    Campaign(path).close()


def test_new_links_end_the_old_ones(tmp_path):
    path, links = small_campaign(tmp_path)
    campaign = Campaign(path)
    fresh = campaign.new_links(["carol"])
    campaign.close()
    assert sorted(fresh.judges) == ["carol", "judge 0", "judge 1"]
    assert not set(fresh.judges.values()) & set(links.judges.values())
    clerk = Clerk(path)
    assert clerk.desk.judge_of(fresh.judges["carol"]).name == "carol"
    clerk.close()


def test_damaged_files_are_refused_with_words(judged):
    path, _ = judged("pairs")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * 8192 + content[12288:])
    with pytest.raises(DataError, match="cannot be read as a campaign"):
        read(path)
    path.write_bytes(content)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(DataError, match="is a campaign of version 99"):
        read(path)


def test_tampered_answers_are_refused_with_words(tmp_path):
    path, links = small_campaign(tmp_path, protocol="pairs")
    clerk = Clerk(path)
    judge_all(clerk, links.judges["judge 0"], "pairs", most=1)
    clerk.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE tasks SET shown = ?", (json.dumps([[1], [9]]),))
    connection.commit()
    connection.close()
    with pytest.raises(DataError, match="makes no sense"):
        read(path)


def test_other_databases_are_no_campaigns(tmp_path):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE x (y)")
    connection.close()
    with pytest.raises(DataError, match="of these, only campaigns of concordant judge are read"):
        read(path)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"protocol": "rank"}, "protocol"),
        ({"protocol": "pairs", "policy": "best"}, "policy"),
        ({"protocol": "pairs", "each": 0}, "at least 1"),
        ({"protocol": "pairs", "repeats": 0.4, "damaged": 0.3}, "more than half"),
        ({"protocol": "pairs", "policy": "both", "random_share": 0.0}, "without a base"),
        ({"protocol": "ranking", "shown": 6}, "2 to 5"),
    ],
)
def test_settings_that_no_campaign_can_have(how, words):
    with pytest.raises(SpecError, match=words):
        CampaignSettings(**how)
