"""What is shown for a label: tables, Markdown, images; and what is refused."""

import pytest

from cpe_opt.errors import InputError
from cpe_opt.sessions.web.content import Content, as_html
from tests.sessions.web.client import Page, served

LABELS = ["ant", "bee"]
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
    "08d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


@pytest.fixture
def table(tmp_path):
    (tmp_path / "ant.png").write_bytes(PIXEL)

    def write(text):
        path = tmp_path / "items.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_table_may_mix_kinds_and_go_over_lines(table):
    content = Content.read(
        table('label,text,markdown,image,alt\nbee,"one\n\ntwo",,,\nant,,,ant.png,An ant\n'), LABELS
    )
    assert content.things["bee"] == {"text": "one\n\ntwo"}
    thing = content.things["ant"]
    assert thing["alt"] == "An ant"
    assert "ant" not in thing["image"].lower()
    assert content.images[thing["image"]].name == "ant.png"


def test_headings_are_no_comments(table):
    content = Content.read(table('label,markdown\nant,"# One\n\n- a\n- b"\nbee,*x*\n'), LABELS)
    assert content.things["ant"]["html"].startswith("<h3>One</h3>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label,text\nant,x\n", "items.csv: no row for 'bee', which is asked about"),
        ("label,text,image\nant,x,ant.png\nbee,y,\n", "'ant' has text and image, expected one of"),
        ("label,image\nant,ant.png\nbee,bee.png\n", "bee.png', the image of 'bee'"),
        ("label,image\nant,items.csv\nbee,bee.png\n", "'items.csv' of 'ant' is no image: expected"),
        ("label,image\nant,../../etc/passwd\nbee,bee.png\n", "is no image"),
        ("label,text\nant,x,y\n", "items.csv, line 2"),
        ('label,text\nant,"x\n', "items.csv"),
    ],
)
def test_tables_that_are_refused(table, text, message):
    with pytest.raises(InputError) as caught:
        Content.read(table(text), LABELS)
    assert message in str(caught.value)


def test_a_folder_of_images(tmp_path):
    for name in ("ant.png", "bee.png", "notes.txt", "other.png"):
        (tmp_path / name).write_bytes(PIXEL)
    content = Content.read(tmp_path, LABELS)
    assert {image.name for image in content.images.values()} == {"ant.png", "bee.png"}
    (tmp_path / "ant.gif").write_bytes(PIXEL)
    with pytest.raises(InputError, match="two images for 'ant'"):
        Content.read(tmp_path, LABELS)
    with pytest.raises(InputError, match="no image for 'cow', which is asked about"):
        Content.read(tmp_path, ["bee", "cow"])


def test_images_are_served_by_a_drawn_name_alone(tmp_path):
    for name in ("ant.png", "bee.png"):
        (tmp_path / name).write_bytes(PIXEL)
    content = Content.read(tmp_path, LABELS)
    with served(tmp_path / "s.jsonl", content=content, labels=LABELS) as (_, address):
        page = Page(address, "ann")
        shown = page.ask()["question"]["things"]
        assert "ant" not in str(shown)
        status, headers, data = page.get(f"/content/{shown[0]['image']}")
        assert (status, data, headers["content-type"]) == (200, PIXEL, "image/png")
        assert "sandbox" in headers["content-security-policy"]
        for path in ("/content/ant.png", "/content/ant", f"/content/{shown[0]['image']}/x"):
            assert page.get(path)[0] == 404


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;", "<script"),
        ('a <img src=x onerror="y"> b', "&lt;img", "<img"),
        ("[x](javascript:alert(1))", "[x]", "href"),
        ("[x](JAVASCRIPT:alert(1))", "[x]", "href"),
        ("[x](data:text/html,y)", "[x]", "href"),
        ("[x](/api/undo)", "[x]", "href"),
        ("[x](https://a.b)", 'rel="noopener noreferrer nofollow"', "<script"),
        ("![pic](https://a.b/c.png)", "[image: pic]", "<img"),
        ("|a|\n|-|\n|b|", "<table>", "|"),
        ("###### low", "<h6>low</h6>", "h8"),
        ('<a href="https://a.b">', "&lt;a", "<a"),
        ('[x](https://a.b "&quot; onclick=alert(1)")', "&quot; onclick", '" onclick'),
    ],
)
def test_markdown_is_safe(text, there, absent):
    html = as_html(text)
    assert there in html
    assert absent not in html
