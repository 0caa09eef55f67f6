r"""Certificates: an optimum, or that there is no point, proved in rational numbers.

Every double is a rational number, so a :class:`LinearProgram` is an exact object. As a minimisation
of :math:`c^\top x` (a maximisation is that of the negated objective), multipliers y of the rows,
with :math:`z = c - A^\top y`, prove

.. math:: c^\top x \ge \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j

for every point, if no term needs an infinite side. With 0 in place of c, a sum above 0 proves that
there is no point (Farkas). A proof is a tree of :class:`Node`: its leaves have multipliers, its
inner nodes branch at a whole column, first :math:`x_j \le k`, then :math:`x_j \ge k+1`. That of a
linear program is one leaf. The tree is searched depth first; a branch is at the column whose value
is farthest from whole. There are no cuts, so this is for small integer programs.

Each node is solved exactly by the simplex method in rational numbers. The variables are the columns
:math:`x` and the activities :math:`A x` of the rows. A basis says which of them are *basic*; each
other one is at its lower or upper side, or at 0 where it has none. With the basic columns B and the
rows R that are not basic,

.. math:: A_{RB} x_B = s_R - A_{RN} x_N, \qquad A_{RB}^\top y_R = c_B, \qquad z = c - A^\top y

are solved by python-flint, without rounding. The derivatives of the objective by the variables that
are not basic are :math:`z_N` and :math:`y_R`.

- Where each basic variable is between its sides, and no derivative has the wrong sign for the side
  that its variable is at, x is optimal, and y proves it.
- Where a derivative has the wrong sign, its variable enters the basis. It moves until the first
  variable meets a side, which leaves the basis; if there is none, the objective is unbounded.
- Where basic variables break their sides, c is the derivative of their total violation instead:
  d, -1 below and 1 above. A variable that is below its lower side blocks there. If no derivative
  has the wrong sign, :math:`y_R` with :math:`y_i = -d_i` of the basic rows contradicts the bounds
  (Farkas): the total violation cannot be 0.

Of the variables that may enter, and of those that block, the first one does, so that the method
ends (Bland). HiGHS's basis is nearly always optimal, or a few such steps from it. Where HiGHS has
none, the first basis is that of the activities.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np

from cpe_opt.errors import CpeOptError, NotCertified, SolverFailed
from cpe_opt.files import atomic_write
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.base import SolverSettings, load
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.validation import PositiveInt, PositiveOrInfinite, checked_types

LARGEST_SYSTEM = 800  # equations of a basis
_PIVOTS = 2000
_SECONDS = 1e-8  # of a solve, by the cube of its equations and the square of their bits by 60
_ZERO = Fraction(0)

Values = Mapping[int, Fraction]
Side = Fraction | float  # a float where it is infinite
Ends = tuple[Side, Side]
End = tuple[Values | None, Values]  # a point and what proves it, or None and a contradiction


@dataclass(frozen=True)
class Node:
    """A node of a proof.

    "branch": ``x[column] <= at`` in its first part, ``>= at + 1`` in its second; "bound" and
    "contradiction": what the multipliers, by the number of the row, prove of the minimisation;
    "empty": the column has no value left.
    """

    kind: Literal["branch", "bound", "contradiction", "empty"]
    multipliers: Values = field(default_factory=dict)
    column: int = -1
    at: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class ProgramCertificate:
    """A claim about a program, and its proof; see the module's first lines.

    Attributes
    ----------
    program : LinearProgram
    claim : "optimal" or "infeasible"
    value : Fraction or None
        The objective at the point, if there is one.
    point : mapping of column numbers to Fractions
        Columns that are left out are 0.
    nodes : tuple of Node
        In preorder.
    """

    program: LinearProgram
    claim: Literal["optimal", "infeasible"]
    value: Fraction | None = None
    point: Values = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()

    @property
    def statement(self) -> str:
        """What is proved, in a sentence."""
        if self.value is None:
            return f"{self.program.name}: no point satisfies all rows and bounds"
        return f"{self.program.name}: the optimum is {float(self.value):.12g}, exactly"

    def __repr__(self) -> str:
        return f"ProgramCertificate({self.statement!r})"

    def holds(self) -> bool:
        """Whether the nodes prove the claim, and the point has the value, by rational numbers."""
        exact = ExactProgram(self.program)
        if self.value is None:
            return _proves(exact, self.nodes, None)
        values = exact.values(self.point)
        return (
            all(low <= v <= up for v, (low, up) in zip(values, exact.sides, strict=True))
            and all(values[j].denominator == 1 for j in np.flatnonzero(self.program.integer))
            and exact.objective(self.point) == self.value
            and _proves(exact, self.nodes, exact.total(self.point))
        )

    @checked_types
    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write it as JSON, for ``examples/check_certificate.py``; returns the path."""
        columns, rows = self.program.column_names, self.program.row_names
        data: dict[str, Any] = {
            "format": "cpe_opt certificate 1",
            "program": program_data(self.program),
            "claim": self.claim,
        }
        if self.value is not None:
            data |= {"value": _text(self.value), "bound": _text(self.value)}
            data |= {"point": _named(self.point, columns)}
        data |= {"nodes": [_node_data(node, columns, rows) for node in self.nodes]}
        with atomic_write(path) as temporary:
            temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        return Path(path)


