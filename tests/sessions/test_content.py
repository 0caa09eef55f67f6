"""Files of labels, and of what is shown of each; how it is shown on pages."""

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.content import Content, Item, as_html, read_content

ON_ITEMS = "label,item,text\na,q1,one\na,q2,two\nb,q1,three\nb,q2,four\nc,q1,other\n"


@pytest.fixture
def write(tmp_path):
    (tmp_path / "a.png").write_bytes(b"")

    def write(text, name="items.csv"):
        path = tmp_path / name
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
