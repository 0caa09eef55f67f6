"""The raters' and the organiser's page of a session over the items of a test set."""

import json

import pytest

from cpe_opt.sessions.web.content import Content
from tests.items import round_robin
from tests.sessions.web.client import LABELS, Page, in_log, served

ITEMS = [{"item": "q1", "markdown": "*Why?*"}, {"item": "q2", "prompt": "How?"}, "q3"]
SHOWN = {"q1": {"html": "<p><em>Why?</em></p>\n"}, "q2": {"text": "How?"}, "q3": {"text": "q3"}}


def over_items(path, orders):
    return served(path, round_robin, items=ITEMS, orders=orders)


@pytest.mark.parametrize("orders", ["random", "both", "paired"])
def test_raters_see_the_item_and_answer_each_cell_once(tmp_path, orders):
    outcome = ["first", "second"] if orders == "paired" else "tie"
    with over_items(tmp_path / "s.jsonl", orders) as (session, address):
        page, cells = Page(address, "ann"), []
        reply = page.ask()
        while reply["state"] == "question":
            asked = reply["question"]
            question = session.question(in_log(session, asked["id"]))
            assert asked["item"] == SHOWN[question.item["id"]]
            assert [each["text"] for each in asked["things"]] == list(question.labels)
            assert asked["paired"] == (orders == "paired")
            cells.append((frozenset(question.labels), question.item["id"]))
            reply = page.answer(asked["id"], outcome)
        assert reply["state"] == "finished"
        assert len(cells) == len(set(cells)) * (2 if orders == "both" else 1)
        assert len(set(cells)) == 18
        facts = json.loads(page.get("/api/overview")[2])
        assert (facts["cells"], facts["left_out"]) == (len(cells), 0)
        assert facts["pictures"] == []
        if orders == "paired":
            assert "swaps disagree in 0 of 18" in facts["position"]
            assert (session.item_duels().outcomes[0, 1] == 1).any()
        assert page.get("/api/votes.csv")[0] == 409
        assert b"item" in page.get("/api/answers.csv")[2].splitlines()[0]


def test_raters_see_what_each_label_is_on_the_item(tmp_path):
    rows = [f"{label},{item},{label} on {item}" for label in LABELS for item in SHOWN]
    (tmp_path / "content.csv").write_text("\n".join(["label,item,text", *rows]))
    content = Content.read(tmp_path / "content.csv", LABELS, list(SHOWN))
    options = {"items": ITEMS, "orders": "both", "content": content}
    with served(tmp_path / "s.jsonl", round_robin, **options) as (session, address):
        asked = Page(address, "ann").ask()["question"]
        question = session.question(in_log(session, asked["id"]))
        item = question.item["id"]
        shown = [each["text"] for each in asked["things"]]
        assert shown == [f"{label} on {item}" for label in question.labels]


@pytest.mark.parametrize("outcome", ["first", ["first"], ["first", "skip"], [3, 0], None])
def test_both_orders_need_two_answers(tmp_path, outcome):
    with over_items(tmp_path / "s.jsonl", "paired") as (session, address):
        page = Page(address, "ann")
        asked = page.ask()["question"]
        reply = page.answer(asked["id"], outcome)
        assert "the outcome is " in reply["error"]
        assert session.status().answers == 0


def test_what_three_raters_skip_is_left_out(tmp_path):
    with over_items(tmp_path / "s.jsonl", "both") as (session, address):
        page = Page(address, "ann")
        asked = page.ask()["question"]["id"]
        name = in_log(session, asked)
        assert page.skip(asked)["state"] == "question"
        for rater in ("bob", "cleo"):
            session.skip(name, rater=rater)
        assert session.status().left_out == 1
        assert json.loads(page.get("/api/overview")[2])["left_out"] == 1
        assert page.answer(asked)["note"] == "This question is not open any more."
