"""The cutting-plane loop that solves a program with more rows than can be listed.

It solves the relaxation, separates, adds what the separator finds and re-solves from the last
basis, until the separator, which speaks for all rows, finds nothing violated by more than the
tolerance. The optimum of each relaxation bounds the optimum over all rows; the last one attains it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.lazy import CutOptions, LazyProgram, Separator
from cpe_opt.modelling.names import block_names
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.modelling.result import CutRound, Status
from cpe_opt.progress_line import step
from cpe_opt.solvers.base import Process, RawSolution, Reoptimiser, SolverSettings
from cpe_opt.solvers.recording import record
from cpe_opt.solvers.registry import require_backend

# Relative change of a bound that counts as one.
_IMPROVED = 1e-9


@dataclass
class CuttingPlanes:
    """The loop, with its pool of rows kept between solves; ``solve`` may be called again.

    ``records_closed`` tells whether recordings show columns that are fixed to 0.
    """

    lazy: LazyProgram
    solver: Reoptimiser
    options: CutOptions = field(default_factory=CutOptions)
    solver_name: str = ""
    records_closed: bool = True
    log: list[CutRound] = field(default_factory=list, init=False)
    _pool: list[RowBlock] = field(default_factory=list, init=False)
    _known: dict[bytes, str] = field(default_factory=dict, init=False)
    _idle: npt.NDArray[np.int64] = field(init=False)  # solves in a row without a dual, row by row
    _costs: FloatArray = field(init=False)
    _named: int = field(default=0, init=False)
    _duals: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._idle = np.zeros(0, dtype=np.int64)
        self._costs = self.lazy.relaxation.costs.copy()

    @classmethod
    def open(
        cls,
        lazy: LazyProgram,
        solver: str = "highs",
        *,
        solver_options: Mapping[str, Any] | None = None,
        cut_options: CutOptions | None = None,
        threads: int = 1,
        seed: int = 0,
        process: Process | None = None,
    ) -> CuttingPlanes:
        """A loop by the arguments of :func:`cpe_opt.solve`."""
        options = dict(solver_options or {})
        settings = SolverSettings(None, threads, seed, solver_options=options, process=process)
        backend = require_backend(solver, lazy.kind, threads, process)
        session = backend.open(lazy.relaxation, settings)
        chosen = cut_options or CutOptions(tolerance=backend.cut_tolerance)
        return cls(lazy, session, chosen, backend.name)

    @property
    def pool_size(self) -> int:
        """How many added rows the relaxation holds now."""
        return len(self._idle)

    @property
    def costs(self) -> FloatArray:
        """The current objective coefficients."""
        return self._costs

    @property
    def rows(self) -> sp.csr_array:
        """The matrix of the added rows."""
        if not self._pool:
            return sp.csr_array((0, len(self._costs)))
        return sp.csr_array(sp.vstack([block.matrix for block in self._pool], format="csr"))

    @property
    def entries(self) -> int:
        """How many coefficients the added rows have."""
        return sum(int(block.matrix.nnz) for block in self._pool)

    @property
    def program(self) -> LinearProgram:
        """The current relaxation with the added rows and the current costs."""
        program = self.lazy.relaxation.with_costs(np.arange(len(self._costs)), self._costs)
        for block in self._pool:
            program = program.with_rows(block)
        return program

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients; rows, pool and basis stay."""
        self._costs[columns] = costs
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
            objective = float(self._costs @ raw.x) + self.lazy.relaxation.offset
        seconds = time.perf_counter() - started
        record(self._recorded, objective, seconds, self.solver_name)
        return raw

    def run(self, time_limit: float | None = None) -> RawSolution:
        """Run the loop; a limit ends it with the last relaxation's duals, whose bound holds."""
        deadline = None if time_limit is None else time.perf_counter() + time_limit
        purged = self._purge()
        last: float | None = None
        self._duals = None
        for _ in range(self.options.max_rounds):
            started = time.perf_counter()
            left = None if deadline is None else max(0.0, deadline - started)
            raw = self.solver.optimise(left)
            if raw.status is not Status.OPTIMAL or raw.x is None:
                return replace(raw, row_duals=self._duals)
            rows = self.lazy.relaxation.shape[0] + self.pool_size
            step("cuts", self.pool_size)
            objective = float(self._costs @ raw.x) + self.lazy.relaxation.offset
            cuts = self.lazy.separate(raw.x, self.options.tolerance)
            violations = cuts.violation(raw.x)
            worst = float(violations.max(initial=0.0))
            if raw.row_duals is not None:
                listed = self.lazy.relaxation.shape[0]
                self._idle = np.where(raw.row_duals[listed:] == 0.0, self._idle + 1, 0)
            self._duals = raw.row_duals
            done = worst <= self.options.tolerance
            added = 0
            if not done:
                if last is not None and abs(objective - last) > _IMPROVED * (1 + abs(last)):
                    purged += self._purge()
                added = self._add(cuts, violations)
            self.log.append(
                CutRound(
                    round=len(self.log) + 1,
                    rows=rows,
                    objective=objective,
                    violation=worst,
                    added=added,
                    purged=purged,
                    iterations=raw.iterations,
                    seconds=time.perf_counter() - started,
                )
            )
            if done:
                return raw
            if not added:
                message = f"rows already listed stay violated by {worst:.1e}"
                return replace(raw, status=Status.IMPRECISE, message=message, row_duals=self._duals)
            last, purged = objective, 0
        message = f"violated by {worst:.1e} after the last round"
        return replace(raw, status=Status.ROUND_LIMIT, message=message, row_duals=self._duals)

    def _add(self, cuts: RowBlock, violations: FloatArray) -> int:
        """Add the rows that are new, most violated first, up to the cap; returns how many."""
        order = np.argsort(-violations, kind="stable")
        order = order[violations[order] > self.options.tolerance]
        chosen: list[int] = []
        names: list[str] = []
        for row in order.tolist():
            if self.options.max_cuts is not None and len(chosen) == self.options.max_cuts:
                break
            key = _row_key(cuts, row)
            if key not in self._known:
                self._named += 1
                name = cuts.names[row] if cuts.names else block_names("cut", [self._named])[0]
                self._known[key] = name
                chosen.append(row)
                names.append(name)
        if chosen:
            picked = cuts.select(np.array(chosen))
            block = RowBlock(picked.matrix, picked.lower, picked.upper, tuple(names))
            self.solver.add_rows(block)
            self._pool.append(block)
            self._idle = np.concatenate([self._idle, np.zeros(len(chosen), dtype=np.int64)])
            if self._duals is not None:
                self._duals = np.concatenate([self._duals, np.zeros(len(chosen))])
        return len(chosen)

    def _purge(self) -> int:
        """Remove added rows that have been idle for too long; returns how many."""
        limit = self.options.purge_after
        keep = self._idle < (np.inf if limit is None else limit)
        if keep.all():
            return 0
        listed = self.lazy.relaxation.shape[0]
        kept = np.concatenate([np.ones(listed, dtype=np.bool_), keep])
        self.solver.keep_rows(kept)
        if self._duals is not None:
            self._duals = self._duals[kept]
        pool = []
        first = 0
        for block in self._pool:
            mask = keep[first : first + len(block)]
            for row in np.flatnonzero(~mask).tolist():
                del self._known[_row_key(block, row)]
            if mask.any():
                pool.append(block if mask.all() else block.select(mask))
            first += len(block)
        self._pool = pool
        self._idle = self._idle[keep]
        return int((~keep).sum())


def _row_key(block: RowBlock, row: int) -> bytes:
    start, stop = block.matrix.indptr[row : row + 2]
    parts = (
        block.matrix.indices[start:stop].astype(np.int64),
        block.matrix.data[start:stop],
        np.array([block.lower[row], block.upper[row]]),
    )
    return b"".join(part.tobytes() for part in parts)
