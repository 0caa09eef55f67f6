r"""The exponential program of the empirical winner with the smallest optimum.

**Which winners are solved for.** C^E* of a winner is an upper bound on its optimum, as a point of
the relaxation ECW is one of the program, and a part of its rows gives a lower bound
(:mod:`cpe_opt.learners.dueling.sorted_lists`); where a program is kept, so do its last duals. The
winner with the least upper bound is solved for first, and no other whose lower bound lies above the
least optimum found. Between sign changes a cost that falls by a lowers an optimum by at most a, as
:math:`x \le 1`, and one that rises lowers none: so bounds last, and are true.

**What is kept.** A program for each winner and the arms that it beats
(:mod:`cpe_opt.learners.dueling.kept_program`), those least recently used given up where together
they take more than a given memory.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cpe_opt.learners.dueling.exploration import OptimalPlan
from cpe_opt.learners.dueling.kept_program import KeptProgram
from cpe_opt.learners.dueling.sorted_lists import SortedLists
from cpe_opt.learners.dueling.tournament import Tournament
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
