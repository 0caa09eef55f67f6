"""Files of labels, and of what is shown of each."""

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.content import Item, read_content, read_labels, shown_of
from cpe_opt.sessions.questions import Question

ON_ITEMS = "label,item,text\na,q1,one\na,q2,two\nb,q1,three\nb,q2,four\nc,q1,other\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="items.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_texts_may_have_lines_and_images_stand_beside_them(write):
    rows = 'a,"one\n# two",a.png,,\n"b, c",three,,,\nd,,d.png,a cat,\ne,,,,**x**\n'
    assert read_content(write(f"label,text,image,alt,markdown\n{rows}"), ["a", "d"]) == {
        "a": Item("one\n# two", image="a.png"),
        "b, c": Item("three"),
        "d": Item(image="d.png", alt="a cat"),
        "e": Item(markdown="**x**"),
    }


def test_content_may_be_that_of_a_label_on_an_item(write):
    content = read_content(write(ON_ITEMS), ["a", "b"], ["q1", "q2"])
    question = Question("0-1.1", cpe.Duel(1, 0), ("b", "a"), item={"id": "q2"})
    assert shown_of(content, question) == [Item("four"), Item("two")]
    assert shown_of({"a": "A"}, question) == [None, "A"]


@pytest.mark.parametrize(
    ("text", "labels", "items", "message"),
    [
        ("label\na\n", "ab", None, "items.csv: no column text, markdown or image next to label"),
        ("label,text\na,x\na,y\n", "ab", None, "items.csv, line 3: label 'a' stands there twice"),
        ("label,text\na,x\nb,\n", "ab", None, "items.csv, line 3: nothing to show of 'b'"),
        ("label,text\na,x\n", "ab", None, "items.csv: no row for 'b', which is asked about"),
        ("name,text\na,x\n", "ab", None, "no column 'label'"),
        (ON_ITEMS, "ab", None, "a column 'item', and the session is about no items"),
        (ON_ITEMS, "abc", ["q1", "q2"], "no row for 'c' on item 'q2', which is asked about"),
        (f"{ON_ITEMS}a,q1,x\n", "ab", ["q1"], "line 7: 'a' on item 'q1' stands there twice"),
    ],
)
def test_bad_content_is_refused(write, text, labels, items, message):
    with pytest.raises(cpe.InputError, match=message):
        read_content(write(text), [*labels], items)


def test_content_that_no_page_and_no_log_can_hold_is_refused(write):
    path = write('[{"label": "a", "text": "x \\ud800"}]', "content.json")
    with pytest.raises(cpe.InputError, match=r"what is shown of 'a' is 'x .*half of a surrogate"):
        read_content(path)


def test_labels_a_line(write):
    assert read_labels(write("a\n b c \n\nd\n", "l.txt")) == ["a", "b c", "d"]
    with pytest.raises(cpe.InputError, match=r"l\.txt, line 3: 'a' stands there twice"):
        read_labels(write("a\nb\na\n", "l.txt"))
    with pytest.raises(cpe.InputError, match="expected at least two labels"):
        read_labels(write("a\n", "l.txt"))