@checked_types
def certificate(
    program: LinearProgram,
    *,
    nodes: PositiveInt = 2000,
    time_limit: PositiveOrInfinite | None = None,
) -> ProgramCertificate:
    """An optimum, or that there is no point, proved in rational numbers.

    The certificate's :meth:`~cpe_opt.solvers.certificate.ProgramCertificate.write` makes a file
    that ``examples/check_certificate.py`` checks, which shares no code with this package. It has
    been checked once here. Exact equations are solved by python-flint:
    ``pip install "cpe-opt[exact]"``.

    Parameters
    ----------
    program : LinearProgram
        Its doubles are taken as the rational numbers that they are: 0.1 is not 1/10. Of a lazy
        program, a result's ``program``: the rows that its solve needed.
    nodes : int
        Of an integer program's tree, at most.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    ProgramCertificate
        Of the claim "optimal" or "infeasible".

    Raises
    ------
    NotCertified
        Where nothing is proved: within the limits, with too many equations, or of an unbounded
        relaxation.
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
    flint()
    deadline = time.perf_counter() + (math.inf if time_limit is None else time_limit)
    try:
        found = _searched(program, nodes, deadline)
    except NotCertified as error:
        raise NotCertified(f"nothing is proved of {program.name!r}: {error}") from None
    if not found.holds():
        raise SolverFailed(f"the certificate of {program.name!r} does not hold")
    return found


@checked_types
def program_data(program: LinearProgram) -> dict[str, Any]:
    """A program as a certificate's file has it under "program": numbers are texts of fractions."""
    exact = ExactProgram(program)
    sides = [{"lower": _text(lower), "upper": _text(upper)} for lower, upper in exact.sides]
    columns = zip(
        program.column_names, program.costs.tolist(), program.integer, sides, strict=False
    )
    rows = zip(program.row_names, exact.rows, sides[program.shape[1] :], strict=True)
    return {
        "name": program.name,
        "sense": program.sense,
        "offset": _text(Fraction(program.offset)),
        "columns": {
            name: {"cost": _text(Fraction(cost)), **ends, "whole": bool(whole)}
            for name, cost, whole, ends in columns
        },
        "rows": {
            name: {**ends, "terms": _named(terms, program.column_names)}
            for name, terms, ends in rows
        },
    }


def _searched(program: LinearProgram, most: int, deadline: float) -> ProgramCertificate:
    """The proof of a program by branch and bound, depth first, every leaf with a proof."""
    exact, nodes, point = ExactProgram(program), list[Node](), None
    left = [exact.sides]
    while left:
        if len(nodes) == most:
            raise NotCertified(
                f"the tree has more than {most:,} nodes; where whole columns have no bounds, "
                "branching need not end"
            )
        sides = left.pop()
        node, x = _solved_node(exact, sides, point, deadline)
        nodes.append(node)
        if node.kind == "branch":
            left += reversed(_branched(sides, node))
        elif x is not None:
            point = x
    if point is None:
        return ProgramCertificate(program, "infeasible", nodes=tuple(nodes))
    value = exact.objective(point)
    if abs(value) > sys.float_info.max:
        raise NotCertified("its optimum is a number that no double holds")
    return ProgramCertificate(program, "optimal", value, point, tuple(nodes))


