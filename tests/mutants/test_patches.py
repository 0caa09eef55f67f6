"""Every mutant still applies, once, to a file whose tests exist."""

import ast
from collections import Counter

import pytest

from tests.mutants import ROOT
from tests.mutants.every import EVERY_MUTANT

NO_MATHEMATICS = {
    "__init__.py",
    "answer.py",
    "model.py",
    "declaration.py",
    "exchange.py",
    "models.py",
    "queries.py",
    "registry.py",
}


def test_every_mutant_applies_once_and_is_a_program():
    for mutant in EVERY_MUTANT:
        ast.parse(mutant.mutated(ROOT))


def test_no_mutant_is_listed_twice():
    assert len({(m.file, m.old, m.new) for m in EVERY_MUTANT}) == len(EVERY_MUTANT)


def test_every_test_of_a_mutant_exists():
    for test in {test for mutant in EVERY_MUTANT for test in mutant.tests}:
        file, _, name = test.partition("::")
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        name, _, case = name.partition("[")  # one case of a test may be enough
        assert f"def {name}(" in text or not name, test
        assert not case or case.endswith("]"), test


@pytest.mark.parametrize("folder", ["learners", "formulations"])
def test_every_file_has_mutants(folder):
    counts = Counter(m.file for m in EVERY_MUTANT)
    root = ROOT / "cpe_opt"
    for path in sorted((root / folder).rglob("*.py")):
        if path.name not in NO_MATHEMATICS:
            assert counts[path.relative_to(root).as_posix()] >= 2, path.name
