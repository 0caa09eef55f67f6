"""docs/proofs.md names a theorem, a module and a test for every learner that promises a proof."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from cpe_opt.learners.declaration import declaration_of
from cpe_opt.learners.registry import LEARNERS, get_learner

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
STATEMENTS, ANSWERS = PAGE.split("\n## What learners prove\n")


def rows(text):
    """The cells of the lines of its tables, without their headings."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


@pytest.fixture(scope="module")
def tests():
    """The sources of the test files that have a function of this name."""
    found = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.setdefault(node.name, []).append(text)
    return found


def test_every_learner_that_promises_a_proof_is_in_the_table_once():
    named = [code(row[0]) for row in rows(ANSWERS)]
    promising = {
        name
        for name in LEARNERS
        if (declared := declaration_of(get_learner(name))).promises and declared.goal != "regret"
    }
    assert sorted(name for names in named for name in names) == sorted(promising)


def test_what_a_learner_declares_to_assume_is_in_its_row():
    for row in rows(ANSWERS):
        (name,) = code(row[0])
        assert declaration_of(get_learner(name)).assumption.replace("1/2", "½") in row[3]


@pytest.mark.parametrize("row", rows(STATEMENTS) + rows(ANSWERS), ids=lambda row: row[0][:40])
def test_modules_and_tests_exist(row, tests):
    _, theorem, modules, _, named = row
    assert theorem
    assert code(modules)
    assert all(find_spec(module) for module in code(modules))
    assert code(named)
    assert set(code(named)) <= set(tests)


@pytest.mark.parametrize("row", rows(ANSWERS), ids=lambda row: row[0])
def test_a_test_of_a_learner_speaks_of_it(row, tests):
    (name,) = code(row[0])
    sources = [text for test in code(row[4]) for text in tests[test]]
    assert any(re.search(rf"\b{name}\b|\b{name.replace('-', '_')}\b", text) for text in sources)


def test_modules_outside_of_the_tables_exist():
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    modules = [each for each in code(prose) if each.startswith("cpe_opt.proofs.")]
    assert modules
    assert all(find_spec(module) for module in modules)
