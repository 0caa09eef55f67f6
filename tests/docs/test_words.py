"""What is written for readers is in plain words and the terms of the field, without abbreviations.

The texts are the pages, and every comment and text of the package, the site and the examples: help,
docstrings and what learners and models say in tables are among them. Abbreviations of papers are
looked for everywhere, phrases in prose: without blocks of code, backticks and links' targets.
"""

import ast
import re

import pytest

from tests.docs.blocks import ROOT, name_of, pages

ABBREVIATIONS = {r"(?i:khn|zkwr|cdhz|kxmhs|holc)": "author and year, such as chen2020"}
PHRASES = {
    r"relax(?:ed|ation) master|restricted master": "reduced master",
    r"relaxation \*?ECW|ECW relaxation": "the simplified program ECW: its optimum is at least C*",
    r"super ?arms?": "super-arm",
    r"separating oracle|separation routine": "separation oracle",
    r"(?:Copeland|Condorcet|Borda)-winners?": "Copeland winner, without a hyphen",
    r"verdicts?": "decision, if it is about an edge; elsewhere the thing's name",
    r"dueled": "duelled, though the field's name is dueling bandits",
    r"chances?": "probability",
    r"(?:made|makes?) (?:\w+ )?again": "reproduce, repeat",
    r"h[au]ngs? on": "depends on",
    r"of one's own": "of your own",
    r"so manyth": "every n-th",
    r"the two (?:last|first)": "the last two",
    r"in a circle": "in a cycle",
    r"dear(?:er|est)?": "expensive",
    r"over the page": "in browsers",
    r"beside": "next to, against, in addition to",
    r"but for": "except for",
    r"rightly": "correctly",
    r"such a one|thereof|whosoever": "plain words",
    r"stands? (?:in|on)": "is in",
    r"an? (?:answer|column|core|key|label|line|page|question|row|sort) an? \w+": "one … per …",
}


def prose(text):
    """Without blocks of code, backticks, links' targets and line breaks."""
    text = re.sub(r"^ *(`{3,}).*?^ *\1$", "", text, flags=re.M | re.S)
    return " ".join(re.sub(r"``[^`]+``|`[^`]+`|(?<=\])\([^)]*\)", "`", text).split())


def misused(text):
    """What is found, with its surroundings, and what to write in place of it."""
    for table, whole in ((ABBREVIATIONS, text), (PHRASES, prose(text))):
        if not re.search(rf"(?<!\w)(?:{'|'.join(table)})(?!\w)", whole):
            continue  # one search in place of one per phrase
        for pattern, better in table.items():
            for hit in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", whole):
                near = whole[max(0, hit.start() - 30) : hit.end() + 30]
                yield f"{hit[0]!r} in {near!r}: write {better}"


READ = [page for page in pages(ROOT) if not name_of(page).startswith("tests/")]


@pytest.mark.parametrize("page", READ, ids=name_of)
def test_a_page_has_the_words_of_the_field(page):
    assert list(misused(page.read_text(encoding="utf-8"))) == []


def words_of_script(path):
    """Its comments and strings, docstrings included; no patterns of columns' names."""
    source = path.read_text(encoding="utf-8")
    parts = re.findall("#.*", source)
    constants = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    strings = (each.value for each in constants if type(each.value) is str)
    parts += (each for each in strings if " " in each or "|" not in each)
    return "\n···\n".join(parts)


def suspected(path):
    """Whether a script has such words anywhere, names included: texts are read where it has."""
    joined = re.sub(r"[\"']\s*\n\s*\w*[\"']|\n\s*#", "", path.read_text(encoding="utf-8"))
    return any(misused(joined))


@pytest.mark.parametrize("folder", ["cpe_opt", "docs", "examples"])
def test_scripts_have_the_words_of_the_field(folder):
    scripts = [path for path in (ROOT / folder).rglob("*.py") if "_build" not in path.parts]
    assert len(scripts) > 15
    found = {path: list(misused(words_of_script(path))) for path in scripts if suspected(path)}
    assert {path.name: hits for path, hits in found.items() if hits} == {}


def test_a_misused_word_is_found_and_code_is_left_alone():
    for text, words in (("units `khn`", "khn"), ("the optimum\nhangs on it", "hangs on")):
        assert next(misused(text)).startswith(repr(words))
    for text in ("`beside=`", "```python\nbeside = 1\n```\n", "[a page](beside.md)", "besides"):
        assert list(misused(text)) == []
