"""ECW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the relaxation ECW."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.formulations.ecw import ecw_evidence, ecw_shares
from cpe_opt.formulations.families import ecw_families
from cpe_opt.learners.queries import Duel
from cpe_opt.learners.rmed import Candidate, algorithm_1
from cpe_opt.learners.tally import DuelTally
from cpe_opt.modelling.program import FloatArray


def ecw_rmed(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    alpha: float = 3.0,
    beta: float = 0.01,
) -> Generator[Duel, int, int]:
    """Play near the best arm by duels, with regret about C^E* ln T (Theorem 4).

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    alpha, beta : float
        Forced exploration; 3 and 0.01 in the paper's experiments. ``beta=0`` is allowed.

    Returns
    -------
    int
        The empirical Copeland winner with the most evidence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016, Algorithm 1 and Theorem 5.
    """
    return (yield from algorithm_1(arms, EcwCandidate, alpha, beta))


class EcwCandidate(Candidate):
    """Theorem 5's closed form, challenger by challenger."""

    def __init__(self, tally: DuelTally, winner: int, costs: FloatArray) -> None:
        self._relaxation = ecw_families(tally.estimate, winner)
        challengers = self._relaxation.challengers[self._relaxation.block]
        self._tail_of = dict(zip(challengers.tolist(), self._relaxation.tail.tolist(), strict=True))
        super().__init__(tally, winner, costs)

    def resume(self) -> None:
        """Solve for every challenger."""
        super().resume()
        self._x = ecw_evidence(self._relaxation, self.costs)

    def drawn(self, better: int, worse: int) -> None:
        """Solve for the challenger whose costs have moved: the worse arm of the pair."""
        super().drawn(better, worse)
        if self.winner in (better, worse):
            return
        members, tail = self._members[worse], self._tail_of.get(worse)
        if tail is None:
            return
        shares, order = ecw_shares(
            self.costs[worse, members][None, :], np.array([len(members) - tail])
        )
        moved = self._x.copy()
        moved[worse, members[order[0]]] = moved[members[order[0]], worse] = shares[0]
        self._x = moved

    def optimum(self) -> FloatArray:
        """The closed form's x."""
        return self._x
