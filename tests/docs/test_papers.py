"""The tables from lines of pseudo-code to places in the code name what is there."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from cpe_opt.learners.registry import LEARNERS, learner_entry

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "papers").glob("*.md"))
ALGORITHMS = [page for page in PAGES if page.stem != "index"]
TARGET = re.compile(r"^\[([\w.]+)\]: \S*/modules/(cpe_opt[\w.]*)\.md#(\w+)$", re.M)
PLACE = re.compile(r"\[([\w.]+)\]((?:[^\[\]|]*?`[\w.]+`)+)")


@cache
def names_of(path):
    """Everything that a file defines or names, and members as ``Class.member``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if hasattr(each, "name")}
        if isinstance(node, ast.Name):
            names.add(node.id)
        if isinstance(node, ast.arg):
            names.add(node.arg)
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
    return names


def targets_of(text):
    return {
        label: ROOT.joinpath(*module.split("."), f"{file}.py")
        for label, module, file in TARGET.findall(text)
    }


def rows_of(text):
    return [line for line in text.splitlines() if line.startswith("| ") and "[" in line]


@pytest.mark.parametrize("page", ALGORITHMS, ids=lambda path: path.stem)
def test_every_place_is_there(page):
    text = page.read_text(encoding="utf-8")
    targets = targets_of(text)
    used = set()
    rows = rows_of(text)
    assert len(rows) >= 10
    for row in rows:
        cell = row.rstrip("| ").rpartition(" | ")[2]
        places = PLACE.findall(cell)
        assert places, f"no place in the row {row}"
        for label, words in places:
            used.add(label)
            for name in re.findall(r"`([\w.]+)`", words):
                if name in LEARNERS or name == "HorizonReached":
                    continue
                assert name in names_of(targets[label]), f"{name} is not in {targets[label]}"
    read = set(re.findall(r"\[([a-z]\w*(?:\.py)?)\](?![:(])", text))
    assert used <= read == set(targets)


def test_every_learner_of_the_five_papers_is_in_a_table(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import papers_page

    sys.modules.pop("papers_page")
    rows = "\n".join(row for page in ALGORITHMS for row in rows_of(page.read_text("utf-8")))
    other = papers_page.papers_page()
    for name in LEARNERS:
        noun = name.replace("-", "_")
        if learner_entry(name).declaration.paper.startswith(papers_page.OWN_PAGES):
            assert re.search(rf"`{noun}(\.\w+)?`", rows), f"{name} is in no table"
        else:
            assert f"[`{name}`](reference/cpe_opt.learners.{noun}.md)" in other


def test_each_paper_without_a_page_is_told_in_two_or_three_sentences(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import papers_page

    sys.modules.pop("papers_page")
    declared = {learner_entry(name).declaration.paper for name in LEARNERS}
    others = {each for each in declared if not each.startswith(papers_page.OWN_PAGES)}
    assert set(papers_page.IN_SHORT) == {papers_page.short_name(each) for each in others}
    page = papers_page.papers_page()
    for title, words in papers_page.IN_SHORT.values():
        assert page.count(f"*{title}.*\n\n{words}\n\n| learner") == 1
        assert 2 <= len(re.findall(r"[.?](?= [A-Z]|$)", words)) <= 5
    assert papers_page.short_name("Wu, Liu (NIPS 2016), D-TS+") == "Wu, Liu (NIPS 2016)"


def test_readings_are_found_with_their_lists(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import papers_page

    sys.modules.pop("papers_page")
    found = list(
        papers_page.readings(["One.", "Readings where it errs:", "* a\n* b", "Two.", "* c"])
    )
    assert [each for each in found if each] == ["Readings where it errs:", "* a\n* b"]
    assert "Readings: a lead of a is enough" in papers_page.papers_page()
