r"""Ranging: how far one number of a linear program may move until its optimal basis changes.

With a variable for each row, :math:`Ax - s = 0`, an optimal *basis* has as many variables as there
are rows; the others lie at a bound. One number moves, all others stay:

- the *cost* of a column, until a reduced cost changes its sign: within the interval the point stays
  optimal, and the optimum changes by its value;
- the *side* of a row or *bound* of a column at which a variable outside of the basis lies, until a
  variable in the basis meets a bound, or the side meets the other one: within the interval the
  optimum changes by the dual. Both sides of an equality move together;
- any other side, until the variable meets it; its dual is 0.

The intervals are HiGHS's (``getRanging``), of one optimal basis at the given point, therefore inner
ones. Where the point is *degenerate* (a basic variable lies at a bound), those of costs may be
wider; where *other points* are optimal (a reduced cost outside of the basis is 0), those of sides.
Else they are exact.

They are refused unless HiGHS's optimum is that of the result, which was verified. Values, duals and
reduced costs are computed from it in the units of the program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import pandas as pd

_ZERO = 1e-9  # of the terms of a reduced cost
_AGREE = 1e-6  # what two numbers of one optimum may differ by, absolute below 1
_COLUMNS = ("kind", "name", "side", "now", "lowest", "highest", "point", "marginal")


@checked_types
def ranging(result: SolveResult) -> pd.DataFrame:
    """How far each cost, side and bound of a solved linear program may move on its own.

    The intervals are those of one optimal basis, at the point of the result; where that is no
    vertex, at a vertex nearby that is optimal, too. At a degenerate point the solution may stay
    optimal beyond an interval of costs; where other points are optimal, too, a dual may stay valid
    beyond its interval.

    Parameters
    ----------
    result : SolveResult
        An optimum of a linear program without whole columns, by any solver.

    Returns
    -------
    pandas.DataFrame
        A line for each cost, then for each finite side of a row, then for each finite bound.
        ``kind`` is "cost", "row" or "bound", ``side`` "lower", "upper" or "equal" (both sides of an
        equality move together), and of a cost empty. Between ``lowest`` and ``highest`` the number,
        which is ``now``, may move. ``point`` is the value of the column or the row, ``marginal`` of
        a cost the reduced cost, of a side the dual, which is 0 where the point does not lie at it.

    Raises
    ------
    NotOptimal
        Where the solve ended without an optimum.
    InputError
        For an integer or a cone program, for one whose rows were added on demand, or have no
        entries.
    CpeOptError
        Where no optimal basis was found.
    SolverMissing
        Without HiGHS.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> builder = cpe.ProgramBuilder("bakery", sense="max")
    >>> bread = builder.columns("bake", ["rye", "wheat"], cost=[3, 2])
    >>> _ = builder.row("oven", bread, upper=10)
    >>> _ = builder.row("flour", bread, [2, 1], upper=16)
    >>> moves = cpe.ranging(cpe.solve(builder.build())).set_index("name")
    >>> moves.loc["oven", ["now", "lowest", "highest", "marginal"]].tolist()
    [10.0, 8.0, 16.0, 1.0]
    """
    import pandas as pd

    if not result.is_optimal or result.x is None:
        raise NotOptimal(result)
    program = result.program
    if not isinstance(program, LinearProgram) or program.is_integer or not program.matrix.nnz:
        raise InputError(
            f"{result.program_name!r} has no optimal basis: expected a linear program without "
            "whole columns, and with entries"
        )
    if result.cut_rounds:
        raise InputError(
            f"{program.name!r} was solved with rows on demand, and the others would limit its "
            "sides, too: expected a program with all rows listed, such as of the method 'compact', "
            "or solve(result.program), with the rows that were needed"
        )
    session = HighsSession(Highs(), program, SolverSettings())
    session.set_start(result.x)
    raw, intervals, basis = session.optimise(None), session.ranging(), session.basis()
    if intervals is None or basis is None or raw.x is None or raw.row_duals is None:
        raise CpeOptError(f"highs ended without an optimal basis of {program.name!r}")
    best = program.objective(raw.x)
    if abs(best - program.objective(result.x)) > _AGREE * max(1.0, abs(best)):
        raise CpeOptError(f"highs ended with another optimum of {program.name!r}, {best:.10g}")
    lines = _lines(program, raw.x, raw.row_duals, [*basis[0], *basis[1]], intervals)
    return pd.DataFrame(lines, columns=_COLUMNS)


def _lines(
    program: LinearProgram, x: FloatArray, y: FloatArray, lies: list[str], intervals: Any
) -> Iterator[tuple[Any, ...]]:
    """The lines of the table by HiGHS's intervals, at its optimum x and duals y."""
    columns, matrix = program.shape[1], program.matrix
    reduced = program.costs - matrix.T @ y
    terms = np.abs(program.costs) + abs(matrix).T @ np.abs(y)
    reduced[np.abs(reduced) <= _ZERO * terms] = 0.0
    points, duals = (
        [*(x + 0.0).tolist(), *(matrix @ x + 0.0).tolist()],
        [*reduced.tolist(), *y.tolist()],
    )
    names = (*program.column_names, *program.row_names)
    falls, rises = intervals.col_cost_dn.value_, intervals.col_cost_up.value_
    for j, cost in enumerate(program.costs.tolist()):
        yield "cost", names[j], "", cost, falls[j], rises[j], points[j], duals[j]
    falls = [*intervals.col_bound_dn.value_, *intervals.row_bound_dn.value_]
    rises = [*intervals.col_bound_up.value_, *intervals.row_bound_up.value_]
    lower = [*program.column_lower.tolist(), *program.row_lower.tolist()]
    upper = [*program.column_upper.tolist(), *program.row_upper.tolist()]
    for k in [*range(columns, len(names)), *range(columns)]:
        kind = "bound" if k < columns else "row"
        both = [("lower", lower[k]), ("upper", upper[k])]
        for side, number in [("equal", lower[k])] if lower[k] == upper[k] else both:
            moves = lies[k] != "basic" and side in (lies[k], "equal")
            low = falls[k] if moves else -math.inf if side == "lower" else points[k]
            high = rises[k] if moves else math.inf if side == "upper" else points[k]
            if math.isfinite(number):
                dual = duals[k] if moves else 0.0
                yield kind, names[k], side, number, low, high, points[k], dual
