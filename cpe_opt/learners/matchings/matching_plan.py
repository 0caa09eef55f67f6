r"""Which duels would prove that a matching is preferred to all others.

Of the duels so far, of x's edges against the others at their positions, :math:`\hat B(y)` is the
estimate of the lead over another matching y and :math:`s_y^2 = \frac14 \sum_e N_e^{-1}` its
variance, at most, with half a duel more of every pair, half of that won. The plan is the optimal
exploration (:func:`cpe_opt.matching_time`) at the leads :math:`\max(\hat B(y), s_y/2)`: a lead that
is not known yet is taken for a small one, and its edges are duelled the more.

All other matchings are listed, or, where there are more than 20,000, those that have been the
worst in some way so far: for every edge that is not in x the best for the estimate that has it, and
those that assignments find against each plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.matchings.block_proof import BlockProof, certificate
from cpe_opt.formulations.subsets.alternatives import MOST_LISTED
from cpe_opt.formulations.subsets.found_sets import FoundSets
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.ties import in_bits, on_grid

_STEPS = 300
_DRAWN = 0.5
_UNKNOWN = 0.5
_ROUNDS, _MULTIPLIERS = 3, 4
_BITS = 24


@dataclass(frozen=True, eq=False)
class Exploration:
    """How the next duels are shared out.

    Attributes
    ----------
    shares : float array, shape (m,)
        Of the duels against each edge for a cost of 1.
    time : float
        T* at the leads it is made for.
    centre : float
        The likeliest ratio of S to V in blocks of this plan, with their cost as the scale.
    customary : float
        The least ``2 B² / sum 1/N`` of all duels so far; 0 where a lead is none.
    """

    shares: FloatArray
    time: float
    centre: float
    customary: float


class Rivals:
    """All matchings other than one, or the worst of them.

    Parameters
    ----------
    matchings : Matchings
    listed : float array, shape (J, m), or None
        The indicators of all matchings, where they can be listed.
    winner : tuple of int
        The matching to be told from the others.
    prices : float array, shape (m,)
        Of a duel against each edge.

    Attributes
    ----------
    complete : bool
        Whether all are known.
    """

    def __init__(
        self,
        matchings: Matchings,
        listed: FloatArray | None,
        winner: tuple[int, ...],
        prices: FloatArray,
    ) -> None:
        self.complete = listed is not None
        self._matchings, self._winner, self._prices = matchings, winner, prices
        self._oracle, self._found = SubsetOracle(matchings), FoundSets(matchings)
        self._rows = np.zeros((0, matchings.size))
        if listed is not None:
            self._take(listed)

    @property
    def none(self) -> bool:
        """Whether there is no other matching."""
        return self._oracle.maximise_other(np.zeros(self._matchings.size), self._winner) is None

    def explore(self, won: FloatArray, draws: FloatArray) -> Exploration:
        """The plan by the duels of the matching with each edge so far; shapes (m,)."""
        draws = draws + _DRAWN
        leads, inverse = (won + _DRAWN / 2.0) / draws - 0.5, 1.0 / draws
        leads[list(self._winner)] = inverse[list(self._winner)] = 0.0
        if not self.complete:
            self._nearest(leads)
        exploration = self._shared(leads, inverse)
        for _ in range(0 if self.complete else _ROUNDS):
            before = len(self._rows)
            shared = exploration.shares > 0.0
            self._against(
                leads, np.where(shared, 1.0 / np.where(shared, exploration.shares, 1.0), 0.0)
            )
            if len(self._rows) == before:
                break
            exploration = self._shared(leads, inverse)
        return exploration

    def evidence(self, proof: BlockProof) -> float:
        """``ln E`` against the rival that it is the least against, of those that are known."""
        return float(proof.log_e_values(self._rows).min())

    def proves(self, proof: BlockProof, level: float) -> bool:
        """Whether ``ln E`` is at least ``level`` against every other matching."""
        if self.evidence(proof) < level or self.complete:
            return self.evidence(proof) >= level
        certified = certificate(self._oracle, self._found, self._winner, proof, level)
        if certified.rival is not None:
            self._take(indicators([certified.rival], self._matchings.size))
        return certified.proved

    def _shared(self, leads: FloatArray, inverse: FloatArray) -> Exploration:
        """The plan for the rows that are there."""
        lead, spread = self._rows @ leads, self._rows @ inverse
        reach = np.maximum(lead, _UNKNOWN * np.sqrt(spread / 4.0))
        used = self._rows.any(axis=0)
        matrix = self._rows[:, used] / (2.0 * in_bits(reach, _BITS)[:, None] ** 2)
        program = InverseRows(self._prices[used], sp.csr_array(matrix))
        weights = program.balanced(_STEPS)
        amounts = program.feasible(program.amounts(weights))
        time = float(program.prices @ amounts)
        shares = np.zeros(len(leads))
        shares[used] = in_bits(amounts / time, _BITS)
        ratios = 4.0 * reach / (self._rows[:, used] @ (1.0 / shares[used]))
        centre = float(np.exp(weights @ np.log(ratios)))
        customary = float((2.0 * np.maximum(lead, 0.0) ** 2 / spread).min())
        return Exploration(shares, time, centre, customary)

    def _nearest(self, leads: FloatArray) -> None:
        """For every edge the best matching that has it."""
        found = []
        for edge in range(self._matchings.size):
            if edge not in self._winner:
                other = self._oracle.maximise(on_grid(-leads), include=(edge,))
                if other is not None:
                    found.append(other)
        self._take(indicators(list(dict.fromkeys(found)), self._matchings.size))

    def _against(self, leads: FloatArray, inverse: FloatArray) -> None:
        """Matchings with a large ratio of inverse duels to their squared lead."""
        lead = np.maximum(self._rows @ leads, 1e-9)
        slopes = np.geomspace(lead.min(), lead.max(), _MULTIPLIERS)
        unit = float((self._rows @ inverse / lead**2).max())
        found = [
            self._oracle.maximise_other(on_grid(inverse - 2.0 * unit * slope * leads), self._winner)
            for slope in slopes.tolist()
        ]
        others = list(dict.fromkeys(other for other in found if other is not None))
        self._take(indicators(others, self._matchings.size))

    def _take(self, sets: FloatArray) -> None:
        """Add rows of matchings; those that are there, and the winner itself, are left out."""
        rows = sets.copy()
        rows[:, list(self._winner)] = 0.0
        self._rows = np.unique(np.vstack([self._rows, rows[rows.any(axis=1)]]), axis=0)


def listed_matchings(matchings: Matchings) -> FloatArray | None:
    """The indicators of all matchings, shape (J, m); None where they are too many."""
    try:
        return matchings.indicator_matrix(MOST_LISTED)
    except InputError:
        return None
