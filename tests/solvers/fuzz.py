"""Small random programs, and what exact arithmetic says of the claims that solvers make of them.

A program has at most four columns, all bounded below, so that its feasible set has a vertex; some
are multiplied, rows and columns, by powers of ten between 1e-9 and 1e9, in others single entries
are by 1e-12 or 1e12. Its doubles are taken as the rational numbers that they are. Of a linear
program with fixed whole columns the optimum is at a vertex; of a convex quadratic one it solves the
KKT equations of some set of tight rows and bounds: all sets are enumerated (:func:`optimum`).

A row holds within 1e-6 max(1, |side|) + 1e-9 Σ|a_ij x_j|. A claim is *false* where no program
within these tolerances has it: a value that is not that of the point, a point that breaks a row by
more, a bound that cuts off a point which satisfies all inequalities by the tolerance, "infeasible"
of a program with such a point, "unbounded" of one without a ray or without a point.

    python -m tests.solvers.fuzz --programs 20000 --seed 0 --child 50

solves 20,000 of them, every fiftieth in a process of its own, too.
"""

import argparse
import collections
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.modelling.result import Status

ROW, TERMS, GAP = 1e-6, 1e-9, 1e-6


def numbers(rng, size, *, wide=3):
    """Numbers of one kind: whole, thirds, halves, decimals, or any."""
    kind = rng.integers(5)
    if kind < 3:
        return rng.integers(-wide * (kind + 1), wide * (kind + 1) + 1, size=size) / (kind + 1)
    values = rng.normal(size=size) * wide / 2
    return values.round(4) if kind == 3 else values


def drawn(seed):
    """The random program of this seed: three in ten have a quadratic objective."""
    rng = np.random.default_rng([44, seed])
    quadratic = rng.random() < 0.3
    shapes = [(0, 1), (0, 2), (0, 3)]
    if not quadratic:
        shapes = [*shapes[1:], (1, 0), (2, 0), (3, 0), (4, 0), (1, 1), (2, 1), (1, 2)]
    whole_columns, others = shapes[rng.integers(len(shapes))]
    n, m = whole_columns + others, int(rng.integers(0, 5))
    whole = np.arange(n) < whole_columns
    lower = numbers(rng, n, wide=1) - rng.integers(0, 2, size=n)
    upper = lower + np.where(whole, rng.uniform(0, 3, size=n), np.abs(numbers(rng, n)))
    upper = np.where(~whole & (rng.random(n) < 0.25), np.inf, upper)
    matrix = numbers(rng, (m, n)) * (rng.random((m, n)) < 0.8)
    inside = lower + rng.random(n) * np.where(np.isfinite(upper), upper - lower, 1.0)
    inside = np.where(whole, np.clip(np.round(inside), np.ceil(lower), np.floor(upper)), inside)
    unit, r, s = 1.0, np.ones(m), np.ones(n)
    if rng.random() < 0.35:
        unit, r = 10.0 ** rng.uniform(-9, 9), 10.0 ** rng.uniform(-9, 9, size=m)
        s = np.where(whole, 1.0, 10.0 ** rng.uniform(-9, 9, size=n))
        if quadratic:
            unit, s = (2.0 ** np.round(np.log2(each)) for each in (unit, s))
    elif rng.random() < 0.3:
        far = rng.choice([1e-12, 1.0, 1e12], size=(m, n), p=[0.15, 0.7, 0.15])
        matrix = matrix * far
    middle = matrix @ inside if rng.random() < 0.8 else numbers(rng, m)
    low, high = middle - np.abs(numbers(rng, m)), middle + np.abs(numbers(rng, m))
    kind = rng.random(m)
    low, high = np.where(kind < 0.35, -np.inf, low), np.where(kind > 0.65, np.inf, high)
    equal = (kind > 0.45) & (kind < 0.55)
    low, high = np.where(equal, middle, low), np.where(equal, middle, high)
    program = cpe.LinearProgram(
        f"fuzz_{seed}",
        sense=str(rng.choice(["min", "max"])),
        costs=numbers(rng, n) * unit / s,
        column_lower=lower * s,
        column_upper=upper * s,
        integer=whole,
        matrix=sp.csr_array(r[:, None] * matrix / s),
        row_lower=low * r,
        row_upper=high * r,
        column_names=tuple(f"x{j}" for j in range(n)),
        row_names=tuple(f"r_{i}" for i in range(m)),
    )
    if not quadratic:
        return program
    # Numbers that doubles hold, in units of powers of two: a singular matrix stays singular.
    root = np.round(4 * numbers(rng, (int(rng.integers(1, n + 1)), n))) / 4
    hessian = (root.T @ root) * (unit if program.sense == "min" else -unit) / np.outer(s, s)
    return cpe.QuadraticProgram(program, sp.csr_array(hessian))


