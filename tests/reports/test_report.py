"""One report in its four forms."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.reports.report import Code, PairMatrix, Picture, Report, TextTable

TABLE = TextTable.of({"arm": ["a|b", "c"], "Copeland": ["proved", "ruled out"]}, title="two arms")
REPORT = Report(
    title="Which <arm>?",
    summary="a|b it is.",
    facts=(("arms", "2"), ("votes", "60")),
    arms=TABLE,
    lines=("proved",),
    open=("why:", "  first", "  second"),
    parts=(Code("x < y"),),
    reports=(Report(title="a part", parts=(TABLE,)),),
)


def test_text_has_facts_tables_and_lines_in_the_order_of_reading():
    lines = str(REPORT).splitlines()
    assert lines[:6] == ["Which <arm>?", "a|b it is.", "", "arms   2", "votes  60", ""]
    assert lines[6:9] == ["two arms", "arm  Copeland", "a|b  proved"]
    assert lines[10:14] == ["proved", "why:", "  first", "  second"]
    assert lines[14:] == ["", "a part", *lines[6:10]]


def test_markdown_marks_nothing_by_accident():
    text = REPORT.markdown()
    assert "| a\\|b | proved |" in text
    assert "- why:\n  - first\n  - second\n" in text
    assert "- Which \\<arm\\>?" in text


def test_a_page_has_headings_by_depth_and_lists_of_what_is_indented():
    page = REPORT.html()
    assert "<h1>Which &lt;arm&gt;?</h1>" in page
    assert (
        page.index("<h2>Ranking</h2>") < page.index("<h2>Why the rest") < page.index("<h2>a part")
    )
    assert "<ul>\n<li>first</li>\n<li>second</li>\n</ul>" in page
    assert "<pre>x &lt; y</pre>" in page
    assert page.count('<td class="ruled-out">ruled out</td>') == 2
    assert "sure" not in page[page.index("<body>") :]


def test_a_matrix_says_each_pair_in_words_and_colours():
    share = np.array([[np.nan, 0.75, np.nan], [0.25, np.nan, 0.5], [np.nan, 0.5, np.nan]])
    count = np.array([[0, 8, 0], [8, 0, 2], [0, 2, 0]], dtype=float)
    sure = np.zeros((3, 3), dtype=bool)
    sure[0, 1] = True
    rows = dict(PairMatrix(labels=("a", "b", "c"), share=share, count=count, sure=sure).rows())
    assert rows["a"] == [
        ("", "", ""),
        ("w", "75", "a – b: 75 % of 8, proved"),
        ("", "·", "a – c: never compared"),
    ]
    assert [kind for kind, *_ in rows["b"]] == ["l", "", "e"]


def test_pictures_are_drawn_for_pages_alone():
    def draw():
        raise RuntimeError("drawn")

    report = Report(title="t", parts=(Picture("a picture", draw),))
    assert str(report) == "t"
    with pytest.raises(RuntimeError, match="drawn"):
        report.html()


def test_a_page_is_written_where_it_may_be(tmp_path):
    path = REPORT.write(tmp_path / "page.html")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(cpe.InputError, match="exists; --force overwrites it"):
        REPORT.write(path, force=False)
    with pytest.raises(cpe.InputError, match="html"):
        REPORT.write(tmp_path / "page.txt")
