"""Solvers that a script of a user brings, named ``file.py:name``."""

import os

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError, SolverUnable, UnknownName

SCRIPT = """
from cpe_opt.solvers.highs import Highs

class Counting(Highs):
    name = "counting"
    solved = 0

    def open(self, program, options):
        type(self).solved += 1
        return super().open(program, options)

    def solve(self, program, options):
        type(self).solved += 1
        return super().solve(program, options)

class Halving(Highs):
    name = "halving"
    solves = frozenset({"LP"})

    def solve(self, program, options):
        raw = super().solve(program, options)
        return type(raw)(raw.status, raw.x / 2, raw.row_duals)

number = 3
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SCRIPT)
    return path


def test_a_solver_of_a_script_is_as_good_as_one_of_the_package(script):
    from cpe_opt.solvers.registry import get_backend

    solver = f"{script}:Counting"
    gap = cpe.load_instance("gap")
    bound = cpe.copeland_bound(gap, solver=solver)
    assert bound.value == cpe.copeland_bound(gap).value
    assert bound.result.solver == "counting"
    bandit = cpe.load_instance("top-5-of-10")
    before = get_backend(solver).solved
    assert before >= 1
    told = {"noise": 1.0, "method": "program", "solver": solver}
    trace = cpe.simulate("clucb", bandit, seed=0, horizon=300, **told)
    assert trace.samples == 300
    assert get_backend(solver).solved > before


def test_its_answers_are_not_taken_on_trust(script):
    program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    with pytest.raises(cpe.NotOptimal, match="imprecise"):
        cpe.solve(program, f"{script}:Halving")


def test_a_script_that_changed_is_read_again(script):
    program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    assert cpe.solve(program, f"{script}:Counting").solver == "counting"
    script.write_text(SCRIPT.replace('"counting"', '"renamed"'))
    os.utime(script, ns=(1, 1))
    assert cpe.solve(program, f"{script}:Counting").solver == "renamed"


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("mine.py:Other", InputError, "mine.py:Other' is None, expected a class that inherits"),
        ("mine.py:number", InputError, "mine.py:number' is 3, expected a class that inherits"),
        ("none.py:Other", InputError, "none.py:Other': No such file or directory"),
        ("half.py:Half", InputError, "half.py:Half' lacks name, solves, .*about, solve$"),
        ("wrong.py:Half", InputError, r"wrong\.py, line 2: ZeroDivisionError"),
        ("mine.py", UnknownName, "unknown solver"),
    ],
)
def test_what_is_no_solver_is_refused_in_words(script, monkeypatch, name, error, said):
    monkeypatch.chdir(script.parent)
    half = "from cpe_opt.solvers.base import Backend\nclass Half(Backend):\n    pass\n"
    (script.parent / "half.py").write_text(half)
    (script.parent / "wrong.py").write_text("x = 1\ny = 1 / 0\n")
    program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    with pytest.raises(error, match=said):
        cpe.solve(program, name)


def test_what_it_cannot_solve_it_is_not_asked(script):
    builder = cpe.ProgramBuilder("whole")
    take = builder.columns("take", 2, cost=[1, 2], upper=3, integer=True)
    builder.row("enough", take, lower=2)
    with pytest.raises(SolverUnable, match="does not solve MIP programs"):
        cpe.solve(builder.build(), f"{script}:Halving")
