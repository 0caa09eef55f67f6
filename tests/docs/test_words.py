"""What is written for readers is in plain words and the terms of the field, without abbreviations.

The texts are the pages, the fixed texts of generated ones, the gallery and the examples, the
commands' help, what learners and models say in tables, and every comment and text of the package.
Abbreviations of papers are looked for everywhere, phrases in prose: without blocks of code,
backticks and links' targets.
"""

import ast
import inspect
import io
import re
import tokenize
from pathlib import Path

import pytest
from typer.main import get_command

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS, get_learner, learner_entry
from tests.support import all_of

ROOT = Path(__file__).parents[2]
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
        for pattern, better in table.items():
            for hit in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", whole):
                near = whole[max(0, hit.start() - 30) : hit.end() + 30]
                yield f"{hit[0]!r} in {near!r}: write {better}"


def pages():
    named = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    for path in [*named, *(ROOT / "docs").rglob("*.md")]:
        if not {"_build", "generated", "gallery"} & set(path.relative_to(ROOT).parts):
            yield path
    yield from (ROOT / "models").rglob("README.md")
    yield from (ROOT / "cpe_opt").rglob("*.md")
    yield from (ROOT / "examples" / "reproduced").glob("*.md")


def scripts():
    for folder in ("cpe_opt", "docs", "examples"):
        for path in (ROOT / folder).rglob("*.py"):
            if not {"_build", "generated"} & set(path.parts):
                yield path


def words_of_script(path):
    """Its comments and strings, docstrings included; no patterns of columns' names."""
    source = path.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    parts = [token.string for token in tokens if token.type == tokenize.COMMENT]
    constants = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    strings = (each.value for each in constants if type(each.value) is str)
    parts += (each for each in strings if " " in each or "|" not in each)
    return "\n···\n".join(parts)


def words_of_help(command):
    parts = [command.help, *(getattr(each, "help", "") for each in command.params)]
    parts += map(words_of_help, getattr(command, "commands", {}).values())
    return "\n".join(part or "" for part in parts)


def words_of_learner(name):
    says = learner_entry(name).declaration
    parts = (says.guarantee, says.batches, says.endless_if, inspect.getdoc(get_learner(name)))
    return "\n".join(part or "" for part in parts)


@all_of("path", sorted(pages()))
def test_a_page_has_the_words_of_the_field(path):
    assert list(misused(path.read_text(encoding="utf-8"))) == []


def test_scripts_have_the_words_of_the_field():
    found = {path: list(misused(words_of_script(path))) for path in scripts()}
    assert len(found) > 300
    assert {path.name: hits for path, hits in found.items() if hits} == {}


def test_public_names_and_tables_have_the_words_of_the_field():
    public = {name: getattr(cpe, name) for name in cpe.__all__}
    texts = {name: inspect.getdoc(each) or "" for name, each in public.items() if callable(each)}
    texts |= {name: words_of_learner(name) for name in LEARNERS}
    texts |= {f"model {name}": model.about for name, model in MODELS.items()}
    texts["--help"] = words_of_help(get_command(app))
    assert len(texts["--help"]) > 5000
    found = {place: list(misused(text)) for place, text in texts.items()}
    assert {place: hits for place, hits in found.items() if hits} == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("regret in the units `khn`", "khn"),
        ("```text\nregret (KHN)\n```", "KHN"),
        ("the optimum\nhangs on it", "hangs on"),
        ("a list item\n\n- a label a\n  line", "a label a line"),
        ("[ECW, beside it](x.md)", "beside"),
        ("each Copeland-winner", "Copeland-winner"),
        ("by the relaxation *ECW*", "relaxation *ECW"),
    ],
)
def test_a_misused_word_is_found(text, words):
    hits = list(misused(text))
    assert hits
    assert hits[0].startswith(repr(words))


@pytest.mark.parametrize(
    "text",
    [
        "`beside=` is code",
        "```python\nbeside = 1\n```\n",
        "[a page](beside.md)",
        "besides",
        "khnum",
    ],
)
def test_code_and_longer_words_are_left_alone(text):
    assert list(misused(text)) == []
