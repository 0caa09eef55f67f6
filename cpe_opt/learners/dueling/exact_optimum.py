r"""The exponential program of the empirical winner with the smallest optimum.

**Which winners are solved for.** C^E* of a winner is an upper bound on its optimum, as a point of
the relaxation ECW is one of the program, and a part of its rows gives a lower bound
(:mod:`cpe_opt.learners.dueling.sorted_lists`); where a program is kept, so do its last duals. The
winner with the least upper bound is solved for first, and no other whose lower bound lies above the
least optimum found. Between sign changes a cost that falls by a lowers an optimum by at most a, as
:math:`x \le 1`, and one that rises lowers none: so bounds last, and are true.

**What is kept.** A program for each winner and the arms that it beats
(:mod:`cpe_opt.learners.dueling.exact_optimum`), those least recently used given up where together
they take more than a given memory.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.formulations.dueling.reusable_columns import ReusableColumns
from cpe_opt.learners.dueling.copeland_rmed import OptimalPlan
from cpe_opt.learners.dueling.sorted_lists import SortedLists
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.modelling.lazy import CutOptions, LazyProgram
from cpe_opt.modelling.program import RowBlock
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.sensitivity import StableVertex
from cpe_opt.ties import first_smallest

_SURE = 1.0 + 1e-8


class CwPlan(OptimalPlan):
    """The kept programs of the empirical winners.

    Parameters
    ----------
    tournament : Tournament
    solver : str
    memory : float
        In bytes, about how much the kept programs may take; the one in use is always kept.
    """

    def __init__(self, tournament: Tournament, *, solver: str, memory: float) -> None:
        super().__init__(tournament)
        self._solver, self._memory = solver, memory
        self._programs: dict[tuple[int, bytes], KeptProgram] = {}
        self._pattern = 0
        self._bounds: list[float] = []
        self._moved = False
        self._heads: set[int] = set()
        self._lists: set[int] = set()

    def moved(self, better: int, worse: int, change: float) -> None:
        """Note which costs of the chosen winner's program move, and how far others may fall."""
        if self._pattern != self.tournament.pattern:
            return
        self._moved = True
        if change < 0.0 and len(self._bounds) > 1:
            self._bounds = [bound + change for bound in self._bounds]
        if better == self.winner:
            self._heads.add(worse)
        elif worse != self.winner:
            self._lists.add(worse)

    def settle(self) -> Iterable[int] | None:
        """Solve again what may have changed."""
        if self._pattern != self.tournament.pattern:
            self._begin()
            return None
        if not self._moved:
            return ()
        self._moved = False
        codes = self._update() if self._heads or self._lists else []
        self._heads.clear()
        self._lists.clear()
        place = self.tournament.winners.index(self.winner)
        self._bounds[place] = self._chosen.value
        return None if self._compare(place) else codes

    def _update(self) -> list[int]:
        """Make the chosen winner's optimum right; returns the codes of the x that have changed."""
        costs, chosen = self.tournament.costs, self._chosen
        arms = len(costs)
        if chosen.follow(costs, self._heads, self._lists):
            return [
                min(arm, challenger) * arms + max(arm, challenger)
                for challenger in self._lists
                for arm in chosen.redraw(costs, challenger)
            ]
        before = self.x
        chosen.solve(self.tournament)
        codes: list[int] = np.flatnonzero(np.triu(chosen.x != before)).tolist()
        # The array stays the same one.
        before[...] = chosen.x
        chosen.x = before
        return codes

    def _begin(self) -> None:
        """Choose the winner anew where signs have changed."""
        tournament = self.tournament
        self._pattern = tournament.pattern
        self._moved = False
        self._heads.clear()
        self._lists.clear()
        place, self._bounds = 0, [0.0]
        if len(tournament.winners) > 1:
            lists = SortedLists(tournament)
            self._bounds = lists.lower_bounds().tolist()
            place = first_smallest(lists.relaxed_optima())
        self._choose(self._solved(place))
        self._bounds[place] = self._chosen.value
        self._compare(place)

    def _compare(self, place: int) -> bool:
        """Solve for the winners that may have a smaller optimum; returns whether one has."""
        bounds, solved = self._bounds, {place: self._chosen}
        while True:
            limit = min(bounds[other] for other in solved) * _SURE
            behind = (other for other in range(len(bounds)) if other not in solved)
            other = min(behind, key=bounds.__getitem__, default=place)
            if other == place or bounds[other] > limit:
                break
            kept = self._kept(other)
            if kept is not None:
                bounds[other] = max(bounds[other], kept.bound(self.tournament))
                if bounds[other] > limit:
                    continue
            solved[other] = self._solved(other)
            bounds[other] = solved[other].value
        if len(solved) == 1:
            return False
        among = sorted(solved)
        best = among[first_smallest([bounds[other] for other in among])]
        if best == place:
            return False
        self._choose(solved[best])
        return True

    def _choose(self, program: KeptProgram) -> None:
        if program.winner != self.winner:
            for other in self._programs.values():
                other.rest()
        self._chosen = program
        self.winner, self.x = program.winner, program.x

    def _solved(self, place: int) -> KeptProgram:
        """The program of a winner, solved at the costs of now."""
        program = self._kept(place)
        if program is None:
            program = KeptProgram(self.tournament, self.tournament.winners[place], self._solver)
            self._programs[self._key(place)] = program
        else:
            program.solve(self.tournament)
        size = sum(kept.size for kept in self._programs.values())
        while size > self._memory and len(self._programs) > 1:
            size -= self._programs.pop(next(iter(self._programs))).size
        return program

    def _kept(self, place: int) -> KeptProgram | None:
        """The kept program of a winner if there is one, from now on the last one used."""
        key = self._key(place)
        program = self._programs.pop(key, None)
        if program is not None:
            self._programs[key] = program
        return program

    def _key(self, place: int) -> tuple[int, bytes]:
        winner, beaten = self.tournament.winners[place], self.tournament.beaten
        return winner, np.packbits([beaten[winner], beaten[:, winner]]).tobytes()


