"""Small random programs, and what exact arithmetic says of the claims that solvers make of them.

A program has at most four columns, all bounded below, so that its feasible set has a vertex; some
are multiplied, rows and columns, by powers of ten between 1e-9 and 1e9, in others single entries
are by 1e-12 or 1e12. Its doubles are taken as the rational numbers that they are. Of a linear
program with fixed whole columns the optimum is at a vertex; of a convex quadratic one it solves the
KKT equations of some set of tight rows and bounds, those of the linear one being the special case
Q = 0: all sets are enumerated (:func:`optimum`).

A row holds within 1e-6 max(1, |side|) + 1e-9 Σ|a_ij x_j|. A claim is *false* where no program
within these tolerances has it: a value that is not that of the point, a point that breaks a row by
more, a bound that cuts off a point which satisfies all inequalities by the tolerance, "infeasible"
of a program with such a point, "unbounded" of one without a ray or without a point.

    python -m tests.solvers.fuzz 20000 50

solves 20,000 of them, every fiftieth in a process of its own, too.
"""

import collections
import itertools
import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

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
    sense = str(rng.choice(["min", "max"]))
    builder = cpe.ProgramBuilder(f"fuzz_{seed}", sense=sense)
    costs = numbers(rng, n) * unit / s
    x = np.concatenate([
        builder.columns(f"x{j}", 1, cost=costs[j], lower=lower[j] * s[j], upper=upper[j] * s[j],
                        integer=bool(whole[j]))
        for j in range(n)
    ])  # fmt: skip
    i, j = np.nonzero(matrix)
    builder.rows("r", m, i, x[j], (r[:, None] * matrix / s)[i, j], lower=low * r, upper=high * r)
    if quadratic:
        # Numbers that doubles hold, in units of powers of two: a singular matrix stays singular.
        root = np.round(4 * numbers(rng, (int(rng.integers(1, n + 1)), n))) / 4
        hessian = (root.T @ root) * (unit if sense == "min" else -unit) / np.outer(s, s)
        i, j = np.nonzero(np.triu(hessian))
        builder.quadratic(x[i], x[j], np.where(i == j, 0.5, 1.0) * hessian[i, j])
    return builder.build()


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


def optimum(hessian, costs, rows):
    """The least ½x'Qx + c'x over ``low <= a x <= high``, rows (a, low, high); None if empty.

    Bounds are rows here. The minimum is finite, and the polyhedron has a vertex.
    """
    n = len(costs)
    planes = [(i, side) for i, (_, low, high) in enumerate(rows)
              for side in {low, high} - {None}]  # fmt: skip
    least = None
    for size in range(n + 1) if any(map(any, hessian)) else [n]:
        for tight in itertools.combinations(planes, size):
            if len({i for i, _ in tight}) < size:
                continue
            normals = [rows[i][0] for i, _ in tight]
            system = [[*hessian[j], *(a[j] for a in normals)] for j in range(n)]
            system += [[*a, *[Fraction(0)] * size] for a in normals]
            right = [*(-c for c in costs), *(side for _, side in tight)]
            x = solved(system, right) if size < n else solved(normals, right[n:])
            if x is None:
                continue
            x = x[:n]
            values = ((dot(a, x), low, high) for a, low, high in rows)
            if all((low is None or low <= v) and (high is None or v <= high)
                   for v, low, high in values):  # fmt: skip
                value = dot(costs, x) + dot(x, [dot(row, x) for row in hessian]) / 2
                least = value if least is None else min(least, value)
    return least


def fraction(value):
    return Fraction(value) if math.isfinite(value) else None


