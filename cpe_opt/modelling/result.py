"""What a solve returns: why it stopped, the point, the duals, and how far from optimal they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, NoDuals
from cpe_opt.modelling.certify import Residuals, relative_gap
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.notebooks import html_facts


class Status(Enum):
    """Why a solve ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible or unbounded"
    TIME_LIMIT = "time limit"
    ITERATION_LIMIT = "iteration limit"
    ROUND_LIMIT = "round limit"
    GAP_LIMIT = "gap limit"
    OTHER_LIMIT = "other limit"
    IMPRECISE = "imprecise"
    ERROR = "solver error"


@dataclass(frozen=True)
class CutRound:
    """One round of a cutting-plane loop.

    Attributes
    ----------
    round : int
        Counted from 1.
    rows : int
        Rows in the relaxation that was solved.
    objective : float
        Its optimum: a bound on the optimum over all rows, never worse than the round before.
    violation : float
        The largest violation over all rows, listed or not.
    added, purged : int
        Rows added after this round, and idle rows removed before or after it.
    iterations : int
        Of the solver.
    seconds : float
        Wall-clock time of the re-solve and the separation.
    """

    round: int
    rows: int
    objective: float
    violation: float
    added: int
    purged: int
    iterations: int
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class SolveResult:
    """The outcome of one solve.

    Attributes
    ----------
    status : Status
    objective : float or None
        At ``x``, recomputed from the program.
    bound : float or None
        A bound on the optimum from the other side: recomputed from the duals for a linear
        program, from these and a tangent of the objective for a quadratic program, from multipliers
        in the dual cone for a cone program, of an interrupted
        cutting-plane loop from the duals of its last relaxation; the solver's word for an integer
        program, unless its point contradicts it.
    x : float array or None, shape (columns,)
    row_duals : float array or None, shape (rows,)
        Derivative of the optimum by each row's right-hand side, as far as the duals that prove
        the bound tell.
    residuals : Residuals or None
        Recomputed in numpy from the program alone.
    solver, solver_version : str
    options : mapping
        What was passed to the solver, time limit, threads and seed included.
    build_seconds, solve_seconds : float
    iterations : int
    program_name : str
    column_names, row_names : tuple of str
        In the order of ``x`` and ``row_duals``.
    message : str
        Where it did not end with an optimum: why what the solver said is not believed, or its own
        words.
    program : LinearProgram, QuadraticProgram or None
        The program that was solved; for rows added lazily, the final relaxation. None for a conic
        problem.
    cut_rounds : tuple of CutRound
        The log of the cutting-plane loop; empty for an ordinary program.
    tangent_point : float array or None, shape (columns,)
        Of a quadratic program, where the tangent touches whose optimum, by the duals, is the bound:
        ``x``, or a point near it (:mod:`cpe_opt.modelling.quadratic`).
    ranger : callable or None
        What :meth:`ranging` asks; a solve sets it.
    """

    status: Status
    objective: float | None
    bound: float | None
    x: FloatArray | None
    row_duals: FloatArray | None
    residuals: Residuals | None
    solver: str
    solver_version: str
    options: Mapping[str, Any]
    build_seconds: float
    solve_seconds: float
    iterations: int
    message: str
    program_name: str
    column_names: tuple[str, ...] = field(repr=False)
    row_names: tuple[str, ...] = field(repr=False)
    program: LinearProgram | QuadraticProgram | None = field(default=None, repr=False)
    cut_rounds: tuple[CutRound, ...] = field(default=(), repr=False)
    tangent_point: FloatArray | None = field(default=None, repr=False)
    ranger: Callable[[SolveResult], Any] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        found = "" if self.objective is None else f", objective {self.objective:.10g}"
        gap = "" if math.isnan(self.gap) else f", gap {round(self.gap, 12):.1e}"
        return f"SolveResult({self.program_name!r}, {self.status.value}{found}{gap}, {self.solver})"

    def _repr_html_(self) -> str:
        residuals = self.residuals
        return html_facts(
            f"{self.program_name}: {self.status.value}",
            [
                ("objective", self.objective),
                ("bound", self.bound),
                ("gap", None if math.isnan(self.gap) else f"{round(self.gap, 12):.1e}"),
                ("residuals", None if residuals is None else repr(residuals)),
                ("solver", f"{self.solver} {self.solver_version}"),
                ("seconds", f"{self.build_seconds + self.solve_seconds:.3g}"),
                ("iterations", self.iterations),
                ("cuts", self.cuts or None),
                ("message", self.message),
            ],
        )

    @property
    def is_optimal(self) -> bool:
        """Whether an optimum was proved."""
        return self.status is Status.OPTIMAL

    @property
    def gap(self) -> float:
        """``|objective - bound| / max(1, |objective|, |bound|)``; nan without a bound."""
        if self.objective is None or self.bound is None:
            return math.nan
        return relative_gap(self.objective, self.bound)

    @property
    def cuts(self) -> int:
        """How many rows the cutting-plane loop added in all."""
        return sum(entry.added for entry in self.cut_rounds)

    @cached_property
    def values(self) -> dict[str, float]:
        """The point by column name.

        Raises :class:`NotOptimal` where the solve ended without a point.
        """
        if self.x is None:
            raise NotOptimal(self)
        return dict(zip(self.column_names, self.x.tolist(), strict=True))

    def ranging(self) -> Any:
        """How far each cost, side and bound may move on its own: :func:`cpe_opt.ranging` of this.

        Raises what that raises, and :class:`CpeOptError` for a result of no solve.
        """
        if self.ranger is None:
            raise CpeOptError(f"the result of {self.program_name!r} does not come from a solve")
        return self.ranger(self)

    @cached_property
    def duals(self) -> dict[str, float]:
        """The duals by row name.

        Raises
        ------
        NotOptimal
            Where the solve ended without an optimum and without duals.
        NoDuals
            Where it has an optimum and no duals.
        """
        if self.row_duals is None:
            if not self.is_optimal:
                raise NotOptimal(self)
            kind = "a conic" if self.program is None else f"a {self.program.kind}"
            raise NoDuals(
                f"{self.solver} proved an optimum of {self.program_name!r}, {kind} program, and "
                "gave no duals of rows"
            )
        return dict(zip(self.row_names, self.row_duals.tolist(), strict=True))


