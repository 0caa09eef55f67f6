r"""The half-spaces in which a Borda winner is none, and what duels tell them apart.

With the pairs a, their prices :math:`\pi_a` and the coefficients :math:`A_{ja} =
c_{ja}^2/(2\Delta_j^2)` of :mod:`cpe_opt.formulations.dueling.borda_time` the program is

.. math:: T^* = \min_{q > 0} \sum_a \pi_a q_a \quad\text{s.t.}\quad
          \sum_a A_{ja} / q_a \le 1 \quad \forall j \ne i ,

one of :mod:`cpe_opt.formulations.inverse_rows`, where its bound, its cone program and steps without
a solver are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.problems.dueling.preferences import PreferenceMatrix


@dataclass(frozen=True, eq=False)
class HalfSpaces(InverseRows):
    """The rows A of the program, one for each arm other than the winner.

    Attributes
    ----------
    prices : float array, shape (P,)
    rows : sparse array, shape (K-1, P)
        ``c_ja**2 / (2 gap_j**2)``.
    labels : tuple of str
        Of the arms.
    pairs : (int array, int array), each of shape (P,)
        The pairs, the smaller arm first.
    """

    labels: tuple[str, ...]
    pairs: tuple[IntArray, IntArray]

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
        return cls(prices[pairs], rows, preferences.labels, pairs)