def _solved_node(
    exact: ExactProgram, sides: Sequence[Ends], best: Values | None, deadline: float
) -> tuple[Node, Values | None]:
    """The leaf that closes a part of the tree, with a better point if there is one; or a branch."""
    for j, (lower, upper) in enumerate(sides):
        if lower > upper:
            return Node("empty", column=j), None
    x, y = exact_end(exact, sides, deadline)
    if x is None:
        return Node("contradiction", y), None
    if best is not None and exact.total(x) >= exact.total(best):
        return Node("bound", y), None
    apart = {
        j: abs(value - round(value))
        for j, value in x.items()
        if exact.program.integer[j] and value.denominator > 1
    }
    if not apart:
        return Node("bound", y), x
    column = max(apart, key=lambda j: (apart[j], -j))
    return Node("branch", column=column, at=math.floor(x[column])), None


def _branched(sides: Sequence[Ends], node: Node) -> tuple[list[Ends], list[Ends]]:
    """The sides in the two parts of a branch."""
    lower, upper = sides[node.column]
    below, above = list(sides), list(sides)
    below[node.column] = lower, min(upper, Fraction(node.at))
    above[node.column] = max(lower, Fraction(node.at + 1)), upper
    return below, above


def _proves(exact: ExactProgram, nodes: Sequence[Node], least: Fraction | None) -> bool:
    """Whether nodes prove that ``costs @ x`` is at least this, or without it that there is no x."""
    left = [exact.sides]
    for node in nodes:
        if not left:
            return False
        sides = left.pop()
        if node.kind == "branch":
            if not exact.program.integer[node.column]:
                return False
            left += reversed(_branched(sides, node))
        elif node.kind == "empty":
            lower, upper = sides[node.column]
            if lower <= upper:
                return False
        elif node.kind == "contradiction":
            if exact.proved(node.multipliers, [_ZERO] * len(exact.costs), sides) <= 0:
                return False
        elif least is None or exact.proved(node.multipliers, exact.costs, sides) < least:
            return False
    return not left


class ExactProgram:
    """The numbers of a program as fractions, as a minimisation of ``costs``."""

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.sign = 1 if program.sense == "min" else -1
        self.costs = [self.sign * Fraction(cost) for cost in program.costs.tolist()]
        lower = [*program.column_lower.tolist(), *program.row_lower.tolist()]
        upper = [*program.column_upper.tolist(), *program.row_upper.tolist()]
        ends = ([Fraction(e) if math.isfinite(e) else e for e in side] for side in (lower, upper))
        self.sides: list[Ends] = list(zip(*ends, strict=True))
        self.rows: list[dict[int, Fraction]] = [{} for _ in program.row_names]
        matrix = program.matrix.tocoo()
        entries = (part.tolist() for part in (*matrix.coords, matrix.data))
        for i, j, a in zip(*entries, strict=True):
            self.rows[i][j] = self.rows[i].get(j, _ZERO) + Fraction(a)
        # All coefficients with one denominator: most products are then those of whole numbers.
        self._scale = math.lcm(*(a.denominator for row in self.rows for a in row.values()))
        self._whole = [{j: int(a * self._scale) for j, a in row.items()} for row in self.rows]

    def total(self, x: Values) -> Fraction:
        """``costs @ x``."""
        return sum((self.costs[j] * value for j, value in x.items()), _ZERO)

    def objective(self, x: Values) -> Fraction:
        """The objective of the program at a point."""
        return Fraction(self.program.offset) + self.sign * self.total(x)

    def values(self, x: Values) -> list[Fraction]:
        """The values of the columns, then those of the rows."""
        whole, common = _common(x)
        activities = (
            Fraction(sum(a * whole[j] for j, a in row.items() if j in whole), common * self._scale)
            for row in self._whole
        )
        return [*(x.get(j, _ZERO) for j in range(len(self.costs))), *activities]

    def reduced_costs(self, multipliers: Values, costs: Sequence[Fraction]) -> list[Fraction]:
        """``costs - A'y``."""
        whole, common = _common(multipliers)
        sums: dict[int, int] = {}
        for i, y in whole.items():
            for j, a in self._whole[i].items():
                sums[j] = sums.get(j, 0) + y * a
        reduced = list(costs)
        for j, value in sums.items():
            reduced[j] -= Fraction(value, common * self._scale)
        return reduced

    def proved(self, multipliers: Values, costs: Sequence[Fraction], sides: Sequence[Ends]) -> Side:
        """The lower bound on ``costs @ x`` within the sides; -inf where one is infinite."""
        factors = dict(enumerate(self.reduced_costs(multipliers, costs)))
        factors |= {len(costs) + i: y for i, y in multipliers.items()}
        proved = _ZERO
        for k, factor in factors.items():
            if factor:
                side = sides[k][factor < 0]
                if isinstance(side, float):
                    return -math.inf
                proved += factor * side
        return proved


