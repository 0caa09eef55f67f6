r"""The best set for weights that change, found again only where it may be another.

Let M be best for the weights w, by a *lead* d over every other set. For other weights w',

.. math:: w'(M) - w'(M') \ge d - \sum_{e \in M} (w_e - w'_e)^+ - \sum_{e \notin M} (w'_e - w_e)^+

for every set M', so that M is the only best set as long as the two sums, the *harm*, are less than
d, by more than rounding to the grid of :mod:`cpe_opt.ties` can change. The lead costs as many
problems as M has elements, each of which forbids one. Where it did not spare as many, it is not
computed in the next rounds, each time in twice as many, up to 64.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.ties import on_grid

_ROUNDING = 1e-8
_LONGEST_PAUSE = 64


def best_on_grid(
    oracle: SubsetOracle, weights: FloatArray, largest: float | None = None
) -> tuple[int, ...]:
    """A best set for the weights on the grid; ``largest`` as for :func:`cpe_opt.ties.on_grid`."""
    best = oracle.maximise(on_grid(weights, largest=largest))
    if best is None:
        raise InputError(f"{oracle.decisions.name} has no set")
    return best


class LeadingSet:
    """The best set for ``weights``, which :meth:`change` alone changes.

    Where its method is ``program`` the oracle is asked in every round, unless ``sparing``.
    """

    def __init__(self, oracle: SubsetOracle, weights: FloatArray, *, sparing: bool = False) -> None:
        self._oracle, self._weights = oracle, weights
        self._always = oracle.method == "program" and not sparing
        self._best: tuple[int, ...] = ()
        self._inside: frozenset[int] = frozenset()
        self._lead = -np.inf
        self._before: list[float] = []  # the weights for which the lead holds
        self._harms = [0.0] * oracle.size
        self._harm = self._largest = 0.0
        self._spared = self._pause = self._waited = 0
        self.solved = 0  # how many problems were solved

    def change(self, element: int, weight: float) -> None:
        """Give an element another weight."""
        self._weights[element] = weight
        if self._lead < 0.0:
            return
        rise = weight - self._before[element]
        harm = max(0.0, -rise if element in self._inside else rise)
        self._harm += harm - self._harms[element]
        self._harms[element] = harm
        self._largest = max(self._largest, abs(weight))

    def best(self) -> tuple[int, ...]:
        """A best set for the weights on the grid."""
        if self._harm + _ROUNDING * self._oracle.size * self._largest < self._lead:
            self._spared += 1
            return self._best
        self._best = best_on_grid(self._oracle, self._weights)
        self.solved += 1
        if not self._always:
            self._find_lead()
        return self._best

    def _find_lead(self) -> None:
        if self._lead >= 0.0:
            enough = self._spared >= len(self._best)
            self._pause = 0 if enough else min(2 * self._pause + 1, _LONGEST_PAUSE)
            self._lead, self._waited = -np.inf, 0
        if self._waited < self._pause:
            self._waited += 1
            return
        weights = self._weights
        other = self._oracle.maximise_other(weights, self._best)
        self.solved += len(self._best)
        inside = float(weights[list(self._best)].sum())
        lead = np.inf if other is None else inside - float(weights[list(other)].sum())
        self._lead = max(0.0, lead)
        self._inside = frozenset(self._best)
        self._before, self._harms = weights.tolist(), [0.0] * len(weights)
        self._harm, self._spared = 0.0, 0
        self._largest = float(np.abs(weights).max())
