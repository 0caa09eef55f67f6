r"""Certificates of programs: what a solve claims, proved in rational numbers that anyone can check.

*Linear programs*: HiGHS's basis gives an optimal vertex and its multipliers exactly, or Farkas's
multipliers, or a point and a ray (:mod:`cpe_opt.solvers.exact`). Where exact numbers are not asked
for, or cannot be had, the rounded point and the rounded multipliers are made feasible by the least
exact changes: rows that the point breaks are made tight by moving columns between their bounds,
reduced costs that need an infinite side are made 0 by moving multipliers. Value and bound are exact
then, too, and differ by a stated gap.

*Integer programs*: a branch and bound tree, best bound first, from the point of the solver of
:func:`cpe_opt.solve`. A node is closed by rounded multipliers where their exact bound reaches the
value of the best point, else by an exact solve. A branch is at the column whose value is farthest
from whole. There are no cuts, so this is for small programs.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np
import scipy.linalg

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, NotCertified, SolverFailed
from cpe_opt.modelling.certificate import (
    Branch,
    Ends,
    ExactProgram,
    Leaf,
    Node,
    ProgramCertificate,
    ProvedStatus,
    Values,
    branched,
    clipped,
    divisor,
)
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.exact import (
    LARGEST_SYSTEM,
    Clock,
    OutOfTime,
    exact_end,
    flint,
    float_answer,
    matrix_of,
    relaxation,
    solved,
)
from cpe_opt.validation import PositiveInt, PositiveOrInfinite, checked_types

_REPAIRS = 8
_INSIDE = Fraction(1, 10**9)  # how far a value that may be moved is from its bounds
ZERO = Fraction(0)
_DENSE = 5_000_000  # entries of a matrix of which independent columns are chosen
_REGULAR = 1e-9
_LARGEST = Fraction(8 * 10**307)  # the checker writes values and gaps as doubles
_LATTICE = 10_000  # entries of the equations of which whole solutions are sought


@checked_types
def certificate(
    program: LinearProgram | LazyProgram,
    *,
    exact: bool = True,
    nodes: PositiveInt = 2000,
    time_limit: PositiveOrInfinite | None = None,
) -> ProgramCertificate:
    """An optimum, a bound, or that there is none, proved in rational numbers.

    The certificate's :meth:`~cpe_opt.modelling.certificate.ProgramCertificate.write` makes a file
    that ``examples/check_certificate.py`` checks, which shares no code with this package. It has
    been checked once here. Exact equations are solved by python-flint:
    ``pip install "cpe-opt[exact]"``.

    Parameters
    ----------
    program : LinearProgram
        Its doubles are taken as the rational numbers that they are: 0.1 is not 1/10.
    exact : bool
        Whether to look for an exact optimum. Its fractions may have thousands of digits; without
        it a linear program gets short ones, and a gap between value and bound near 1e-12.
    nodes : int
        Of an integer program's tree; with more, the claim is a bound and a gap.
    time_limit : float, optional
        Seconds. An integer program gets what is proved by then, as by the limit of nodes.

    Returns
    -------
    ProgramCertificate
        Of the claim "optimal", "bounded" (by a gap), "infeasible" or "unbounded".

    Raises
    ------
    InputError
        For a lazy program, whose rows are not all listed.
    NotCertified
        Where nothing can be proved: no exactly feasible point, or no bound, is found.
    SolverMissing
        Without python-flint.

    Examples
    --------
    >>> from cpe_opt.modelling.builder import ProgramBuilder
    >>> builder = ProgramBuilder("thirds", sense="max")
    >>> x = builder.columns("x", 2, cost=[1, 1])
    >>> _ = builder.row("first", x, [3, 1], upper=1)
    >>> _ = builder.row("second", x, [1, 4], upper=1)
    >>> found = certificate(builder.build())
    >>> found.claim, found.value
    ('optimal', Fraction(5, 11))
    """
    if isinstance(program, LazyProgram):
        raise InputError(
            f"not all rows of {program.name!r} are listed: expected a LinearProgram, such as "
            "cpe_opt.solve(program).program, which has those that its solve needed"
        )
    flint()
    clock = Clock(time.perf_counter() + (math.inf if time_limit is None else time_limit))
    try:
        if program.is_integer:
            found = _Tree(ExactProgram(program), nodes, clock).certificate()
        else:
            found = _linear(ExactProgram(program), clock, exactly=exact)
    except OutOfTime:
        raise NotCertified(
            f"nothing is proved of {program.name!r} within a time_limit of {time_limit} seconds"
        ) from None
    except NotCertified as error:
        raise NotCertified(f"nothing is proved of {program.name!r}: {error}") from None
    if found.value is not None and max(abs(found.value), found.gap or 0) > _LARGEST:
        raise NotCertified(
            f"{found.statement}, a number that no double holds, and certificates do not state"
        )
    if fault := found.fault():
        raise SolverFailed(f"the certificate of {program.name!r} does not hold: {fault}")
    return found


def _linear(exact: ExactProgram, clock: Clock, *, exactly: bool) -> ProgramCertificate:
    """The proof of a linear program: of its vertex, or near it."""
    if not exactly and (short := _bounded(exact, clock)) is not None:
        return short
    program = exact.program
    try:
        end = exact_end(exact, clock)
    except NotCertified as error:
        if exactly and (short := _bounded(exact, clock)) is not None:
            return short
        raise NotCertified(f"{error}, and the rounded optimum cannot be made feasible") from None
    if end.claim == "infeasible":
        return ProgramCertificate(program, "infeasible", nodes=(Leaf("contradiction", end.y),))
    if end.claim == "unbounded":
        return ProgramCertificate(program, "unbounded", point=end.x, ray=end.ray)
    value = exact.value(end.x)
    return _between(program, value, value, end.x, (Leaf("bound", end.y),))


def _between(
    program: LinearProgram, value: Fraction, bound: Fraction, point: Values, nodes: tuple[Node, ...]
) -> ProgramCertificate:
    """The optimum lies between value and bound; it is the value where they are equal."""
    claim: ProvedStatus = "optimal" if value == bound else "bounded"
    return ProgramCertificate(program, claim, value, bound, point, nodes=nodes)


def _bounded(exact: ExactProgram, clock: Clock) -> ProgramCertificate | None:
    r"""A point and multipliers near the rounded ones; None where these cannot be repaired.

    Multipliers are a point, too: :math:`y_i` is at most 0 without a lower side of its row, at least
    0 without an upper one; :math:`a_j^\top y` is at least :math:`c_j` for a column without a
    lower bound, at most :math:`c_j` for one without an upper bound.
    """
    x, duals, _ = float_answer(relaxation(exact), clock.left())
    if x is None or duals is None:
        return None
    rows = list(zip(exact.row_lower, exact.row_upper, strict=True))
    point = _repaired(x, exact.bounds(), exact.rows, rows, exact.activities, clock)
    columns: list[dict[int, Fraction]] = [{} for _ in exact.costs]
    for i, row in enumerate(exact.rows):
        for j, a in row.items():
            columns[j][i] = a
    signs: list[Ends] = [
        (ZERO if upper is None else None, ZERO if lower is None else None) for lower, upper in rows
    ]
    needed: list[Ends] = [
        (cost if lower is None else None, cost if upper is None else None)
        for cost, (lower, upper) in zip(exact.costs, exact.bounds(), strict=True)
    ]
    nothing = [ZERO] * len(columns)

    def sums(y: Values) -> list[Fraction]:
        return [-z for z in exact.reduced_costs(y, nothing)]

    y = _repaired(exact.sign * duals, signs, columns, needed, sums, clock)
    if point is None or y is None or (proved := exact.proved(y)) is None:
        return None
    bound = exact.offset + exact.sign * proved
    return _between(exact.program, exact.value(point), bound, point, (Leaf("bound", y),))


def _repaired(
    values: FloatArray,
    bounds: Sequence[Ends],
    rows: Sequence[Mapping[int, Fraction]],
    sides: Sequence[Ends],
    products: Callable[[Values], list[Fraction]],
    clock: Clock,
) -> Values | None:
    """A point near the values that keeps bounds and sides of rows exactly; None if none is found.

    Rows that it breaks are made tight by moving values that are inside their bounds.
    """
    point = [Fraction(value) for value in np.nan_to_num(values).tolist()]
    tight: dict[int, Fraction] = {}
    for _ in range(_REPAIRS):
        point = [clipped(value, ends) for value, ends in zip(point, bounds, strict=True)]
        sums = products(dict(enumerate(point)))
        nearest = [clipped(value, ends) for value, ends in zip(sums, sides, strict=True)]
        broken = {i: side for i, side in enumerate(nearest) if side != sums[i]}
        if not broken:
            return {j: value for j, value in enumerate(point) if value}
        tight |= broken
        rooms = [_INSIDE * (1 + abs(value)) for value in point]
        free = [
            j
            for j, ends in enumerate(bounds)
            if all(end is None or abs(point[j] - end) > rooms[j] for end in ends)
        ]
        chosen = _independent([rows[i] for i in tight], free)
        if chosen is None:
            return None
        matrix = matrix_of([rows[i] for i in tight], chosen, clock)
        try:
            changes = solved(matrix, [side - sums[i] for i, side in tight.items()])
        except ZeroDivisionError:  # where floats took rows for independent
            return None
        for j, change in zip(chosen, changes, strict=True):
            point[j] += change
    return None


def _independent(rows: Sequence[Mapping[int, Fraction]], free: list[int]) -> list[int] | None:
    """As many of the free columns as there are rows, and independent on these; None if not."""
    if not len(rows) <= min(len(free), LARGEST_SYSTEM) or len(free) * len(rows) > _DENSE:
        return None
    part = np.array([[float(row.get(j, ZERO)) for j in free] for row in rows])
    *_, triangle, pivots = scipy.linalg.qr(part, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min(initial=np.inf) <= _REGULAR * diagonal.max(initial=0.0):
        return None
    return [free[place] for place in pivots[: len(rows)]]


class _Tree:
    """Branch and bound, every leaf of it with a proof.

    ``nodes`` are the closed ones, ``parts`` the numbers of a branch's parts. An open node is in the
    queue: the bound of its parent, its number, its bounds, and the leaf that proves its parent's.
    """

    def __init__(self, exact: ExactProgram, most: int, clock: Clock) -> None:
        self.exact, self.program, self.most, self.clock = exact, exact.program, most, clock
        self.best: Fraction | None = None  # of the costs of the minimisation
        self.point: Values | None = None
        self.nodes: dict[int, Node] = {}
        self.parts: dict[int, tuple[int, int]] = {}
        self.queue: list[tuple[Fraction, int, list[Ends], Leaf]] = []

    def certificate(self) -> ProgramCertificate:
        """The proof of the integer program, or of its relaxation where that is enough."""
        root = exact_end(self.exact, self.clock)
        if root.claim == "infeasible":
            leaf = Leaf("contradiction", root.y)
            return ProgramCertificate(self.program, "infeasible", nodes=(leaf,))
        if root.claim == "unbounded":
            bare = replace(self.program, costs=np.zeros(self.program.shape[1]), offset=0.0)
            found = _Tree(ExactProgram(bare), self.most, self.clock).certificate()
            if found.claim == "infeasible":
                return replace(found, program=self.program)
            return ProgramCertificate(self.program, "unbounded", point=found.point, ray=root.ray)
        unbounded = np.isinf(self.program.column_lower) | np.isinf(self.program.column_upper)
        endless = [
            self.program.column_names[j] for j in np.flatnonzero(unbounded & self.program.integer)
        ]
        if endless and (rows := rows_without_whole_point(self.exact)):
            raise NotCertified(
                f"no whole numbers satisfy its rows {', '.join(rows)}, as divisors show, but no "
                f"finite tree of branches does: whole columns such as {endless[0]!r} have no bounds"
            )
        self.queue = [(self.exact.total(root.x), 0, self.exact.bounds(), Leaf("bound", root.y))]
        limit = ""
        try:
            self._take_solver_point()
            limit = self._search()
        except OutOfTime:
            limit = "the time limit"
        bounds = self._close_queue()
        if self.best is not None and self.point is not None:
            bound = self.exact.offset + self.exact.sign * min([self.best, *bounds])
            value = self.exact.value(self.point)
            return _between(self.program, value, bound, self.point, self._preorder())
        if not limit:
            return ProgramCertificate(self.program, "infeasible", nodes=self._preorder())
        hope = "more may do"
        if endless:
            hope = f"branching need not end: whole columns such as {endless[0]!r} have no bounds"
        raise NotCertified(f"no point was found within {limit}; {hope}")

    def _take_solver_point(self) -> None:
        """HiGHS's point with its whole columns rounded, the others exact; it has half the time."""
        left = self.clock.left()
        limit = None if left is None else left / 2
        x, *_ = float_answer(self.program, limit, mip_max_nodes=self.most)
        if x is None:
            return
        fixed = self.exact.bounds()
        for j in np.flatnonzero(self.program.integer).tolist():
            fixed[j] = (Fraction(round(x[j])),) * 2
        end = exact_end(self.exact.within(fixed), self.clock)
        if end.claim == "optimal" and not self.exact.broken(end.x):
            self.best, self.point = self.exact.total(end.x), end.x

    def _search(self) -> str:
        """Close nodes, best bound first; returns the limit that left some of them open."""
        numbers = count(1)
        for _ in range(self.most):
            if not self.queue:
                return ""
            bound, number, bounds, _ = self.queue[0]
            node, leaf, bound = self._solved(bounds, bound)
            heapq.heappop(self.queue)
            self.nodes[number] = node
            if isinstance(node, Branch):
                self.parts[number] = next(numbers), next(numbers)
                for part, ends in zip(self.parts[number], branched(bounds, node), strict=True):
                    heapq.heappush(self.queue, (bound, part, ends, leaf))
        return f"{self.most:,} nodes" if self.queue else ""

    def _solved(self, bounds: list[Ends], bound: Fraction) -> tuple[Node, Leaf, Fraction]:
        """The leaf that closes a node, or its branch; what proves the node's bound; the bound."""
        for j, (lower, upper) in enumerate(bounds):
            if lower is not None and upper is not None and lower > upper:
                leaf = Leaf("empty", column=j)
                return leaf, leaf, bound
        end = exact_end(self.exact.within(bounds), self.clock)
        if end.claim == "infeasible":
            leaf = Leaf("contradiction", end.y)
            return leaf, leaf, bound
        bound, leaf = self.exact.total(end.x), Leaf("bound", end.y)
        if self.best is not None and self.exact.raised(bound) >= self.best:
            return leaf, leaf, bound
        apart = {
            j: abs(value - round(value))
            for j, value in end.x.items()
            if self.program.integer[j] and value.denominator > 1
        }
        if not apart:
            self.best, self.point = bound, end.x
            return leaf, leaf, bound
        column = max(apart, key=lambda j: (apart[j], -j))
        return Branch(column, math.floor(end.x[column])), leaf, bound

    def _close_queue(self) -> list[Fraction]:
        """Close open nodes by what proves the bounds of their parents; the bounds of all."""
        bounds = []
        for _, number, ends, leaf in self.queue:
            self.nodes[number] = leaf
            proved = self.exact.within(ends).proved(leaf.multipliers)
            if proved is not None:
                bounds.append(self.exact.raised(proved))
        return bounds

    def _preorder(self) -> tuple[Node, ...]:
        nodes, left = [], [0]
        while left:
            number = left.pop()
            nodes.append(self.nodes[number])
            left += reversed(self.parts.get(number, ()))
        return tuple(nodes)


