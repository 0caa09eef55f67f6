"""Numbers over the page: scores of teams, rewards of single elements."""

import json
import math

import pytest

import cpe_opt as cpe
from tests.sessions.web.client import Page, in_log, served

NAMES = ("ann", "bob", "cleo", "dan")
TEAMS = {"problem": cpe.TopK(4, 2, NAMES), "delta": 0.1, "feedback": "sums", "noise": 0.5}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "teams.jsonl"


def test_scores_of_teams_are_asked_for_and_kept(path, tmp_path):
    with served(path, "subset-tracking", **TEAMS) as (session, address):
        boss = Page(address, "boss")
        reply = boss.ask()
        assert reply["title"] == "What is the score of this team?"
        assert reply["question"]["kind"] == "set"
        shown = [thing["text"] for thing in reply["question"]["things"]]
        assert len(shown) == 2
        first = reply["question"]["id"]
        assert tuple(session.question(in_log(session, first)).labels) == (*shown,)
        after = boss.answer(first, 7.25)
        assert (after["undo"], after["answered"]) == (first, 1)
        assert session.answer_of(in_log(session, first)).outcome == 7.25
        again = boss.undo(first)
        assert again["question"]["id"] == first
        boss.answer(first, -1)
        assert session.answer_of(in_log(session, first)).outcome == -1.0
        status, headers, content = boss.get("/api/scores.csv")
        assert status == 200
        assert 'filename="scores.csv"' in headers["content-disposition"]
        (tmp_path / "scores.csv").write_bytes(content)
        facts = json.loads(boss.get("/api/overview")[2])
        assert facts["family"] == "subsets"
        assert boss.get("/api/votes.csv")[0] == 404
    log = cpe.read_scores(tmp_path / "scores.csv")
    assert ({*log.members}, log.scores.tolist()) == ({*shown}, [-1.0])


@pytest.mark.parametrize(
    "outcome", ["first", "7.5", None, True, [1], math.inf, {"a": 1}, "skip", 10**400]
)
def test_what_is_no_number_is_refused_and_the_question_stays(path, outcome):
    with served(path, "subset-tracking", **TEAMS) as (session, address):
        boss = Page(address, "boss")
        asked = boss.ask()["question"]["id"]
        status, content = boss.post("/api/answer", id=asked, outcome=outcome, attempt="a")
        assert status in (400, 413)
        assert content["error"]
        assert session.status().answers == 0
        assert boss.ask()["question"]["id"] == asked


def test_ids_are_checked(path):
    with served(path, "rucb") as (_, address):
        ann = Page(address, "ann")
        ann.ask()
        for wrong in ("x", "1.x", "0-1", "0+1.1", "7.1"):
            status, content = ann.post("/api/answer", id=wrong, outcome=1, attempt="b")
            assert (status, "no question that you were asked" in content["error"]) == (409, True)


def test_single_rewards_are_asked_for_within_their_range(path):
    told = {"problem": cpe.TopK(3, 1), "delta": 0.1, "noise": 0.5}
    with served(path, "subset-tracking", **told) as (_, address):
        reply = Page(address, "ann").ask()
        assert reply["title"] == "What is the score?"
        assert reply["question"]["kind"] == "pull"
        assert len(reply["question"]["things"]) == 1
    other = path.with_name("unit.jsonl")
    plan = cpe.load_instance("water")
    with served(other, "coci", problem=plan, delta=0.1) as (session, address):
        ann = Page(address, "ann")
        asked = ann.ask()["question"]["id"]
        status, content = ann.post("/api/answer", id=asked, outcome=1.5, attempt="a")
        assert (status, content["error"]) == (
            400,
            "the outcome is 1.5, expected a number in [0, 1].",
        )
        ann.answer(asked, 0.5)
        assert session.answer_of(in_log(session, asked)).outcome == 0.5
