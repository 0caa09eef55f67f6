r"""CW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the exponential LP.

The loop: :mod:`cpe_opt.learners.dueling.copeland_rmed`. The program: ``method="cuts"``,
``"compact"`` and ``"enumerate"`` solve it from scratch whenever an estimate has moved;
``method="kept"``, the default, avoids nearly all of these solves, as follows. Where several points
are optimal, the exploration is the vertex at which the solver stops, for as long as the certificate
holds; Theorem 3 assumes that only one point is optimal.

**Which winners are solved for.** C^E* of a winner is an upper bound on its optimum, as a point of
ECW is feasible for the program, and a part of its rows gives a lower bound
(:mod:`cpe_opt.learners.dueling.ecw_rmed`). The winner with the least upper bound is solved for
first, and winners whose lower bound is above the least optimum known are left out. Between sign
changes a cost that falls by a lowers an optimum by at most a, as :math:`x \le 1`, and one that
rises lowers none: so the bounds are only moved, and stay valid.

**What is kept.** A program for each winner and the arms that it beats (:class:`KeptProgram`), in
columns that outlast sign changes among the other arms
(:mod:`cpe_opt.formulations.dueling.nested_columns`), with its cuts and its basis. Those least
recently used are given up where together they have too many entries. While no sign changes, a
certificate (:class:`StableVertex`) spares most solves.

**Does an optimal vertex stay optimal while costs move?** A certificate that spares a solve.

Let x be optimal for :math:`\min c'x`, :math:`Ax \ge b`, :math:`0 \le x \le u`, with row duals
:math:`y \ge 0` and reduced costs :math:`d = c - A'y`: zero on the columns B, with the sign that its
bound asks for on each other one. Let R be the rows with y > 0. (Where more columns have d = 0 than
R has rows, B is a choice of independent ones, and the others have to keep their signs: d = 0 where
x lies between its bounds.) Where B and R are equally many and the square matrix :math:`M = A_{RB}`
is regular, costs :math:`c + \Delta` have the duals :math:`y' = y + M^{-T} \Delta_B` (0 off R),
which leave the reduced costs of B at zero. As x keeps the complementary slackness with them, x
stays optimal as long as :math:`y' \ge 0` and the reduced costs :math:`d' = c + \Delta - A'y'` keep
their signs. The rows need not be all rows: x satisfies the others, whatever the costs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.formulations.dueling.nested_columns import NestedColumns
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_rmed import (
    MakeOptimum,
    OptimalSolution,
    ReferenceOptimum,
    copeland_rmed,
)
from cpe_opt.learners.dueling.duel_counts import Estimates
from cpe_opt.learners.dueling.ecw_rmed import SortedLists
from cpe_opt.modelling.program import CutOptions
from cpe_opt.modelling.result import Status
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.ties import first_smallest
from cpe_opt.validation import Arms, NonNegative, Positive

CwMethod: TypeAlias = Literal["kept", "cuts", "compact", "enumerate"]
_SURE = 1.0 + 1e-8
_PURGE_AFTER = 20
# Entries and columns of the programs that are kept; they take about 64 MB, the solver's included.
_KEPT_ENTRIES = 2**18
_NEGLIGIBLE = 1e-9
_REGULAR = 1e-9


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C* ln T + o(ln T), the constant of the lower bound, where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
    batches="the pairs that are due, and the pairs of a list",
)
def cw_rmed(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    alpha: Positive = 3.0,
    beta: NonNegative = 0.01,
    method: CwMethod = "kept",
    solver: str = "highs",
) -> Generator[Duel | Batch, Any, int]:
    """Play near the best arm by duels, with the optimal regret, about C* ln T (Theorem 3).

    Parameters
    ----------
    alpha, beta
        As for :func:`cpe_opt.learners.ecw_rmed`.
    method : "kept", "cuts", "compact" or "enumerate"
        ``"kept"`` keeps the programs of the winners; the others name a formulation of
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
    make: MakeOptimum
    if method == "kept":
        make = partial(ExactOptimum, solver=solver)
    else:
        make = partial(
            ReferenceOptimum,
            rows=partial(copeland_rows, ties="literal"),
            method=method,
            name="copeland",
            solving=SolveOptions(solver=solver),
        )
    return (yield from copeland_rmed(arms, make, alpha, beta))


