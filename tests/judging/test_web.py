"""The server as a stranger meets it: who may do what, and what nobody may."""

import http.client
import json
import logging
import threading
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from small_campaigns import KEY, Served, answer_to, small_campaign, small_texts

from concordant.judgements.detection import read
from concordant.judging.guard import MOST_BODY
from concordant.judging.server import Address, bind

pytest.importorskip("uvicorn", reason="the extra judge is not installed")


@pytest.fixture
def serve(tmp_path):
    """Serve small campaigns; all are stopped at the end."""
    running = []

    def begin(texts=None, **how):
        path, links = small_campaign(tmp_path, texts, **how)
        running.append(Served(path))
        return Client(running[-1].address.base, links, path)

    yield begin
    for each in running:
        each.stop()


class Client:
    """Requests to a served campaign."""

    def __init__(self, base, links, path):
        self.base, self.links, self.path = urlsplit(base), links, path

    def ask(self, method, path, token=None, body=None, **headers):
        """Status, headers and what was answered."""
        connection = http.client.HTTPConnection(self.base.hostname, self.base.port, timeout=30)
        given = {"authorization": f"Bearer {token}"} if token else {}
        if isinstance(body, dict | list):
            body, given["content-type"] = json.dumps(body), "application/json"
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        chunked = "transfer-encoding" in given
        connection.request(method, path, body, given, encode_chunked=chunked)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        kind = response.headers.get("content-type", "")
        return response.status, response.headers, json.loads(content) if "json" in kind else content

    def task(self, judge="judge 0"):
        return self.ask("GET", "/api/task", self.links.judges[judge])[2]["task"]

    def judge(self, task, judge="judge 0", **changes):
        key = changes.pop("key", None) or KEY.format(task["task"])
        body = {"task": task["task"], "key": key, "answer": answer_to(task, "ranking"),
                "seconds": 1.0, **changes}  # fmt: skip
        return self.ask("POST", "/api/judgement", self.links.judges[judge], body)


def test_a_judgement_is_on_disk_before_it_is_acknowledged(serve):
    client = serve()
    status, _, answer = client.judge(client.task())
    assert (status, answer["saved"], answer["progress"]["done"]) == (200, True, 1)
    assert len(read(client.path).rankings) == 1


def test_the_same_judgement_again_is_written_once(serve):
    client = serve()
    task = client.task()
    for again in (False, True, True):
        status, _, answer = client.judge(task)
        assert (status, answer["again"], answer["progress"]["done"]) == (200, again, 1)
    assert len(read(client.path).rankings) == 1


@pytest.mark.parametrize("token", [None, "", "x", "é", "A" * 32, "A" * 10_000])
def test_without_a_known_token_there_is_nothing(serve, token):
    client = serve()
    for method, path in [("GET", "/api/task"), ("GET", "/api/previous"), ("GET", "/api/overview"),
                         ("GET", "/api/export?format=jsonl"), ("GET", "/api/metrics")]:  # fmt: skip
        status, _, answer = client.ask(method, path, token and token.encode().decode("latin-1"))
        assert status == 401, path
        assert "link" in answer["words"]


def test_a_judge_is_no_organiser_and_an_organiser_no_judge(serve):
    client = serve()
    judge, organiser = client.links.judges["judge 0"], client.links.organiser
    assert client.ask("GET", "/api/overview", judge)[0] == 401
    assert client.ask("POST", "/api/pause", judge, {"paused": True})[0] == 401
    assert client.ask("GET", "/api/task", organiser)[0] == 401
    assert client.ask("GET", "/api/overview", organiser)[0] == 200


def test_another_judges_task_and_a_guessed_one_are_refused(serve):
    client = serve()
    mine, theirs = client.task("judge 0"), client.task("judge 1")
    for number in (theirs["task"], 99, -1, 2**80, "1", None, True, 1.5):
        status, _, answer = client.judge({**mine, "task": number}, key="k" * 20)
        assert status in {404, 422}, number
        assert answer["words"]
    assert not read(client.path).rankings


def test_a_replayed_form_changes_nothing(serve):
    client = serve()
    first = client.task()
    client.judge(first)
    client.judge(client.task())
    status, _, answer = client.judge(first, key="k" * 20)
    assert (status, answer["words"]) == (409, "Only the last judgement can be changed.")
    status, _, answer = client.judge(client.task(), key=KEY.format(first["task"]))
    assert (status, answer["words"]) == (409, "This key was used for another judgement.")
    assert len(read(client.path).rankings) == 2


@pytest.mark.parametrize(
    "answer",
    [None, [], "1", {}, {"ranks": 1}, {"ranks": [1]}, {"ranks": [1, 2, 4]}, {"ranks": [0, 1, 2]},
     {"ranks": [1, 2, True]}, {"ranks": [1, 2, 1.5]}, {"ranks": [1, 2, None]},
     {"ranks": [1, 2, 3], "more": 1}, {"score": 5}],
)  # fmt: skip
def test_answers_that_do_not_fit_are_refused(serve, answer):
    client = serve()
    status, _, said = client.judge(client.task(), answer=answer)
    assert status == 422
    assert said["words"].startswith("This answer cannot be taken")
    assert not read(client.path).rankings


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"seconds": -1}, 422), ({"seconds": "1"}, 422), ({"key": "short"}, 422),
     ({"key": "k" * 65}, 422), ({"key": 5}, 422), ({"seconds": 1e300}, 200)],
)  # fmt: skip
def test_keys_and_times_have_bounds(serve, changes, status):
    client = serve()
    assert client.judge(client.task(), **changes)[0] == status


