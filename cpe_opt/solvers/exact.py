r"""Linear programs solved exactly: vertices and multipliers in rational numbers.

HiGHS solves the program in floating point, and its basis says which columns B and rows R make the
vertex: the other columns are at a bound, the rows of R at a side. So

.. math:: A_{RB} x_B = s_R - A_{RN} x_N, \qquad A_{RB}^\top y_R = c_B

have rational solutions (:mod:`cpe_opt.modelling.rationals`), and the basis is optimal if x keeps
the bounds and rows and :math:`z = c - A^\top y` has the right signs, which is decided exactly.
Where it is not, the float basis is off by little, and the error is made large (iterative
refinement; Gleixner, Steffy, Wolter, INFORMS Journal on Computing 28, 2016, 449-464): with
:math:`x = x^* + w / \Delta_P` and :math:`z^*` in place of c,

.. math:: \min \Delta_D z^{*\top} w \quad\text{s.t.}\quad
          \Delta_P (l - A x^*) \le A w \le \Delta_P (u - A x^*), \quad
          \Delta_P (\ell - x^*) \le w \le \Delta_P (\upsilon - x^*)

has the same bases, and HiGHS sees errors of the size 1 in place of :math:`1/\Delta`.

Where that does not end with an optimal basis, exact pivots of the primal simplex method follow,
from a basis that is feasible.

Whether a program has a point, and whether its objective is bounded, are linear programs of their
own that have an optimum: the least total violation of the rows, whose multipliers are Farkas's
where it is above 0, and the best ray in a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

import numpy as np

from cpe_opt.errors import CpeOptError
from cpe_opt.modelling.certificate import ExactProgram, ExactSide, Values
from cpe_opt.modelling.certify import least_violation
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.rationals import solve_rational
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.solvers.scaling import scaled

_ROUNDS = 12  # of refinement
_MOST = 1e12  # sizes of refined costs and bounds; what is larger does not bind
_PIVOTS = 300
_ZERO = Fraction(0)
_STEP = 40  # powers of two that one round may add to a scale

Basis = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Vertex:
    """A point and multipliers of a minimisation that a basis defines.

    Attributes
    ----------
    x, y : mappings of column and row numbers to Fractions
        What is left out is 0.
    infeasibility : Fraction
        The largest violation of a bound or a row; 0 where the point is one.
    dual_infeasibility : Fraction
        The largest multiplier or reduced cost that has the wrong sign for where the basis puts it.
    """

    x: Values
    y: Values
    infeasibility: Fraction
    dual_infeasibility: Fraction

    @property
    def optimal(self) -> bool:
        """Whether the point is optimal, and the multipliers prove it."""
        return not self.infeasibility and not self.dual_infeasibility


@dataclass(frozen=True)
class ExactEnd:
    """How a linear program ends, proved: by a point and multipliers, a contradiction, or a ray."""

    claim: Literal["optimal", "infeasible", "unbounded"]
    x: Values
    y: Values = field(default_factory=dict)
    ray: Values = field(default_factory=dict)
    basis: Basis | None = None


def float_solve(
    program: LinearProgram,
) -> tuple[np.ndarray | None, np.ndarray | None, Basis | None]:
    """Point, row duals and basis of HiGHS, each None if there is none; rounded numbers."""
    inside = scaled(program)
    session = HighsSession(Highs(), inside.program, SolverSettings())
    raw = inside.restored(session.optimise(None))
    return raw.x, raw.row_duals, session.basis()


def exact_end(program: LinearProgram) -> ExactEnd | None:
    """The proved end of a linear program, whose integrality is left aside; None if not found."""
    program = as_minimisation(program)
    exact = ExactProgram(program)
    end = exact_optimum(program, exact)
    if end is not None:
        return end
    phase = least_violation(program)
    exact_phase = ExactProgram(phase)
    least = exact_optimum(phase, exact_phase, start=elastic_basis(exact))
    if least is None or least.basis is None:
        return None
    proved = exact.proved(least.y, exact.bounds(), bare=True)
    if proved is not None and proved > 0:
        return replace(least, claim="infeasible", x={})
    x = {j: value for j, value in least.x.items() if j < program.shape[1]}
    best = exact_optimum(rays(program))
    if best is not None and exact.is_ray(best.x):
        return ExactEnd("unbounded", x, ray=best.x)
    columns = program.shape[1]
    fixed = phase.with_upper(np.arange(columns, phase.shape[1]), np.zeros(2 * program.shape[0]))
    fixed = replace(fixed, costs=np.concatenate([program.costs, 0.0 * phase.costs[columns:]]))
    end = pivoted(ExactProgram(fixed), least.basis)
    if end is None:
        return None
    kept = [{j: v for j, v in part.items() if j < columns} for part in (end.x, end.ray)]
    return replace(end, x=kept[0], ray=kept[1], basis=None)


def as_minimisation(program: LinearProgram) -> LinearProgram:
    """The program with costs to be minimised, and without integrality and offset."""
    sign = 1.0 if program.sense == "min" else -1.0
    return replace(
        program,
        sense="min",
        costs=sign * program.costs,
        offset=0.0,
        integer=np.zeros(program.shape[1], dtype=np.bool_),
    )


def rays(program: LinearProgram) -> LinearProgram:
    """The program whose optimum is the best ray between -1 and 1."""
    return replace(
        program,
        column_lower=np.where(np.isfinite(program.column_lower), 0.0, -1.0),
        column_upper=np.where(np.isfinite(program.column_upper), 0.0, 1.0),
        row_lower=np.where(np.isfinite(program.row_lower), 0.0, -np.inf),
        row_upper=np.where(np.isfinite(program.row_upper), 0.0, np.inf),
    )


def exact_optimum(
    program: LinearProgram, exact: ExactProgram | None = None, *, start: Basis | None = None
) -> ExactEnd | None:
    """The optimum of a minimisation, or a point and a ray; None if neither is found.

    By refinement; then by exact pivots from a basis that is feasible: one of those before, or
    ``start``.
    """
    exact = exact or ExactProgram(program)
    for basis, vertex in refined(program, exact):
        if vertex.optimal:
            return ExactEnd("optimal", vertex.x, vertex.y, basis=basis)
        if not vertex.infeasibility:
            start = basis
    return None if start is None else pivoted(exact, start)


def refined(program: LinearProgram, exact: ExactProgram) -> Iterator[tuple[Basis, Vertex]]:
    """The bases of HiGHS, of the program and of its refinements, with their vertices."""
    current, scales, seen = program, (Fraction(1), Fraction(1)), set()
    for _ in range(_ROUNDS):
        try:
            *_, basis = float_solve(current)
        except CpeOptError:
            return
        vertex = None if basis is None else vertex_of(exact, basis)
        if basis is None or vertex is None:
            return
        yield basis, vertex
        scales = (
            _grown(scales[0], vertex.infeasibility),
            _grown(scales[1], vertex.dual_infeasibility),
        )
        key = (*map(tuple, basis), scales)
        if key in seen:
            return
        seen.add(key)
        current = _refinement(program, exact, vertex, scales)


def elastic_basis(exact: ExactProgram) -> Basis:
    """A feasible basis of :func:`least_violation`: each broken row has a basic slack."""
    rows, columns = len(exact.rows), len(exact.costs)
    x = {j: _place("lower", *ends) for j, ends in enumerate(exact.bounds())}
    above, below, of_rows = ["lower"] * rows, ["lower"] * rows, ["basic"] * rows
    for i, activity in enumerate(exact.activities(x)):
        lower, upper = exact.row_lower[i], exact.row_upper[i]
        if lower is not None and activity < lower:
            above[i], of_rows[i] = "basic", "lower"
        elif upper is not None and activity > upper:
            below[i], of_rows[i] = "basic", "upper"
    return ["lower"] * columns + above + below, of_rows


def pivoted(exact: ExactProgram, basis: Basis) -> ExactEnd | None:
    """The end of a minimisation by the primal simplex method with Bland's rule, exactly.

    From a feasible basis; None if it is not one, or where too many pivots are needed.
    """
    columns, rows = list(basis[0]), list(basis[1])
    count = len(columns)
    ends = [*exact.bounds(), *zip(exact.row_lower, exact.row_upper, strict=True)]
    for _ in range(_PIVOTS):
        vertex = vertex_of(exact, (columns, rows))
        if vertex is None or vertex.infeasibility:
            return None
        statuses = [*columns, *rows]
        factors = [
            *exact.reduced_costs(vertex.y),
            *(vertex.y.get(i, _ZERO) for i in range(len(rows))),
        ]
        entering = next(
            (
                k
                for k, status in enumerate(statuses)
                if status != "basic" and _wrong_sign(factors[k], status, *ends[k])
            ),
            None,
        )
        if entering is None:
            return ExactEnd("optimal", vertex.x, vertex.y, basis=(columns, rows))
        sign = -1 if factors[entering] > 0 else 1
        change = _direction(exact, (columns, rows), entering, Fraction(sign))
        if change is None:
            return None
        moves = [change.get(j, _ZERO) for j in range(count)]
        moves += exact.activities(change)
        values = [vertex.x.get(j, _ZERO) for j in range(count)]
        values += exact.activities(vertex.x)
        step, leaving = None, entering
        for k, move in enumerate(moves):
            if move and (k == entering or statuses[k] == "basic"):
                end = ends[k][move > 0]
                room = None if end is None else (end - values[k]) / move
                if room is not None and (step is None or room < step):
                    step, leaving = room, k
        if step is None:
            return ExactEnd("unbounded", vertex.x, ray=change)
        statuses[entering] = "basic"
        statuses[leaving] = "upper" if moves[leaving] > 0 else "lower"
        columns, rows = statuses[:count], statuses[count:]
    return None


def _direction(exact: ExactProgram, basis: Basis, entering: int, move: Fraction) -> Values | None:
    """How the columns change while a column or a row moves that is not basic."""
    columns, rows = basis
    basic = [j for j, status in enumerate(columns) if status == "basic"]
    held = [i for i, status in enumerate(rows) if status != "basic"]
    place = {j: number for number, j in enumerate(basic)}
    system = [{place[j]: a for j, a in exact.rows[i].items() if j in place} for i in held]
    if entering < len(columns):
        sides = [-move * exact.rows[i].get(entering, _ZERO) for i in held]
    else:
        sides = [move if i == entering - len(columns) else _ZERO for i in held]
    values = solve_rational(system, sides)
    if values is None:
        return None
    change = {j: value for j, value in zip(basic, values, strict=True) if value}
    return change | ({entering: move} if entering < len(columns) else {})


def vertex_of(exact: ExactProgram, basis: Basis) -> Vertex | None:
    """The vertex of a basis; None where the basis is singular, or too large."""
    columns, rows = basis
    basic = [j for j, status in enumerate(columns) if status == "basic"]
    held = [i for i, status in enumerate(rows) if status != "basic"]
    if len(basic) != len(held):
        return None
    x: dict[int, Fraction] = {}
    for j, status in enumerate(columns):
        if status != "basic" and (value := _place(status, exact.lower[j], exact.upper[j])):
            x[j] = value
    paid = exact.activities(x)
    sides = [_place(rows[i], exact.row_lower[i], exact.row_upper[i]) - paid[i] for i in held]
    place = {j: number for number, j in enumerate(basic)}
    system = [{place[j]: a for j, a in exact.rows[i].items() if j in place} for i in held]
    values = solve_rational(system, sides)
    if values is None:
        return None
    transposed: list[dict[int, Fraction]] = [{} for _ in basic]
    for number, row in enumerate(system):
        for column, a in row.items():
            transposed[column][number] = a
    multipliers = solve_rational(transposed, [exact.costs[j] for j in basic])
    if multipliers is None:
        return None
    x |= {j: value for j, value in zip(basic, values, strict=True) if value}
    y = {i: value for i, value in zip(held, multipliers, strict=True) if value}
    wrong = [_violation(x.get(j, _ZERO), exact.lower[j], exact.upper[j]) for j in basic]
    activities = exact.activities(x)
    wrong += [
        _violation(activities[i], exact.row_lower[i], exact.row_upper[i])
        for i, status in enumerate(rows)
        if status == "basic"
    ]
    signs = [
        _wrong_sign(value, rows[i], exact.row_lower[i], exact.row_upper[i])
        for i, value in y.items()
    ]
    for j, value in enumerate(exact.reduced_costs(y)):
        if columns[j] != "basic":
            signs.append(_wrong_sign(value, columns[j], exact.lower[j], exact.upper[j]))
    return Vertex(x, y, max(wrong, default=_ZERO), max(signs, default=_ZERO))


def _place(status: str, lower: ExactSide, upper: ExactSide) -> Fraction:
    """Where a basis puts a column or a row that is not basic."""
    first, second = (upper, lower) if status == "upper" else (lower, upper)
    return first if first is not None else _ZERO if second is None else second


def _violation(value: Fraction, lower: ExactSide, upper: ExactSide) -> Fraction:
    below = _ZERO if lower is None else lower - value
    above = _ZERO if upper is None else value - upper
    return max(below, above, _ZERO)


def _wrong_sign(factor: Fraction, status: str, lower: ExactSide, upper: ExactSide) -> Fraction:
    """By how much a multiplier has the wrong sign for the side that it is at."""
    if lower is not None and lower == upper:
        return _ZERO
    place = _place(status, lower, upper)
    at_lower, at_upper = place == lower, place == upper
    if (factor > 0 and at_lower) or (factor < 0 and at_upper):
        return _ZERO
    return abs(factor)


def _grown(scale: Fraction, error: Fraction) -> Fraction:
    """The scale that makes an error about 1, but grown by a limited step alone."""
    if not error:
        return scale
    wanted = error.denominator.bit_length() - error.numerator.bit_length()
    now = scale.numerator.bit_length() - 1
    return Fraction(1 << min(max(wanted, now), now + _STEP))


def _refinement(
    program: LinearProgram, exact: ExactProgram, vertex: Vertex, scales: tuple[Fraction, Fraction]
) -> LinearProgram:
    """The program around a vertex, its errors multiplied by the scales."""
    primal, dual = scales
    activity = exact.activities(vertex.x)
    x = [vertex.x.get(j, _ZERO) for j in range(program.shape[1])]

    def moved(sides: list[ExactSide], by: list[Fraction], infinite: float) -> np.ndarray:
        return np.array([
            infinite if side is None else _rounded(primal * (side - shift))
            for side, shift in zip(sides, by, strict=True)
        ])  # fmt: skip

    return replace(
        program,
        costs=np.array([_rounded(dual * cost) for cost in exact.reduced_costs(vertex.y)]),
        column_lower=moved(exact.lower, x, -np.inf),
        column_upper=moved(exact.upper, x, np.inf),
        row_lower=moved(exact.row_lower, activity, -np.inf),
        row_upper=moved(exact.row_upper, activity, np.inf),
    )


def _rounded(value: Fraction) -> float:
    return float(min(max(value, Fraction(-_MOST)), Fraction(_MOST)))