class ExactOptimum:
    """The optimum by kept programs of the empirical winners."""

    def __init__(self, estimates: Estimates, *, solver: str) -> None:
        self.estimates, self._solver = estimates, solver
        # By the winner and whom it beats and loses to; that used last comes last.
        self._programs: dict[tuple[int, bytes], KeptProgram] = {}
        self._version = 0  # of the tournament that all below is about; 0 before the first
        self._bounds: list[float] = []  # a lower bound on each winner's optimum
        self._moved: set[tuple[int, int]] = set()  # pairs with new costs, the better arm first

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """Note whose cost moves, and how far optima may fall."""
        if self._version != self.estimates.tournament.version:
            return
        self._moved.add((better, worse))
        if change < 0.0 and len(self._bounds) > 1:
            self._bounds = [bound + change for bound in self._bounds]

    def solution(self) -> OptimalSolution:
        """Solve again what may have changed."""
        tournament = self.estimates.tournament
        if self._version != tournament.version:
            self._version = tournament.version
            for program in self._programs.values():
                program.rest()
            place, self._bounds = 0, [0.0]
            if len(tournament.winners) > 1:
                lists = SortedLists(tournament, self.estimates.costs)
                self._bounds = lists.lower_bounds().tolist()
                place = first_smallest(lists.relaxed_optima())
            self._chosen = self._solved(place)
            self._compare(place)
        elif self._moved:
            if not self._chosen.follow(self._moved):
                self._chosen.solve()
            self._compare(tournament.winners.index(self._chosen.winner))
        self._moved.clear()
        return self._chosen.solution

    def _compare(self, place: int) -> None:
        """Solve for the winners that may have a smaller optimum than that chosen, in its place."""
        bounds, solved = self._bounds, {place: self._chosen}
        bounds[place] = self._chosen.value
        while True:
            limit = min(bounds[other] for other in solved) * _SURE
            behind = (other for other in range(len(bounds)) if other not in solved)
            other = min(behind, key=bounds.__getitem__, default=place)
            if other == place or bounds[other] > limit:
                break
            solved[other] = self._solved(other)
            bounds[other] = solved[other].value
        if len(solved) > 1:
            among = sorted(solved)
            self._chosen = solved[among[first_smallest([bounds[other] for other in among])]]

    def _solved(self, place: int) -> KeptProgram:
        """The program of a winner, solved at the current costs."""
        key = self._key(place)
        program = self._programs.pop(key, None)
        if program is None:
            winner = self.estimates.tournament.winners[place]
            program = KeptProgram(self.estimates, winner, self._solver)
        else:
            program.solve()
        self._programs[key] = program
        while len(self._programs) > 1 and (
            sum(kept.entries for kept in self._programs.values()) > _KEPT_ENTRIES
        ):
            del self._programs[next(iter(self._programs))]
        return program

    def _key(self, place: int) -> tuple[int, bytes]:
        tournament = self.estimates.tournament
        winner, beaten = tournament.winners[place], tournament.beaten
        return winner, np.packbits([beaten[winner], beaten[:, winner]]).tobytes()


class KeptProgram:
    """The program of one winner, with its cuts, basis and optimum; solved when it is made.

    Whenever it is used, the winner must beat and lose to the same arms as when it was made.
    ``value`` and ``solution`` are the optimum at the costs of the last :meth:`solve` or
    :meth:`follow`.
    """

    def __init__(self, estimates: Estimates, winner: int, solver: str) -> None:
        self.winner, self._estimates, self._solver = winner, estimates, solver
        self.solution: OptimalSolution
        self._vertex: StableVertex | None = None
        self._version = estimates.tournament.version
        self._columns = self._columns_of_now()
        self._loop = CuttingPlanes.open(
            self._columns.program(estimates.costs, f"copeland_{winner}"),
            solver,
            cut_options=CutOptions(purge_after=_PURGE_AFTER),
        )
        self._loop.records_closed = False
        self._solve_loop()

    @property
    def value(self) -> float:
        """The optimum."""
        return float(self._objective @ self._point)

    @property
    def entries(self) -> int:
        """How many numbers the program has, about."""
        return int(self._loop.pool.matrix.nnz) + 5 * len(self._objective)

    def solve(self) -> None:
        """Solve from the last optimum, whatever has changed."""
        self._update_columns()
        objective = self._columns.column_costs(self._estimates.costs)
        moved = np.flatnonzero(objective != self._loop.costs)
        self._loop.set_costs(moved, objective[moved])
        self._solve_loop()

    def follow(self, moved: Iterable[tuple[int, int]]) -> bool:
        """Keep the optimum while the costs of a few pairs move; whether that is certified.

        Without a certificate only :meth:`solve` gives an optimum.
        """
        costs, columns, families = self._estimates.costs, self._columns, self._columns.families
        if self._vertex is None:
            if self._duals is None:
                return False
            self._vertex = StableVertex(
                self._loop.pool.matrix, self._point, columns.upper, self._objective, self._duals
            )
        heads = {worse for better, worse in moved if better == self.winner}
        lists = {worse for better, worse in moved if self.winner not in (better, worse)}
        for arm in heads:
            place = families.inferior_index[families.block_of(arm), None]
            if not self._move(self._vertex, place, costs[self.winner, arm, None]):
                return False
        for challenger in lists:
            block = families.block_of(challenger)
            if not self._move(self._vertex, *columns.list_costs(block, costs)):
                return False
        # The evidence of a list goes to the pairs that are cheapest now.
        x = self.solution.x
        for challenger in lists:
            arms, shares = columns.list_evidence(families.block_of(challenger), self._point, costs)
            if (x[challenger, arms] != shares).any():
                x = x.copy()
                x[challenger, arms] = x[arms, challenger] = shares
        if x is not self.solution.x:
            self.solution = OptimalSolution(self.winner, x)
        return True

    def rest(self) -> None:
        """Give up what only :meth:`follow` needs, until it is needed again."""
        self._vertex = None

    def _move(self, vertex: StableVertex, columns: IntArray, costs: FloatArray) -> bool:
        changes = costs - self._objective[columns]
        self._objective[columns] = costs
        return vertex.move(columns, changes)

    def _solve_loop(self) -> None:
        raw = self._loop.solve()
        self._loop.log.clear()
        if raw.status is not Status.OPTIMAL or raw.x is None:
            raise CpeOptError(
                f"{self._solver} ended with status {raw.status.value!r} on the program "
                f"of arm {self.winner} ({raw.message})"
            )
        self._point, self._duals = raw.x, raw.row_duals
        self._objective: FloatArray = self._loop.costs.copy()
        x = self._columns.evidence(raw.x, self._estimates.costs)
        self.solution = OptimalSolution(self.winner, x)
        self._vertex = None

    def _update_columns(self) -> None:
        """Let columns and rows be those of the current tournament."""
        version = self._estimates.tournament.version
        if self._version == version:
            return
        self._version = version
        before, self._columns = self._columns, self._columns_of_now()
        self._loop.set_separator(self._columns.separate)
        changed = np.flatnonzero(self._columns.upper != before.upper)
        self._loop.set_upper(changed, self._columns.upper[changed])
        self._vertex = None

    def _columns_of_now(self) -> NestedColumns:
        families = copeland_rows(self._estimates.tally.estimate, self.winner, "literal")
        return NestedColumns.lasting(families, self._estimates.tournament.first)


