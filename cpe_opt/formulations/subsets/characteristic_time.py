"""What it costs at least to identify the best set: the answer of its characteristic times.

See :mod:`cpe_opt.formulations.subsets.subset_time`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.information import REPORTED, asymptotic_cost, least_cost
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.ties import on_grid

Feedback: TypeAlias = Literal["single", "sums"]
_LARGEST = 5  # shares in a report


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SubsetTime(Answer):
    """T*, and the pulls that attain it.

    Attributes
    ----------
    value : float
        T*: the cost per ``ln(1/delta)``, a number of pulls where these have no prices; infinite
        where another set is as good as the best one.
    bound : float
        No pulls that suffice cost less.
    method : str
    result : SolveResult or None
        The last solve behind ``value``; None where no program was solved.
    elements : tuple of int
        The best set.
    feedback : "single" or "sums"
    sigma : float
        The standard deviation of one observation.
    exploration : float array, shape (n,) or (S,)
        Pulls of each element, or of each of ``sets``, per ``ln(1/delta)``. Where ``value`` is
        infinite, so are single pulls of the elements that tell two best sets apart; of others it is
        not known (0).
    sets : tuple of tuples of int
        What is pulled where sums are seen, those of the largest shares first; else empty.
    """

    elements: tuple[int, ...]
    feedback: Feedback
    sigma: float
    exploration: FloatArray
    sets: tuple[tuple[int, ...], ...] = ()

    @property
    def proportions(self) -> FloatArray:
        """The shares of all pulls; where some are infinite, those alone, alike; 0 without any."""
        endless = np.isinf(self.exploration)
        pulls = endless.astype(np.float64) if endless.any() else self.exploration
        return np.asarray(pulls / pulls.sum()) if pulls.any() else pulls

    def pulls(self, delta: float) -> float:
        """T* kl(delta, 1 - delta): the least mean cost at the probability ``delta`` of an error.

        A number of pulls where these have no prices. It is computed from ``bound``, so that it is
        one where ``value`` is known up to a gap alone. From ``delta`` = ½ on nothing need be
        asked: 0.

        Parameters
        ----------
        delta : float
            Between 0 and 1.

        Raises
        ------
        InputError

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.subset_time(cpe.load_instance("trees-of-k4")).pulls(0.05), 1)
        1211.0
        """
        return least_cost([self.bound], delta)

    def asymptotic_pulls(self, delta: float) -> float:
        """T* ln(1/delta): what the best algorithms cost in the limit of small ``delta``.

        Parameters
        ----------
        delta : float
            Between 0 and 1.

        Raises
        ------
        InputError

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.subset_time(cpe.load_instance("trees-of-k4")).asymptotic_pulls(0.05), 1)
        1369.0
        """
        return asymptotic_cost(self.value, delta)

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The best set, the largest shares, and the cost at usual probabilities of an error."""
        shares = self.proportions
        heaviest = (-on_grid(shares)).argsort(kind="stable")[:_LARGEST].tolist()
        return {
            "set": problem.decisions.describe(self.elements),
            "feedback": self.feedback,
            "sigma": self.sigma,
            "largest shares": {
                problem.decisions.describe(self.sets[place])
                if self.sets
                else problem.labels[place]: float(shares[place])
                for place in heaviest
                if shares[place]
            },
            "pulls at least": {f"delta {delta:g}": self.pulls(delta) for delta in REPORTED},
            "asymptotic pulls": {
                f"delta {delta:g}": self.asymptotic_pulls(delta) for delta in REPORTED
            },
        }
