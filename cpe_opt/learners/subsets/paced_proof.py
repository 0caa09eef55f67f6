r"""When sets are sought that no list has, and when a proof for all of them.

Of a class that is no matroid and has too many sets to list, the sets that have been found stand in
for all. While pulls go on, every element of the best set is asked about once whenever pulls have
grown by a tenth, for a set that lacks it with a large excess
(:mod:`cpe_opt.formulations.subsets.excess`): such sets are those that the pulls tell worst. A proof
is tried only where all sets that have been found are told, and after one that fails not before
pulls have grown by 2 %, where pulls come one by one: when it fails for a set that is not told, that
set joins.

Of more than a thousand sets those with the largest excess stay.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.excess import Excess
from cpe_opt.formulations.subsets.found_sets import FoundSets
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.formulations.subsets.radii import Radius
from cpe_opt.ties import on_grid

_LOOKS = 1.1  # by how much pulls grow between two
_MOST, _KEPT = 1_000, 500


class PacedProof:
    """Sets that have been found, and whether all are told.

    Parameters
    ----------
    oracle : SubsetOracle
    growth : float
        Of pulls between two proofs that are tried, at least 1.

    Attributes
    ----------
    found : FoundSets
    """

    def __init__(self, oracle: SubsetOracle, growth: float = 1.02) -> None:
        self._oracle, self._growth = oracle, growth
        self.found = FoundSets(oracle.decisions)
        self._next_look = self._next_proof = 0.0

    def look(self, best: tuple[int, ...], mean: FloatArray, radius: Radius, pulls: float) -> None:
        """Find sets, if it is time."""
        if pulls < self._next_look:
            return
        self._next_look = _LOOKS * pulls
        excess = Excess(self._oracle, self.found, best, mean, radius)
        excess.look()
        if len(self.found) > _MOST:
            kept = np.zeros(len(self.found), np.bool_)
            values = excess.found_excess
            largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
            order = np.argsort(-on_grid(values, largest=largest), kind="stable")
            kept[order[:_KEPT]] = True
            self.found.keep(kept)

    def proves(
        self,
        best: tuple[int, ...],
        mean: FloatArray,
        radius: Radius,
        pulls: float,
        epsilon: float,
    ) -> bool:
        """Whether no set has an excess above epsilon; not tried before it is time."""
        if pulls < self._next_proof:
            return False
        self._next_proof = self._growth * pulls
        return Excess(self._oracle, self.found, best, mean, radius).at_most(epsilon) <= epsilon
