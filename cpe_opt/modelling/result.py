"""What a solve returns: why it stopped, the point, the duals, and how far from optimal they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, NoDuals
from cpe_opt.modelling.certify import Residuals, relative_gap
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram


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
    added : int
        Rows added after this round.
    iterations : int
        Of the solver.
    """

    round: int
    rows: int
    objective: float
    violation: float
    added: int
    iterations: int


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

    def __repr__(self) -> str:
        found = "" if self.objective is None else f", objective {self.objective:.10g}"
        gap = "" if math.isnan(self.gap) else f", gap {round(self.gap, 12):.1e}"
        return f"SolveResult({self.program_name!r}, {self.status.value}{found}{gap}, {self.solver})"

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

    @cached_property
    def duals(self) -> dict[str, float]:
        """The duals by row name."""
        if self.row_duals is None:
            if not self.is_optimal:
                raise NotOptimal(self)
            what = f"an optimum of {self.program_name!r}"
            raise NoDuals(f"{self.solver} proved {what} and gave no duals of its rows")
        return dict(zip(self.row_names, self.row_duals.tolist(), strict=True))


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
        incumbent = "no incumbent" if objective is None else f"incumbent {objective:.10g}"
        if bound is None:
            return incumbent
        gap = "" if objective is None else f", relative gap {self.result.gap:.2g}"
        return f"{incumbent}, bound {bound:.10g}{gap}"

    def __reduce__(self) -> tuple[type[NotOptimal], tuple[SolveResult]]:
        """Errors travel between processes."""
        return type(self), (self.result,)
