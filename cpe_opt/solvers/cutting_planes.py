"""The cutting-plane loop that solves a program with more rows than can be listed.

It solves the relaxation, separates, adds what the separator finds and re-solves from the last
basis, until the separator, which speaks for all rows, finds nothing violated by more than the
tolerance. The optimum of each relaxation bounds the optimum over all rows; the last one attains it.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.builder import block_names
from cpe_opt.modelling.program import CutOptions, LazyProgram, LinearProgram, RowBlock, Separator
from cpe_opt.modelling.result import CutRound, Status
from cpe_opt.progress_line import step
from cpe_opt.solvers.base import RawSolution, Reoptimiser, SolverSettings
from cpe_opt.solvers.recording import ACTIVE
from cpe_opt.solvers.registry import require_backend

# Relative change of a bound that counts as one.
_IMPROVED = 1e-9


@dataclass
class CuttingPlanes:
    """The loop, with its pool of rows kept between solves; ``solve`` may be called again."""

    lazy: LazyProgram
    solver: Reoptimiser
    options: CutOptions = field(default_factory=CutOptions)
    solver_name: str = ""
    records_closed: bool = True
    log: list[CutRound] = field(default_factory=list, init=False)
    costs: FloatArray = field(init=False)
    pool: RowBlock = field(init=False)
    _keys: list[bytes] = field(default_factory=list, init=False)  # of the rows in the pool
    _idle: npt.NDArray[np.int64] = field(init=False)  # solves in a row without a dual, row by row
    _named: int = field(default=0, init=False)
    _duals: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._idle = np.zeros(0, dtype=np.int64)
        self.costs = self.lazy.relaxation.costs.copy()
        none = np.zeros(0)
        self.pool = RowBlock(sp.csr_array((0, len(self.costs))), none, none)

    @classmethod
    def open(
        cls, lazy: LazyProgram, solver: str = "highs", cut_options: CutOptions | None = None
    ) -> CuttingPlanes:
        """A loop by the name of a solver, with the defaults of :func:`cpe_opt.solve`."""
        backend = require_backend(solver, lazy.kind)
        session = backend.open(lazy.relaxation, SolverSettings())
        chosen = cut_options or CutOptions(tolerance=backend.cut_tolerance)
        return cls(lazy, session, chosen, backend.name)

    @property
    def program(self) -> LinearProgram:
        """The current relaxation with the added rows and the current costs."""
        program = self.lazy.relaxation.with_costs(np.arange(len(self.costs)), self.costs)
        return program.with_rows(self.pool)

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients; rows, pool and basis stay."""
        self.costs[columns] = costs
        self.solver.set_costs(columns, costs)

    def set_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> None:
        """Change upper bounds of columns, whose lower bounds are 0; rows and basis stay."""
        relaxation = self.lazy.relaxation.with_upper(columns, upper)
        self.lazy = replace(self.lazy, relaxation=relaxation)
        self.solver.set_upper(columns, upper)

    def set_separator(self, separate: Separator) -> None:
        """Change the separation oracle; the rows found so far must be rows of its program, too."""
        self.lazy = replace(self.lazy, separate=separate)

    def _recorded(self) -> LinearProgram:
        program = self.program
        closed = (program.column_lower == 0.0) & (program.column_upper == 0.0)
        return program if self.records_closed else program.keeping_columns(~closed)

    def solve(self, time_limit: float | None = None) -> RawSolution:
        """Run the loop, and let recordings know; see :meth:`run`."""
        started = time.perf_counter()
        raw = self.run(time_limit)
        objective = None
        if raw.x is not None:
            objective = float(self.costs @ raw.x) + self.lazy.relaxation.offset
        seconds = time.perf_counter() - started
        if (recording := ACTIVE.get()) is not None:
            recording.record(self._recorded, objective, seconds, self.solver_name)
        return raw

    def run(self, time_limit: float | None = None) -> RawSolution:
        """Run the loop; a limit ends it with the last relaxation's duals, whose bound holds."""
        deadline = None if time_limit is None else time.perf_counter() + time_limit
        self._purge()
        last: float | None = None
        self._duals = None
        for _ in range(self.options.max_rounds):
            left = None if deadline is None else max(0.0, deadline - time.perf_counter())
            raw = self.solver.optimise(left)
            if raw.status is not Status.OPTIMAL or raw.x is None:
                return replace(raw, row_duals=self._duals)
            listed = self.lazy.relaxation.shape[0]
            rows = listed + len(self.pool)
            step("cuts", len(self.pool))
            objective = float(self.costs @ raw.x) + self.lazy.relaxation.offset
            cuts = self.lazy.separate(raw.x, self.options.tolerance)
            violations = cuts.violation(raw.x)
            worst = float(violations.max(initial=0.0))
            if raw.row_duals is not None:
                self._idle = np.where(raw.row_duals[listed:] == 0.0, self._idle + 1, 0)
            self._duals = raw.row_duals
            done = worst <= self.options.tolerance
            added = 0
            if not done:
                if last is not None and abs(objective - last) > _IMPROVED * (1 + abs(last)):
                    self._purge()
                added = self._add(cuts, violations)
            number = len(self.log) + 1
            self.log.append(CutRound(number, rows, objective, worst, added, raw.iterations))
            if done:
                return raw
            if not added:
                message = f"rows already listed stay violated by {worst:.1e}"
                return replace(raw, status=Status.IMPRECISE, message=message, row_duals=self._duals)
            last = objective
        message = f"violated by {worst:.1e} after the last round"
        return replace(raw, status=Status.ROUND_LIMIT, message=message, row_duals=self._duals)

    def _add(self, cuts: RowBlock, violations: FloatArray) -> int:
        """Add the rows that are new, most violated first, up to the cap; returns how many."""
        order = np.argsort(-violations, kind="stable")
        order = order[violations[order] > self.options.tolerance]
        keys = _row_keys(cuts)
        chosen: list[int] = []
        known = set(self._keys)
        for row in order.tolist():
            if self.options.max_cuts is not None and len(chosen) == self.options.max_cuts:
                break
            if (key := keys[row]) not in known:
                known.add(key)
                self._keys.append(key)
                chosen.append(row)
        if chosen:
            block = cuts.select(np.array(chosen))
            if not cuts.names:
                numbers = self._named + 1 + np.arange(len(chosen))
                block = replace(block, names=tuple(block_names("cut", numbers)))
            self._named += len(chosen)
            self.solver.add_rows(block)
            self.pool = self.pool.stacked(block)
            self._idle = np.concatenate([self._idle, np.zeros(len(chosen), dtype=np.int64)])
            if self._duals is not None:
                self._duals = np.concatenate([self._duals, np.zeros(len(chosen))])
        return len(chosen)

    def _purge(self) -> None:
        """Remove added rows that have been idle for too long."""
        limit = self.options.purge_after
        keep = self._idle < (np.inf if limit is None else limit)
        if keep.all():
            return
        listed = self.lazy.relaxation.shape[0]
        kept = np.concatenate([np.ones(listed, dtype=np.bool_), keep])
        self.solver.keep_rows(kept)
        if self._duals is not None:
            self._duals = self._duals[kept]
        self._keys = [*itertools.compress(self._keys, keep.tolist())]
        self.pool = self.pool.select(keep)
        self._idle = self._idle[keep]


def _row_keys(block: RowBlock) -> list[bytes]:
    """Of each row its columns, coefficients and sides, as one string of bytes."""
    matrix = block.matrix
    ends = (8 * matrix.indptr.astype(np.int64)).tolist()
    entries = [each.tobytes() for each in (matrix.indices.astype(np.int64), matrix.data)]
    sides = [each.tobytes() for each in np.column_stack([block.lower, block.upper])]
    rows = zip(itertools.pairwise(ends), sides, strict=True)
    return [b"".join([*(each[a:b] for each in entries), side]) for (a, b), side in rows]
