"""No solver's result claims what exact arithmetic contradicts; see :mod:`tests.solvers.fuzz`."""

from dataclasses import replace

import pytest

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from tests.solvers.fuzz import false_claim, instance, run

# Seeds whose programs misled: coefficients of 1e12 next to 2, a Hessian of 1e17, a flat direction.
MISLEADING = (246, 270, 386, 516, 574)


def test_no_false_claims_on_a_few_programs():
    false, ends = run(0, 20)
    assert false == []
    solved = {end: times for end, times in ends.items() if "SolverMissing" not in end[1]}
    optimal = sum(times for (_, status), times in solved.items() if status == "optimal")
    assert optimal > 0.6 * sum(solved.values())


@pytest.mark.parametrize("seed", MISLEADING)
def test_no_false_claims_on_programs_that_misled_solvers(seed):
    assert run(seed, 1)[0] == []


@pytest.mark.slow
def test_no_false_claims_on_many_programs():
    assert run(0, 4000, child=50)[0] == []


@pytest.mark.parametrize("seed", [3, 5, 6, 8, 9, 10])
def test_false_claims_are_seen(seed):
    """The check itself: every kind of claim, made false."""
    known = instance(seed)
    result = cpe.solve(known.program, check=False)
    assert result.is_optimal
    assert false_claim(known, result) == ""
    better = 1.0 if known.program.sense == "max" else -1.0
    for change, words in (
        ({"status": Status.INFEASIBLE}, "there is a point"),
        ({"status": Status.UNBOUNDED}, "without a ray"),
        ({"bound": result.bound - better}, "the bound"),
        ({"objective": result.objective + better}, "optimal with a gap"),
        ({"objective": None}, "without a value"),
        ({"x": result.x + 99.0}, "its point breaks"),
    ):
        assert words in false_claim(known, replace(result, **change))