@dataclass(frozen=True)
class Instance:
    """A program in fractions, as a minimisation."""

    program: cpe.LinearProgram | cpe.QuadraticProgram

    @cached_property
    def linear(self):
        return getattr(self.program, "linear", self.program)

    @cached_property
    def sign(self):
        return 1 if self.program.sense == "min" else -1

    @cached_property
    def hessian(self):
        n = self.program.shape[1]
        dense = self.program.quadratic.toarray() if hasattr(self.program, "quadratic") else None
        return [[Fraction(0) if dense is None else self.sign * Fraction(dense[i, j])
                 for j in range(n)] for i in range(n)]  # fmt: skip

    @cached_property
    def costs(self):
        return [self.sign * Fraction(cost) for cost in self.linear.costs]

    @cached_property
    def rows(self):
        """Rows as (coefficients, low, high, room): the room is the tolerance."""
        each = self.linear
        reach = np.maximum(np.abs(each.column_lower), np.abs(each.column_upper))
        reach = np.where(np.isfinite(reach), reach, 0.0)
        out = []
        for a, low, high in zip(each.matrix.toarray(), each.row_lower, each.row_upper, strict=True):
            size = max(1.0, *(abs(side) for side in (low, high) if math.isfinite(side)), 0.0)
            room = ROW * size + TERMS * float(np.abs(a) @ reach)
            out.append(([Fraction(v) for v in a], fraction(low), fraction(high), Fraction(room)))
        return out

    def least(self, share):
        """The minimum over inequalities that are moved inwards by this share of their room."""
        each, n = self.linear, self.program.shape[1]
        rows = [
            (a, low, high) if low == high and share > 0
            else (a, low if low is None else low + share * room,
                  high if high is None else high - share * room)
            for a, low, high, room in self.rows
        ]  # fmt: skip
        if any(low is not None and high is not None and low > high for _, low, high in rows):
            return None
        whole = np.flatnonzero(each.integer).tolist()
        free = [j for j in range(n) if j not in whole]
        ends = [range(math.ceil(each.column_lower[j]), math.floor(each.column_upper[j]) + 1)
                for j in whole]  # fmt: skip
        bounds = [([Fraction(j == k) for k in free], fraction(each.column_lower[j]),
                   fraction(each.column_upper[j])) for j in free]  # fmt: skip
        hessian, costs = [[self.hessian[i][j] for j in free] for i in free], [
            self.costs[j] for j in free]  # fmt: skip
        values = []
        for point in itertools.product(*ends):
            inner = []
            for a, low, high in rows:
                moved = sum((a[j] * v for j, v in zip(whole, point, strict=True)), Fraction(0))
                inner.append(([a[j] for j in free], low if low is None else low - moved,
                              high if high is None else high - moved))  # fmt: skip
            value = optimum(hessian, costs, inner + bounds)
            if value is not None:
                values.append(value + dot([self.costs[j] for j in whole], point))
        return min(values, default=None)

    @cached_property
    def narrow(self):
        return self.least(1)

    @cached_property
    def has_ray(self):
        """Whether the objective falls along a direction that keeps all rows, without curvature."""
        each = self.linear
        ends = [Fraction(int(upper == np.inf)) for upper in each.column_upper]
        if not any(ends):
            return False
        zero = Fraction(0)
        rows = [(a, low if low is None else zero, high if high is None else zero)
                for a, low, high, _ in self.rows]  # fmt: skip
        rows += [(row, zero, zero) for row in self.hessian if any(row)]
        unit = [[Fraction(j == k) for k in range(len(ends))] for j in range(len(ends))]
        rows += [(a, zero, end) for a, end in zip(unit, ends, strict=True)]
        flat = [[zero] * len(ends)] * len(ends)
        return (optimum(flat, self.costs, rows) or 0) < 0


def instance(seed):
    """The random program of this seed, with what is known of it."""
    return Instance(drawn(seed))


def false_point(known, result):
    """What is false about a point: a broken row or bound, or another value."""
    each = known.linear
    x = [Fraction(v) for v in np.where(each.integer, np.round(result.x), result.x)]
    unit = np.eye(len(x), dtype=int).tolist()
    bounds = zip(unit, each.column_lower, each.column_upper, strict=True)
    rows = [(a, low, high) for a, low, high, _ in known.rows]
    for a, low, high in rows + [(a, fraction(low), fraction(high)) for a, low, high in bounds]:
        value, terms = dot(a, x), sum(abs(c * v) for c, v in zip(a, x, strict=True))
        breaks = [(side, sense * (side - value)) for side, sense in ((low, 1), (high, -1))
                  if side is not None]  # fmt: skip
        for side, by in breaks:
            if by > Fraction(1.01) * (Fraction(ROW) * max(1, abs(side)) + Fraction(TERMS) * terms):
                return f"its point breaks a row by {float(by):.3g}, side {float(side):g}"
    value = dot(known.costs, x) + dot(x, [dot(row, x) for row in known.hessian]) / 2
    size = sum(abs(c * v) for c, v in zip(known.costs, x, strict=True)) + abs(value)
    told = known.sign * Fraction(result.objective)
    if abs(value - told) > Fraction(GAP) * max(1, abs(value)) + Fraction(TERMS) * size:
        return f"the value is {float(told)!r}, at its point it is {float(value)!r}"
    return ""


def false_claim(known, result):
    """What is false about a result, in words; empty where nothing is."""
    status, sign = result.status, known.sign
    if status is Status.INFEASIBLE:
        return "" if known.narrow is None else "infeasible, and there is a point"
    if status is Status.UNBOUNDED:
        if not known.has_ray:
            return "unbounded without a ray"
        return "unbounded without a point" if known.least(-1) is None else ""
    if result.bound is not None and not known.has_ray and known.narrow is not None:
        bound = sign * Fraction(result.bound)
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


def solvers_of(program):
    """Those that come with the package and can solve it."""
    if hasattr(program, "quadratic"):
        return ("highs", "clarabel", "osqp")
    if not program.is_integer:
        return ("highs", "glop", "scip", "clarabel")
    return ("highs", "scip", "cp-sat") if program.integer.all() else ("highs", "scip")


def run(first, count, child=0):
    """False claims as (seed, solver, words), and how often each solver ended how.

    Every ``child``-th program is solved in a process of its own, too.
    """
    false, ends = [], collections.Counter()
    for seed in range(first, first + count):
        known = instance(seed)
        places = ["here", "child"] if child and seed % child == 0 else ["here"]
        for solver, place in itertools.product(solvers_of(known.program), places):
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
    last, each_in_a_child = map(int, sys.argv[1:])
    total = collections.Counter()
    for start in range(0, last, 500):
        claims, counts = run(start, min(500, last - start), each_in_a_child)
        total += counts
        print(*claims, f"to {start + 500}: {dict(total)}", sep="\n", flush=True)