class StableVertex:
    """An optimal vertex x of min c'x, ``rows @ x >= lower``, 0 <= x <= upper, while costs c move.

    ``certified`` says whether x is known to be optimal for the costs as moved so far. Where the
    duals do not prove it, or make no square, regular system with the columns, a solve can tell.
    """

    def __init__(
        self,
        rows: sp.csr_array,
        x: FloatArray,
        upper: FloatArray,
        costs: FloatArray,
        duals: FloatArray,
    ) -> None:
        active = np.flatnonzero(duals > _NEGLIGIBLE * duals.max(initial=0.0))
        self._rows = rows[active]
        self._transposed = sp.csr_array(self._rows.T)
        self._duals = duals[active]
        paid = self._transposed @ self._duals
        self._reduced = costs - paid
        free, size = upper > 0.0, costs + paid
        self._tolerance = 1e-12 * size
        level = free & (np.abs(self._reduced) <= _NEGLIGIBLE * size)
        full = free & (x >= upper - _NEGLIGIBLE)
        inside = free & ~full & (x > _NEGLIGIBLE)
        # A column at its upper bound may not cost more than its rows pay, one at 0 not less.
        self._lowest = np.where(full | ~free, -np.inf, -self._tolerance)
        self._highest = np.where(inside | full, self._tolerance, np.inf)
        basic = self._basis(np.flatnonzero(level & (paid > 0.0)), x)
        self._place = {column: place for place, column in enumerate(basic.tolist())}
        self._directions: dict[int, tuple[FloatArray, FloatArray]] = {}
        self.certified = len(basic) == len(active) and self._invert(basic) and self._holds()

    def move(self, columns: IntArray, changes: FloatArray) -> bool:
        """Move the costs of some columns; returns ``certified``."""
        if not self.certified:
            return False
        self._reduced[columns] += changes
        for column, change in zip(columns.tolist(), changes.tolist(), strict=True):
            if change and column in self._place:
                duals, reduced = self._direction(column)
                self._duals += change * duals
                self._reduced -= change * reduced
        self.certified = self._holds()
        return self.certified

    def _holds(self) -> bool:
        return bool(
            (self._duals >= 0.0).all()
            and (self._reduced >= self._lowest).all()
            and (self._reduced <= self._highest).all()
        )

    def _basis(self, level: IntArray, x: FloatArray) -> IntArray:
        """As many independent columns as there are rows, those with x > 0 first, if there are."""
        if len(level) <= len(self._duals):
            return level
        system = self._rows[:, level].toarray() * np.where(x[level] > _NEGLIGIBLE, 1e3, 1.0)
        import scipy.linalg  # seldom needed, and slow to load

        *_, pivots = scipy.linalg.qr(system, mode="r", pivoting=True)
        return np.sort(level[pivots[: len(self._duals)]])

    def _invert(self, basic: IntArray) -> bool:
        """Invert the system, or say that it is not regular."""
        system = self._rows[:, basic].toarray()
        try:
            self._inverse = np.linalg.inv(system)
        except np.linalg.LinAlgError:
            return False
        error = np.abs(self._inverse @ system - np.eye(len(system))).max(initial=0.0)
        return bool(error <= _REGULAR)

    def _direction(self, column: int) -> tuple[FloatArray, FloatArray]:
        """How duals and reduced costs of other columns follow the cost of a column of B."""
        if column not in self._directions:
            duals = self._inverse[self._place[column]]
            self._directions[column] = duals, self._transposed @ duals
        return self._directions[column]
