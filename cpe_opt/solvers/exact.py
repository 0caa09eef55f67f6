r"""Linear programs solved exactly: the simplex method in rational numbers, from HiGHS's last basis.

The variables are the columns :math:`x` and the activities :math:`A x` of the rows. A basis says
which of them are *basic*; each other one is at its lower or upper side, or at 0 where it has none.
With the basic columns B and the rows R that are not basic,

.. math:: A_{RB} x_B = s_R - A_{RN} x_N, \qquad A_{RB}^\top y_R = c_B, \qquad z = c - A^\top y

are solved by python-flint, without rounding. The derivatives of the objective by the variables that
are not basic are :math:`z_N` and :math:`y_R`.

- Where each basic variable is between its sides, and no derivative has the wrong sign for the side
  that its variable is at, x is optimal, and y proves it.
- Where a derivative has the wrong sign, its variable enters the basis. It moves until the first
  variable meets a side, which leaves the basis; if there is none, the move is a *ray*.
- Where basic variables break their sides, c is the derivative of their total violation instead:
  d, -1 below and 1 above. A variable that is below its lower side blocks there. If no derivative
  has the wrong sign, :math:`y_R` with :math:`y_i = -d_i` of the basic rows contradicts the bounds
  (Farkas): the total violation cannot be 0.

Of the variables that may enter, and of those that block, the first one does, so that the method
ends (Bland). HiGHS's basis is nearly always optimal, or a few such steps from it. Where HiGHS has
none, the first basis is that of the activities.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, NotCertified
from cpe_opt.modelling.certificate import Ends, ExactProgram, Values, clipped
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.solvers.packages import load

LARGEST_SYSTEM = 800  # equations of a basis
_PIVOTS = 2000
_SECONDS = 1e-8  # of a solve, by the cube of its equations and the square of their bits by 60
_MOST = Fraction(9 * 10**19)  # a bound of 1e20 would be infinite
_ZERO = Fraction(0)


class ProofTimeOver(Exception):
    """The time limit of a proof has ended."""


@dataclass(frozen=True)
class Clock:
    """A time limit that ends at this ``time.perf_counter``."""

    end: float = math.inf

    def left(self, needed: float = 0.0) -> float | None:
        """Seconds left, None without a limit; ProofTimeOver where fewer than needed are left."""
        left = self.end - time.perf_counter()
        if left <= needed:
            raise ProofTimeOver
        return None if math.isinf(left) else left


@dataclass(frozen=True)
class ExactEnd:
    """How a linear program ends, proved: by a point and multipliers, a contradiction, or a ray."""

    claim: Literal["optimal", "infeasible", "unbounded"]
    x: Values = field(default_factory=dict)
    y: Values = field(default_factory=dict)
    ray: Values = field(default_factory=dict)


def flint() -> Any:
    """The module of python-flint."""
    return load("flint", "python-flint", "an exact certificate", 'pip install "cpe-opt[exact]"')


def float_answer(
    program: LinearProgram, limit: float | None, **options: Any
) -> tuple[FloatArray | None, list[str] | None]:
    """Point and basis of HiGHS, rounded, each None if it has none."""
    try:
        session = HighsSession(Highs(), program, SolverSettings(solver_options=options))
        raw, basis = session.optimise(limit), session.basis()
    except CpeOptError:  # numbers that HiGHS does not take
        return None, None
    return raw.x, None if basis is None else [*basis[0], *basis[1]]


def relaxation(exact: ExactProgram) -> LinearProgram:
    """The program in doubles, within the exact one's bounds and without integrality."""
    box = (-_MOST, _MOST)
    lower = [-math.inf if end is None else float(clipped(end, box)) for end, _ in exact.bounds]
    upper = [math.inf if end is None else float(clipped(end, box)) for _, end in exact.bounds]
    return replace(
        exact.program,
        column_lower=np.array(lower, np.float64),
        column_upper=np.array(upper, np.float64),
        integer=np.zeros(len(lower), dtype=np.bool_),
    )


def exact_end(exact: ExactProgram, clock: Clock) -> ExactEnd:
    """The proved end of a linear program; NotCertified with the reason where none is found."""
    basis = float_answer(relaxation(exact), clock.left(), presolve="off")[1]
    if basis is not None:
        with suppress(ZeroDivisionError):
            return simplex(exact, basis, clock)
    return simplex(exact, ["lower"] * len(exact.costs) + ["basic"] * len(exact.rows), clock)


