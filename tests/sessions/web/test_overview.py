"""What the organiser sees, over HTTP: facts, pictures, exports, and who may see them."""

import csv
import io
import json

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.web.overview import MOST_ARMS, Overview
from cpe_opt.sessions.web.panel import Access
from tests.sessions.web.client import LABELS, Page, served


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pets.jsonl"


def judged(page, answers):
    """Answer by the alphabet, so that the first of it wins; every tenth is a tie."""
    reply = page.ask()
    for number in range(answers):
        if reply["state"] != "question":
            return
        first, second = (thing["text"] for thing in reply["question"]["things"])
        outcome = "tie" if number % 10 == 9 else "first" if first < second else "second"
        reply = page.answer(reply["question"]["id"], outcome)


def facts_of(page):
    status, _, content = page.get("/api/overview")
    assert status == 200
    return json.loads(content)


def test_facts_are_those_of_the_session(path):
    with served(path, delta=0.05, labels=["x", "y"]) as (_, address):
        ann = Page(address, "ann")
        fresh = facts_of(ann)
        assert (fresh["answers"], fresh["finished"], fresh["ahead"]) == (0, False, "")
        assert fresh["raters"] == []
    with served(path) as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        judged(ann, 9)
        bea.skip(bea.ask()["question"]["id"])
        judged(bea, 3)
        facts, status = facts_of(ann), session.status()
        for name in ("answers", "ties", "skips", "withdrawn", "repeats", "learner", "finished"):
            assert facts[name] == getattr(status, name)
        assert facts["ahead"] == "x"
        by_name = {row["rater"]: row for row in facts["raters"]}
        assert by_name["ann"]["answers"] == 9
        assert by_name["bea"]["skips"] == 1
        assert by_name["ann"]["agree"] is None  # NaN, which JSON has not
        text = json.dumps(facts["parts"])
        assert "proved at 99 %" in text
        assert facts["confidence"].startswith("95 % that all of it is right")
        assert "Copeland winner" in text


def test_progress_is_kept_for_a_while(path):
    now = [0.0]
    with cpe.Session.open(path, "random-pairs", labels=LABELS) as session:
        overview = Overview(session, clock=lambda: now[0])

        def answer():
            session.tell(session.ask()[0].id, 1)

        answer()
        assert overview.facts()["version"] == 1
        answer()
        now[0] = 2.9
        facts = overview.facts()
        assert (facts["answers"], facts["version"]) == (2, 1)
        now[0] = 3.1
        assert overview.facts()["version"] == 2
        before = overview._progress
        now[0] = 100.0
        assert overview.facts()["version"] == 2
        assert overview._progress is before  # nothing has changed
        assert overview.picture("graph") is overview.picture("graph")


def test_pictures(path):
    with served(path, labels=["a & b", "<c>"]) as (_, address):
        page = Page(address, "ann")
        judged(page, 60)
        assert facts_of(page)["pictures"] == ["graph", "evidence"]
        for name in ("graph", "evidence"):
            status, headers, content = page.get(f"/api/{name}.svg")
            assert (status, headers["content-type"]) == (200, "image/svg+xml")
            assert b"&lt;c&gt;" in content
            assert b"<c>" not in content
            assert "sandbox" in headers["content-security-policy"]
        assert page.get("/api/other.svg")[0] == 404


def test_many_arms_are_not_drawn_as_a_graph(path):
    labels = [f"arm {number}" for number in range(MOST_ARMS + 1)]
    with cpe.Session.open(path, "random-pairs", labels=labels) as session:
        assert Overview(session).facts()["pictures"] == ["evidence"]


def test_exports_read_back(path, tmp_path):
    with served(path, "random-pairs") as (session, address):
        page = Page(address, "ann")
        judged(page, 25)
        status, headers, content = page.get("/api/answers.csv")
        assert status == 200
        assert headers["content-disposition"] == 'attachment; filename="answers.csv"'
        rows = list(csv.DictReader(io.StringIO(content.decode())))
        frame = session.answers()
        assert [row["id"] for row in rows] == frame["id"].tolist()
        assert {row["rater"] for row in rows} == {"ann"}
        votes = tmp_path / "votes.csv"
        votes.write_bytes(page.get("/api/votes.csv")[2])
        read, there = cpe.read_votes(votes), session.votes()
        order = [there.labels.index(label) for label in read.labels]
        assert read.wins.tolist() == there.wins[order][:, order].tolist()


def test_other_families_have_no_evidence(path):
    duels = cpe.load_instance("figure1")
    with served(path, "car-cond", problem=duels) as (_, address):
        page = Page(address, "ann")
        reply = page.ask()
        position = reply["question"]["about"]
        assert position in duels.graph.position_labels
        for thing in reply["question"]["things"]:
            assert thing["text"] in duels.graph.candidate_labels
        judged(page, 6)
        facts = facts_of(page)
        assert (facts["answers"], facts["parts"], facts["pictures"]) == (6, [], [])
        assert facts["ahead"]
        for name in ("votes.csv", "graph.svg", "evidence.svg"):
            assert page.get(f"/api/{name}")[0] == 404
        assert page.get("/api/answers.csv")[2].decode().count("\n") == 7


def test_only_the_organiser_sees_them(path):
    access = Access({"ann": "secret-of-ann"}, "secret-of-mine")
    with served(path, access=access) as (_, address):
        for name in ("overview", "graph.svg", "evidence.svg", "answers.csv", "votes.csv"):
            for page in (Page(address, "ann"), Page(address, token="secret-of-ann")):
                assert page.get(f"/api/{name}")[0] == 401
            assert page.request("GET", f"/api/{name}", Authorization="Basic x")[0] == 401
            there = 409 if name == "votes.csv" else 200  # as there are none
            assert Page(address, token="secret-of-mine").get(f"/api/{name}")[0] == there
            stranger = {"Authorization": "Bearer secret-of-mine", "Sec_Fetch_Site": "cross-site"}
            assert page.request("GET", f"/api/{name}", **stranger)[0] == 403
