"""What is shown for a label, and what the organiser sees: the report, exports."""

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.report import session_report
from tests.sessions.web.client import (
    ACCESS,
    LABELS,
    Content,
    Overview,
    Page,
    as_html,
    in_log,
    served,
)

TWO = ["ant", "bee"]
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
    "08d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pets.jsonl"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "ant.png").write_bytes(PIXEL)

    def write(text):
        (tmp_path / "items.csv").write_text(text, encoding="utf-8")
        return tmp_path / "items.csv"

    return write


# Content


def test_a_table_may_mix_kinds_and_go_over_lines(table):
    text = 'label,text,markdown,image,alt\nbee,"one\n\ntwo",,,\nant,,,ant.png,An ant\n'
    content = Content.read(table(text), TWO)
    assert content.things["bee"] == {"text": "one\n\ntwo"}
    thing = content.things["ant"]
    assert thing["alt"] == "An ant"
    assert content.images[thing["image"]].name == "ant.png"
    content = Content.read(table('label,markdown\nant,"# One\n\n- a\n- b"\nbee,*x*\n'), TWO)
    assert content.things["ant"]["html"].startswith("<h3>One</h3>")  # which is no comment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label,text\nant,x\n", "items.csv: no row for 'bee', which is asked about"),
        ("label,text,image\nant,x,ant.png\nbee,y,\n", "'ant' has text and image, expected one of"),
        ("label,image\nant,ant.png\nbee,bee.png\n", "bee.png', the image of 'bee'"),
        ("label,image\nant,items.csv\nbee,bee.png\n", "'items.csv' of 'ant' is no image: expected"),
        ("label,image\nant,../../etc/passwd\nbee,bee.png\n", "is no image"),
        ('label,text\nant,"x\n', "items.csv"),
    ],
)
def test_tables_that_are_refused(table, text, message):
    with pytest.raises(cpe.InputError, match=message):
        Content.read(table(text), TWO)


def test_images_of_a_folder_are_served_by_a_drawn_name_alone(path, tmp_path):
    folder = tmp_path / "images"
    folder.mkdir()
    for name in ("ant.png", "bee.png", "notes.txt", "other.png"):
        (folder / name).write_bytes(PIXEL)
    content = Content.read(folder, TWO)
    with served(path, content=content, labels=TWO) as (_, address):
        page = Page(address, "ann")
        shown = page.ask()["question"]["things"]
        assert "ant" not in str(shown)
        status, headers, data = page.get(f"/content/{shown[0]['image']}")
        assert (status, data, headers["content-type"]) == (200, PIXEL, "image/png")
        assert "sandbox" in headers["content-security-policy"]
        for other in ("ant.png", "ant", f"{shown[0]['image']}/x"):
            assert page.get(f"/content/{other}")[0] == 404
    with pytest.raises(cpe.InputError, match="no image for 'cow', which is asked about"):
        Content.read(folder, ["bee", "cow"])
    (folder / "ant.gif").write_bytes(PIXEL)
    with pytest.raises(cpe.InputError, match="two images for 'ant'"):
        Content.read(folder, TWO)


def test_raters_see_what_each_label_is_on_the_item(path, table):
    rows = [f"{label},{item},{label} on {item}" for label in LABELS for item in ("q1", "q2")]
    content = Content.read(table("\n".join(["label,item,text", *rows])), LABELS, ["q1", "q2"])
    options = {"items": ["q1", "q2"], "content": content}
    with served(path, "copeland-tracking", **options) as (session, address):
        asked = Page(address, "ann").ask()["question"]
        question = session.question(in_log(session, asked["id"]))
        shown = [each["text"] for each in asked["things"]]
        assert shown == [f"{label} on {question.item_id}" for label in question.labels]


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;", "<script"),
        ('a <img src=x onerror="y"> b', "&lt;img", "<img"),
        *[
            (f"[x]({link})", "[x]", "href")
            for link in (
                "javascript:alert(1)",
                "JAVASCRIPT:alert(1)",
                "data:text/html,y",
                "/api/undo",
            )
        ],
        ("[x](https://a.b)", 'rel="noopener noreferrer nofollow"', "<script"),
        ("![pic](https://a.b/c.png)", "[image: pic]", "<img"),
        ("|a|\n|-|\n|b|", "<table>", "|"),
        ('[x](https://a.b "&quot; onclick=alert(1)")', "&quot; onclick", '" onclick'),
    ],
)
def test_markdown_is_safe(text, there, absent):
    assert there in as_html(text)
    assert absent not in as_html(text)


# The organiser's page


def judged(page, answers):
    """Answer by the alphabet, so that the first of it wins; every tenth is a tie."""
    reply = page.ask()
    for number in range(answers):
        if reply["state"] != "question":
            return
        first, second = (thing["text"] for thing in reply["question"]["things"])
        outcome = "tie" if number % 10 == 9 else "first" if first < second else "second"
        reply = page.answer(reply["question"]["id"], outcome)


def test_the_organiser_s_page_is_the_report_of_the_session(path):
    with served(path, delta=0.05, labels=["a & b", "<c>"]) as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        judged(ann, 27)
        judged(bea, 3)
        status, headers, page = ann.get("/api/overview")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "sandbox" in headers["content-security-policy"]
        assert headers["x-tables"] == "answers votes"
        assert page.decode() == session_report(session).html()
        assert b"&lt;c&gt;" in page
        assert b"<c>" not in page
        assert b'<td class="short">bea</td>' in page


def test_a_page_is_kept_for_a_while(path):
    now = [0.0]
    with cpe.Session.open(path, "random-pairs", labels=LABELS) as session:
        overview, pages = Overview(session, clock=lambda: now[0]), []
        for at in (0.0, 2.9, 3.1):
            now[0] = at
            if at < 3.0:
                session.tell(session.ask()[0].id, 1)
            pages.append(overview.page())
        assert pages[0] == pages[1] != pages[2] == session_report(session).html()


def test_exports_read_back(path, tmp_path):
    with served(path, "random-pairs") as (session, address):
        page = Page(address, "ann")
        judged(page, 25)
        (tmp_path / "votes.csv").write_bytes(page.get("/api/votes.csv")[2])
        read, there = cpe.read_votes(tmp_path / "votes.csv"), session.votes()
        rows = page.get("/api/answers.csv")[2].decode().splitlines()
        assert [row.split(",")[0] for row in rows[1:]] == session.answers()["id"].tolist()
    order = [there.labels.index(label) for label in read.labels]
    assert read.wins.tolist() == there.wins[order][:, order].tolist()


def test_other_families_have_answers_alone(path):
    duels = cpe.load_instance("figure1")
    with served(path, "car-cond", problem=duels) as (_, address):
        page = Page(address, "ann")
        assert page.ask()["question"]["about"] in duels.graph.position_labels
        judged(page, 6)
        assert page.get("/api/overview")[1]["x-tables"] == "answers"
        assert page.get("/api/votes.csv")[0] == 404


def test_only_the_organiser_sees_them(path):
    with served(path, access=ACCESS) as (_, address):
        for name in ("overview", "answers.csv", "votes.csv"):
            for page in (Page(address, "ann"), Page(address, token="secret-of-ann")):
                assert page.get(f"/api/{name}")[0] == 401
            there = 409 if name == "votes.csv" else 200  # as there are none
            assert Page(address, token="secret-of-mine").get(f"/api/{name}")[0] == there
            stranger = {"Authorization": "Bearer secret-of-mine", "Sec_Fetch_Site": "cross-site"}
            assert page.request("GET", f"/api/{name}", **stranger)[0] == 403
