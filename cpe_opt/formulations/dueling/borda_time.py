r"""The characteristic time of a Borda winner by squared errors, a second-order cone program.

The Borda score of arm i is :math:`b_i = \frac1{K-1}\sum_{k \ne i} \mu_{ik}`, and the winner i has
the largest. It is the wrong answer where :math:`b_j \ge b_i` for some j, in a half-space of
matrices. With the probability :math:`\mu_a` of each pair a = {k, l}, k < l,

.. math:: b_i - b_j = \text{const} + \sum_a c_{ja} \mu_a, \qquad
          |c_{ja}| = \frac1{K-1}\,\bigl(1 \text{ if } a \text{ has one of } i, j;\;
          2 \text{ if } a = \{i, j\};\; 0 \text{ else}\bigr) .

**Information.** q duels of a pair tell :math:`\mu_a` from :math:`\nu_a` by
:math:`2 q (\mu_a - \nu_a)^2`: that is exact for normal outcomes of variance ¼, and what every
½-sub-Gaussian outcome guarantees. To the nearest point of the half-space of j it is
:math:`2 (b_i - b_j)^2 / \sum_a c_{ja}^2/q_a`, so that with :math:`\Delta_j = b_i - b_j`

.. math:: T^* = \min_{q > 0} \sum_a \pi_a q_a \quad\text{s.t.}\quad
          \sum_a \frac{c_{ja}^2}{2\Delta_j^2} \frac1{q_a} \le 1 \quad \forall j \ne i .

Outcomes of duels are Bernoulli, and tell more: :math:`d_{KL}(\mu, \nu) \ge 2(\mu-\nu)^2` (Pinsker).
So this :math:`T^*` is **at least** the characteristic time of Bernoulli duels at the same gaps, and
no lower bound on what those cost; :math:`T^*\,\mathrm{kl}(\delta, 1-\delta)` is one for
algorithms that are right with normal outcomes, too. Where two arms share the largest score, no
number of duels tells which is the winner, and :math:`T^*` is infinite.

**The cone program.** That of :mod:`cpe_opt.formulations.inverse_rows`, with the columns ``duels_n``
(:math:`y_a = q_a/u_a`) and ``inverse_n`` (:math:`s_a \ge 1/y_a`) a pair, in the order (0, 1),
(0, 2), ….

**The certificate.** The value is that of the solver's q, scaled until every row holds. The bound
is the Lagrangian dual at the solver's multipliers. ``method="multiplicative"`` takes steps that
need no solver.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal, TypeAlias, Unpack

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.characteristic_time import (
    CharacteristicTime,
    endless_exploration,
)
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.validation import Numbers, checked_types

Method: TypeAlias = Literal["cone", "multiplicative"]
METHODS: tuple[Method, ...] = ("cone", "multiplicative")
_STEPS = 100_000


@checked_types
def borda_time_program(
    preferences: PreferenceMatrix,
    *,
    prices: Numbers | str | os.PathLike[str] | None = None,
) -> ConicProgram:
    """The cone program of the characteristic time of the Borda winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        With one Borda winner.
    prices : array_like or path, optional
        Of a duel of each pair, as for :func:`cpe_opt.copeland_time`.

    Raises
    ------
    InputError
        Where two arms share the largest Borda score, or on bad prices.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.borda_time_program(cpe.load_instance("cyclic"))
    ConicProgram('borda_time', 12 variables, 21 constraints, min)
    """
    if len(preferences.borda_winners) > 1:
        tied = ", ".join(preferences.labels[arm] for arm in preferences.borda_winners)
        raise InputError(
            f"{tied} share the largest Borda score of {preferences.name}, so that no number of "
            "duels is enough: there is no program"
        )
    return _cone_program(HalfSpaces.of(preferences, checked_prices(prices, preferences)))


@checked_types
def borda_time(
    preferences: PreferenceMatrix,
    *,
    prices: Numbers | str | os.PathLike[str] | None = None,
    method: Method = "cone",
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """T*: the cost per ln(1/δ) of identifying the Borda winner by squared errors.

    An upper bound on the characteristic time of Bernoulli duels: see the module.

    Parameters
    ----------
    preferences : PreferenceMatrix
    prices : array_like or path, optional
        What a duel of each pair costs, as for :func:`cpe_opt.copeland_time`; 1 by default.
    method : "cone" or "multiplicative"
        The cone program with a solver, or multiplicative steps without one.
    **solving
        As for :func:`cpe_opt.solve`, with ``clarabel`` by default; ``multiplicative`` takes none.

    Returns
    -------
    CharacteristicTime
        Infinite where two arms share the largest Borda score.

    Raises
    ------
    InputError
        On bad prices.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.borda_time(cpe.load_instance("cyclic"))
    >>> round(time.value, 2), time.gap < 1e-6
    (139.95, True)
    """
    if method == "multiplicative":
        refuse_unused(solving, "borda_time with method 'multiplicative'", instead=("cone",))
    charged = checked_prices(prices, preferences)
    if len(preferences.borda_winners) > 1:
        return _unattainable(preferences, method)
    spaces = HalfSpaces.of(preferences, charged)
    result: SolveResult | None = None
    if method == "multiplicative":
        weights = spaces.balanced(_STEPS)
        duels = spaces.feasible(spaces.amounts(weights))
    else:
        duels, weights, result = spaces.solved(_cone_program(spaces), **solving)
    q = np.zeros_like(preferences.array)
    q[spaces.pairs] = duels
    value = float(spaces.prices @ duels)
    return CharacteristicTime(
        value=value,
        bound=min(value, spaces.bound(weights)),
        method=method,
        result=result,
        winner=preferences.borda_winners[0],
        exploration=q + q.T,
        by_winner={preferences.borda_winners[0]: value},
    )


def _unattainable(preferences: PreferenceMatrix, method: Method) -> CharacteristicTime:
    """The time where arms share the largest score: of all their pairs, no number is enough."""
    winners, arms = preferences.borda_winners, preferences.arms
    q = np.zeros_like(preferences.array)
    for arm in winners:
        q = np.maximum(q, endless_exploration(arm, np.delete(np.arange(arms), arm), arms))
    return CharacteristicTime(
        value=math.inf,
        bound=math.inf,
        method=method,
        winner=winners[0],
        exploration=q,
        by_winner=dict.fromkeys(winners, math.inf),
    )


def _cone_program(spaces: HalfSpaces) -> ConicProgram:
    labels = {
        f"duels_{place}": f"{spaces.labels[i]} - {spaces.labels[j]}, in units of {unit:g} duels"
        for place, (i, j, unit) in enumerate(zip(*spaces.pairs, spaces.units, strict=True))
    }
    return spaces.cone_program("borda_time", "duels", labels)


@dataclass(frozen=True, eq=False)
class HalfSpaces(InverseRows):
    r"""The rows A of the program, one for each arm j other than the winner.

    With the pairs a, their prices :math:`\pi_a` and :math:`A_{ja} = c_{ja}^2/(2\Delta_j^2)` the
    program is :math:`\min_{q > 0} \sum_a \pi_a q_a` with :math:`\sum_a A_{ja} / q_a \le 1` for
    all j, one of :mod:`cpe_opt.formulations.inverse_rows`, where its bound, its cone program and
    steps without a solver are.

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
