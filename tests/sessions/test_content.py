"""Files of labels, and of what is shown of each."""

import pytest

from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel
from cpe_opt.sessions.content import Item, content_digest, read_content, read_labels, shown_of
from cpe_opt.sessions.questions import ItemSet, Question


@pytest.fixture
def write(tmp_path):
    def write(text, name="items.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_texts_may_have_lines_and_images_stand_beside_them(write):
    path = write('label,text,image\na,"one\n# two",a.png\n"b, c",three,\nd,,d.png\n')
    assert read_content(path, ["a", "d"]) == {
        "a": Item("one\n# two", image="a.png"),
        "b, c": Item("three"),
        "d": Item(image="d.png"),
    }


def test_markdown_and_words_for_images(write):
    path = write("label,markdown,alt,image\na,**x**,,\nb,,a cat,b.png\n")
    assert read_content(path) == {
        "a": Item(markdown="**x**"),
        "b": Item(image="b.png", alt="a cat"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label\na\n", "items.csv: no column text, markdown or image next to label"),
        ("label,text\na,x\na,y\n", "items.csv, line 3: label 'a' stands there twice"),
        ("label,text\na,x\nb,\n", "items.csv, line 3: nothing to show of 'b'"),
        ("label,text\na,x\n", "items.csv: no row for 'b', which is asked about"),
        ("name,text\na,x\n", "no column 'label'"),
    ],
)
def test_bad_content_is_refused(write, text, message):
    with pytest.raises(InputError, match=message):
        read_content(write(text), ["a", "b"])


def test_labels_a_line(write):
    assert read_labels(write("a\n b c \n\nd\n", "l.txt")) == ["a", "b c", "d"]
    with pytest.raises(InputError, match=r"l\.txt, line 3: 'a' stands there twice"):
        read_labels(write("a\nb\na\n", "l.txt"))
    with pytest.raises(InputError, match="expected at least two labels"):
        read_labels(write("a\n", "l.txt"))


def test_content_may_be_that_of_a_label_on_an_item(write):
    path = write("label,item,text\na,q1,one\na,q2,two\nb,q1,three\nb,q2,four\nc,q1,other\n")
    content = read_content(path, ["a", "b"], ["q1", "q2"])
    assert content["b", "q1"] == Item("three")
    question = Question("0-1.1", Duel(1, 0), ("b", "a"), item={"id": "q2"})
    assert shown_of(content, question) == [Item("four"), Item("two")]
    assert shown_of({"a": "A"}, question) == [None, "A"]
    for labels, items, message in (
        (["a", "b"], None, "a column 'item', and the session is about no items"),
        (["a", "b", "c"], ["q1", "q2"], "no row for 'c' on item 'q2', which is asked about"),
    ):
        with pytest.raises(InputError, match=message):
            read_content(path, labels, items)
    with pytest.raises(InputError, match="line 3: 'a' on item 'q1' stands there twice"):
        read_content(write("label,item,text\na,q1,one\na,q1,two\n"))


HALF = "\ud800"  # of a surrogate pair, which no UTF-8 has


def test_content_that_no_page_and_no_log_can_hold_is_refused(write):
    path = write('[{"label": "a", "text": "x \\ud800"}]', "content.json")
    with pytest.raises(InputError, match=r"what is shown of 'a' is 'x .*half of a surrogate pair"):
        read_content(path)
    for content in ({"text": HALF}, {HALF: 1}, {"turns": [{"said": HALF}]}):
        with pytest.raises(InputError, match=r"items\[1\]: the content .*half of a surrogate pair"):
            ItemSet.of(["q1", {"item": "q2", **content}])
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match=r"items\[0\]: .* has what no JSON can hold"):
        ItemSet.of([{"item": "q1", "deep": deep}])
    assert ItemSet.of([{"item": "q1", "text": "\U0001f600 caf\u00e9"}]).contents[0]["text"]


def test_a_digest_goes_by_values_not_by_their_order_or_by_functions():
    assert content_digest({"a": 1, "b": 2}) == content_digest({"b": 2, "a": 1})
    assert content_digest({"a": 1, "b": 2}) != content_digest({"a": 2, "b": 1})
    assert content_digest([1, len]) == content_digest([1, max]) != content_digest([2, max])
