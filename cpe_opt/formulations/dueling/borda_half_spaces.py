r"""The half-spaces in which a Borda winner is none, and what duels tell them apart.

With the pairs a, their prices :math:`\pi_a` and the coefficients :math:`A_{ja} =
c_{ja}^2/(2\Delta_j^2)` of :mod:`cpe_opt.formulations.dueling.borda_time` the program is

.. math:: T^* = \min_{q > 0} \sum_a \pi_a q_a \quad\text{s.t.}\quad
          \sum_a A_{ja} / q_a \le 1 \quad \forall j \ne i .

For multipliers :math:`t \rho` with :math:`\rho \ge 0`, :math:`\sum_j \rho_j = 1` and
:math:`w_a = \sum_j \rho_j A_{ja}` the Lagrangian is least at :math:`q_a = \sqrt{t w_a/\pi_a}`,
where it is :math:`2 \sqrt t \sum_a \sqrt{\pi_a w_a} - t`; at the best t

.. math:: \Bigl( \sum_a \sqrt{\pi_a w_a} \Bigr)^2 \le T^* ,

with equality at the best :math:`\rho`. Hence steps without a solver: take the q of :math:`\rho`,
multiply each :math:`\rho_j` by the left-hand side of its row, divide by the sum, as is done for
optimal designs (Silvey, Titterington, Torsney 1978), until the cost of the least feasible multiple
of q and the bound agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.problems.dueling.preferences import PreferenceMatrix

LEAST_WEIGHT = 1e-200
"""Below this no weight of a row falls, so that it may rise again."""
_STEPS_OF_UNITS = 30
_ACCURATE = 1e-9
_USUAL = 20


@dataclass(frozen=True, eq=False)
class HalfSpaces:
    """The rows A of the program, one for each arm other than the winner.

    Attributes
    ----------
    labels : tuple of str
        Of the arms.
    pairs : (int array, int array), each of shape (P,)
        The pairs, the smaller arm first.
    prices : float array, shape (P,)
    rows : sparse array, shape (K-1, P)
        ``c_ja**2 / (2 gap_j**2)``.
    """

    labels: tuple[str, ...]
    pairs: tuple[IntArray, IntArray]
    prices: FloatArray
    rows: sp.csr_array

    @classmethod
    def of(cls, preferences: PreferenceMatrix, prices: FloatArray) -> HalfSpaces:
        """Those of the one Borda winner; ``prices`` has the shape (K, K)."""
        arms, scores = preferences.arms, preferences.borda_scores
        winner = preferences.borda_winners[0]
        pairs = np.triu_indices(arms, 1)
        number = np.zeros((arms, arms), dtype=np.int64)
        number[pairs] = np.arange(len(pairs[0]))
        number += number.T
        others = np.delete(np.arange(arms), winner)
        row, column, entry = [], [], []
        for place, arm in enumerate(others.tolist()):
            third = np.delete(others, place)
            column += [number[winner, [arm]], number[winner, third], number[arm, third]]
            row.append(np.full(2 * arms - 3, place))
            share = 0.5 / ((scores[winner] - scores[arm]) * (arms - 1)) ** 2
            entry.append(share * np.repeat([4.0, 1.0], [1, 2 * arms - 4]))
        places = np.concatenate(row), np.concatenate(column)
        shape = (arms - 1, len(pairs[0]))
        rows = sp.csr_array(sp.coo_array((np.concatenate(entry), places), shape=shape))
        return cls(preferences.labels, pairs, prices[pairs], rows)

    def duels(self, weights: FloatArray) -> FloatArray:
        """The duels of each pair that these weights of the rows ask for, up to a factor."""
        return np.asarray(np.sqrt(self.rows.T @ weights / self.prices))

    def feasible(self, duels: FloatArray) -> FloatArray:
        """The multiple of them at which the tightest row holds."""
        return np.asarray(duels * float((self.rows @ (1.0 / duels)).max()))

    def bound(self, weights: FloatArray) -> float:
        """The value of the Lagrangian dual at the best multiple of weights that add up to 1."""
        return float(np.sqrt(self.prices * (self.rows.T @ weights)).sum() ** 2)

    def balanced(self, steps: int) -> FloatArray:
        """Weights of the rows by multiplicative steps, so many at most; they add up to 1."""
        weights = np.full(self.rows.shape[0], 1.0 / self.rows.shape[0])
        for _ in range(steps):
            duels = self.duels(weights)
            sides = self.rows @ (1.0 / duels)
            largest = float(sides.max())
            if self.prices @ duels * largest <= self.bound(weights) * (1.0 + _ACCURATE):
                break
            weights = np.maximum(weights * (sides / largest), LEAST_WEIGHT)
            weights = weights / weights.sum()
        return weights

    @cached_property
    def units(self) -> FloatArray:
        """Powers of two near the duels of each pair; shape (P,)."""
        near = self.feasible(self.duels(self.balanced(_STEPS_OF_UNITS)))
        # A number of duels next to a power of two is common, one next to 1/1.3 of it is not.
        return np.asarray(np.ldexp(1.0, np.frexp(1.3 * near)[1] - 1), dtype=np.float64)

    @property
    def cost_unit(self) -> float:
        """1, or the power of two next below the cost where that is no number of a usual size."""
        magnitude = math.frexp(float(self.prices @ self.units))[1] - 1
        return 1.0 if abs(magnitude) <= _USUAL else math.ldexp(1.0, magnitude)
