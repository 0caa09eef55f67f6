"""Claims about linear programs with numbers of many sizes, against exact rational arithmetic.

All numbers of a program are binary fractions, so its vertices are solved for in ``Fraction``.
"""

import time
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import NotCertified
from cpe_opt.modelling.certificate import ExactProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import exact

SPANS = (0, 3, 8, 12)  # powers of ten up and down


def drawn(seed):
    """A random program of 2 or 3 columns with lower bounds, and its rows ``a x >= side``."""
    rng = np.random.default_rng(seed)
    columns, rows = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    span = float(rng.choice(SPANS))

    def numbers(shape):
        sizes = 10.0 ** rng.uniform(-span, span, size=shape).round()
        return rng.choice([-1, 1], size=shape) * rng.integers(1, 10, size=shape) * sizes

    matrix = numbers((rows, columns)) * (rng.random((rows, columns)) < 0.8)
    costs, side, kind = numbers(columns), numbers(rows), rng.random(rows)
    low = np.where(kind < 0.7, side, -np.inf)
    high = np.where(kind < 0.4, np.inf, np.where(kind < 0.7, side + np.abs(numbers(rows)), side))
    lower = np.where(rng.random(columns) < 0.7, 0.0, numbers(columns))
    upper = np.where(rng.random(columns) < 0.5, np.inf, lower + np.abs(numbers(columns)))
    builder = cpe.ProgramBuilder(f"exact_{seed}")
    x = np.concatenate([
        builder.columns(f"x{j}", 1, cost=costs[j], lower=lower[j], upper=upper[j])
        for j in range(columns)
    ])  # fmt: skip
    row, column = np.nonzero(matrix)
    builder.rows("r", rows, row, x[column], matrix[row, column], lower=low, upper=high)
    program = builder.build()
    return program, [Fraction(cost) for cost in costs.tolist()], half_spaces(program)


def half_spaces(program):
    """The rows and bounds of a program, each as ``a x >= side``, in fractions."""
    matrix, unit = program.matrix.toarray(), np.eye(program.shape[1])
    planes = np.vstack([matrix, -matrix, unit, -unit])
    ends = program.row_lower, -program.row_upper, program.column_lower, -program.column_upper
    return [
        ([Fraction(value) for value in plane], Fraction(end))
        for plane, end in zip(planes.tolist(), np.concatenate(ends).tolist(), strict=True)
        if np.isfinite(end)
    ]


def intersection(planes, sides):
    """The point where so many planes meet, by Gaussian elimination; None where there is none."""
    table = [[*plane, side] for plane, side in zip(planes, sides, strict=True)]
    for column in range(len(table)):
        rest = (row for row in range(column, len(table)) if table[row][column])
        if (pivot := next(rest, None)) is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        head = [value / table[column][column] for value in table[column]]
        table = [[a - row[column] * b for a, b in zip(row, head, strict=True)] for row in table]
        table[column] = head
    return [row[-1] for row in table]


def least(costs, planes):
    """The least cost of a vertex; None without one. With lower bounds there is one if any point."""
    best = None
    for chosen in combinations(planes, len(costs)):
        point = intersection([plane for plane, _ in chosen], [side for _, side in chosen])
        if point is not None and all(dot(plane, point) >= side for plane, side in planes):
            cost = dot(costs, point)
            best = cost if best is None else min(best, cost)
    return best


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def truth(costs, planes):
    """The status of a minimisation, and the optimum if there is one."""
    best = least(costs, planes)
    if best is None:
        return Status.INFEASIBLE, None
    count = len(costs)
    unit = [[Fraction(int(i == j)) for i in range(count)] for j in range(count)]
    box = [([sign * value for value in e], Fraction(-1)) for e in unit for sign in (1, -1)]
    rays = [(plane, Fraction(0)) for plane, _ in planes] + box
    return (Status.UNBOUNDED, None) if least(costs, rays) < 0 else (Status.OPTIMAL, best)


def test_claims_agree_with_rational_arithmetic():
    ends = Counter()
    for seed in range(50):
        program, costs, planes = drawn(seed)
        status, optimum = truth(costs, planes)
        result = cpe.solve(program, check=False)
        ends[result.status] += 1
        if status is Status.INFEASIBLE and result.is_optimal:  # by a hair
            assert result.residuals.primal <= 1e-6 * max(1.0, np.abs(result.x).max()), seed
            continue
        assert result.status in (status, Status.IMPRECISE), seed
        if result.is_optimal:
            assert result.objective == pytest.approx(float(optimum), rel=1e-6, abs=1e-13)
    assert set(ends) >= {Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED}
    assert ends[Status.IMPRECISE] <= 7


@pytest.mark.parametrize("start", ["highs", "activities", "any"])
def test_pivots_from_every_basis_end_at_the_truth(start, monkeypatch):
    """From HiGHS's basis, from none of HiGHS, and from one that is regular, or not, by chance."""
    rng = np.random.default_rng(3)
    for seed in range(80):
        program, costs, planes = drawn(seed)
        status, optimum = truth(costs, planes)
        columns, rows = program.shape[1], program.shape[0]
        basis = rng.choice(["lower", "upper"], size=columns + rows).astype(object)
        basis[rng.choice(columns + rows, size=rows, replace=False)] = "basic"
        given = None if start == "activities" else list(basis)
        if start != "highs":
            answer = (None, None, given)
            monkeypatch.setattr(exact, "float_answer", lambda *_, a=answer, **__: a)
        numbers = ExactProgram(program)
        end = exact.exact_end(numbers, exact.Clock())
        assert end.claim == status.value, seed
        if end.claim == "optimal":
            assert numbers.broken(end.x) == ""
            assert numbers.total(end.x) == numbers.proved(end.y) == optimum
        elif end.claim == "unbounded":
            assert numbers.broken(end.x) == ""
            assert numbers.is_ray(end.ray)
        else:
            assert numbers.proved(end.y, bare=True) > 0


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
    with pytest.raises(exact.OutOfTime):
        exact.matrix_of(rows, range(300), exact.Clock(time.perf_counter() + 0.5))
    with pytest.raises(NotCertified, match="its vertex are 801, expected at most 800"):
        exact.matrix_of([{}] * 801, range(801), exact.Clock())
