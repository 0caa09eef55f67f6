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
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count

import numpy as np
import numpy.typing as npt
import scipy.linalg

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, NotCertified, SolverFailed
from cpe_opt.modelling.certificate import (
    Branch,
    ExactProgram,
    ExactSide,
    Leaf,
    Node,
    ProgramCertificate,
    ProvedStatus,
    Values,
    branched,
)
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.rationals import solve_rational
from cpe_opt.solvers.exact import as_minimisation, exact_end, float_solve
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import PositiveInt, checked_types

_REPAIRS = 8
_INSIDE = 1e-9  # how far a column that may be moved is from its bounds
_DENSE = 5_000_000  # entries of a matrix of which independent columns are chosen
_REGULAR = 1e-9


@checked_types
def certificate(
    program: LinearProgram | LazyProgram, *, exact: bool = True, nodes: PositiveInt = 2000
) -> ProgramCertificate:
    """An optimum, a bound, or that there is none, proved in rational numbers.

    The certificate's :meth:`~cpe_opt.modelling.certificate.ProgramCertificate.write` makes a file
    that ``examples/check_certificate.py`` checks, which shares no code with this package. It has
    been checked once here.

    Parameters
    ----------
    program : LinearProgram
        Its doubles are taken as the rational numbers that they are: 0.1 is not 1/10.
    exact : bool
        Whether to look for an exact optimum. Its fractions may have thousands of digits; without
        it a linear program gets short ones, and a gap between value and bound near 1e-12.
    nodes : int
        Of an integer program's tree; with more, the claim is a bound and a gap.

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
    if program.is_integer:
        found = _Tree(program, nodes).certificate()
    else:
        found = _linear(program, exact=exact)
    if fault := found.fault():
        raise SolverFailed(f"the certificate of {program.name!r} does not hold: {fault}")
    return found


def _linear(program: LinearProgram, *, exact: bool) -> ProgramCertificate:
    if not exact and (short := _bounded(program)) is not None:
        return short
    end = exact_end(program)
    if end is None:
        found = _bounded(program)
        if found is None:
            raise NotCertified(
                f"nothing is proved of {program.name!r}: its optimum cannot be found exactly, and "
                "the rounded one cannot be made feasible"
            )
        return found
    if end.claim == "infeasible":
        return ProgramCertificate(program, "infeasible", nodes=(Leaf("contradiction", end.y),))
    if end.claim == "unbounded":
        return ProgramCertificate(program, "unbounded", point=end.x, ray=end.ray)
    value = ExactProgram(program).value(end.x)
    leaf = Leaf("bound", end.y)
    return ProgramCertificate(program, "optimal", value, value, end.x, nodes=(leaf,))


def _bounded(program: LinearProgram) -> ProgramCertificate | None:
    """A point and multipliers near the rounded ones; None where these cannot be repaired."""
    result = solve(program, check=False)
    if result.x is None or result.row_duals is None:
        return None
    exact = ExactProgram(program)
    point = _feasible_point(exact, result.x)
    y = _feasible_multipliers(exact, exact.sign * result.row_duals, exact.bounds())
    proved = None if y is None else exact.proved(y, exact.bounds())
    if point is None or y is None or proved is None:
        return None
    value, bound = exact.value(point), exact.offset + exact.sign * proved
    return _between(program, value, bound, point, (Leaf("bound", y),))


def _between(
    program: LinearProgram, value: Fraction, bound: Fraction, point: Values, nodes: tuple[Node, ...]
) -> ProgramCertificate:
    """The optimum lies between value and bound; it is the value where they are equal."""
    claim: ProvedStatus = "optimal" if value == bound else "bounded"
    return ProgramCertificate(program, claim, value, bound, point, nodes=nodes)


def _feasible_point(exact: ExactProgram, x: FloatArray) -> Values | None:
    """A point near x that keeps all rows and bounds exactly; None if none is found."""
    program = exact.program
    values = np.clip(x, program.column_lower, program.column_upper)
    inside = np.minimum(values - program.column_lower, program.column_upper - values)
    columns = np.flatnonzero(inside > _INSIDE * (1.0 + np.abs(values)))
    point = {j: Fraction(value) for j, value in enumerate(values.tolist()) if value}
    tight: dict[int, Fraction] = {}
    for _ in range(_REPAIRS):
        broken = {}
        activities = exact.activities(point)
        for i, activity in enumerate(activities):
            lower, upper = exact.row_lower[i], exact.row_upper[i]
            if lower is not None and activity < lower:
                broken[i] = lower
            elif upper is not None and activity > upper:
                broken[i] = upper
        if not broken:
            return None if exact.broken(point) else point
        tight |= broken
        rows = sorted(tight)
        chosen = _independent(program, rows, columns)
        if chosen is None:
            return None
        place = {j: number for number, j in enumerate(chosen)}
        system = [{place[j]: a for j, a in exact.rows[i].items() if j in place} for i in rows]
        change = solve_rational(system, [tight[i] - activities[i] for i in rows])
        if change is None:
            return None
        for j, value in zip(chosen, change, strict=True):
            point[j] = point.get(j, Fraction(0)) + value
    return None


def _feasible_multipliers(
    exact: ExactProgram, duals: FloatArray, bounds: list[tuple[ExactSide, ExactSide]]
) -> Values | None:
    """Multipliers near the given ones that need no infinite side; None if none are found."""
    program = exact.program
    y = {i: Fraction(value) for i, value in enumerate(np.nan_to_num(duals).tolist()) if value}
    level: set[int] = set()
    for _ in range(_REPAIRS):
        y = {
            i: v for i, v in y.items() if v and _has_side(v, exact.row_lower[i], exact.row_upper[i])
        }
        reduced = exact.reduced_costs(y)
        wrong = {j for j, z in enumerate(reduced) if not _has_side(z, *bounds[j])}
        if not wrong:
            return y
        level |= wrong
        columns = sorted(level)
        two_sided = np.isfinite(program.row_lower) & np.isfinite(program.row_upper)
        two_sided[list(y)] = True
        rows = _independent(program, columns, np.flatnonzero(two_sided), transposed=True)
        if rows is None:
            return None
        place = {i: number for number, i in enumerate(rows)}
        system: list[dict[int, Fraction]] = [
            {place[i]: exact.rows[i][j] for i in rows if j in exact.rows[i]} for j in columns
        ]
        change = solve_rational(system, [reduced[j] for j in columns])
        if change is None:
            return None
        for i, value in zip(rows, change, strict=True):
            y[i] = y.get(i, Fraction(0)) + value
    return None


def _has_side(factor: Fraction, lower: ExactSide, upper: ExactSide) -> bool:
    return factor == 0 or (lower if factor > 0 else upper) is not None


def _independent(
    program: LinearProgram,
    fixed: list[int],
    free: npt.NDArray[np.integer],
    *,
    transposed: bool = False,
) -> list[int] | None:
    """As many of the free columns as there are fixed rows, and independent on these; None if not.

    Of rows for fixed columns where ``transposed``.
    """
    if len(free) < len(fixed) or len(free) * len(fixed) > _DENSE:
        return None
    rows, columns = (free, fixed) if transposed else (fixed, free)
    part = program.matrix[rows][:, columns].toarray()
    part = part.T if transposed else part
    *_, triangle, pivots = scipy.linalg.qr(part, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min(initial=np.inf) <= _REGULAR * diagonal.max(initial=0.0):
        return None
    return sorted(free[pivots[: len(fixed)]].tolist())


@dataclass
class _Open:
    """A node that is not closed: its bounds, and the leaf that proves what its parent has."""

    lower: FloatArray
    upper: FloatArray
    bounds: list[tuple[ExactSide, ExactSide]] = field(repr=False)
    leaf: Leaf | None


class _Tree:
    """Branch and bound, every leaf of it with a proof."""

    def __init__(self, program: LinearProgram, most: int) -> None:
        self.program, self.most = program, most
        self.exact = ExactProgram(program)
        self.relaxation = as_minimisation(program)
        self.best: Fraction | None = None  # of the costs of the minimisation
        self.point: Values | None = None
        self.nodes: dict[int, Node | _Open] = {}
        self.parts: dict[int, tuple[int, int]] = {}

    def certificate(self) -> ProgramCertificate:
        """The proof of the integer program, or of its relaxation where that is enough."""
        root = exact_end(self.program)
        if root is not None and root.claim == "infeasible":
            leaf = Leaf("contradiction", root.y)
            return ProgramCertificate(self.program, "infeasible", nodes=(leaf,))
        if root is not None and root.claim == "unbounded":
            bare = replace(self.program, costs=np.zeros(self.program.shape[1]), offset=0.0)
            found = _Tree(bare, self.most).certificate()
            if found.claim == "infeasible":
                return replace(found, program=self.program)
            return ProgramCertificate(self.program, "unbounded", point=found.point, ray=root.ray)
        self._first_point()
        left = self._search()
        nodes = self._preorder()
        if self.best is None or self.point is None:
            if left:
                raise NotCertified(
                    f"nothing is proved of {self.program.name!r}: no point was found in "
                    f"{self.most:,} nodes; more nodes may do"
                )
            return ProgramCertificate(self.program, "infeasible", nodes=nodes)
        bound = self.exact.offset + self.exact.sign * min([self.best, *left])
        return _between(self.program, self.exact.value(self.point), bound, self.point, nodes)

    def _first_point(self) -> None:
        """The solver's point with its whole columns rounded, the others exact."""
        x = solve(self.program, check=False).x
        if x is None:
            return
        whole = self.program.integer
        fixed = np.round(x)
        outside = (fixed < self.program.column_lower) | (fixed > self.program.column_upper)
        if (outside & whole).any():
            return
        end = exact_end(
            replace(
                self.program,
                column_lower=np.where(whole, fixed, self.program.column_lower),
                column_upper=np.where(whole, fixed, self.program.column_upper),
            )
        )
        if end is not None and end.claim == "optimal":
            self.best, self.point = self.exact.total(end.x), end.x

    def _search(self) -> list[Fraction]:
        """Close nodes, best bound first; returns bounds of those that the limit left open."""
        lower, upper = self.program.column_lower, self.program.column_upper
        self.nodes[0] = _Open(lower, upper, self.exact.bounds(), None)
        numbers, queue = count(1), [(Fraction(0), 0)]
        done = 0
        while queue and done < self.most:
            _, number = heapq.heappop(queue)
            node = self.nodes[number]
            assert isinstance(node, _Open)
            done += 1
            closed, bound = self._closed(node)
            if isinstance(closed, Leaf):
                self.nodes[number] = closed
                continue
            branch, leaf = closed
            self.nodes[number] = branch
            column, at = branch.column, branch.at
            lower, upper = node.lower.copy(), node.upper.copy()
            upper[column], lower[column] = min(upper[column], at), max(lower[column], at + 1)
            below, above = branched(node.bounds, branch)
            self.parts[number] = first, second = next(numbers), next(numbers)
            self.nodes[first] = _Open(node.lower, upper, below, leaf)
            self.nodes[second] = _Open(lower, node.upper, above, leaf)
            heapq.heappush(queue, (bound, first))
            heapq.heappush(queue, (bound, second))
        return self._limited([number for _, number in queue])

    def _closed(self, node: _Open) -> tuple[Leaf | tuple[Branch, Leaf], Fraction]:
        """The leaf that closes a node; or its branch, with the leaf that proves its bound."""
        empty = np.flatnonzero(node.lower > node.upper)
        if empty.size:
            return Leaf("empty", column=int(empty[0])), Fraction(0)
        program = replace(self.relaxation, column_lower=node.lower, column_upper=node.upper)
        if self.best is not None:
            _, duals, _ = float_solve(program)
            y = None if duals is None else _feasible_multipliers(self.exact, duals, node.bounds)
            proved = None if y is None else self.exact.proved(y, node.bounds)
            if y is not None and proved is not None and self.exact.raised(proved) >= self.best:
                return Leaf("bound", y), proved
        end = exact_end(program)
        if end is None or end.claim == "unbounded":
            raise NotCertified(
                f"nothing is proved of {self.program.name!r}: the relaxation of a node of its tree "
                "has no optimum that is found exactly"
            )
        if end.claim == "infeasible":
            return Leaf("contradiction", end.y), Fraction(0)
        bound, leaf = self.exact.total(end.x), Leaf("bound", end.y)
        if self.best is not None and self.exact.raised(bound) >= self.best:
            return leaf, bound
        apart = {
            j: abs(value - round(value))
            for j, value in end.x.items()
            if self.program.integer[j] and value.denominator > 1
        }
        if not apart:
            self.best, self.point = bound, end.x
            return leaf, bound
        column = max(apart, key=lambda j: (apart[j], -j))
        return (Branch(column, end.x[column].__floor__()), leaf), bound

    def _limited(self, numbers: list[int]) -> list[Fraction]:
        """Close open nodes by what proves the bounds of their parents; the bounds of all leaves."""
        bounds = []
        for number in numbers:
            node = self.nodes[number]
            if isinstance(node, _Open) and node.leaf is not None:
                proved = self.exact.proved(node.leaf.multipliers, node.bounds)
                if proved is not None:
                    bounds.append(self.exact.raised(proved))
                self.nodes[number] = node.leaf
        return bounds

    def _preorder(self) -> tuple[Node, ...]:
        found: list[Node] = []
        left = [0]
        while left:
            number = left.pop()
            node = self.nodes[number]
            if not isinstance(node, _Open):
                found.append(node)
            left += reversed(self.parts.get(number, ()))
        return tuple(found)
