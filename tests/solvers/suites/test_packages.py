"""Every installed solver is right on the programs of SciPy's and CVXPY's tests, or says why not."""

import collections
import re

import pytest

import cpe_opt as cpe
from tests.solvers.suites import able, outcome
from tests.solvers.suites.packages import as_program, cvxpy_problems, scipy_programs

PROBLEMS = {name: (problem, value) for name, problem, value in cvxpy_problems()}
LINEAR = [name for name, (problem, _) in PROBLEMS.items() if problem.is_qp() or problem.is_lp()]


def judged(program, value, *, surely=(), room=1e-6):
    """How every able solver ended; those of ``surely`` are right."""
    ends = {solver: outcome(program, solver, value, room=room) for solver in able(program)}
    wrong = {solver: words for solver, (end, words) in ends.items() if end == "wrong"}
    assert not wrong
    missed = {s: ends[s] for s in surely if s in ends and ends[s][0] != "right"}
    assert not missed
    return ends


@pytest.mark.slow
def test_scipy():
    programs, counts, faults = scipy_programs(), collections.Counter(), []
    assert len(programs) > 60
    for number, (program, value) in enumerate(programs):
        for solver in able(program):
            end, words = outcome(program, solver, value)
            counts[solver, end] += 1
            if end == "wrong" or (end != "right" and solver == "highs"):
                faults.append(f"{number} {solver} {end}: {words}")
    print(dict(counts))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", LINEAR)
def test_cvxpy_as_a_program(name):
    problem, value = PROBLEMS[name]
    sense = 1.0 if problem.objective.NAME == "minimize" else -1.0
    program = as_program(name, problem)
    surely = ("highs",) if program.kind == "MIP" else ("highs", "clarabel")
    judged(program, None if value is None else sense * value, surely=surely)


@pytest.mark.parametrize("name", PROBLEMS)
def test_cvxpy_as_a_cone_program(name):
    problem, value = PROBLEMS[name]
    program = cpe.ConicProgram(name, problem)
    surely = ("clarabel",) if program.kind != "MIP" else ()
    room = 3e-3 if name.startswith("sdp_1") else 1e-6  # its optimum is given to two digits
    ends = judged(program, value, surely=surely, room=room)
    for solver in set(cpe.SOLVERS) - set(ends):
        end, words = outcome(program, solver, value)
        assert end == "refused"
        assert "able:" in words or "needs the package" in words
    for words in [words for end, words in ends.values() if end == "refused"]:
        for other in re.findall(r"able: ([\w, -]+)", words):  # those that a refusal names take it
            assert all(ends[each][0] != "refused" for each in other.split(", ") if each != "none")