def simplex(exact: ExactProgram, basis: list[str], clock: Clock) -> ExactEnd:
    """The end that is reached from a basis; ZeroDivisionError where this is none."""
    count, states = len(exact.costs), list(basis)
    sides = exact.sides()
    for _ in range(_PIVOTS):
        basic = [k for k, state in enumerate(states) if state == "basic"]
        columns = [j for j in basic if j < count]
        held = [i for i in range(len(exact.rows)) if states[count + i] != "basic"]
        matrix = matrix_of([exact.rows[i] for i in held], columns, clock)
        x = {j: _place(states[j], sides[j]) for j in range(count) if states[j] != "basic"}
        paid = exact.activities(x)
        rest = [_place(states[count + i], sides[count + i]) - paid[i] for i in held]
        x |= zip(columns, solved(matrix, rest), strict=True)
        values = exact.values(x)
        nearest = {k: clipped(values[k], sides[k]) for k in basic}
        broken = {k: -1 if values[k] < v else 1 for k, v in nearest.items() if v != values[k]}
        y: dict[int, Fraction] = {}
        costs = exact.costs
        if broken:
            y = {k - count: Fraction(-d) for k, d in broken.items() if k >= count}
            costs = [Fraction(broken.get(j, 0)) for j in range(count)]
        prices = exact.reduced_costs(y, costs)
        multipliers = solved(matrix.transpose(), [prices[j] for j in columns])
        y |= zip(held, multipliers, strict=True)
        slopes = dict(enumerate(exact.reduced_costs(y, costs)))
        slopes |= {count + i: y[i] for i in held}
        wrong = [
            k
            for k, slope in slopes.items()
            if states[k] != "basic" and _has_wrong_sign(slope, states[k], sides[k])
        ]
        if not wrong:
            return ExactEnd("infeasible", y=y) if broken else ExactEnd("optimal", x, y)
        entering = min(wrong)
        sign = Fraction(-1 if slopes[entering] > 0 else 1)
        if entering < count:
            changes = [-sign * exact.rows[i].get(entering, _ZERO) for i in held]
        else:
            changes = [sign if i == entering - count else _ZERO for i in held]
        moved = dict(zip(columns, solved(matrix, changes), strict=True))
        if entering < count:
            moved[entering] = sign
        moves = exact.values(moved)
        step, leaving, at = None, entering, ""
        for k in sorted((*basic, entering)):
            upwards = moves[k] > 0
            if not moves[k] or (k in broken and (broken[k] > 0) == upwards):
                continue
            met = sides[k][upwards != (k in broken)]
            room = None if met is None else (met - values[k]) / moves[k]
            if room is not None and (step is None or room < step):
                step, leaving, at = room, k, "upper" if upwards != (k in broken) else "lower"
        if step is None:
            return ExactEnd("unbounded", x, ray=moved)
        states[entering] = "basic"
        states[leaving] = at
    raise NotCertified(f"its optimum is not reached by {_PIVOTS:,} exact pivots")


def _place(state: str, side: Ends) -> Fraction:
    """Where a basis puts a variable that is not basic."""
    first, second = reversed(side) if state == "upper" else side
    return first if first is not None else _ZERO if second is None else second


def _has_wrong_sign(slope: Fraction, state: str, side: Ends) -> bool:
    """Whether a variable that is at a side can move from it so that the objective falls."""
    if not slope or (side[0] is not None and side[0] == side[1]):
        return False
    return _place(state, side) != side[slope < 0]


def matrix_of(rows: Sequence[Values], columns: Sequence[int], clock: Clock) -> Any:
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
    clock.left(2 * _SECONDS * size**3 * (1 + (bits / 60) ** 2))
    return matrix


def solved(matrix: Any, sides: Sequence[Fraction]) -> list[Fraction]:
    """The solution of equations; ZeroDivisionError where the matrix is singular."""
    module = flint()
    if not sides:
        return []
    right = [module.fmpq(side.numerator, side.denominator) for side in sides]
    solution = matrix.solve(module.fmpq_mat(len(sides), 1, right)).entries()
    return [Fraction(int(value.p), int(value.q)) for value in solution]
