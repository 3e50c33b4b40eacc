"""`concordant judge`: campaigns from files and tables, served and exported; refusals in words."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from bad_input import refused, run

pytest.importorskip("uvicorn", reason="the extra judge is not installed")

from concordant.judgements.detection import read


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Sources and two systems, as files and as one table."""
    monkeypatch.chdir(tmp_path)
    for name, line in (("src", "ein Hund"), ("a", "a dog"), ("b", "one dog")):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line} {i}\n" for i in range(4)))
    rows = [
        {"src": f"ein Hund {i}", "mt": f"{word} dog {i}", "system": name, "segment": str(i),
         "document": "first"}
        for i in range(4) for name, word in (("a", "a"), ("b", "one"))
    ]  # fmt: skip
    (tmp_path / "table.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


FILES = ["-s", "src.txt", "a.txt", "b.txt"]


def test_a_campaign_from_files(texts):
    out = run("judge", *FILES, "--no-serve", "--judge", "ana", "--pair", "de-en").out
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["organiser", "ana"]
    assert "http://127.0.0.1:8642/organiser#" in out
    (found,) = read(texts / "campaign.db").testsets
    assert sorted(found.translations) == ["a", "b"]
    assert found.pair == "de-en"


def test_a_campaign_from_a_table_has_its_documents(texts):
    run("judge", "table.jsonl", "--no-serve", "-o", "t.db", "--protocol", "direct")
    (found,) = read(texts / "t.db").testsets
    assert found.source[1] == "ein Hund 0"
    assert found.documents == {} or set(found.documents.values()) == {"first"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.txt", "b.txt"], "give the references with -r"),
        ([*FILES, "--context", "reference"], "give it with -r, or --context source"),
        (["-s", "src.txt", "a.txt"], "needs at least two systems"),
        ([*FILES, "--judge", "x", "--judge", "x"], "judge x is named twice"),
        ([*FILES, "--judge", " "], "printable characters"),
        ([*FILES, "--repeats", "0.5", "--damaged", "0.5"], "more than half"),
        ([*FILES, "-o", "a.txt"], "is one of the inputs"),
        ([*FILES, "-o", "none/x.db"], "there is no folder"),
        (["resume", "a.txt"], "is not a campaign of concordant judge"),
        (["resume", "a.txt", "--judge", "x"], "--judge adds judges together with --new-links"),
    ],
)
def test_what_cannot_be_is_refused_in_words(texts, arguments, words):
    last = [] if arguments[0] == "resume" else ["--no-serve"]
    answer = run("judge", *arguments, *last)
    assert answer.code in {1, 2}
    assert words in answer.err
    assert not list(texts.glob("*.db"))


def test_a_port_that_is_taken_leaves_no_file(texts):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "choose another --port" in refused("judge", *FILES, "--port", port)
    assert not list(texts.glob("*.db"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_served_until_ctrl_c_and_resumed_with_the_same_links(texts):
    command = [sys.executable, "-m", "concordant", "judge"]
    token = None
    for arguments in ([*FILES, "--judge", "ana"], ["resume", "campaign.db"]):
        server = subprocess.Popen(
            [*command, *arguments, "--port", "0"], cwd=texts, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        base = server.stderr.readline().split(" at ")[1].partition(";")[0]
        if token is None:
            server.stdout.readline()
            token = server.stdout.readline().strip().rpartition("#")[2]
        asked = urllib.request.Request(f"{base}/api/task")
        asked.add_header("authorization", f"Bearer {token}")
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert json.load(answer)["task"]["task"] == 1
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=60)
        assert server.returncode == 0
        assert said == ""


def test_another_address_comes_with_a_warning(texts):
    code = (
        "from concordant.judging.server import CampaignServer\n"
        "CampaignServer.run = lambda self, listening: self.clerk.close()\n"
        "from concordant.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "judge", *FILES, "--host", "0.0.0.0", "--port", "0"],
        cwd=texts, text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert "put a server with TLS in front" in done.stderr


def test_export_writes_a_file_or_to_standard_output(texts):
    run("judge", *FILES, "--no-serve")
    assert run("judge", "export", "campaign.db").out == ""
    run("judge", "export", "campaign.db", "-o", "out.jsonl")
    assert (texts / "out.jsonl").read_text() == ""
    assert "one of the inputs" in refused("judge", "export", "campaign.db", "-o", "campaign.db")
