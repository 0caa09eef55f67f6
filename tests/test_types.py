"""What mypy says of uses of the package, of the examples and of the blocks of the how-to pages."""

import re
import typing

import pytest

import cpe_opt as cpe
from cpe_opt.problems import catalogue
from tests.docs import typed

USES = typed.ROOT / "tests" / "typed_uses.py"
FOUND = re.compile(r"[^:]+:(\d+): error: .*\[([\w-]+)\]")


def test_the_types_of_instances_are_those_of_their_families():
    names = {
        "dueling": catalogue.PreferenceName,
        "matchings": catalogue.MatchingName,
        "subsets": catalogue.SubsetName,
        "separable": catalogue.SeparableName,
    }
    for family, alias in names.items():
        listed = [name for name, each in cpe.INSTANCES.items() if each.family == family]
        assert sorted(typing.get_args(alias)) == sorted(listed)


@pytest.mark.slow  # without a cache mypy reads the whole package and what that imports
def test_right_uses_have_their_types_and_wrong_ones_are_found():
    pytest.importorskip("mypy", reason="mypy is not installed: make lint installs it")
    wanted = {
        (number, code)
        for number, line in enumerate(USES.read_text(encoding="utf-8").splitlines(), 1)
        for code in re.findall(r"# error: ([\w-]+)$", line)
    }
    assert len(wanted) > 10
    found = [FOUND.fullmatch(line) for line in typed.mypy(USES) if ": error: " in line]
    assert {(int(each[1]), each[2]) for each in found} == wanted


@pytest.mark.slow
def test_the_code_of_examples_and_pages(capsys):
    pytest.importorskip("mypy", reason="mypy is not installed: make lint installs it")
    assert typed.main() == 0, capsys.readouterr().out
