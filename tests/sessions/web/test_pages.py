"""Images on pages, and what the organiser sees: the report, exports."""

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.content import Content
from cpe_opt.sessions.report import session_report
from tests.sessions.web.client import ACCESS, LABELS, Page, in_log, served


@pytest.fixture
def content(tmp_path):
    def content(lines, labels=LABELS, items=None):
        (tmp_path / "items.csv").write_text("\n".join(lines), encoding="utf-8")
        return Content.read(tmp_path / "items.csv", labels, items)

    return content


def test_images_are_served_by_a_drawn_name_alone(path, tmp_path, content):
    two = ["ant", "bee"]
    for name in two:
        (tmp_path / f"{name}.png").write_bytes(b"pixels")
    shown = content(["label,image", *(f"{name},{name}.png" for name in two)], two)
    with served(path, content=shown, labels=two) as (_, address):
        page = Page(address, "ann")
        things = page.ask()["question"]["things"]
        assert "ant" not in str(things)
        status, headers, data = page.get(f"/content/{things[0]['image']}")
        assert (status, data, headers["content-type"]) == (200, b"pixels", "image/png")
        assert "sandbox" in headers["content-security-policy"]
        for other in ("ant.png", "ant", f"{things[0]['image']}/x"):
            assert page.get(f"/content/{other}")[0] == 404


def test_raters_see_the_item_and_what_each_label_is_on_it(path, content):
    items = [{"item": "q1", "markdown": "*Why?*"}, {"item": "q2", "prompt": "How?"}, "q3"]
    above = {"q1": {"html": "<p><em>Why?</em></p>\n"}, "q2": {"text": "How?"}, "q3": {"text": "q3"}}
    rows = [f"{label},{item},{label} on {item}" for label in LABELS for item in above]
    shown = content(["label,item,text", *rows], items=[*above])
    given = {"content": shown, "items": items, "orders": "paired"}
    with served(path, "copeland-tracking", **given) as (session, address):
        page, seen = Page(address, "ann"), set()
        while len(seen) < len(items):
            asked = page.ask()["question"]
            question = session.question(in_log(session, asked["id"]))
            item = question.item_id
            assert (asked["item"], asked["paired"]) == (above[item], True)
            texts = [each["text"] for each in asked["things"]]
            assert texts == [f"{label} on {item}" for label in question.labels]
            page.answer(asked["id"], ["first", "tie"])
            assert session.answer_of(question.id).outcomes == (1.0, 0.5)
            seen.add(item)


def test_the_organiser_s_page_is_the_report_of_the_session(path):
    with served(path, delta=0.05, labels=["a & b", "<c>"]) as (session, address):
        ann = Page(address, "ann")
        ann.answer(ann.ask()["question"]["id"])
        status, headers, page = ann.get("/api/overview")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "sandbox" in headers["content-security-policy"]
        assert page.decode() == session_report(session).html()
        assert b"&lt;c&gt;" in page
        assert b"<c>" not in page


def test_only_the_organiser_sees_the_report_and_saves_answers(path):
    """Here of candidates for a position, which raters are told."""
    duels = cpe.load_instance("figure1")
    with served(path, "car-cond", problem=duels, access=ACCESS) as (session, address):
        ann, mine = Page(address, token="secret-of-ann"), Page(address, token="secret-of-mine")
        asked = ann.ask()["question"]
        assert asked["about"] in duels.graph.position_labels
        ann.answer(asked["id"])
        for name in ("overview", "answers.csv"):
            for page in (ann, Page(address, "ann")):
                assert page.get(f"/api/{name}")[0] == 401
            assert mine.get(f"/api/{name}", Sec_Fetch_Site="cross-site")[0] == 403
            assert mine.get(f"/api/{name}")[0] == 200
        _, row = mine.get("/api/answers.csv")[2].decode().splitlines()
        assert [row.partition(",")[0]] == session.answers()["id"].tolist()
