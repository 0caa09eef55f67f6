"""Pages that are made from the code name everything that is there, and nothing else.

So do those that are written by hand about all learners: the proofs, and the papers' pseudo-code.
"""

import ast
import importlib
import json
import re
import shlex
import sys
from functools import cache
from importlib.util import find_spec

import pytest

import cpe_opt as cpe
from cpe_opt.formulations.models import MODELS
from cpe_opt.learners.registry import LEARNERS, learner_entry
from tests.commands.test_cli import run
from tests.docs.blocks import ROOT, blocks_of
from tests.support import some_quick

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def made():
    """The modules of the site by name, loaded for these tests alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        names = ("generated_pages", "commands_page", "papers_page")
        names += ("learners_page", "picture_words")
        yield {name: importlib.import_module(name) for name in names}
    for path in DOCS.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture(scope="module")
def pages(made):
    return made["generated_pages"]


def test_every_public_name_has_a_page(pages):
    names = {f"reference/cpe_opt.{name}.md" for name in dir(cpe) if name in cpe.__all__}
    names -= {"reference/cpe_opt.learners.md", "reference/cpe_opt.__version__.md"}
    names |= {f"reference/cpe_opt.learners.{name.replace('-', '_')}.md" for name in LEARNERS}
    found = dict(pages.public_pages())
    assert set(found) == names
    index = pages.reference_index()
    assert all(f"({name.rpartition('/')[2]})" in index for name in names)


def test_every_module_is_documented_once(pages):
    text = "".join(text for _, text in pages.module_pages())
    for name, _ in pages.modules():
        assert text.count(f".. automodule:: {name}\n") == 1


def test_every_command_has_its_example_and_what_that_prints(made):
    """In the order of the commands; each begins with the example of the help."""
    shown, page = made["commands_page"].examples(), made["commands_page"].commands_page()
    assert list(shown) == [name for name, _ in made["commands_page"].commands()]
    for name, command in made["commands_page"].commands():
        (console,) = [each for each in blocks_of(shown[name]) if each.language == "console"]
        first, *output = console.body.splitlines()
        assert command.epilog == f"Example: {first.removeprefix('$ ')}"
        assert any(line.strip(".") for line in output), f"no output of {name}"
        part = page.partition(f"\n## `{name}`\n")[2].partition("\n## ")[0]
        assert f"$ {name}" in part
        assert all(f"`{option.opts[0]}`" in part for option in command.params)


def test_every_model_has_its_instances(pages):
    for name in MODELS:
        stored = [file.stem for file in (ROOT / "models" / name).glob("*.toml")]
        assert stored
        assert all(f"| {each} |" in pages.model_page(name) for each in stored)


# The command next to each learner in the table of the site, with few rounds in this process.

ROUNDS = 300
RUN = [name for name in LEARNERS if not learner_entry(name).declaration.shares]
ROW = re.compile(r"^\| \[`([\w-]+)`\].*<br>`cpe-opt (run [^`]*)` \|", re.M)


@pytest.mark.parametrize("name", some_quick(["rucb", "car-cond", "icb", "coci"], RUN))
def test_the_command_of_a_learner_runs(name, pages):
    arguments = shlex.split(dict(ROW.findall(pages.learners_page()))[name])
    assert arguments[:2] == ["run", name]
    if "--horizon" in arguments:
        place = arguments.index("--horizon")
        del arguments[place : place + 2]
    options = ("--horizon", ROUNDS, "--runs", 1, "--jobs", 1, "--json")
    done = run(*arguments, *options)
    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.stdout)
    assert 0 < row["duels" if "duels" in row else "pulls"] <= ROUNDS


# From lines of pseudo-code to places in the code.

PAPERS = sorted(page for page in (DOCS / "papers").glob("*.md") if page.stem != "index")
TARGET = re.compile(r"^\[([\w.]+)\]: \S*/modules/(cpe_opt[\w.]*)\.md#(\w+)$", re.M)
PLACE = re.compile(r"\[([\w.]+)\]((?:[^\[\]|]*?`[\w.]+`)+)")


@cache
def names_of(path):
    """Everything that a file defines or names, and members as ``Class.member``."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names |= {vars(node).get(each) for each in ("name", "id", "arg", "attr")}
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if hasattr(each, "name")}
    return names


def rows_of(text):
    return [line for line in text.splitlines() if line.startswith("| ") and "[" in line]


@pytest.mark.parametrize("page", PAPERS, ids=lambda path: path.stem)
def test_every_place_of_a_paper_is_there(page):
    text = page.read_text(encoding="utf-8")
    targets = {
        label: ROOT.joinpath(*module.split("."), f"{file}.py")
        for label, module, file in TARGET.findall(text)
    }
    assert len(rows_of(text)) >= 10
    for row in rows_of(text):
        places = PLACE.findall(row.rstrip("| ").rpartition(" | ")[2])
        assert places, f"no place in the row {row}"
        for label, words in places:
            names = set(re.findall(r"`([\w.]+)`", words)) - {*LEARNERS, "HorizonReached"}
            assert names <= names_of(targets[label]), (row, names - names_of(targets[label]))


def test_every_learner_is_in_a_table_of_its_paper(made):
    papers, page_of_papers = made["papers_page"], made["papers_page"].papers_page()
    rows = "\n".join(row for page in PAPERS for row in rows_of(page.read_text("utf-8")))
    for name in LEARNERS:
        noun, paper = name.replace("-", "_"), learner_entry(name).declaration.paper
        if paper.startswith(papers.OWN_PAGES):
            assert re.search(rf"`{noun}(\.\w+)?`", rows), f"{name} is in no table"
        else:
            assert papers.short_name(paper) in papers.IN_SHORT
            assert f"[`{name}`](reference/cpe_opt.learners.{noun}.md)" in page_of_papers


# The page of proofs: a theorem, a module and a test for every learner that promises a proof.

STATEMENTS, ANSWERS = (
    [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in [each for each in part.splitlines() if each.startswith("|")][2:]
    ]
    for part in (DOCS / "proofs.md").read_text("utf-8").split("\n## What learners prove\n")
)


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_every_learner_that_promises_a_proof_is_in_the_table_once_with_what_it_assumes():
    promising = {
        name
        for name in LEARNERS
        if (declared := learner_entry(name).declaration).promises and declared.goal != "regret"
    }
    assert sorted(code(row[0]) for row in ANSWERS) == sorted([name] for name in promising)
    for row in ANSWERS:
        (name,) = code(row[0])
        assert learner_entry(name).declaration.assumption.replace("1/2", "½") in row[3]


def test_modules_and_tests_of_proofs_exist_and_speak_of_the_learner():
    sources = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"^\s*def (test_\w+)", text, re.M):
            sources[name] = sources.get(name, "") + text
    for row in [*STATEMENTS, *ANSWERS]:
        _, theorem, modules, _, named = row
        assert theorem
        assert code(modules)
        assert all(find_spec(module) for module in code(modules)), row
        assert code(named)
        assert set(code(named)) <= set(sources), row
    for row in ANSWERS:
        (name,) = code(row[0])
        texts = "".join(sources[test] for test in code(row[4]))
        assert re.search(rf"\b{name}\b|\b{name.replace('-', '_')}\b", texts), name
