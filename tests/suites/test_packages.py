"""Every installed solver is right on the programs of SciPy's and CVXPY's tests, or says why not."""

import collections
import re

import pytest

import cpe_opt as cpe
from tests.suites import able, outcome
from tests.suites.packages import cvxpy_problems, scipy_programs
from tests.support import some_quick

PROBLEMS = {name: (problem, value) for name, problem, value in cvxpy_problems()}
SLOW = ("lp_1", "lp_2", "lp_7", "mi_lp_1", "mi_lp_2")  # other programs of the kinds of the rest


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


@pytest.mark.parametrize("name", some_quick([n for n in PROBLEMS if n not in SLOW], SLOW))
def test_cvxpy(name):
    problem, value = PROBLEMS[name]
    program = cpe.ConicProgram(name, problem)
    room = 3e-3 if name.startswith("sdp_1") else 1e-6  # its optimum is given to two digits
    ends = {solver: outcome(program, solver, value, room=room) for solver in able(program)}
    assert all(end != "wrong" for end, _ in ends.values()), ends
    for solver in ("highs", "clarabel"):
        proved = "pcp_" not in name  # nothing is proved of power cones
        assert solver not in ends or (ends[solver][0] == "right") == proved, ends
    for solver in set(cpe.SOLVERS) - set(ends):
        end, words = outcome(program, solver, value)
        assert end == "refused"
        assert "able:" in words or "needs the package" in words
    for words in [words for end, words in ends.values() if end == "refused"]:
        for other in re.findall(r"able: ([\w, -]+)", words):  # those that a refusal names take it
            assert all(ends[each][0] != "refused" for each in other.split(", ") if each != "none")
