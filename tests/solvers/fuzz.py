"""Small random programs whose optimum is known, and what solvers may not say of them.

A program is drawn in ordinary numbers (fractional bounds, sides and coefficients), where its
optimum is found by enumeration of the whole columns and of the vertices of the others; then its
objective, its rows and its continuous columns are multiplied by powers of ten between 1e-9 and 1e9.

A program may be feasible by a hair, so two optima are known: over rows narrowed and over rows
widened by SLACK. A claim is false where it contradicts both: an optimum or a point better than the
widened one, an optimum that misses the narrowed one by more than its stated gap, a bound that cuts
the narrowed optimum off, "infeasible" of a program with a narrowed point, "unbounded" of one
without a ray.
"""

import collections
import itertools
from dataclasses import dataclass

import numpy as np

import cpe_opt as cpe
from cpe_opt.modelling.result import Status

SLACK = 1e-6
ROUNDING = 1e-9


@dataclass(frozen=True)
class Base:
    """A program in ordinary numbers: maximise costs @ x."""

    costs: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    whole: np.ndarray
    matrix: np.ndarray
    low: np.ndarray
    high: np.ndarray


def numbers(rng, size, *, wide=3):
    """Numbers of one kind: whole, thirds, halves, decimals, or any."""
    kind = rng.integers(5)
    if kind < 3:
        return rng.integers(-wide * (kind + 1), wide * (kind + 1) + 1, size=size) / (kind + 1)
    values = rng.normal(size=size) * wide / 2
    return values.round(4) if kind == 3 else values


def drawn(rng):
    """A random program of at most four columns, three of them whole, or three continuous ones."""
    whole_columns, others = [(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0), (4, 0), (1, 1), (2, 1),
                             (2, 2), (1, 2)][rng.integers(11)]  # fmt: skip
    columns, rows = whole_columns + others, int(rng.integers(0, 5))
    whole = np.arange(columns) < whole_columns
    lower = numbers(rng, columns, wide=1) - rng.integers(0, 2, size=columns)
    upper = lower + np.where(whole, rng.uniform(0, 3, size=columns), np.abs(numbers(rng, columns)))
    if rng.random() < 0.5:
        upper = np.ceil(2 * upper) / 2
    if rng.random() < 0.2:
        ends = rng.random(columns) < 0.5
        upper = np.where(~whole & ends & (rng.random() < 0.7), np.inf, upper)
    matrix = numbers(rng, (rows, columns)) * (rng.random((rows, columns)) < 0.8)
    inside = lower + rng.random(columns) * np.where(np.isfinite(upper), upper - lower, 1.0)
    inside = np.where(whole, np.clip(np.round(inside), np.ceil(lower), np.floor(upper)), inside)
    middle = matrix @ inside if rng.random() < 0.8 else numbers(rng, rows)
    low, high = middle - np.abs(numbers(rng, rows)), middle + np.abs(numbers(rng, rows))
    kind = rng.random(rows)
    low, high = np.where(kind < 0.35, -np.inf, low), np.where(kind > 0.65, np.inf, high)
    equal = (kind > 0.45) & (kind < 0.55)
    low, high = np.where(equal, middle, low), np.where(equal, middle, high)
    return Base(numbers(rng, columns), lower, upper, whole, matrix, low, high)


def best(base, slack, costs=None):
    """The largest value over rows moved outwards by this much; -inf without a point."""
    costs = base.costs if costs is None else costs
    equal = base.low == base.high
    moved = np.where(equal, max(slack, 0.0), slack)
    low, high = base.low - moved, base.high + moved
    outwards = max(slack, 0.0)
    lower = np.where(base.whole, np.ceil(base.lower - ROUNDING), base.lower - outwards)
    upper = np.where(base.whole, np.floor(base.upper + ROUNDING), base.upper + outwards)
    ranges = [np.arange(a, b + 1) for a, b in zip(lower[base.whole], upper[base.whole],
                                                  strict=True)]  # fmt: skip
    free = ~base.whole
    reached = -np.inf
    for chosen in itertools.product(*ranges):
        fixed = base.matrix[:, base.whole] @ np.array(chosen)
        value = vertex_search(
            costs[free], lower[free], upper[free], base.matrix[:, free], low - fixed, high - fixed
        )
        reached = max(reached, value + float(costs[base.whole] @ np.array(chosen)))
    return reached


