"""Files of labels, and of what is shown of each."""

import pytest

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Item, read_content, read_labels


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
