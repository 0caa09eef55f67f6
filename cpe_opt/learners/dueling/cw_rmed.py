"""CW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the exponential LP.

``method="cuts"``, ``"compact"`` and ``"enumerate"`` solve the program of every look from scratch.
``method="kept"``, the default, spares nearly all of it. For every empirical winner one linear
program is kept, with its cuts and its basis: as long as no estimate crosses ½, a draw changes
objective coefficients only (the rows are index sets, see
:mod:`cpe_opt.formulations.dueling.cutting_planes`), and the re-solve starts from the last optimum.
Before that, a certificate may spare it: with an optimum x* at costs c, and costs c' that differ
from c only in pairs that got dearer with x* = 0 or cheaper with x* = 1, x* is still optimal,
because c'x - c'x* >= cx - cx* >= 0 for every feasible x.

Where several points are optimal, the exploration is the vertex at which the solver stops, and stays
so for as long as the certificate holds; Theorem 3 assumes that there is one only.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Literal, TypeAlias, get_args

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, UnknownName
from cpe_opt.formulations.dueling.cutting_planes import MonotoneColumns
from cpe_opt.formulations.dueling.lower_bound import METHODS
from cpe_opt.formulations.dueling.rows import copeland_rows
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exploration import MakeWinnerPlan, WinnerPlan
from cpe_opt.learners.dueling.fresh_programs import FreshWinnerPlan
from cpe_opt.learners.dueling.komiyama_loop import algorithm_1
from cpe_opt.modelling.lazy import CutOptions
from cpe_opt.modelling.result import Status
from cpe_opt.problems.queries import Duel
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend

CwMethod: TypeAlias = Literal["kept", "cuts", "compact", "enumerate"]
_PURGE_AFTER = 20


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C* ln T + o(ln T), the constant of the lower bound, where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
)
def cw_rmed(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    alpha: float = 3.0,
    beta: float = 0.01,
    method: CwMethod = "kept",
    solver: str = "highs",
) -> Generator[Duel, int, int]:
    """Play near the best arm by duels, with the optimal regret, about C* ln T (Theorem 3).

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    alpha, beta : float
        Forced exploration; 3 and 0.01 as for ECW-RMED. ``beta=0`` is allowed.
    method : "kept", "cuts", "compact" or "enumerate"
        The kept program; else that of a formulation of
        :mod:`cpe_opt.formulations.dueling.lower_bound`, built and solved afresh whenever an
        estimate has moved. Where optima are unique all make the same run.
    solver : str
        An LP solver; one that is incremental re-solves from the last basis.

    Returns
    -------
    int
        The empirical Copeland winner with the most evidence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("cw-rmed", mu, horizon=2000, seed=0)
    >>> trace.answer
    0
    """
    require_backend(solver, "LP")
    make: MakeWinnerPlan
    if method == "kept":
        make = partial(CwWinnerPlan, solver=solver)
    elif method in METHODS:
        make = partial(
            FreshWinnerPlan,
            rows=partial(copeland_rows, ties="literal"),
            method=method,
            name="copeland",
            solving=SolveOptions(solver=solver),
        )
    else:
        raise UnknownName("method", method, get_args(CwMethod))
    return (yield from algorithm_1(arms, make, alpha, beta))


class CwWinnerPlan(WinnerPlan):
    """One empirical winner's linear program, kept between draws.

    Attributes
    ----------
    solves, spared : int
        How often the program was solved, and how often the certificate made that unnecessary.
    """

    def __init__(
        self, tally: DuelTally, winner: int, costs: FloatArray, *, solver: str = "highs"
    ) -> None:
        self.solves = self.spared = 0
        self._solver = solver
        self._loop: CuttingPlanes | None = None
        self._stale = True
        self._solved_costs: FloatArray = costs
        self._x: FloatArray = np.zeros_like(costs)
        super().__init__(tally, winner, costs)
        self._draws = MonotoneColumns(self.families)

    def resume(self) -> None:
        """Look at the costs again before the next answer."""
        super().resume()
        self._stale = True

    def drawn(self, better: int, worse: int) -> None:
        """Look at the costs again, unless the pair is in no row."""
        super().drawn(better, worse)
        self._stale = self._stale or worse != self.winner

    def optimum(self) -> FloatArray:
        """The program's optimum, from the last solve or a new one."""
        if self._stale:
            if self._loop is not None and self._still_optimal():
                self.spared += 1
            else:
                self._solve()
            self._stale = False
        return self._x

    def _still_optimal(self) -> bool:
        moved = self.costs - self._solved_costs
        dearer_unused = (moved > 0) & (self._x == 0.0)
        cheaper_full = (moved < 0) & (self._x == 1.0)
        return bool(((moved == 0) | dearer_unused | cheaper_full).all())

    def _solve(self) -> None:
        costs = self.costs.copy()
        if self._loop is None:
            self._loop = CuttingPlanes.open(
                self._draws.program(costs, f"copeland_{self.winner}"),
                self._solver,
                cut_options=CutOptions(purge_after=_PURGE_AFTER),
            )
        else:
            objective = self._draws.column_costs(costs)
            self._loop.set_costs(np.arange(len(objective)), objective)
        raw = self._loop.solve()
        if raw.status is not Status.OPTIMAL or raw.x is None:
            raise CpeOptError(
                f"cw_rmed: {self._solver} ended with status {raw.status.value!r} on the program "
                f"of arm {self.winner} ({raw.message})"
            )
        self.solves += 1
        self._solved_costs = costs
        self._x = self._draws.evidence(raw.x, costs)
