r"""What it costs at least to identify a winner by duels: the answer of the characteristic times.

A duel of the pair {i, j} costs :math:`\pi_{ij} > 0`, and 1 where nothing is said of prices, so that
costs are numbers of duels. An algorithm that names a wrong arm with probability at most
:math:`\delta` has to tell every instance apart in which its answer would be wrong. The cheapest
duels that do so, :math:`q_{ij} \ln(1/\delta)` of each pair, cost :math:`T^* \ln(1/\delta)`
with the characteristic time :math:`T^* = \sum_{i<j} \pi_{ij} q_{ij}`, in the limit
:math:`\delta \to 0`. What no algorithm can cost less than at a finite :math:`\delta`, also where
several arms are right answers, is said in :mod:`cpe_opt.formulations.information`.

Garivier, Kaufmann, "Optimal best arm identification with fixed confidence", COLT 2016.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import WinnerAnswer
from cpe_opt.formulations.information import asymptotic_cost, least_cost, reported_costs
from cpe_opt.problems.dueling.preferences import PreferenceMatrix


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CharacteristicTime(WinnerAnswer):
    """T*, and the duels that attain it.

    Attributes
    ----------
    value : float
        T*: the cost per ``ln(1/delta)``, a number of duels where these have no prices; infinite
        where no number of duels is enough.
    bound : float
        No duels that suffice cost less.
    method : str
    result : SolveResult or None
        The solve behind ``value``; None for a closed form, and where it is infinite.
    winner : int
        The arm that is identified at this cost.
    exploration : float array, shape (K, K)
        Duels of each pair per ``ln(1/delta)``: q, symmetric with a zero diagonal. Where ``value``
        is infinite, so is q of the pairs that no number of duels decides, and of others it is not
        known (0).
    by_winner : dict of int to float
        T* of every winner that was asked for; empty for a set.
    winners : tuple of int
        The arms of the set that is identified, where it is one.
    """

    winners: tuple[int, ...] = ()

    def duels(self, delta: float = 0.05) -> float:
        """The mean cost that no algorithm can be below at the probability ``delta`` of an error.

        A number of duels where these have no prices. It is for algorithms that name one of the
        arms of ``by_winner``, all right answers by default, with probability at least 1 - delta,
        and an arm that is none with probability at most ``delta`` at every instance; of which
        instances the oracle says that gave the answer. With one right answer it is
        T* kl(delta, 1 - delta), with several it may be much less
        (:mod:`cpe_opt.formulations.information`); from ``delta`` = ½ on nothing need be asked: 0.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.copeland_time(cpe.load_instance("multisol")).duels(0.05), 1)
        7.5
        """
        # The solver's times may be above the least ones by its tolerance.
        sure = self.bound / self.value if 0.0 < self.value < math.inf else 1.0
        times = list(self.by_winner.values()) or [self.value]
        return least_cost([sure * time for time in times], delta)

    def asymptotic_duels(self, delta: float = 0.05) -> float:
        """T* ln(1/delta): what the best algorithms cost in the limit of small ``delta``.

        A number of duels where these have no prices, and no bound at a finite ``delta``.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.copeland_time(cpe.load_instance("multisol")).asymptotic_duels(0.05), 1)
        62.2
        """
        return asymptotic_cost(self.value, delta)

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The winner, the time of each, and the cost at usual probabilities of an error."""
        return {
            **super().report(problem),
            **reported_costs("duels", self.duels, self.asymptotic_duels),
        }


def endless_exploration(arm: int, others: IntArray, arms: int) -> FloatArray:
    """Infinite for the pairs of one arm with some others, 0 elsewhere; shape (K, K)."""
    q = np.zeros((arms, arms))
    q[arm, others] = q[others, arm] = math.inf
    return q