def test_requests_from_other_sites_are_refused(serve):
    client = serve()
    token = client.links.judges["judge 0"]
    for headers in ({"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"},
                    {"origin": "http://evil.example"}, {"origin": "null"}):  # fmt: skip
        assert client.ask("GET", "/api/task", token, **headers)[0] == 403
    own = f"http://{client.base.netloc}"
    assert client.ask("GET", "/api/task", token, origin=own, sec_fetch_site="same-origin")[0] == 200
    form = "application/x-www-form-urlencoded"
    assert client.ask("POST", "/api/judgement", token, "a=b", content_type=form)[0] == 415
    assert client.ask("POST", "/api/judgement", token, "{}", content_type="text/plain")[0] == 415
    assert "access-control-allow-origin" not in client.ask("OPTIONS", "/api/task")[1]


def test_other_names_for_this_machine_are_refused(serve):
    client = serve()
    assert client.ask("GET", "/", host="evil.example")[0] == 421
    assert client.ask("GET", "/", host=f"localhost:{client.base.port}")[0] == 200


def test_large_bodies_are_refused(serve):
    client = serve()
    token = client.links.judges["judge 0"]
    chunks = [b"x" * 1000 for _ in range(MOST_BODY // 500)]
    chunked = {"body": iter(chunks), "transfer_encoding": "chunked"}  # without a length
    for how in ({"body": {"x": "y" * MOST_BODY}}, chunked):
        with suppress(ConnectionError):  # the server need not hear us out
            assert client.ask("POST", "/api/judgement", token, **how)[0] == 413
    assert client.ask("POST", "/api/judgement", token, "[" * 9000,
                      content_type="application/json")[0] == 400  # fmt: skip


@pytest.mark.parametrize(
    "path",
    ["/../campaign.db", "/campaign.db", "/..%2fcampaign.db", "/%2e%2e/%2e%2e/etc/passwd",
     "//etc/passwd", "/pages/judge.js", "/judge.js/..", "/judge.js%00.html", "/static/judge.js"],
)  # fmt: skip
def test_no_path_leads_to_other_files(serve, path):
    client = serve()
    status, _, content = client.ask("GET", path)
    assert status == 404
    assert b"SQLite" not in content


def test_every_answer_forbids_what_pages_do_not_need(serve):
    client = serve()
    for path in ("/", "/organiser", "/judge.js", "/page.css", "/api/task", "/nowhere"):
        _, headers, _ = client.ask("GET", path)
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers


def test_nothing_says_which_system_or_that_an_item_is_a_control(serve):
    client = serve(small_texts(3, 30), repeats=0.2, damaged=0.2, each=30)
    for _ in range(30):
        task = client.task()
        assert set(task) == {"task", "source", "references", "translations", "before", "place",
                             "correctable"}  # fmt: skip
        assert "system" not in json.dumps(task)
        client.judge(task)


def test_no_secret_is_logged_or_printed(serve, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    client = serve()
    client.judge(client.task())
    client.ask("GET", "/api/overview", client.links.organiser)
    said = capfd.readouterr()
    for token in (client.links.organiser, *client.links.judges.values()):
        assert token not in caplog.text + said.out + said.err


def test_a_paused_campaign_gives_nothing_new_but_takes_what_was_begun(serve):
    client = serve()
    task = client.task()
    organiser, judge = client.links.organiser, client.links.judges["judge 0"]
    assert client.ask("POST", "/api/pause", organiser, {"paused": True})[2] == {"paused": True}
    status, _, answer = client.judge(task)
    assert (status, answer["saved"], answer["task"], answer["why"]) == (200, True, None, "paused")
    client.ask("POST", "/api/pause", organiser, {"paused": False})
    assert client.ask("GET", "/api/task", judge)[2]["task"] is not None


def test_a_stopped_judge_is_told_so(serve):
    client = serve()
    change = {"judge": "judge 0", "state": "stopped"}
    assert client.ask("POST", "/api/state", client.links.organiser, change)[0] == 200
    status, _, answer = client.ask("GET", "/api/task", client.links.judges["judge 0"])
    assert (status, answer["words"][:40]) == (403, "The organiser has closed this link. Your"[:40])
    change["state"] = "gone"
    assert client.ask("POST", "/api/state", client.links.organiser, change)[0] == 422


def test_many_at_once_lose_and_double_nothing(serve):
    client = serve(small_texts(4, 60), judges=8, each=10)

    def work(name):
        for _ in range(10):
            assert client.judge(client.task(name), name)[0] == 200

    threads = [threading.Thread(target=work, args=(name,)) for name in client.links.judges]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    found = read(client.path).rankings
    assert len(found) == 80
    assert len({(each.judge, each.segment) for each in found}) == 80


def test_loopback_by_default_and_a_warning_elsewhere():
    assert Address().warning == ""
    words = Address(host="0.0.0.0").warning
    assert "TLS" in words
    listening, address = bind(Address(port=0))
    assert address.base == f"http://127.0.0.1:{listening.getsockname()[1]}"
    listening.close()
