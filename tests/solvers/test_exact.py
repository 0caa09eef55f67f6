"""Linear programs solved in rational numbers, against enumeration (:mod:`tests.solvers.fuzz`)."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import NotCertified
from cpe_opt.modelling.certificate import ExactProgram
from cpe_opt.solvers import exact
from tests.solvers.fuzz import Instance, instance


def linear(seeds):
    """Random programs without quadratic terms; of every other one, bounds above are left out."""
    for seed in seeds:
        program = instance(seed).program
        if isinstance(program, cpe.LinearProgram):
            upper = program.column_upper
            if seed % 2:
                upper = np.where(program.integer, upper, np.inf)
            yield Instance(replace(program, column_upper=upper))


def truth(known):
    """What a certificate is to claim of a program, and its optimum, by enumeration."""
    least = known.least(0)
    if least is None:
        return "infeasible", None
    if known.has_ray:
        return "unbounded", None
    return "optimal", Fraction(known.program.offset) + known.sign * least


@pytest.mark.parametrize("start", ["highs", "activities", "any"])
def test_pivots_from_every_basis_end_at_the_truth(start, monkeypatch):
    """From HiGHS's basis, from none of HiGHS, and from one that is regular, or not, by chance."""
    rng, claims = np.random.default_rng(3), set()
    for each in linear(range(100)):
        rows, columns = each.program.shape
        known = Instance(replace(each.program, integer=np.zeros(columns, dtype=bool)))
        basis = rng.choice(["lower", "upper"], size=columns + rows).astype(object)
        basis[rng.choice(columns + rows, size=rows, replace=False)] = "basic"
        if start != "highs":
            answer = (None, None if start == "activities" else list(basis))
            monkeypatch.setattr(exact, "float_answer", lambda *_, a=answer, **__: a)
        numbers = ExactProgram(known.program)
        end, (claim, optimum) = exact.exact_end(numbers, exact.Clock()), truth(known)
        assert end.claim == claim
        claims.add(claim)
        if claim == "infeasible":
            assert numbers.proved(end.y, bare=True) > 0
        else:
            assert numbers.broken(end.x) == ""
        if claim == "unbounded":
            assert numbers.is_ray(end.ray)
        if claim == "optimal":
            assert numbers.value(end.x) == optimum
            assert numbers.total(end.x) == numbers.proved(end.y)
    assert len(claims) == 3


def test_equations_are_solved_without_rounding():
    """Entries of 300 powers of ten, where floats see 0 and infinity."""
    rows = [{3: Fraction(1e300), 5: Fraction(1)}, {3: Fraction(1), 5: Fraction(1e-300)}]
    rows[1][5] += Fraction(1, 10**700)
    matrix = exact.matrix_of(rows, [3, 5], exact.Clock())
    x = exact.solved(matrix, [Fraction(1), Fraction(2)])
    assert [row[3] * x[0] + row[5] * x[1] for row in rows] == [1, 2]
    singular = exact.matrix_of([{0: Fraction(1)}, {0: Fraction(2)}], [0, 1], exact.Clock())
    with pytest.raises(ZeroDivisionError):
        exact.solved(singular, x)


def test_equations_that_need_more_time_than_is_left_are_not_begun():
    rows = [dict.fromkeys(range(300), Fraction(0.1)) for _ in range(300)]
    with pytest.raises(exact.ProofTimeOver):
        exact.matrix_of(rows, range(300), exact.Clock(time.perf_counter() + 0.5))
    with pytest.raises(NotCertified, match="its vertex are 801, expected at most 800"):
        exact.matrix_of([{}] * 801, range(801), exact.Clock())
