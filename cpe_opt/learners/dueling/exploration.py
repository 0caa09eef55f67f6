"""What Algorithm 1 of Komiyama, Honda, Nakagawa asks of the estimates at every round.

See :mod:`cpe_opt.learners.dueling.komiyama_loop`. The state is shared by all empirical winners:
who beats whom (:mod:`~cpe_opt.learners.dueling.tournament`), the evidence of each winner's rows
(:mod:`~cpe_opt.learners.dueling.winner_evidence`), and the pairs wanted by an optimal exploration
(:mod:`~cpe_opt.learners.dueling.wanted_pairs`). How optima are found is what CW-RMED, ECW-RMED and
their plain programs differ in: :class:`OptimalPlan`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.learners.dueling.wanted_pairs import WantedPairs
from cpe_opt.learners.dueling.winner_evidence import WinnerEvidence


class OptimalPlan(ABC):
    """The empirical winner with the smallest optimum, and an optimal x.

    Attributes
    ----------
    tournament : Tournament
    winner : int
    x : float array, shape (K, K)
        Symmetric. Both are right after :meth:`settle`.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.winner = 0
        arms = tournament.tally.arms
        self.x: FloatArray = np.zeros((arms, arms))

    @abstractmethod
    def moved(self, better: int, worse: int, change: float) -> None:
        """Take note that the cost of a pair has changed, and no sign."""

    @abstractmethod
    def settle(self) -> Iterable[int] | None:
        """Make ``winner`` and ``x`` right for the estimates of now.

        Returns
        -------
        iterable of int, or None
            The codes ``i * K + j``, i < j, of the pairs whose x has changed; None where the winner
            may be another or ``x`` is another array.
        """


MakePlan: TypeAlias = Callable[[Tournament], OptimalPlan]


class Exploration:
    """The empirical winners, their evidence, and the pairs they want drawn.

    Attributes
    ----------
    wanted : set of int
        What the last look found, as codes ``i * K + j`` with i <= j; not to be changed.
    """

    def __init__(self, tally: DuelTally, make: MakePlan) -> None:
        self._arms = tally.arms
        self.tournament = Tournament(tally)
        self._evidence = WinnerEvidence(self.tournament)
        self._plan = make(self.tournament)
        self._pairs = WantedPairs(tally)
        self._touched: list[int] = []
        self._sure = False
        self.wanted: set[int] = set()

    def drawn(self, i: int, j: int, won: int) -> None:
        """Count one duel."""
        tournament = self.tournament
        voided, gained, change = tournament.count(i, j, won)
        self._evidence.grown(gained, voided)
        if voided:
            return
        self._touched.append(i * self._arms + j if i < j else j * self._arms + i)
        if tournament.tally.leads(i, j):
            self._plan.moved(i, j, change)
        else:
            self._plan.moved(j, i, change)

    @property
    def evidence(self) -> float:
        """The most evidence of an empirical winner."""
        return self._evidence.most

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        return self._evidence.safest

    def is_sure(self, code: int, log_t: float) -> bool:
        """Whether the rows of a winner hold, of the safest the one that ``code`` duels itself."""
        return self._evidence.reaches(log_t) and code == self.safest * (self._arms + 1)

    def look(self, log_t: float) -> set[int]:
        """Find L_NC, what a check adds to the next list, as ``wanted``.

        Returns
        -------
        set of int
            Its codes that were not in it at the last look, and perhaps more.
        """
        if self._evidence.reaches(log_t):
            self._sure = True
            self.wanted = {self.safest * (self._arms + 1)}
            return self.wanted
        self.tournament.settle()
        changed = self._plan.settle()
        pairs = self._pairs
        if changed is None:
            pairs.restart(self._plan.x, self._plan.winner, log_t)
        else:
            for code in self._touched:
                pairs.look_at(code, log_t)
            for code in changed:
                pairs.look_at(code, log_t)
            pairs.advance(log_t)
        self._touched.clear()
        entered, pairs.entered = pairs.entered, set()
        self.wanted = pairs.codes
        if self._sure:
            self._sure = False
            return self.wanted
        return entered
