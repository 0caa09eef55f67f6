"""Characteristic times of every kind: the program's optimum is the time, which scales as prices."""

import pytest

import cpe_opt as cpe

CYCLIC = cpe.load_instance("cyclic")
PANEL = cpe.planted_condorcet(4, 3, gap=0.04, seed=2, density=0.7)
SUSHI, K4, K5 = map(cpe.load_instance, ("sushi", "trees-of-k4", "trees-of-k5"))
KINDS = {
    "copeland": (cpe.copeland_time, cpe.copeland_time_program, (CYCLIC,)),
    "condorcet": (cpe.condorcet_time, cpe.condorcet_time_program, (CYCLIC,)),
    "borda": (cpe.borda_time, cpe.borda_time_program, (SUSHI,)),
    "matching": (cpe.matching_time, cpe.matching_time_program, (PANEL,)),
    "single": (cpe.subset_time, cpe.subset_time_program, (K5,)),
    "sums": (cpe.subset_time, cpe.subset_time_program, (K4, "sums")),
}
kinds = pytest.mark.parametrize(("time", "program", "problem"), KINDS.values(), ids=KINDS)


@kinds
def test_the_optimum_of_the_program_is_the_time(time, program, problem):
    built = program(*problem, prices=2.0)
    solver = "highs" if isinstance(built, cpe.LinearProgram | cpe.LazyProgram) else "clarabel"
    expected = 2.0 * time(*problem).value
    assert cpe.solve(built, solver=solver).objective == pytest.approx(expected, rel=1e-5)


@kinds
def test_time_scales_with_prices(time, program, problem):
    extreme = 1e6 if time is cpe.copeland_time else 1e100
    expected = time(*problem).value
    for factor in (1 / extreme, 3.0, extreme):
        priced = time(*problem, prices=factor)
        assert priced.value == pytest.approx(factor * expected, rel=1e-4)
        assert priced.gap < 1e-4