def vertex_search(costs, lower, upper, matrix, low, high):
    """The best vertex of a pointed polyhedron of at most three dimensions; -inf if it is empty."""
    n = len(costs)
    if (lower > upper).any():
        return -np.inf
    if n == 0:
        return 0.0 if ((low <= ROUNDING) & (high >= -ROUNDING)).all() else -np.inf
    planes = np.vstack([matrix, matrix, np.eye(n), np.eye(n)])
    sides = np.concatenate([low, high, lower, upper])
    kept = np.isfinite(sides)
    planes, sides = planes[kept], sides[kept]
    chosen = np.array(list(itertools.combinations(range(len(sides)), n)))
    systems = planes[chosen]
    regular = np.abs(np.linalg.det(systems)) > 1e-9
    if not regular.any():
        return -np.inf
    points = np.linalg.solve(systems[regular], sides[chosen[regular]][:, :, None])[:, :, 0]
    activity = points @ matrix.T
    room = ROUNDING * (1 + np.abs(points).max(axis=1))[:, None]
    inside = ((activity >= low - room) & (activity <= high + room)).all(axis=1)
    inside &= ((points >= lower - room) & (points <= upper + room)).all(axis=1)
    return float((points[inside] @ costs).max(initial=-np.inf))


def has_ray(base):
    """Whether some direction without end improves the objective."""
    end = np.where(np.isfinite(base.upper), 0.0, 1.0)
    cone = Base(base.costs, np.zeros_like(end), end, np.zeros_like(base.whole), base.matrix,
                np.where(np.isfinite(base.low), 0.0, -np.inf),
                np.where(np.isfinite(base.high), 0.0, np.inf))  # fmt: skip
    return bool(np.isinf(base.upper).any()) and best(cone, 0.0) > SLACK


@dataclass(frozen=True)
class Instance:
    """A scaled program, with its optima over narrowed and widened rows."""

    program: cpe.LinearProgram
    narrow: float
    wide: float
    unbounded: bool
    unit: float


def instance(seed):
    """The random program of this seed."""
    rng = np.random.default_rng(seed)
    base = drawn(rng)
    columns, rows = len(base.costs), len(base.low)
    scaled = rng.random(3) < 0.5
    unit = 10.0 ** rng.uniform(-9, 9) if scaled[0] else 1.0
    r = 10.0 ** rng.uniform(-9, 9, size=rows) if scaled[1] else np.ones(rows)
    s = np.where(base.whole, 1.0, 10.0 ** rng.uniform(-9, 9, size=columns) if scaled[2] else 1.0)
    sense = "max" if rng.random() < 0.5 else "min"
    sign = 1.0 if sense == "max" else -1.0
    builder = cpe.ProgramBuilder(f"fuzz_{seed}", sense=sense)
    x = np.concatenate([
        builder.columns(f"x{j}", 1, cost=sign * unit * base.costs[j] / s[j],
                        lower=base.lower[j] * s[j], upper=base.upper[j] * s[j],
                        integer=bool(base.whole[j]))
        for j in range(columns)
    ])  # fmt: skip
    row, column = np.nonzero(base.matrix)
    builder.rows("r", rows, row, x[column], (r[:, None] * base.matrix / s)[row, column],
                 lower=base.low * r, upper=base.high * r)  # fmt: skip
    unbounded = has_ray(base)
    return Instance(builder.build(), best(base, -SLACK), best(base, SLACK), unbounded, unit)


def false_claim(found, result):
    """What is false about a result, in words; empty where nothing is."""
    sign = 1.0 if result.program.sense == "max" else -1.0
    status = result.status
    if status is Status.INFEASIBLE:
        return "infeasible, and there is a point" if found.narrow > -np.inf else ""
    if status is Status.UNBOUNDED:
        return "" if found.unbounded and found.wide > -np.inf else "unbounded without a ray"
    narrow = np.inf if found.unbounded and found.narrow > -np.inf else found.narrow
    wide = np.inf if found.unbounded and found.wide > -np.inf else found.wide
    value = None if result.objective is None else sign * result.objective / found.unit
    bound = None if result.bound is None else sign * result.bound / found.unit
    size = max([1.0, *(abs(v) for v in (value, bound, narrow, wide) if v and np.isfinite(v))])
    room = ROUNDING * size
    if bound is not None and bound < narrow - room:
        return f"a false bound: {bound!r}, and {narrow!r} is attained"
    if status not in (Status.OPTIMAL, Status.GAP_LIMIT):
        return ""
    if value is None or bound is None:
        return f"{status.value} without a value or a bound"
    if value > wide + room:
        return f"a value that no point has: {value!r}, the optimum is {wide!r}"
    if value < narrow - result.gap * max(abs(value), abs(bound)) - room:
        return f"no optimum: {value!r} with a gap of {result.gap:.1e}, and {narrow!r} is attained"
    return ""


def solvers_of(program):
    """Those that can solve it."""
    if not program.is_integer:
        return ("highs", "glop", "scip", "clarabel")
    return ("highs", "scip", "cp-sat") if program.integer.all() else ("highs", "scip")


def run(first, count, process=None, solvers=()):
    """False claims as (seed, solver, words), and how often each solver ended how.

    ``solvers`` are names, by default all that come with the package.
    """
    false, ends = [], collections.Counter()
    for seed in range(first, first + count):
        found = instance(seed)
        for solver in solvers or solvers_of(found.program):
            result = cpe.solve(found.program, solver, check=False, process=process)
            ends[solver, result.status.value] += 1
            if words := false_claim(found, result):
                false.append((seed, solver, words))
    return false, ends