_WITHOUT_POINT = {
    Status.INFEASIBLE: "no point is feasible",
    Status.UNBOUNDED: "its objective improves without end",
    Status.INFEASIBLE_OR_UNBOUNDED: "it is not known whether a point is feasible",
}


class NotOptimal(CpeOptError):
    """A solve ended without a proven optimum; ``result`` has what it ended with.

    Attributes
    ----------
    result : SolveResult
        Status, message, and whatever point and bound the solver reached.
    """

    def __init__(self, result: SolveResult) -> None:
        self.result = result
        super().__init__(f"{self.reason}; pass check=False to get the result all the same")

    @property
    def reason(self) -> str:
        """What the solver ended with."""
        result = self.result
        detail = f" ({result.message})" if result.message else ""
        return (
            f"{result.solver} ended with status {result.status.value!r}{detail} on "
            f"{result.program_name!r}"
        )

    @property
    def incumbent(self) -> str:
        """The best point so far, and how far from the optimum it may be."""
        objective, bound = self.result.objective, self.result.bound
        if objective is None:
            found = _WITHOUT_POINT.get(self.result.status, "no feasible point was found")
            return found if bound is None else f"{found}; bound {bound:.10g}"
        if bound is None:
            return f"incumbent {objective:.10g}; no bound"
        gap = f"{abs(bound - objective):.3g} apart, relative gap {self.result.gap:.2g}"
        return f"incumbent {objective:.10g}, bound {bound:.10g}: {gap}"

    def __reduce__(self) -> tuple[type[NotOptimal], tuple[SolveResult]]:
        """Errors travel between processes."""
        return type(self), (self.result,)
