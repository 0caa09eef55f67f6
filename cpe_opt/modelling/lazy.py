"""Programs with more rows than can be listed, and the cutting-plane loop that solves them.

A :class:`LazyProgram` is a relaxation (the rows worth listing from the start) and a separator: a
function that looks at a point and returns rows of the full program which that point violates. The
loop solves the relaxation, separates, adds what it finds and re-solves from the last basis, until
the separator, which speaks for all rows, finds nothing violated by more than the tolerance. The
optimum of each relaxation bounds the optimum over all rows; the last one attains it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.program import BoolArray, LinearProgram, RowBlock, block_names
from cpe_opt.modelling.result import CutRound, Status
from cpe_opt.validation import checked_count, checked_finite

# Relative change of a bound that counts as one.
_IMPROVED = 1e-9

Separator: TypeAlias = Callable[[FloatArray, float], RowBlock]


@dataclass(frozen=True, eq=False)
class RawSolution:
    """What a backend reports of one solve, before anything is checked.

    ``row_duals`` follow the sign convention of :mod:`cpe_opt.modelling.certify`.
    """

    status: Status
    x: FloatArray | None = None
    row_duals: FloatArray | None = None
    bound: float | None = None
    iterations: int = 0
    message: str = ""


class Reoptimiser(Protocol):
    """A solver that holds one program and re-solves it after changes."""

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients."""

    def add_rows(self, block: RowBlock) -> None:
        """Append rows."""

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve from wherever the last solve ended."""


@dataclass(frozen=True, eq=False)
class LazyProgram:
    """A linear program of which only some rows are listed.

    Attributes
    ----------
    relaxation : LinearProgram
        All columns, and the rows listed from the start (there may be none).
    separate : callable
        ``separate(x, tolerance)`` returns a :class:`RowBlock` of rows, not listed in the
        relaxation, that ``x`` violates by more than ``tolerance``: at least one where there are
        any, and none else.
    """

    relaxation: LinearProgram
    separate: Separator

    @property
    def name(self) -> str:
        """The relaxation's name."""
        return self.relaxation.name

    @property
    def kind(self) -> str:
        """What a solver must be able to solve."""
        return self.relaxation.kind


@dataclass(frozen=True)
class CutOptions:
    """How the cutting-plane loop behaves.

    Attributes
    ----------
    tolerance : float
        A row violated by at most this is satisfied; keep it above the solver's own tolerance.
    max_cuts : int or None
        At most this many rows a round, the most violated first.
    purge_after : int or None
        Remove an added row after this many consecutive solves in which its dual was zero; only
        where a solve begins or the bound has improved, so that the loop ends.
    max_rounds : int
    """

    tolerance: float = 1e-8
    max_cuts: int | None = None
    purge_after: int | None = None
    max_rounds: int = 10_000

    def __post_init__(self) -> None:
        checked_finite("cutting planes: tolerance", self.tolerance, least=0.0)
        checked_count("cutting planes: max_rounds", self.max_rounds)
        for name, value in (("max_cuts", self.max_cuts), ("purge_after", self.purge_after)):
            if value is not None:
                checked_count(f"cutting planes: {name}", value)


@dataclass
class CuttingPlanes:
    """The loop, with its pool of rows kept between solves.

    ``solve`` may be called again after ``set_costs``: it starts from the rows found so far and the
    last basis.
    """

    lazy: LazyProgram
    solver: Reoptimiser
    options: CutOptions = CutOptions()
    log: list[CutRound] = field(default_factory=list, init=False)
    _pool: list[RowBlock] = field(default_factory=list, init=False)
    _known: dict[bytes, str] = field(default_factory=dict, init=False)
    _idle: npt.NDArray[np.int64] = field(init=False)
    _costs: FloatArray = field(init=False)
    _named: int = field(default=0, init=False)
    _duals: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._idle = np.zeros(0, dtype=np.int64)
        self._costs = self.lazy.relaxation.costs.copy()

    @property
    def pool_size(self) -> int:
        """How many added rows the relaxation holds now."""
        return len(self._idle)

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

    def solve(self, time_limit: float | None = None) -> RawSolution:
        """Run the loop; the log grows by one entry a round.

        A round limit ends it with the last relaxation's point and its duals, another limit with
        its duals: they prove the relaxation's bound, which holds over all rows.
        """
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
            objective = float(self._costs @ raw.x) + self.lazy.relaxation.offset
            cuts = self.lazy.separate(raw.x, self.options.tolerance)
            violations = cuts.violation(raw.x)
            worst = float(violations.max(initial=0.0))
            self._count_idle(raw)
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

    def _count_idle(self, raw: RawSolution) -> None:
        """Count consecutive solves in which the dual of an added row was zero."""
        if raw.row_duals is not None:
            listed = self.lazy.relaxation.shape[0]
            self._idle = np.where(raw.row_duals[listed:] == 0.0, self._idle + 1, 0)

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
                pool.append(block.select(mask))
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