def _common(values: Values) -> tuple[dict[int, int], int]:
    """Numerators over one denominator."""
    common = math.lcm(*(value.denominator for value in values.values()))
    return {k: v.numerator * (common // v.denominator) for k, v in values.items()}, common


def exact_end(exact: ExactProgram, sides: Sequence[Ends], deadline: float) -> End:
    """The proved end of a linear program; NotCertified with the reason where none is found."""
    count, limit, basis = len(exact.costs), seconds_left(deadline), None
    with suppress(CpeOptError, OverflowError):  # numbers that HiGHS does not take
        relaxation = replace(
            exact.program,
            column_lower=np.array([float(lower) for lower, _ in sides[:count]]),
            column_upper=np.array([float(upper) for _, upper in sides[:count]]),
            integer=np.zeros(count, dtype=np.bool_),
        )
        settings = SolverSettings(solver_options={"presolve": "off"})
        session = HighsSession(Highs(), relaxation, settings)
        session.optimise(limit)
        basis = session.basis()
    if basis is not None:
        with suppress(ZeroDivisionError):
            return simplex(exact, sides, [*basis[0], *basis[1]], deadline)
    return simplex(exact, sides, ["lower"] * count + ["basic"] * len(exact.rows), deadline)


def simplex(
    exact: ExactProgram, sides: Sequence[Ends], basis: Sequence[str], deadline: float
) -> End:
    """The end that is reached from a basis; ZeroDivisionError where this is none."""
    count, states = len(exact.costs), list(basis)
    for _ in range(_PIVOTS):
        basic = [k for k, state in enumerate(states) if state == "basic"]
        columns = [j for j in basic if j < count]
        held = [i for i in range(len(exact.rows)) if states[count + i] != "basic"]
        matrix = matrix_of([exact.rows[i] for i in held], columns, deadline)
        system = matrix, columns, held
        placed = {k: _place(state, sides[k]) for k, state in enumerate(states) if state != "basic"}
        values = _values(exact, system, placed)
        broken = {k: -1 for k in basic if values[k] < sides[k][0]}
        broken |= {k: 1 for k in basic if values[k] > sides[k][1]}
        y: dict[int, Fraction] = {}
        costs = exact.costs
        if broken:
            y = {k - count: Fraction(-d) for k, d in broken.items() if k >= count}
            costs = [Fraction(broken.get(j, 0)) for j in range(count)]
        prices = exact.reduced_costs(y, costs)
        y |= zip(held, solved(matrix.transpose(), [prices[j] for j in columns]), strict=True)
        slopes = dict(enumerate(exact.reduced_costs(y, costs)))
        slopes |= {count + i: y[i] for i in held}
        wrong = [
            k
            for k, slope in slopes.items()
            if k in placed and slope and sides[k][0] != sides[k][1]
            if placed[k] != sides[k][slope < 0]
        ]
        if not wrong:
            return None if broken else dict(enumerate(values[:count])), y
        entering = min(wrong)
        moves = _values(exact, system, {entering: Fraction(-1 if slopes[entering] > 0 else 1)})
        step, leaving, at = None, entering, ""
        for k in sorted((*basic, entering)):
            upwards = moves[k] > 0
            if not moves[k] or (k in broken and (broken[k] > 0) == upwards):
                continue
            end = upwards != (k in broken)
            met = sides[k][end]
            room = None if isinstance(met, float) else (met - values[k]) / moves[k]
            if room is not None and (step is None or room < step):
                step, leaving, at = room, k, "upper" if end else "lower"
        if step is None:
            raise NotCertified("its linear program is unbounded (cpe_opt.unbounded_ray tells how)")
        states[entering] = "basic"
        states[leaving] = at
    raise NotCertified(f"its optimum is not reached by {_PIVOTS:,} exact pivots")


def _values(
    exact: ExactProgram, system: tuple[Any, list[int], list[int]], placed: Values
) -> list[Fraction]:
    """The values of all variables, linear in those that are not basic, of which others are 0."""
    matrix, columns, held = system
    count = len(exact.costs)
    x = {k: value for k, value in placed.items() if k < count}
    paid = exact.values(x)
    rest = [placed.get(count + i, _ZERO) - paid[count + i] for i in held]
    return exact.values(x | dict(zip(columns, solved(matrix, rest), strict=True)))


def _place(state: str, side: Ends) -> Fraction:
    """Where a basis puts a variable that is not basic."""
    first, second = reversed(side) if state == "upper" else side
    return next((end for end in (first, second) if isinstance(end, Fraction)), _ZERO)


def matrix_of(rows: Sequence[Values], columns: Sequence[int], deadline: float) -> Any:
    """The square matrix of some rows in some columns, if two solves may end within the time."""
    module, size = flint(), len(columns)
    if size > LARGEST_SYSTEM:
        raise NotCertified(
            f"the equations of its vertex are {size:,}, expected at most {LARGEST_SYSTEM:,}"
        )
    place = {j: number for number, j in enumerate(columns)}
    matrix, bits = module.fmpq_mat(size, size), 0
    for number, row in enumerate(rows):
        for j, a in row.items():
            if j in place:
                matrix[number, place[j]] = module.fmpq(a.numerator, a.denominator)
                bits = max(bits, a.numerator.bit_length() + a.denominator.bit_length())
    seconds_left(deadline, 2 * _SECONDS * size**3 * (1 + (bits / 60) ** 2))
    return matrix


def solved(matrix: Any, sides: Sequence[Fraction]) -> list[Fraction]:
    """The solution of equations; ZeroDivisionError where the matrix is singular."""
    module = flint()
    right = [module.fmpq(side.numerator, side.denominator) for side in sides]
    solution = matrix.solve(module.fmpq_mat(len(sides), 1, right)).entries()
    return [Fraction(int(value.p), int(value.q)) for value in solution]


def seconds_left(deadline: float, needed: float = 0.0) -> float:
    """Seconds until a ``time.perf_counter``; NotCertified where fewer than needed are left."""
    left = deadline - time.perf_counter()
    if left <= needed:
        raise NotCertified("the time limit ends before the proof")
    return left


def flint() -> Any:
    """The module of python-flint."""
    return load("flint", "python-flint", "an exact certificate", 'pip install "cpe-opt[exact]"')


def _node_data(node: Node, columns: Sequence[str], rows: Sequence[str]) -> dict[str, Any]:
    if node.kind in ("bound", "contradiction"):
        return {node.kind: _named(node.multipliers, rows)}
    at = {"at": str(node.at)} if node.kind == "branch" else {}
    return {node.kind: columns[node.column]} | at


def _named(values: Mapping[int, Fraction], names: Sequence[str]) -> dict[str, str | None]:
    return {names[place]: _text(value) for place, value in sorted(values.items()) if value}


def _text(value: Side) -> str | None:
    """``p/q``, or ``p`` where q is 1; by decimals, since ``str`` has a limit of digits."""
    if isinstance(value, float):
        return None
    return "/".join(f"{Decimal(n):f}" for n in value.as_integer_ratio()).removesuffix("/1")