def rows_without_whole_point(exact: ExactProgram) -> list[str]:
    """Names of rows over whole columns that no whole numbers satisfy; empty if none are seen.

    Either one row, no multiple of whose coefficients' greatest common divisor is between its sides;
    or equations :math:`A x = b` where b is not in the lattice of A's columns, so that the Hermite
    normal form of a basis of it changes with b.
    """
    names, equations = exact.program.row_names, []
    for i, row in enumerate(exact.rows):
        lower, upper = exact.row_lower[i], exact.row_upper[i]
        if lower is not None and row and exact.program.integer[list(row)].all():
            if upper is not None and lower > upper // (step := divisor(row.values())) * step:
                return [names[i]]
            if lower == upper:
                equations.append(i)
    columns = sorted({j for i in equations for j in exact.rows[i]})
    table = [[exact.rows[i].get(j, ZERO) for i in equations] for j in columns]
    sides = [exact.row_lower[i] or ZERO for i in equations]
    if len(table) * len(sides) > _LATTICE:
        return []
    scale = math.lcm(*(a.denominator for line in (*table, sides) for a in line))
    forms = [
        flint().fmpz_mat([[int(a * scale) for a in line] for line in (*table, last)]).hnf()
        for last in ([ZERO] * len(sides), sides)
    ]
    return [] if forms[0] == forms[1] else [names[i] for i in equations]