def solved(matrix, sides):
    """The solution of square equations in fractions; None where they are singular."""
    rows = [[*row, side] for row, side in zip(matrix, sides, strict=True)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [a - row[k] * b for a, b in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]


def dot(one, other):
    return sum((a * b for a, b in zip(one, other, strict=True) if a and b), Fraction(0))


def fraction(value):
    """A number as a fraction; an infinite one stays what it is."""
    return Fraction(value) if math.isfinite(value) else value


def optimum(hessian, costs, rows):
    """The least ½x'Qx + c'x over ``low <= a x <= high``, rows (a, low, high); None if empty.

    Bounds are rows here. The minimum is finite, and the polyhedron has a vertex.
    """
    n, values = len(costs), []
    planes = [(a, side) for a, *sides in rows for side in set(sides) if math.isfinite(side)]
    for size in range(n + 1) if any(map(any, hessian)) else [n]:
        for tight in itertools.combinations(planes, size):
            normals = [a for a, _ in tight]
            system = [[*hessian[j], *(a[j] for a in normals)] for j in range(n)]
            system += [[*a, *[Fraction(0)] * size] for a in normals]
            right = [*(-c for c in costs), *(side for _, side in tight)]
            x = solved(system, right) if size < n else solved(normals, right[n:])
            if x is not None and all(low <= dot(a, x[:n]) <= high for a, low, high in rows):
                value = dot(x[:n], [dot(row, x[:n]) for row in hessian]) / 2
                values.append(value + dot(costs, x[:n]))
    return min(values, default=None)


@dataclass(frozen=True)
class Instance:
    """A program in fractions, as a minimisation."""

    program: cpe.LinearProgram | cpe.QuadraticProgram

    @cached_property
    def linear(self):
        return self.program.linear

    @cached_property
    def sign(self):
        return 1 if self.program.sense == "min" else -1

    @cached_property
    def hessian(self):
        dense = np.zeros((self.program.shape[1],) * 2)
        if hasattr(self.program, "quadratic"):
            dense = self.sign * self.program.quadratic.toarray()
        return [list(map(Fraction, row)) for row in dense]

    @cached_property
    def costs(self):
        return [self.sign * Fraction(cost) for cost in self.linear.costs]

    @cached_property
    def rows(self):
        """Rows as (coefficients, low, high, room): the room is the tolerance."""
        each, out = self.linear, []
        reach = np.maximum(np.abs(each.column_lower), np.abs(each.column_upper))
        reach = np.where(np.isfinite(reach), reach, 0.0)
        for a, *sides in zip(each.matrix.toarray(), each.row_lower, each.row_upper, strict=True):
            size = max(1.0, *(abs(side) for side in sides if math.isfinite(side)), 0.0)
            room = ROW * size + TERMS * float(np.abs(a) @ reach)
            out.append((list(map(Fraction, a)), *map(fraction, sides), Fraction(room)))
        return out

    @cached_property
    def bounds(self):
        """Bounds as rows without room."""
        unit = np.eye(self.program.shape[1], dtype=int)
        ends = zip(self.linear.column_lower, self.linear.column_upper, strict=True)
        return [
            (list(map(Fraction, row)), *map(fraction, pair))
            for row, pair in zip(unit.tolist(), ends, strict=True)
        ]

    def value(self, x):
        return dot(self.costs, x) + dot(x, [dot(row, x) for row in self.hessian]) / 2

    def least(self, share):
        """The minimum over inequalities that are moved inwards by this share of their room."""
        rows = [
            (a, low, high) if low == high and share > 0
            else (a, low + share * room, high - share * room)
            for a, low, high, room in self.rows
        ]  # fmt: skip
        if any(low > high for _, low, high in rows):
            return None
        whole = np.flatnonzero(self.linear.integer).tolist()
        free = np.flatnonzero(~self.linear.integer).tolist()
        ends = [range(math.ceil(self.bounds[j][1]), math.floor(self.bounds[j][2]) + 1)
                for j in whole]  # fmt: skip
        hessian = [[self.hessian[i][j] for j in free] for i in free]
        costs, values = [self.costs[j] for j in free], []
        for point in itertools.product(*ends):
            inner = []
            for a, low, high in [*rows, *(self.bounds[j] for j in free)]:
                moved = dot([a[j] for j in whole], point)
                inner.append(([a[j] for j in free], low - moved, high - moved))
            value = optimum(hessian, costs, inner)
            if value is not None:
                values.append(value + dot([self.costs[j] for j in whole], point))
        return min(values, default=None)

    @cached_property
    def narrow(self):
        return self.least(1)

    @cached_property
    def has_ray(self):
        """Whether the objective falls along a direction that keeps all rows, without curvature."""
        zero = Fraction(0)
        ends = [Fraction(int(high == math.inf)) for _, _, high in self.bounds]
        rows = [(a, *(zero if math.isfinite(side) else side for side in sides))
                for a, *sides, _ in self.rows]  # fmt: skip
        rows += [(row, zero, zero) for row in self.hessian if any(row)]
        rows += [(a, zero, end) for (a, _, _), end in zip(self.bounds, ends, strict=True)]
        flat = [[zero] * len(ends)] * len(ends)
        return any(ends) and optimum(flat, self.costs, rows) < 0


def instance(seed):
    """The random program of this seed, with what is known of it."""
    return Instance(drawn(seed))


def false_point(known, result):
    """What is false about a point: a broken row or bound, or another value."""
    x = [Fraction(v) for v in np.where(known.linear.integer, np.round(result.x), result.x)]
    for a, low, high in [*(row[:3] for row in known.rows), *known.bounds]:
        activity, terms = dot(a, x), sum(abs(c * v) for c, v in zip(a, x, strict=True))
        for side, by in ((low, low - activity), (high, activity - high)):
            if by > Fraction(1.01) * (Fraction(ROW) * max(1, abs(side)) + Fraction(TERMS) * terms):
                return f"its point breaks a row by {float(by):.3g}, side {float(side):g}"
    value = known.value(x)
    size = sum(abs(c * v) for c, v in zip(known.costs, x, strict=True)) + abs(value)
    told = known.sign * Fraction(result.objective)
    if abs(value - told) > Fraction(GAP) * max(1, abs(value)) + Fraction(TERMS) * size:
        return f"the value is {float(told)!r}, at its point it is {float(value)!r}"
    return ""


def false_claim(known, result):
    """What is false about a result, in words; empty where nothing is."""
    status = result.status
    if status is Status.INFEASIBLE:
        return "" if known.narrow is None else "infeasible, and there is a point"
    if status is Status.UNBOUNDED:
        if not known.has_ray:
            return "unbounded without a ray"
        return "unbounded without a point" if known.least(-1) is None else ""
    if result.bound is not None and not known.has_ray and known.narrow is not None:
        bound = known.sign * Fraction(result.bound)
        if bound - known.narrow > Fraction(GAP) * max(1, abs(known.narrow), abs(bound)):
            return f"the bound {float(bound)!r}, and {float(known.narrow)!r} is attained"
    if status is not Status.OPTIMAL:
        return ""
    if result.objective is None or result.bound is None or result.x is None:
        return "optimal without a value, a bound or a point"
    if known.has_ray and known.narrow is not None:
        return "optimal, and the objective has no end"
    if abs(result.objective - result.bound) > 1.01 * GAP * max(1.0, abs(result.objective)):
        return f"optimal with a gap: {result.objective!r}, bound {result.bound!r}"
    return false_point(known, result)


SOLVERS = {
    "LP": ("highs", "glop", "scip", "clarabel"),
    "MIP": ("highs", "scip"),
    "QP": ("highs", "clarabel", "osqp"),
}


def run(first, count, child=0):
    """False claims as (seed, solver, words), and how often each solver ended how.

    Every ``child``-th program is solved in a process of its own, too.
    """
    false, ends = [], collections.Counter()
    for seed in range(first, first + count):
        known = instance(seed)
        places = ["here", "child"] if child and seed % child == 0 else ["here"]
        solvers = SOLVERS[known.program.kind]
        if known.linear.integer.all():
            solvers += ("cp-sat",)
        for solver, place in itertools.product(solvers, places):
            try:
                result = cpe.solve(
                    known.program, solver, check=False, process=place, time_limit=20.0
                )
            except cpe.CpeOptError as error:
                ends[solver, f"refused: {type(error).__name__}"] += 1
                continue
            ends[solver, result.status.value] += 1
            if words := false_claim(known, result):
                false.append((seed, solver, words))
    return false, ends


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for option, default in (("--programs", 400), ("--seed", 0), ("--child", 50)):
        parser.add_argument(option, type=int, default=default)
    asked = parser.parse_args()
    claims, counts = run(asked.seed, asked.programs, asked.child)
    print(*claims, f"{len(claims)} false claims; {dict(counts)}", sep="\n")
