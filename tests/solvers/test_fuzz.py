"""No solver's result claims what enumeration contradicts; see :mod:`tests.solvers.fuzz`."""

from dataclasses import replace

import pytest

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from tests.solvers.fuzz import false_claim, instance, run

# Seeds whose programs misled a solver: costs far apart, rows without entries, bounds far away, a
# cost of 1e-13 of another whose column has no end, an equality of terms that nearly cancel, a
# column that is fixed at 5e-11 and has a cost of 4e7, one that is fixed at 3e-7, a cost of 3e-10
# that a tolerance of 1e-9 takes for none.
MISLEADING = (81, 1636, 1848, 2651, 201_989, 209_577, 508_090, 602_677, 605_187)


def test_no_false_claims_on_a_few_programs():
    false, ends = run(0, 50)
    assert false == []
    optimal = sum(times for (_, status), times in ends.items() if status == "optimal")
    assert optimal > 0.7 * sum(ends.values())


@pytest.mark.parametrize("seed", MISLEADING)
def test_no_false_claims_on_programs_that_misled_solvers(seed):
    assert run(seed, 1)[0] == []


@pytest.mark.slow
def test_no_false_claims_on_many_programs():
    assert run(0, 10_000)[0] == []


def test_false_claims_are_seen():
    """The check itself: every kind of claim, made false."""
    seed = next(
        s for s in range(100) if instance(s).narrow == pytest.approx(instance(s).wide, 1e-4)
    )
    found = instance(seed)
    result = cpe.solve(found.program, check=False)
    assert result.is_optimal
    assert false_claim(found, result) == ""
    better = found.unit if found.program.sense == "max" else -found.unit
    for change, words in (
        ({"status": Status.INFEASIBLE}, "there is a point"),
        ({"status": Status.UNBOUNDED}, "without a ray"),
        ({"bound": result.bound - better}, "a false bound"),
        ({"objective": result.objective + better}, "that no point has"),
        ({"objective": None}, "without a value"),
    ):
        assert words in false_claim(found, replace(result, **change))
    worse = replace(result, objective=result.objective - better)
    assert false_claim(found, worse) == ""  # its gap says so
    assert worse.gap > 1e-3