# An empirical winner's linear program, kept as long as the winner beats the same arms.
#
# Its columns are those of :mod:`cpe_opt.formulations.dueling.reusable_columns`: cuts and basis
# outlast sign changes among the other arms. While no sign changes, a certificate
# (:mod:`cpe_opt.solvers.sensitivity`) spares most solves; when one has, weak duality bounds the
# optimum from below without one.


_PURGE_AFTER = 20
# As measured, the solver's copies included.
_BYTES_PER_COLUMN, _BYTES_PER_ENTRY = 800, 190


class KeptProgram:
    """The program of one winner, with its cuts, basis and optimum; solved when it is made.

    Parameters
    ----------
    tournament : Tournament
        Settled; at every later call the winner must beat and lose to the same arms as now.
    winner : int
    solver : str

    Attributes
    ----------
    winner : int
    value : float
        The optimum at the costs of the last :meth:`solve` or :meth:`follow`.
    x : float array, shape (K, K)
        An optimal x.
    size : int
        About how many bytes all of it takes.
    solves, spared : int
        How often the program was solved, and how often the certificate made that unnecessary.
    """

    def __init__(self, tournament: Tournament, winner: int, solver: str) -> None:
        self.winner, self._solver = winner, solver
        self._vertex: StableVertex | None = None
        self._paying: tuple[sp.csr_array, FloatArray] | None = None
        self.solves = self.spared = self._most_rows = 0
        self._separator = _Separator(_columns(tournament, winner))
        self._pattern = tournament.pattern
        name = f"copeland_{winner}"
        program = self._separator.columns.program(tournament.costs, name).relaxation
        self._loop = CuttingPlanes.open(
            LazyProgram(program, self._separator),
            solver,
            cut_options=CutOptions(purge_after=_PURGE_AFTER),
        )
        self._loop.records_closed = False
        self._solve_loop(tournament.costs)

    def solve(self, tournament: Tournament) -> None:
        """Solve from the last optimum, whatever has changed."""
        self._follow_pattern(tournament)
        objective = self._separator.columns.column_costs(tournament.costs)
        moved = np.flatnonzero(objective != self._loop.costs)
        self._loop.set_costs(moved, objective[moved])
        self._solve_loop(tournament.costs)

    def bound(self, tournament: Tournament) -> float:
        """A lower bound on the optimum of now by the last duals, without a solve.

        By weak duality, for any y >= 0 on rows that hold, with d = c - A'y and u the most that
        columns add up to: the winner's pairs 1 each, a challenger's draws 1 together, as some
        optimum has no x above 1. The bound is the sum of y plus, for each of these, the least of 0
        and its d.
        """
        if self._duals is None:
            return 0.0
        self._follow_pattern(tournament)
        columns = self._separator.columns
        if self._paying is None:
            paying = self._duals > 0.0
            self._paying = self._loop.rows[paying], self._duals[paying]
        rows, duals = self._paying
        reduced = columns.column_costs(tournament.costs) - rows.T @ duals
        reduced[columns.upper == 0.0] = 0.0
        np.minimum(reduced, 0.0, out=reduced)
        shared, starts = len(columns.families.inferiors), columns.first
        starts = starts[:-1][np.diff(starts) > 0]
        least = np.minimum.reduceat(reduced, starts) if len(starts) else reduced[:0]
        return float(duals.sum() + reduced[:shared].sum() + least.sum())

    def follow(self, costs: FloatArray, heads: Iterable[int], lists: Iterable[int]) -> bool:
        """Keep the optimum, if a certificate says so, while a few costs have moved.

        Parameters
        ----------
        costs : float array, shape (K, K)
        heads : iterable of int
            The arms whose pairs with the winner have moved.
        lists : iterable of int
            The challengers one of whose pairs has moved.

        Returns
        -------
        bool
            Whether ``value`` is right again, and ``x`` after a :meth:`redraw` of these lists; where
            not, only :meth:`solve` can tell.
        """
        columns = self._separator.columns
        if self._vertex is None:
            if self._duals is None:
                return False
            self._vertex = StableVertex(
                self._loop.rows, self._point, columns.upper, self._objective, self._duals
            )
        for arm in heads:
            place = columns.families.inferior_index[columns.families.block_of(arm), None]
            if not self._move(place, costs[self.winner, arm, None]):
                return False
        for challenger in lists:
            block = columns.families.block_of(challenger)
            numbers = np.arange(columns.first[block], columns.first[block + 1])
            if not self._move(numbers, columns.list_costs(block, costs)):
                return False
        self.spared += 1
        return True

    def redraw(self, costs: FloatArray, challenger: int) -> list[int]:
        """Give the evidence of a list to its cheapest pairs of now.

        Returns
        -------
        list of int
            The arms of the list whose x has changed.
        """
        arms, shares = self._separator.columns.list_evidence(challenger, self._point, costs)
        changed: list[int] = arms[self.x[challenger, arms] != shares].tolist()
        self.x[challenger, arms] = self.x[arms, challenger] = shares
        return changed

    def rest(self) -> None:
        """Give up what only :meth:`follow` needs, until it is needed again."""
        self._vertex = None

    def _solve_loop(self, costs: FloatArray) -> None:
        raw = self._loop.solve()
        self._most_rows = max([self._most_rows, *(entry.rows for entry in self._loop.log)])
        self._loop.log.clear()
        if raw.status is not Status.OPTIMAL or raw.x is None:
            raise CpeOptError(
                f"{self._solver} ended with status {raw.status.value!r} on the program "
                f"of arm {self.winner} ({raw.message})"
            )
        self.solves += 1
        self._point, self._duals = raw.x, raw.row_duals
        self._objective: FloatArray = self._loop.costs.copy()
        self.value = float(self._objective @ raw.x)
        self.x: FloatArray = self._separator.columns.evidence(raw.x, costs)
        self._vertex = self._paying = None
        # What the solver once had for rows that are purged by now, it keeps.
        entries = self._loop.entries / max(1, self._loop.pool_size) * self._most_rows
        taken = _BYTES_PER_COLUMN * len(self._objective) + _BYTES_PER_ENTRY * entries
        self.size = int(taken) + self.x.nbytes

    def _move(self, columns: IntArray, costs: FloatArray) -> bool:
        changes = costs - self._objective[columns]
        self._objective[columns] = costs
        self.value += float(changes @ self._point[columns])
        return self._vertex is not None and self._vertex.move(columns, changes)

    def _follow_pattern(self, tournament: Tournament) -> None:
        """Let columns and rows be those of the pattern of now."""
        if self._pattern == tournament.pattern:
            return
        before, columns = self._separator.columns, _columns(tournament, self.winner)
        self._separator.columns = columns
        changed = np.flatnonzero(columns.upper != before.upper)
        if len(changed):
            self._loop.set_upper(changed, columns.upper[changed])
        self._pattern = tournament.pattern
        self._vertex = None


class _Separator:
    """The separation oracle of the columns of now; a cycle of references would outlive its use."""

    def __init__(self, columns: ReusableColumns) -> None:
        self.columns = columns

    def __call__(self, x: FloatArray, tolerance: float) -> RowBlock:
        return self.columns.separate(x, tolerance)


def _columns(tournament: Tournament, winner: int) -> ReusableColumns:
    families = copeland_rows(tournament.tally.estimate, winner, "literal")
    return ReusableColumns(families, losses=tournament.first)
