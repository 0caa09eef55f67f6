"""What raters see: labels, or what a file says of them; and the organiser: the report, exports."""

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.content import Content, Item, as_html, read_content
from cpe_opt.sessions.report import session_report
from tests.sessions.web.client import ACCESS, LABELS, Page, in_log, served

ON_ITEMS = "label,item,text\na,q1,one\na,q2,two\nb,q1,three\nb,q2,four\nc,q1,other\n"


@pytest.fixture
def write(tmp_path):
    """Writes a table of what is shown, next to a picture."""
    (tmp_path / "a.png").write_bytes(b"pixels")

    def write(text):
        path = tmp_path / "items.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_texts_may_have_lines_and_images_stand_beside_them(write):
    rows = 'a,"one\n# two",a.png,,\n"b, c",three,,,\nd,,a.png,a cat,\ne,,,,"# x\n\n*y*"\n'
    path = write(f"label,text,image,alt,markdown\n{rows}")
    assert read_content(path, ["a", "d"]) == {
        "a": Item("one\n# two", image="a.png"),
        "b, c": Item("three"),
        "d": Item(image="a.png", alt="a cat"),
        "e": Item(markdown="# x\n\n*y*"),
    }
    content = Content.read(path, ["b, c", "d", "e"])
    [(name, file)] = content.images.items()
    assert (file.name, "a" in content.things) == ("a.png", False)
    assert content.things == {
        "b, c": {"text": "three"},
        "d": {"image": name, "alt": "a cat"},
        "e": {"html": "<h3>x</h3>\n<p><em>y</em></p>\n"},
    }


@pytest.mark.parametrize(
    ("text", "labels", "items", "message"),
    [
        ("label,text\na,x\na,y\n", "ab", None, "items.csv, line 3: label 'a' stands there twice"),
        ("label,text\na,x\nb,\n", "ab", None, "items.csv, line 3: nothing to show of 'b'"),
        ("label,text\na,x\n", "ab", None, "items.csv: no row for 'b', which is asked about"),
        ("name,text\na,x\n", "ab", None, "no column 'label'"),
        (ON_ITEMS, "ab", None, "a column 'item', and the session is about no items"),
        (ON_ITEMS, "abc", ["q1", "q2"], "no row for 'c' on item 'q2', which is asked about"),
        ("label,text,image\na,x,a.png\n", "a", None, "'a' has text and image, expected one of"),
        ("label,image\na,b.png\n", "a", None, "b.png' of 'a' is no file of an image"),
    ],
)
def test_bad_content_is_refused(write, text, labels, items, message):
    with pytest.raises(cpe.InputError, match=message):
        Content.read(write(text), [*labels], items)


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;", "<script"),
        ('a <img src=x onerror="y"> b', "&lt;img", "<img"),
        ("[x](JAVASCRIPT:alert(1))", "[x]", "href"),
        ("[x](data:text/html,y)", "[x]", "href"),
        ("[x](/api/undo)", "[x]", "href"),
        ("[x](https://a.b)", 'target="_blank" rel="noopener noreferrer nofollow"', "<script"),
        ("![pic <b>](https://a.b/c.png)", "[image: pic &lt;b&gt;]", "<img"),
        ("|a|\n|-|\n|b|", "<table>", "|"),
        ('[x](https://a.b "&quot; onclick=alert(1)")', "&quot; onclick", '" onclick'),
    ],
)
def test_markdown_is_safe(text, there, absent):
    assert there in as_html(text)
    assert absent not in as_html(text)


def test_images_are_served_by_a_drawn_name_alone(path, write):
    shown = Content.read(write("label,image\nant,a.png\nbee,a.png\n"), ["ant", "bee"])
    with served(path, content=shown, labels=["ant", "bee"]) as (_, address):
        page = Page(address, "ann")
        things = page.ask()["question"]["things"]
        assert not any(each in str(things) for each in ("ant", "a.png"))
        status, headers, data = page.get(f"/content/{things[0]['image']}")
        assert (status, data, headers["content-type"]) == (200, b"pixels", "image/png")
        assert "sandbox" in headers["content-security-policy"]
        for other in ("a.png", "ant", f"{things[0]['image']}/x"):
            assert page.get(f"/content/{other}")[0] == 404


def test_raters_see_the_item_and_what_each_label_is_on_it(path, write):
    items = [{"item": "q1", "markdown": "*Why?*"}, {"item": "q2", "prompt": "How?"}, "q3"]
    above = {"q1": {"html": "<p><em>Why?</em></p>\n"}, "q2": {"text": "How?"}, "q3": {"text": "q3"}}
    rows = [f"{label},{item},{label} on {item}" for label in LABELS for item in above]
    shown = Content.read(write("\n".join(["label,item,text", *rows])), LABELS, [*above])
    given = {"content": shown, "items": items, "orders": "random"}
    with served(path, "copeland-tracking", **given) as (session, address):
        page, seen = Page(address, "ann"), set()
        while len(seen) < len(items):
            asked = page.ask()["question"]
            question = session.question(in_log(session, asked["id"]))
            item = question.item_id
            assert asked["item"] == above[item]
            texts = [each["text"] for each in asked["things"]]
            assert texts == [f"{label} on {item}" for label in question.labels]
            page.answer(asked["id"], "tie")
            assert session.answer_of(question.id).outcome == 0.5
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
