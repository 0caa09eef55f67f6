"""Claims about linear programs with numbers of many sizes, against exact rational arithmetic.

All numbers of a program are binary fractions, so its vertices are solved for in ``Fraction``.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.scaling import scaled
from cpe_opt.solvers.verification import infeasibility

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
    planes = np.vstack([matrix, -matrix, np.eye(columns), -np.eye(columns)])
    sides = np.concatenate([low, -high, lower, -upper])
    half_spaces = [
        ([Fraction(value) for value in plane], Fraction(end))
        for plane, end in zip(planes.tolist(), sides.tolist(), strict=True)
        if np.isfinite(end)
    ]
    return builder.build(), [Fraction(cost) for cost in costs.tolist()], half_spaces


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


def least(costs, half_spaces):
    """The least cost of a vertex; None without one. With lower bounds there is one if any point."""
    best = None
    for chosen in combinations(half_spaces, len(costs)):
        point = intersection([plane for plane, _ in chosen], [side for _, side in chosen])
        if point and all(dot(plane, point) >= side for plane, side in half_spaces):
            cost = dot(costs, point)
            best = cost if best is None else min(best, cost)
    return best


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def truth(costs, half_spaces):
    """The status, and the optimum if there is one."""
    best = least(costs, half_spaces)
    if best is None:
        return Status.INFEASIBLE, None
    count = len(costs)
    unit = [[Fraction(int(i == j)) for i in range(count)] for j in range(count)]
    box = [([sign * value for value in e], Fraction(-1)) for e in unit for sign in (1, -1)]
    rays = [(plane, Fraction(0)) for plane, _ in half_spaces] + box
    return (Status.UNBOUNDED, None) if least(costs, rays) < 0 else (Status.OPTIMAL, best)


@pytest.mark.parametrize("solver", ["highs", "glop"])
def test_claims_agree_with_rational_arithmetic(solver):
    ends = Counter()
    for seed in range(50):
        program, costs, half_spaces = drawn(seed)
        status, optimum = truth(costs, half_spaces)
        result = cpe.solve(program, solver, check=False)
        ends[status, result.status] += 1
        if status is Status.INFEASIBLE and result.is_optimal:
            # By a hair: in the solver's units the point breaks nothing by more than 1e-9.
            inside = scaled(program)
            assert infeasibility(inside.program, result.x / inside.columns, 1e-9) == "", seed
            continue
        assert result.status in (status, Status.IMPRECISE), seed
        if optimum is not None and result.bound is not None:
            best = float(optimum)
            room = 1e-12 * max(abs(best), abs(result.bound))
            assert result.bound <= best + room, seed
            if result.status is Status.OPTIMAL:
                assert result.objective == pytest.approx(best, rel=1e-6, abs=1e-13)
    right = sum(times for (is_true, said), times in ends.items() if is_true is said)
    assert right >= 43
    assert {said for _, said in ends} >= {Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED}
