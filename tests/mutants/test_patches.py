"""Every mutant still applies, once, to a definition whose tests exist."""

import ast

import pytest

from cpe_opt.learners.registry import LEARNERS
from tests.mutants import Mutant
from tests.mutants.every import EVERY_MUTANT
from tests.mutants.places import PACKAGE


def mutated_files():
    return {mutant.definition.file for mutant in EVERY_MUTANT}


def test_every_mutant_applies_once_and_is_a_program():
    for mutant in EVERY_MUTANT:
        assert mutant.wrong
    first = {mutant.definition.file: mutant for mutant in EVERY_MUTANT}
    for mutant in list(first.values())[::10]:
        right = ast.parse((PACKAGE / mutant.definition.file).read_text(encoding="utf-8"))
        pairs = zip(right.body, ast.parse(mutant.mutated()).body, strict=True)
        assert sum(ast.dump(one) != ast.dump(other) for one, other in pairs) == 1


@pytest.mark.parametrize(
    ("place", "old", "new", "message"),
    [
        (
            "PairTracker.proved",
            "no such text",
            "",
            "in 0 of the 1 definitions of PairTracker.proved",
        ),
        ("no_such_place", "return", "", "in 0 of the 0 definitions of no_such_place"),
        ("PairTracker.__init__", "self.", "", "times, expected once"),
        ("PairTracker.__init__", "-math.log(delta)", "(-math.log(delta))", "makes no difference"),
    ],
)
def test_a_mutant_that_does_not_apply_says_why(place, old, new, message):
    with pytest.raises(ValueError, match=message):
        assert Mutant(place, old, new, ()).wrong


def test_a_folder_tells_definitions_of_one_name_apart():
    here = Mutant("dueling:log_e_of_stakes", "return", "return 2.0 *", ())
    assert "dueling" in here.definition.file.split("/")
    with pytest.raises(ValueError, match="in 0 of the 0 definitions of matchings:log_e_of_stakes"):
        assert Mutant("matchings:log_e_of_stakes", "return", "return 2.0 *", ()).wrong


def test_no_mutant_is_listed_twice():
    assert len({(m.place, m.old, m.new) for m in EVERY_MUTANT}) == len(EVERY_MUTANT)


def test_every_test_of_a_mutant_exists():
    for test in {test for mutant in EVERY_MUTANT for test in mutant.tests}:
        file, _, name = test.partition("::")
        text = (PACKAGE.parent / "tests" / file).read_text(encoding="utf-8")
        name, _, case = name.partition("[")  # one case of a test may be enough
        assert f"def {name}(" in text or not name, test
        assert not case or case.endswith("]"), test


def test_every_learner_has_a_mutant():
    mutated = mutated_files()
    for name, learner in LEARNERS.items():
        file = learner.__module__.removeprefix("cpe_opt.").replace(".", "/") + ".py"
        assert file in mutated, name


def test_every_file_of_proofs_has_a_mutant():
    proving = {
        path.relative_to(PACKAGE).as_posix()
        for path in (PACKAGE / "proofs").rglob("*.py")
        if path.name != "__init__.py"
    }
    assert proving
    assert not proving - mutated_files()
